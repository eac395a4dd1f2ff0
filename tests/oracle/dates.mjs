// Dates (docs/decisions/search.md#date-ranges). Every date is a half-open range [from, until) of microseconds
// since 1970, as BigInt. Open ends are -Infinity and Infinity (JavaScript compares BigInt with them correctly).

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;
const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const DAY = 24n * 60n * MINUTE;

function startOfDay(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // unlike Date.UTC, takes the years 0 to 99 as written
  return BigInt(date.getTime()) * 1000n;
}

function isDay(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function offsetOf(zone) {
  if (zone === undefined || zone === 'Z') return 0n; // no zone means UTC
  const minutes = BigInt(zone.slice(1, 3)) * 60n + BigInt(zone.slice(4, 6));
  return (zone[0] === '-' ? -minutes : minutes) * MINUTE;
}

const remembered = new Map();

// Text of any precision -> {from, until}, or null if it is not a date.
function parseDate(text) {
  if (typeof text !== 'string') return null;
  if (!remembered.has(text)) remembered.set(text, readDate(text));
  return remembered.get(text);
}

function readDate(text) {
  const match = DATE.exec(text);
  if (!match) return null;
  const [, y, mo, d, h, mi, s, fraction, zone] = match;
  const year = Number(y);
  if (mo === undefined) return { from: startOfDay(year, 1, 1), until: startOfDay(year + 1, 1, 1) };
  const month = Number(mo);
  if (month < 1 || month > 12) return null;
  if (d === undefined) return { from: startOfDay(year, month, 1), until: startOfDay(year, month + 1, 1) };
  const day = Number(d);
  if (!isDay(year, month, day)) return null;
  const midnight = startOfDay(year, month, day);
  if (h === undefined) return { from: midnight, until: midnight + DAY };
  if (Number(h) > 23 || Number(mi) > 59 || Number(s ?? 0) > 60) return null;
  const minute = midnight + (BigInt(h) * 60n + BigInt(mi)) * MINUTE - offsetOf(zone);
  if (s === undefined) return { from: minute, until: minute + MINUTE };
  const second = minute + BigInt(s) * SECOND; // :60 falls into the next minute by plain addition
  if (fraction === undefined) return { from: second, until: second + SECOND };
  const digits = fraction.slice(0, 6); // cut, never rounded
  const width = 10n ** BigInt(6 - digits.length);
  const from = second + BigInt(digits) * width;
  return { from, until: from + width };
}

// A stored element: a date, dateTime or instant (text), a Period or a Timing (objects). null if it contains no date.
export function rangeOf(element) {
  if (typeof element === 'string') return parseDate(element);
  if (typeof element !== 'object' || element === null) return null;
  if ('event' in element || 'repeat' in element) return rangeOfTiming(element);
  return rangeOfPeriod(element);
}

function rangeOfPeriod({ start, end }) {
  const first = parseDate(start);
  const last = parseDate(end);
  if (!first && !last) return null;
  if (first && last && first.from >= last.until) return first; // it ends before it starts: only its start counts
  return { from: first ? first.from : -Infinity, until: last ? last.until : Infinity };
}

// A Timing has the range of its outer limits: of its events, and of the bounds of its repetition if they are a Period.
function rangeOfTiming(timing) {
  const ranges = [...(timing.event ?? []).map(parseDate), rangeOfPeriod(timing.repeat?.boundsPeriod ?? {})].filter(
    Boolean,
  );
  if (ranges.length === 0) return null;
  return {
    from: ranges.map((range) => range.from).reduce((a, b) => (a < b ? a : b)),
    until: ranges.map((range) => range.until).reduce((a, b) => (a > b ? a : b)),
  };
}

// The comparators of FHIR R4, for a search range [S, E) and a target [from, until).
const COMPARATORS = {
  eq: ({ from: S, until: E }, { from, until }) => from >= S && until <= E,
  ne: (search, target) => !COMPARATORS.eq(search, target),
  gt: ({ until: E }, { until }) => until > E,
  lt: ({ from: S }, { from }) => from < S,
  ge: (search, target) => COMPARATORS.gt(search, target) || COMPARATORS.eq(search, target),
  le: (search, target) => COMPARATORS.lt(search, target) || COMPARATORS.eq(search, target),
  sa: ({ until: E }, { from }) => from >= E,
  eb: ({ from: S }, { until }) => until <= S,
  ap: ({ from: S, until: E }, { from, until }) => from < E && until > S,
};

// 'ge2024-01' -> {comparator: 'ge', range}. The range of `ap` is already widened. now: microseconds since 1970.
export function parseDateSearch(value, now = BigInt(Date.now()) * 1000n) {
  const [, comparator, date] = /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(.*)$/s.exec(value);
  const range = parseDate(date);
  if (!range) throw new Error(`not a date: ${value}`);
  return { comparator: comparator ?? 'eq', range: comparator === 'ap' ? widened(range, now) : range };
}

// Adds a tenth of the time between now and the nearer end of the range on both sides.
function widened({ from, until }, now) {
  const before = now < from ? (from - now) / 10n : 0n;
  const margin = now > until ? (now - until) / 10n : before;
  return { from: from - margin, until: until + margin };
}

export function dateMatches({ comparator, range }, target) {
  return COMPARATORS[comparator](range, target);
}
