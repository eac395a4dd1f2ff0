// Strings (docs/decisions/search.md#strings).

const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const APOSTROPHES = /['`\u00b4\u02b9\u02bb-\u02bd\u02c8\u055a\u2018-\u201b\u2032\uff07]/gu;
const SPACES = /[\s\u0085\u2212\p{Dash_Punctuation}]+/gu;
const remembered = new Map();

export function fold(text) {
  if (!remembered.has(text)) remembered.set(text, folded(text));
  return remembered.get(text);
}

function folded(text) {
  const plain = text
    .normalize('NFD')
    .replace(/(?!\u0345)\p{M}/gu, '')
    .replace(UNSEEN, '');
  // Convert letter by letter, because a sigma at the end of a word has a special form.
  const small = [...plain].map((letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
  return small.replace(APOSTROPHES, "'").replace(SPACES, ' ').trim();
}

function isWordStart(text, position) {
  if (position === 0) return true;
  const previous = [...text.slice(0, position)].pop();
  return !/[\p{L}\p{N}]/u.test(previous);
}

// Whether the value occurs in the element at the start of a word.
function beginsAWord(element, value) {
  const text = fold(element);
  const wanted = fold(value);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (isWordStart(text, at)) return true;
    if (at >= text.length) return false;
  }
  return false;
}

export function stringMatches(modifier, value, element) {
  if (modifier === 'exact') return element === value;
  if (fold(value) === '') return false;
  if (modifier === 'contains') return fold(element).includes(fold(value));
  return beginsAWord(element, value);
}

const PARTS = {
  HumanName: ['given', 'family', 'prefix', 'suffix', 'text'],
  Address: ['line', 'city', 'district', 'state', 'postalCode', 'country', 'text'],
};

// An element -> its texts. For a name or an address, these are its parts.
export function partsOf({ type, value }) {
  const texts = PARTS[type] ? PARTS[type].flatMap((part) => value[part]) : [value];
  return texts.filter((text) => typeof text === 'string');
}
