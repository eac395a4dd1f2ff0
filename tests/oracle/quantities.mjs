// Numbers and quantities. A stored value is an interval {low, high} of decimals. An end is {at, open}, or null if the
// interval is unbounded. A number is the interval of one point, with both ends closed.

import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import { absolute, add, compareDecimals, digitsOf, halfOf, negated, parseDecimal, tenth, times } from './decimals.mjs';
import { cut, unescaped } from './escapes.mjs';

const ucum = UcumLhcUtils.getInstance();

export const UCUM = 'http://unitsofmeasure.org';
const CURRENCIES = 'urn:iso:std:iso:4217';

// --- Intervals ---

const closed = (at) => ({ at, open: false });
const open = (at) => ({ at, open: true });
const point = (at) => ({ low: closed(at), high: closed(at) });

// Whether a part of the interval lies above the decimal, or below it.
const reachesAbove = ({ high }, at) => high === null || compareDecimals(high.at, at) > 0;
const reachesBelow = ({ low }, at) => low === null || compareDecimals(low.at, at) < 0;
// Whether the whole interval lies above the decimal, or below it.
const isAbove = ({ low }, at) => low !== null && compareDecimals(low.at, at) >= (low.open ? 0 : 1);
const isBelow = ({ high }, at) => high !== null && compareDecimals(high.at, at) <= (high.open ? 0 : -1);

function isWithin({ low, high }, from, until) {
  if (low === null || high === null) return false;
  return compareDecimals(low.at, from) >= 0 && compareDecimals(high.at, until) <= (high.open ? 0 : -1);
}

function overlaps({ low, high }, from, until) {
  const begins = low === null || compareDecimals(low.at, until) <= (low.open ? -1 : 0);
  const ends = high === null || compareDecimals(high.at, from) >= (high.open ? 1 : 0);
  return begins && ends;
}

const isPoint = ({ low, high }, at) =>
  low !== null && high !== null && !compareDecimals(low.at, at) && !compareDecimals(high.at, at);

// The comparators of R4. A search has a decimal and, for eq and ne, the range of its precision.
const COMPARATORS = {
  eq: ({ from, until }, interval) => isWithin(interval, from, until),
  ne: (search, interval) => !COMPARATORS.eq(search, interval),
  gt: ({ at }, interval) => reachesAbove(interval, at),
  lt: ({ at }, interval) => reachesBelow(interval, at),
  ge: ({ at }, interval) => reachesAbove(interval, at) || isPoint(interval, at),
  le: ({ at }, interval) => reachesBelow(interval, at) || isPoint(interval, at),
  sa: ({ at }, interval) => isAbove(interval, at),
  eb: ({ at }, interval) => isBelow(interval, at),
  ap: ({ at }, interval) => {
    const about = tenth(absolute(at));
    return overlaps(interval, add(at, negated(about)), add(at, about));
  },
};

// 'ge5.40' -> {comparator, at, from, until}
export function parseNumberSearch(text) {
  const [, comparator, digits] = /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(.*)$/s.exec(text);
  const at = parseDecimal(digits);
  if (!at) throw new Error(`not a number: ${text}`);
  const [, fraction = '', exponent] = /^-?\d+(?:\.(\d+))?(?:[eE](.+))?$/.exec(digits);
  // R4's own example: 100 is exact to half of one, and 1e2 to half of ten.
  const half = halfOf(exponent === undefined ? -fraction.length : Number(exponent) - fraction.length - 1);
  return { comparator: comparator ?? 'eq', at, from: add(at, negated(half)), until: add(at, half) };
}

export const numberMatches = (search, interval) => COMPARATORS[search.comparator](search, interval);

// --- Stored values ---

// A number or a Range -> its interval, or null if it has no comparable interval.
export function intervalOf({ type, value, text }) {
  if (type === 'Range') return rangeOf(value);
  const at = parseDecimal(text);
  return at && point(at);
}

function rangeOf({ low, high }) {
  const isThere = (end) => typeof end?.value === 'number';
  const [from, to] = [low, high].map((end) => (isThere(end) ? parseDecimal(digitsOf(end, 'value')) : undefined));
  if (from === null || to === null || (!from && !to)) return null;
  return { low: from ? closed(from) : null, high: to ? closed(to) : null };
}

const BY_COMPARATOR = {
  '<': (at) => ({ low: null, high: open(at) }),
  '<=': (at) => ({ low: null, high: closed(at) }),
  '>': (at) => ({ low: open(at), high: null }),
  '>=': (at) => ({ low: closed(at), high: null }),
};

// A Quantity, Money or Range -> {interval, system, code, unit}, or null if it contains no number.
export function quantityOf(element) {
  const { type, value } = element;
  if (type === 'SampledData') return null;
  if (type === 'Range') {
    const interval = intervalOf(element);
    return interval && { interval, ...unitOf(value.low ?? value.high) };
  }
  if (typeof value.value !== 'number') return null;
  const at = parseDecimal(digitsOf(value, 'value'));
  if (!at) return null;
  if (type === 'Money') return { interval: point(at), system: CURRENCIES, code: value.currency };
  return { interval: (BY_COMPARATOR[value.comparator] ?? point)(at), ...unitOf(value) };
}

const unitOf = ({ system, code, unit }) => ({ system, code, unit });

// --- Searches ---

// number, number|system|code, number|system| or number||code
export function parseQuantitySearch(text) {
  const [number, system, code] = cut(text, '|').map(unescaped);
  return { number: parseNumberSearch(number), system: system || undefined, code: code || undefined };
}

export function quantityMatches({ number, system, code }, { interval, ...unit }) {
  if (code === undefined) return (system === undefined || unit.system === system) && numberMatches(number, interval);
  if (system === undefined) return (unit.code === code || unit.unit === code) && numberMatches(number, interval);
  if (unit.system !== system) return false;
  if (unit.code === code) return numberMatches(number, interval);
  if (system !== UCUM) return false;
  const convert = conversion(unit.code, code);
  return convert !== null && numberMatches(number, converted(interval, convert));
}

const converted = ({ low, high }, { factor, offset }) => {
  const end = (one) => one && { ...one, at: add(times(one.at, factor), offset) };
  return { low: end(low), high: end(high) };
};

// The interval in base units, or unchanged if the unit has none. The library converts moles to plain numbers, so the
// results do not order moles among other units.
export function inBaseUnits({ interval, system, code }) {
  const at = (value) => ucum.convertToBaseUnits(code, value).magnitude;
  if (system !== UCUM || !code) return interval;
  const [zero, one] = [at(0), at(1)];
  return Number.isFinite(one) ? converted(interval, conversionOf(zero, one)) : interval;
}

const conversions = new Map();
const decimal = (value) => parseDecimal(Number(value.toPrecision(12)).toString());

// {factor, offset} from the conversions of 0 and 1. The library uses floating point, of which 12 digits are kept.
const conversionOf = (zero, one) => ({ factor: decimal(one - zero), offset: decimal(zero) });

// From one unit to another of the same dimension, or null.
function conversion(from, to) {
  const key = `${from} ${to}`;
  if (!conversions.has(key)) {
    const at = (value) => (from ? ucum.convertUnitTo(from, value, to).toVal : null);
    const [zero, one] = [at(0), at(1)];
    conversions.set(key, one === null ? null : conversionOf(zero, one));
  }
  return conversions.get(key);
}
