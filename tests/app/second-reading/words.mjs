// The words that a page may show for FHIR elements, and the numbers and dates in a page's text.

export const list = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);

/// Groups items by a key, in the order of the first occurrence of each key.
export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/// Normalizes the white space, the letter case, and equivalent characters of a text.
export const plain = (text) =>
  String(text ?? '')
    .normalize('NFKC')
    .replace(/[\s\u200b\u00ad]+/g, ' ')
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[’‘]/g, "'")
    .replace(/[µμ]/g, 'u')
    .trim()
    .toLowerCase();

/// Returns the names that a page may show for a CodeableConcept: its text and displays, or its codes without them.
export function names(concept) {
  const codings = list(concept?.coding);
  const said = [concept?.text, ...codings.map(({ display }) => display)].filter((one) => one && String(one).trim());
  return said.length > 0 ? said : codings.map(({ code }) => code).filter(Boolean);
}

/// Returns the part of a LOINC name before property, specimen and method.
const beginning = (name) =>
  plain(name)
    .split(
      /\s*(?:\[|--|\/hemoglobin\.total|[.,] ?total\b| in (?:blood|serum|plasma|urine|arterial)| per age| panel\b)/,
    )[0]
    .trim();

/// The length, in characters, to which names are cut before they are compared, since a page may clip long names.
const MAX_LENGTH = 300;

/// Returns whether a text contains one of the names, or its beginning.
export function hasName(text, wanted) {
  return wanted.some((name) => {
    const whole = plain(name).slice(0, MAX_LENGTH);
    if (text.includes(whole)) return true;
    const first = beginning(name);
    return first.length > 2 && text.includes(first.slice(0, MAX_LENGTH));
  });
}

/// The beginnings of the months in English and Spanish.
const MONTHS = [
  ...['(?:jan|ene)', 'feb', 'mar', '(?:apr|abr)', 'may', 'jun', 'jul', '(?:aug|ago)', 'sept?', 'oct', 'nov'],
  '(?:dec|dic)',
];

/// Returns a pattern for the forms in which a page may show a date, or undefined for an invalid date.
export function datePattern(text) {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(typeof text === 'string' ? text : '') ?? [];
  if (!year) return undefined;
  const named = MONTHS[Number(month) - 1];
  if (!named) return year;
  const word = `(?:de )?${named}[a-z]*\\.?(?: de)?`;
  if (!day) return `(?:${word},? ${year}|${year}-${month})`;
  const n = Number(day);
  return `(?:\\b${n} ${word},? ${year}|${word} ${n},? ${year}|${year}-${month}-${day})`;
}

/// Returns whether a text contains a date as it was written, or the day of an instant in UTC.
export function hasDate(text, date) {
  const utc = /T/.test(date ?? '') && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : undefined;
  const patterns = [datePattern(date), datePattern(utc)].filter(Boolean);
  return patterns.length === 0 || patterns.some((pattern) => new RegExp(pattern).test(text));
}

const NUMBER = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/// Returns the numbers in a text. Groups of thousands are joined. A space may separate groups or numbers, so it is read
/// in both ways.
function numbersIn(text) {
  const joined = text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1');
  const readings = [joined, joined.replace(/(\d) (?=\d{3}(?!\d))/g, '$1')];
  return readings.flatMap((one) => [...one.matchAll(NUMBER)].map(([found]) => Number(found)));
}

/// Returns whether a text contains a number, within the tolerance of rounding.
export function hasNumber(text, value) {
  const wanted = Math.abs(Number(value));
  return numbersIn(text).some((one) => one === wanted || Math.abs(one - wanted) <= 0.005 * Math.max(wanted, 1e-9));
}

const letters = (text) => plain(text).replace(/[^a-z0-9%]/g, '');

/// Returns whether a text contains a unit, or the unit is shown in another form than its code.
export function hasUnit(text, { unit, code } = {}) {
  const given = [unit, code].filter(Boolean);
  if (given.includes('Cel')) return /°c|\d c\b/.test(text);
  if (given.length === 0 || given.some((one) => /[{}*^#'[]|^1$/.test(one))) return true;
  return given.some((one) => letters(text).includes(letters(one)));
}

export const hasQuantity = (text, quantity) =>
  quantity?.value === undefined || (hasNumber(text, quantity.value) && hasUnit(text, quantity));

/// Returns a type in words: `MedicationStatement` becomes `medication statement`.
export const typeWords = (type) => type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
