// Elements of FHIR as words that a page may show for them, and numbers and dates in a page's text.

export const list = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);

/// Items by a key, in the order in which the keys come.
export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/// Text with white space, letter case, and signs of one meaning made equal.
export const plain = (text) =>
  String(text ?? '')
    .normalize('NFKC')
    .replace(/[\s\u200b\u00ad]+/g, ' ')
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[’‘]/g, "'")
    .replace(/[µμ]/g, 'u')
    .trim()
    .toLowerCase();

/// The names that a page may show for a CodeableConcept: its text, a display, or, without both, a code.
export function names(concept) {
  const codings = list(concept?.coding);
  const said = [concept?.text, ...codings.map(({ display }) => display)].filter((one) => one && String(one).trim());
  return said.length > 0 ? said : codings.map(({ code }) => code).filter(Boolean);
}

/// The part of a LOINC name before property, specimen and method.
const beginning = (name) =>
  plain(name)
    .split(
      /\s*(?:\[|--|\/hemoglobin\.total|[.,] ?total\b| in (?:blood|serum|plasma|urine|arterial)| per age| panel\b)/,
    )[0]
    .trim();

/// The longest part of a name that is looked for: a page may clip what is longer.
const MAX_LENGTH = 300;

/// Returns whether a text has one of the names, or its beginning.
export function hasName(text, wanted) {
  return wanted.some((name) => {
    const whole = plain(name).slice(0, MAX_LENGTH);
    if (text.includes(whole)) return true;
    const first = beginning(name);
    return first.length > 2 && text.includes(first.slice(0, MAX_LENGTH));
  });
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sept?', 'oct', 'nov', 'dec'];

/// The forms that a page may show a date in, as one pattern; nothing for what is no date.
export function datePattern(text) {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(typeof text === 'string' ? text : '') ?? [];
  if (!year) return undefined;
  const named = MONTHS[Number(month) - 1];
  if (!named) return year;
  const word = `${named}[a-z]*\\.?`;
  if (!day) return `(?:${word},? ${year}|${year}-${month})`;
  const n = Number(day);
  return `(?:\\b${n} ${word},? ${year}|${word} ${n},? ${year}|${year}-${month}-${day})`;
}

/// Returns whether a text has a date: as it was written, or, of an instant, as its day in UTC.
export function hasDate(text, date) {
  const utc = /T/.test(date ?? '') && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : undefined;
  const patterns = [datePattern(date), datePattern(utc)].filter(Boolean);
  return patterns.length === 0 || patterns.some((pattern) => new RegExp(pattern).test(text));
}

const NUMBER = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/// The numbers in a text. Groups of thousands are joined; where a blank may divide groups or numbers, it is read as
/// both.
function numbersIn(text) {
  const joined = text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1');
  const readings = [joined, joined.replace(/(\d) (?=\d{3}(?!\d))/g, '$1')];
  return readings.flatMap((one) => [...one.matchAll(NUMBER)].map(([found]) => Number(found)));
}

/// Returns whether a text has a number, up to the digits that a page may round away.
export function hasNumber(text, value) {
  const wanted = Math.abs(Number(value));
  return numbersIn(text).some((one) => one === wanted || Math.abs(one - wanted) <= 0.005 * Math.max(wanted, 1e-9));
}

const letters = (text) => plain(text).replace(/[^a-z0-9%]/g, '');

/// Returns whether a text has a unit, or the unit is of a kind whose print differs from its code.
export function hasUnit(text, { unit, code } = {}) {
  const given = [unit, code].filter(Boolean);
  if (given.includes('Cel')) return /°c|\d c\b/.test(text);
  if (given.length === 0 || given.some((one) => /[{}*^#'[]|^1$/.test(one))) return true;
  return given.some((one) => letters(text).includes(letters(one)));
}

/// Returns whether a text has a Quantity: its number and its unit.
export const hasQuantity = (text, quantity) =>
  quantity?.value === undefined || (hasNumber(text, quantity.value) && hasUnit(text, quantity));

/// A type in words: `MedicationStatement` is `medication statement`.
export const typeWords = (type) => type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
