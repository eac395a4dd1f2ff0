//! Conversion of measured values between units of one dimension. The units are those of laboratories and wards, by
//! their UCUM codes (<https://ucum.org/ucum>) and in common spellings. An unknown unit is never converted.
//!
//! Mass and amount of substance are two dimensions, since the factor depends on the substance. So are mmol/mol and
//! percent, which are two scales of HbA1c, and mEq and mmol, except for ions with a single charge.

import type { Concept, Quantity } from '../../fhir/types.ts';
import { annotation } from '../../fhir/units.ts';
import { own } from '../../own.ts';
import { remembered } from '../../remembered.ts';

/** A unit: its dimension, and the factor and offset that convert its numbers to the base unit of the dimension. */
interface Unit {
  dimension: string;
  factor: number;
  /** Added before the factor, for degrees. */
  offset?: number;
}

type Factors = Readonly<Record<string, number>>;

const MASSES: Factors = { kg: 1e3, g: 1, mg: 1e-3, ug: 1e-6, mcg: 1e-6, ng: 1e-9, pg: 1e-12, fg: 1e-15 };
const AMOUNTS: Factors = { mol: 1, mmol: 1e-3, umol: 1e-6, nmol: 1e-9, pmol: 1e-12, fmol: 1e-15 };
const EQUIVALENTS: Factors = { eq: 1, Eq: 1, meq: 1e-3, mEq: 1e-3, mval: 1e-3, ueq: 1e-6, uEq: 1e-6 };
const PREFIXES: Factors = { k: 1e3, '': 1, m: 1e-3, u: 1e-6, n: 1e-9 };
/** Units of enzyme activity. `U` is 1/60 µkat. The WHO's unit, IU, has the same number within one test. */
const ACTIVITIES: Factors = {
  ...withPrefixes('U', 1),
  ...withPrefixes('[iU]', 1),
  ...withPrefixes('[IU]', 1),
  ...withPrefixes('IU', 1),
  ...withPrefixes('kat', 60e6),
};
const VOLUMES: Factors = { L: 1, l: 1, dL: 0.1, dl: 0.1, mL: 1e-3, ml: 1e-3, uL: 1e-6, ul: 1e-6, '100mL': 0.1 };
const CELL_VOLUMES: Factors = { ...VOLUMES, mm3: 1e-6, cmm: 1e-6, 'mm^3': 1e-6, nL: 1e-9 };
const TIMES: Factors = { s: 1, sec: 1, min: 60, h: 3600, hr: 3600, d: 86_400, '24h': 86_400, '24hr': 86_400 };

function withPrefixes(unit: string, factor: number): Factors {
  return Object.fromEntries(Object.entries(PREFIXES).map(([prefix, by]) => [prefix + unit, by * factor]));
}

const UNITS = new Map<string, Unit>();
const put = (dimension: string, units: Factors): void => {
  for (const [unit, factor] of Object.entries(units)) UNITS.set(unit, { dimension, factor });
};
/** Returns each unit of the first table divided by each unit of the second. */
const quotients = (over: Factors, under: Factors, tail = ''): Factors =>
  Object.fromEntries(
    Object.entries(over).flatMap(([a, by]) => Object.entries(under).map(([b, of]) => [`${a}/${b}${tail}`, by / of])),
  );

/** Powers of ten in cell counts: `10*3`, `x10^3`, `x10E3`, and by name. */
const THOUSANDS: Factors = Object.fromEntries([
  ...[3, 6, 9, 12].flatMap((power) =>
    ['10*', '10^', 'x10*', 'x10^', '10E', 'x10E', '10e', 'x10e', 'E', 'x10E+'].map(
      (spelling) => [`${spelling}${power}`, 10 ** power] as const,
    ),
  ),
  ...[3, 6, 9].map((power) => [`x10E0${power}`, 10 ** power] as const),
  ...['K', 'k', 'Thou', 'Thousand', 'thousand', 'Tsd', 'Tsd.', 'th', 'TH'].map((name) => [name, 1e3] as const),
  ...['M', 'Mill', 'mill', 'Million', 'million', 'Mio', 'Mio.', 'mil'].map((name) => [name, 1e6] as const),
  ...['Mrd', 'Mrd.', 'Giga', 'giga'].map((name) => [name, 1e9] as const),
  ...['Bill', 'Tera', 'tera'].map((name) => [name, 1e12] as const),
]);

