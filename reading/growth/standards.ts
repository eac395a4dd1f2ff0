//! The growth standards: the one of the WHO to the age of two, then that of the CDC, as the CDC advises for the United
//! States (Grummer-Strawn and others, MMWR Recommendations and Reports 2010;59(RR-9):1–15).

import type { PlainMessage } from '../language/words.ts';
import { CDC } from './cdc.ts';
import { type Lms, lmsAt, type Measure, percentileOf, type Sex, type Table, valueAt, Z, zScore } from './lms.ts';
import type { Measurement } from './measurements.ts';
import { WHO } from './who.ts';

/** The number of days in a month, as both standards count them. */
export const MONTH = 30.4375;
/** The first day of the CDC's charts: the second birthday. */
const SECOND_BIRTHDAY = 730;

export interface StandardType {
  id: 'WHO' | 'CDC';
  /** The name of the charts, with their year. */
  title: PlainMessage;
  url: string;
  /** The first age of the charts, in months. */
  from: number;
  until: number;
  table(measure: Measure): Table;
  /** Returns the age in the unit of the tables. */
  unit(days: number): number;
  percentiles(measure: Measure): readonly number[];
}

export const WHO_STANDARD: StandardType = {
  id: 'WHO',
  title: 'WHO Child Growth Standards, 2006',
  url: 'https://www.who.int/tools/child-growth-standards',
  from: 0,
  until: 24,
  table: (measure) => WHO[measure],
  unit: (days) => Math.min(days, SECOND_BIRTHDAY),
  percentiles: () => [3, 15, 50, 85, 97],
};

export const CDC_STANDARD: StandardType = {
  id: 'CDC',
  title: 'CDC Growth Charts, 2000',
  url: 'https://www.cdc.gov/growthcharts/cdc-data-files.htm',
  from: 24,
  until: 240,
  table: (measure) => CDC[measure],
  unit: (days) => Math.max(24, days / MONTH),
  percentiles: (measure) => (measure === 'bmi' ? [3, 10, 25, 50, 75, 85, 97] : [3, 10, 25, 50, 75, 90, 97]),
};

export const standardFor = (days: number): StandardType => (days < SECOND_BIRTHDAY ? WHO_STANDARD : CDC_STANDARD);

const lmsFor = (standard: StandardType, measure: Measure, sex: Sex, days: number): Lms | undefined =>
  lmsAt(standard.table(measure), sex, standard.unit(days));

/** Returns the percentile of a measurement, 0 to 100; `undefined` outside the tables or without an age or a value. */
export function percentile(measure: Measure, sex: Sex, { age, amount }: Measurement): number | undefined {
  if (age === undefined || amount === undefined) return undefined;
  const lms = lmsFor(standardFor(age), measure, sex, age);
  return lms && percentileOf(zScore(lms, amount));
}

/** A curve: the value of a percentile at some ages, in months. */
export interface Curve {
  percentile: number;
  points: { months: number; value: number }[];
}

/** Returns the curves of a standard for a range of ages in months. */
export function curves(standard: StandardType, measure: Measure, sex: Sex, until: number): Curve[] {
  const { ages } = standard.table(measure);
  const perMonth = standard.id === 'WHO' ? MONTH : 1;
  const within = ages.filter((age) => age / perMonth <= until + 1e-9);
  return standard.percentiles(measure).map((one) => ({
    percentile: one,
    points: within.flatMap((age) => {
      const lms = lmsAt(standard.table(measure), sex, age);
      return lms ? [{ months: age / perMonth, value: valueAt(lms, Z[one] ?? 0) }] : [];
    }),
  }));
}
