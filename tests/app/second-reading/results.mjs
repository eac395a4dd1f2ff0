// The values, dates and flags of observations, by the interpretation of the laboratory
// (https://hl7.org/fhir/R4/observation.html, https://hl7.org/fhir/R4/valueset-observation-interpretation.html).

import { grouped, hasNumber, hasQuantity, list, names, plain } from './words.mjs';

/// Words that a page may show for a flag, by code.
const FLAGS = {
  H: /high|above/,
  HU: /high|above/,
  'H>': /high|above/,
  HX: /high|above/,
  L: /low|below/,
  LU: /low|below/,
  'L<': /low|below/,
  LX: /low|below/,
  HH: /critical/,
  LL: /critical/,
  AA: /critical/,
  A: /abnormal/,
};
const NORMAL = ['N', 'NEG'];

export const codesOf = (concepts) =>
  list(concepts)
    .flatMap(({ coding }) => list(coding))
    .map(({ code }) => code);

export const dateOf = (o) =>
  o.effectiveDateTime ??
  o.effectivePeriod?.start ??
  o.effectivePeriod?.end ??
  o.effectiveInstant ??
  list(o.effectiveTiming?.event)[0] ??
  o.issued;

export const isError = (record) =>
  [record.status, record.lifecycleStatus].includes('entered-in-error') ||
  codesOf(list(record.verificationStatus)).includes('entered-in-error');

/// LOINC codes of blood pressures: of both numbers in one observation, and of each number. All belong to one test.
export const PRESSURES = ['85354-9', '55284-4'];
export const HALVES = ['8480-6', '8462-4'];

/// Returns the key of a test, which all its results share.
export const testOf = ({ code, id }) => {
  const [first] = list(code?.coding);
  if (first?.system === 'http://loinc.org' && [...PRESSURES, ...HALVES].includes(first.code)) return 'blood pressure';
  return first?.code ?? code?.text ?? first?.display ?? id;
};

/// Returns a check for the value of an observation or a component, or undefined if there is no value to check.
export function valueCheck(of) {
  const {
    valueQuantity: q,
    valueCodeableConcept: c,
    valueString,
    valueInteger,
    valueRange: r,
    valueRatio,
    valueTime,
  } = of;
  if (q?.value !== undefined)
    return {
      what: `${q.comparator ?? ''}${q.value} ${q.unit ?? q.code ?? ''}`.trim(),
      holds: (text) => hasQuantity(text, q),
    };
  if (c && names(c).length > 0) {
    const wanted = names(c).map((name) => plain(name).slice(0, 200));
    return { what: wanted[0], holds: (text) => wanted.some((one) => text.includes(one)) };
  }
  const said = valueString ?? valueTime;
  if (typeof said === 'string' && said.trim() !== '') {
    const wanted = plain(said).slice(0, 200);
    return { what: wanted, holds: (text) => text.includes(wanted) };
  }
  if (typeof valueInteger === 'number')
    return { what: String(valueInteger), holds: (text) => hasNumber(text, valueInteger) };
  const pair = r ? [r.low, r.high] : valueRatio ? [valueRatio.numerator, valueRatio.denominator] : [];
  const parts = pair.filter((one) => one?.value !== undefined);
  if (parts.length === 0) return undefined;
  return {
    what: parts.map(({ value }) => value).join(' and '),
    holds: (text) => parts.every(({ value }) => hasNumber(text, value)),
  };
}

/// Returns the checks of all values of an observation: of its own value, or of the values of its components.
export function valueChecks(o) {
  const own = valueCheck(o);
  return own ? [own] : list(o.component).flatMap((part) => valueCheck(part) ?? []);
}

/// Returns the words of the laboratory's flag, or `normal` if the laboratory says so, or undefined.
function saidFlag({ interpretation }) {
  const codes = codesOf(interpretation);
  for (const code of ['HH', 'LL', 'AA', 'HU', 'LU', 'H>', 'L<', 'H', 'L', 'HX', 'LX', 'A']) {
    if (codes.includes(code)) return FLAGS[code];
  }
  if (codes.some((code) => NORMAL.includes(code))) return 'normal';
  return codes.length > 0 || list(interpretation).length > 0 ? 'other' : undefined;
}

/// Returns the words of the flag of a value, or `normal`, or undefined if neither is certain. Flags by a range have a
/// table of cases (reading/results/flags/flag.cases.ts).
export function flagOf(of) {
  const said = saidFlag(of);
  return said === 'other' ? undefined : said;
}

/// Returns the observations of each test, the latest first, without those entered in error or cancelled.
export function byTest(observations) {
  const groups = grouped(
    observations.filter((o) => !isError(o) && o.status !== 'cancelled'),
    testOf,
  );
  const at = (o) => Date.parse(dateOf(o) ?? '') || Number.NEGATIVE_INFINITY;
  const has = (o) => Number(valueChecks(o).length > 0);
  return [...groups].map(([key, all]) => ({ key, all: all.toSorted((a, b) => at(b) - at(a) || has(b) - has(a)) }));
}