put('mass', { ...MASSES, '[lb_av]': 453.59237, lb: 453.59237, lbs: 453.59237, '[oz_av]': 28.349523125 });
put('mass', { oz: 28.349523125, '[stone_av]': 6350.29318, st: 6350.29318, kilogram: 1e3, gram: 1, pound: 453.59237 });
put('length', { m: 1, dm: 0.1, cm: 0.01, mm: 1e-3, um: 1e-6, nm: 1e-9, '[in_i]': 0.0254, in: 0.0254, inch: 0.0254 });
put('length', { inches: 0.0254, '[ft_i]': 0.3048, ft: 0.3048, centimeter: 0.01, centimetre: 0.01 });
put('volume', { L: 1, l: 1, dL: 0.1, cL: 0.01, mL: 1e-3, ml: 1e-3, cc: 1e-3, cm3: 1e-3, uL: 1e-6, fL: 1e-15 });
put('time', { s: 1, sec: 1, ms: 1e-3, min: 60, h: 3600, hr: 3600, d: 86_400, wk: 604_800 });
put('time', { hours: 3600, minutes: 60, seconds: 1, days: 86_400, weeks: 604_800 });
put('years', { a: 1, yr: 1, y: 1, year: 1, years: 1, mo: 1 / 12, month: 1 / 12, months: 1 / 12 });
put('pressure', { Pa: 1, hPa: 100, kPa: 1e3, mbar: 100, bar: 1e5, 'mm[Hg]': 133.322387415, mmHg: 133.322387415 });
put('pressure', { torr: 133.322387415, 'cm[H2O]': 98.0665, cmH2O: 98.0665 });
put('rate', { '/s': 60, Hz: 60, '/min': 1, bpm: 1, 'beats/min': 1, 'beats/minute': 1, 'breaths/min': 1 });
put('rate', { 'breaths/minute': 1, '/minute': 1, 'min-1': 1, rpm: 1, '/h': 1 / 60 });
put('rate', { '1/min': 1, 'min^-1': 1, 'min⁻¹': 1, lpm: 1, ppm: 1 });
put('fraction', { '%': 0.01, '1': 1, 'L/L': 1, 'l/l': 1, percent: 0.01, 'mL/dL': 0.01, 'g/g': 1 });
put('mmol-per-mol', { 'mmol/mol': 1 });
put('mass-concentration', quotients(MASSES, VOLUMES));
put('mass-concentration', { 'mg%': 1e-2, 'g%': 10, 'gm/dL': 10, 'gm/dl': 10 });
put('substance-concentration', quotients(AMOUNTS, VOLUMES));
put('equivalents', quotients(EQUIVALENTS, VOLUMES));
put('activity', quotients(ACTIVITIES, VOLUMES));
put('cells', quotients(THOUSANDS, CELL_VOLUMES));
put('cells', quotients({ '': 1, cells: 1 }, CELL_VOLUMES));
// French and German laboratories write G/L and T/L for giga and tera per litre.
put('cells', { 'G/L': 1e9, 'T/L': 1e12, 'G/l': 1e9, 'T/l': 1e12 });
put('mass-per-mass', quotients({ g: 1, mg: 1e-3, ug: 1e-6, mcg: 1e-6, ng: 1e-9 }, { kg: 1e3, g: 1, mg: 1e-3 }));
UNITS.set('g/g', { dimension: 'fraction', factor: 1 });
put('mass-per-amount', quotients({ g: 1, mg: 1e-3, ug: 1e-6 }, { mol: 1, mmol: 1e-3 }));
put('amount-per-amount', quotients({ umol: 1e-6, nmol: 1e-9 }, { mmol: 1e-3 }));
put('mass-per-area', { 'kg/m2': 1, 'kg/m^2': 1, 'kg/m²': 1, 'kg/m**2': 1, 'g/m2': 1e-3, 'g/cm2': 10 });
put('mass-per-time', quotients({ g: 1, mg: 1e-3, ug: 1e-6 }, { d: 1, '24h': 1, '24hr': 1 }));
put('flow', quotients({ L: 1, dL: 0.1, mL: 1e-3, ml: 1e-3 }, TIMES));
put('flow-per-surface', quotients({ L: 1, mL: 1e-3, ml: 1e-3 }, { min: 60, s: 1 }, '/1.73m2'));
put('sedimentation', { 'mm/h': 1, 'mm/hr': 1 });
put('osmolality', quotients({ osm: 1, Osm: 1, mosm: 1e-3, mOsm: 1e-3 }, { kg: 1 }));
UNITS.set('Cel', { dimension: 'temperature', factor: 1 });
UNITS.set('K', { dimension: 'temperature', factor: 1, offset: -273.15 });
UNITS.set('[degF]', { dimension: 'temperature', factor: 5 / 9, offset: -32 });

