//! Percentiles by the LMS method: a value is normally distributed after a power transformation, with the skewness L,
//! the median M and the coefficient of variation S at each age (Cole and Green, Statistics in Medicine
//! 1992;11:1305–19).

import type { Words } from '../language/words.ts';

export type Sex = 'male' | 'female';
export type Measure = 'weight' | 'length' | 'head' | 'bmi';

/** The three parameters at one age. */
export interface Lms {
  l: number;
  m: number;
  s: number;
}

/** The parameters of a measure, each at the same ages. */
interface Parameters {
  l: readonly number[];
  m: readonly number[];
  s: readonly number[];
}

export interface Table {
  /** In ascending order, in the unit of the standard. */
  ages: readonly number[];
  male: Parameters;
  female: Parameters;
}

export type Standard = Record<Measure, Table>;

/** The number of ages between which is interpolated, by a polynomial of the third degree. */
const NODES = 4;

/** Returns the parameters at an age, interpolated; `undefined` outside the ages of the table. */
export function lmsAt({ ages, ...bySex }: Table, sex: Sex, age: number): Lms | undefined {
  const above = ages.findIndex((one) => one >= age);
  if (above < 0 || age < (ages[0] ?? Infinity)) return undefined;
  const from = Math.max(0, Math.min(above - NODES / 2, ages.length - NODES));
  const near = ages.slice(from, from + NODES);
  const weights = near.map((at) =>
    near.filter((other) => other !== at).reduce((all, other) => (all * (age - other)) / (at - other), 1),
  );
  const { l, m, s } = bySex[sex];
  const between = (list: readonly number[]): number =>
    weights.reduce((sum, weight, i) => sum + weight * (list[from + i] ?? Number.NaN), 0);
  return { l: between(l), m: between(m), s: between(s) };
}

export const zScore = ({ l, m, s }: Lms, value: number): number =>
  Math.abs(l) < 1e-9 ? Math.log(value / m) / s : ((value / m) ** l - 1) / (l * s);

export const valueAt = ({ l, m, s }: Lms, z: number): number =>
  Math.abs(l) < 1e-9 ? m * Math.exp(s * z) : m * (1 + l * s * z) ** (1 / l);

/**
 * Returns the percentile of a z-score, from 0 to 100: the normal distribution (Abramowitz and Stegun, 7.1.26; its error
 * is less than 0.00002).
 */
export function percentileOf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const part = 1 / (1 + 0.3275911 * x);
  const sum = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce(
    (all, a) => (all + a) * part,
    0,
  );
  const half = (sum * Math.exp(-x * x)) / 2;
  return 100 * (z > 0 ? 1 - half : half);
}

/** The z-scores of the percentiles that are drawn. */
export const Z: Readonly<Record<number, number>> = {
  3: -1.8808,
  10: -1.2816,
  15: -1.0364,
  25: -0.6745,
  50: 0,
  75: 0.6745,
  85: 1.0364,
  90: 1.2816,
  97: 1.8808,
};

/** The ordinals of English by their last digit. */
const ORDINALS = {
  1: '{percentile}st percentile',
  2: '{percentile}nd percentile',
  3: '{percentile}rd percentile',
} as const;
const isOrdinal = (digit: number): digit is keyof typeof ORDINALS => digit in ORDINALS;

/** Returns a percentile in words, such as `42nd percentile`. */
export function percentileText(words: Words, percentile: number): string {
  if (percentile < 0.1) return words.t('below the {percentile}st percentile', { percentile: words.decimal('0.1') });
  if (percentile > 99.9) return words.t('above the {percentile}th percentile', { percentile: words.decimal('99.9') });
  const isEdge = percentile < 1 || percentile > 99;
  const shown = isEdge ? percentile.toFixed(1) : String(Math.round(percentile));
  const last = Number(shown.at(-1));
  const isTeen = /(^|\D)1\d$/.test(shown);
  return words.t(isOrdinal(last) && !isTeen ? ORDINALS[last] : '{percentile}th percentile', {
    percentile: words.decimal(shown),
  });
}
