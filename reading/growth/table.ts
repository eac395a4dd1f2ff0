//! The growth measurements of a child with their percentiles: the rows of the tables beside the growth charts.

import type { PlainMessage } from '../language/words.ts';
import type { Measure, Sex } from './lms.ts';
import type { Measurement, Measurements } from './measurements.ts';
import { CDC_STANDARD, percentile, type StandardType, standardFor } from './standards.ts';

export interface GrowthRow {
  measurement: Measurement;
  /** The standard for the age; `undefined` if the age is unknown. */
  standard: StandardType | undefined;
  percentile: number | undefined;
  /** The reason why there is no percentile. */
  why: PlainMessage | undefined;
}

export interface GrowthTable {
  measure: Measure;
  sex: Sex;
  /** Oldest first. */
  rows: GrowthRow[];
}

function growthRow(measure: Measure, sex: Sex, measurement: Measurement): GrowthRow {
  const { age, amount } = measurement;
  const standard = age === undefined ? undefined : standardFor(age);
  const found = percentile(measure, sex, measurement);
  const why =
    age === undefined
      ? 'The date is not exact enough'
      : amount === undefined
        ? 'The unit or the value is not known'
        : standard === CDC_STANDARD && measure === 'head'
          ? 'The CDC has no curves after three years'
          : 'Outside the ages of the curves';
  return { measurement, standard, percentile: found, why: found === undefined ? why : undefined };
}

export const growthTable = ({ measure, list }: Measurements, sex: Sex): GrowthTable => ({
  measure,
  sex,
  rows: list.map((one) => growthRow(measure, sex, one)),
});

/** Returns the sex for the growth standards, which have two; `undefined` for another or an unknown sex. */
export const sexOf = (gender: string | undefined): Sex | undefined =>
  gender === 'male' || gender === 'female' ? gender : undefined;