const DEGREES: Readonly<Record<string, string>> = { '℃': 'Cel', '℉': '[degF]' };

/** The units in lower case, if that is unambiguous. `g/l` is ambiguous: gram or giga. */
const LOWER = new Map<string, Unit | undefined>();
for (const [name, unit] of UNITS) {
  const lower = name.toLowerCase();
  const other = LOWER.get(lower);
  const isSame = other?.dimension === unit.dimension && Math.abs(other.factor / unit.factor - 1) < 1e-9;
  LOWER.set(lower, LOWER.has(lower) && !isSame ? undefined : unit);
}

/** Returns one spelling of a unit: without annotations and spaces, with `u` for micro. */
function spelledAnew(unit: string): string {
  return unit
    .trim()
    .replace(/\{?\/?1\.73[ _]?m(?:2|²|\^2)\}?|\/\{1\.73_m2\}/i, (found) =>
      found.startsWith('/') ? '/1.73m2' : '1.73m2',
    )
    .replace(/\{[^{}]*\}/g, '')
    .replace(/[µμ]|mc(?=[lg]\b)/gi, 'u')
    .replace(/10\((\d+)\)/, '10*$1')
    .replace(/×/g, 'x')
    .replace(/³/g, '3')
    .replace(/⁶/g, '6')
    .replace(/⁹/g, '9')
    .replace(/\s+/g, '');
}

/** Returns one spelling of a unit. By UCUM, an annotation alone is the unit 1. */
const spelled = remembered((unit) => spelledAnew(unit) || '1');

/** Units of counts per minute, for a pulse or breathing. */
const COUNTED = new RegExp(
  String.raw`^\{?(?:beats?|breaths?|bt|br|counts?|resp(?:irations?)?|pulses?|schl(?:ä|ae)ge|atemz(?:ü|ue)ge` +
    String.raw`|latidos|respiraciones|slagen|battements|bpm|rpm|x)?\}?\s*(?:/|per|pro|por|par|a)\s*min(?:ute|uto` +
    String.raw`|uut)?s?\.?$`,
  'i',
);
/** The scale of a temperature, in any spelling of degrees. */
const SCALE =
  /^(?:deg(?:rees?)?\.?|grad|grados?|graden|°|º)?\s*(c(?:elsius|entigrade)?|f(?:ahrenheit)?)\s*(?:deg(?:rees?)?\.?)?$/i;
const PERCENT = /^(?:%\s*(?:o2|spo2|sat(?:uration)?\.?)|percent(?:age)?|prozent|por ?ciento|pct)$/i;
const PRESSURE = /^mill?im(?:eters?|etres?)\s*(?:of)?\s*(?:mercury|hg)$|^mm\.?\s*hg\.?$/i;

/** Units in words. A pound is another weight in other languages, and so is a grain, `gr`. */
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [COUNTED, '/min'],
  [PERCENT, '%'],
  [PRESSURE, 'mm[Hg]'],
  [/^kgs$|^kilo(?:gram(?:m[es]?|os?|s)?|s)$/i, 'kg'],
  [/^gram(?:m[es]?|os?|s)$/i, 'g'],
  [/^pounds$/i, '[lb_av]'],
  [/^ounces?$/i, '[oz_av]'],
  [/^[cz]ent[ií]?m[eèé]t(?:er|re|ro)s?$/i, 'cm'],
  [/^m[eèé]t(?:er|re|ro)s?$/i, 'm'],
  [/^pulgadas?$|^\[in_us\]$/i, '[in_i]'],
];

/** Returns the code of a unit in words; `undefined` for other words. */
function wordUnit(name: string): string | undefined {
  const scale = SCALE.exec(name)?.[1];
  if (scale) return /^c/i.test(scale) ? 'Cel' : '[degF]';
  return IN_WORDS.find(([words]) => words.test(name))?.[1];
}

