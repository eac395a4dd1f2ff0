// Strings (decision 12).

export function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function isWordStart(text, position) {
  if (position === 0) return true;
  const previous = [...text.slice(0, position)].pop();
  return !/[\p{L}\p{N}]/u.test(previous);
}

// Whether a word of the element begins with the value.
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
  if (modifier === 'contains') return fold(element).includes(fold(value));
  return beginsAWord(element, value);
}

const NAME_PARTS = ['given', 'family', 'prefix', 'suffix', 'text'];
const ADDRESS_PARTS = ['line', 'city', 'district', 'state', 'postalCode', 'country', 'text'];

export const humanName = (path) => NAME_PARTS.map((part) => `${path}.${part}`);
export const address = (path) => ADDRESS_PARTS.map((part) => `${path}.${part}`);