const unitNamed = remembered((name): Unit | undefined => {
  const said = own(DEGREES, name) ?? wordUnit(name.trim()) ?? name.trim();
  const one = spelled(said);
  return UNITS.get(said) ?? UNITS.get(one) ?? LOWER.get(one.toLowerCase());
});

/** LOINC codes of ions with a single charge, for which mEq and mmol have the same number. */
const SINGLE_CHARGE = new Set([
  ...['2951-2', '2947-0', '2955-3', '2823-3', '6298-4', '2828-2', '2075-0', '2069-3', '2078-4'],
  ...['2028-9', '20565-8', '1963-8', '1959-6', '1960-4', '14334-7', '33037-3', '10466-1', '1863-0'],
]);

const hasSingleCharge = (test: Concept | undefined): boolean =>
  (test?.coding ?? []).some(({ code }) => code !== undefined && SINGLE_CHARGE.has(code));

type InUnit = Pick<Quantity, 'unit' | 'code'>;
const namesOf = ({ code, unit }: InUnit): string[] => [code, unit].flatMap((one) => one || []);

/** Returns the unit of a quantity in the table: by its code, or else by its written form. */
const unitOf = (of: InUnit): Unit | undefined => namesOf(of).map(unitNamed).find(Boolean);

/** Returns the dimension of a unit, such as `mass-concentration`; `undefined` for an unknown unit. */
export const dimensionOf = (of: InUnit): string | undefined => unitOf(of)?.dimension;

/** Returns what a unit is of: its annotation, or the words behind a known unit, such as FEU in `mg/L FEU`. */
const annotated = remembered((name): string => {
  const notes = [...name.matchAll(/\{([^{}]*)\}/g)].map(([, text = '']) => annotation(text)).join('');
  const [, first, rest] = /^(\S+)\s+(\S.*)$/.exec(name) ?? [];
  return notes || (first && rest && !unitNamed(name) && unitNamed(first) ? annotation(rest) : '');
});

const isLog = (of: InUnit): boolean => namesOf(of).some((name) => /(?:^|[^a-z])log/i.test(name));

/** Returns whether two units are of different things. A unit without an annotation is of anything but a logarithm. */
function differ(a: InUnit, b: InUnit): boolean {
  const [one, other] = [a, b].map((of) => namesOf(of).map(annotated).find(Boolean));
  return isLog(a) !== isLog(b) || (one !== undefined && other !== undefined && one !== other);
}

/** Returns whether two units are written alike, or one of them is missing. */
export const isSameUnit = (a: InUnit, b: InUnit): boolean => {
  if ((otherCode(a) === undefined) !== (otherCode(b) === undefined)) return false;
  const [names, others] = [namesOf(a), namesOf(b)];
  if (names.length === 0 || others.length === 0) return true;
  if (differ(a, b)) return false;
  if (a.code && b.code) return spelled(a.code) === spelled(b.code);
  return names.some((one) => others.some((other) => spelled(one) === spelled(other)));
};

/**
 * Converts a number from one unit to another. Returns `undefined` if the units differ in dimension, or one is unknown.
 * `test` is the code of the measurement.
 */
export function converted(value: number, from: InUnit, to: InUnit, test?: Concept): number | undefined {
  if (isSameUnit(from, to)) return value;
  // A unit that contradicts its code is not known.
  if ([from, to].some((one) => otherCode(one, test))) return undefined;
  const [a, b] = [unitOf(from), unitOf(to)];
  if (!a || !b || isLog(from) || differ(from, to) || !isComparable(a, b, test)) return undefined;
  const inOwn = (value + (a.offset ?? 0)) * a.factor;
  // A product of binary fractions is rounded to the precision of measurements.
  return Number((inOwn / b.factor - (b.offset ?? 0)).toPrecision(12));
}

/** Returns the code of a unit that says another known unit than its words; `undefined` for most units. */
export function otherCode({ unit, code }: InUnit, test?: Concept): string | undefined {
  if (!unit || !code || unit.toLowerCase() === code.toLowerCase() || spelled(code) === '1') return undefined;
  if (!unitNamed(unit) || !unitNamed(code)) return undefined;
  return converted(1, { unit }, { unit: code }, test) === 1 ? undefined : code;
}

function isComparable(a: Unit, b: Unit, test: Concept | undefined): boolean {
  if (a.dimension === b.dimension) return true;
  const both = [a.dimension, b.dimension];
  return hasSingleCharge(test) && both.includes('equivalents') && both.includes('substance-concentration');
}
