//! The growth measurements among the observations of a patient, in the units of the growth standards, each with the age
//! at which it was made.

import { isCounted } from '../fhir/certainty.ts';
import { instant } from '../fhir/date.ts';
import { hasCode } from '../fhir/text.ts';
import type { Observation, Quantity } from '../fhir/types.ts';
import { ENGLISH, type PlainMessage, type Words } from '../language/words.ts';
import { ageInDays, childAge } from '../people/age.ts';
import { isOfOther } from '../results/names/told-apart.ts';
import { converted } from '../results/values/convert.ts';
import { value, when } from '../results/values/reading.ts';
import type { Measure } from './lms.ts';

/** The end of the growth standards, in years. */
const GROWTH_END = 20;

interface MeasureType {
  title: PlainMessage;
  unit: string;
  /** The codes of LOINC. */
  codes: readonly string[];
}

export const MEASURES: Readonly<Record<Measure, MeasureType>> = {
  weight: { title: 'Weight', unit: 'kg', codes: ['29463-7', '3141-9'] },
  length: { title: 'Length or height', unit: 'cm', codes: ['8302-2', '8306-3', '8308-9'] },
  head: { title: 'Head circumference', unit: 'cm', codes: ['9843-4', '8287-5'] },
  bmi: { title: 'Body mass index', unit: 'kg/m²', codes: ['39156-5'] },
};
const ORDER: readonly Measure[] = ['weight', 'length', 'head', 'bmi'];

export interface Measurement {
  source: Observation;
  /** The date as written. */
  on: string | undefined;
  /** The value as it was recorded. */
  text: string;
  /** The value in the unit of the standards; `undefined` if it cannot be converted. */
  amount: number | undefined;
  /** The age in days; `undefined` if its date or the birth date is not exact. */
  age: number | undefined;
  ageText: string;
}

/** The measurements of one kind, oldest first. */
export interface Measurements {
  measure: Measure;
  list: Measurement[];
}

function amountOf(quantity: Quantity | undefined, unit: string): number | undefined {
  if (quantity?.value === undefined || quantity.value <= 0 || quantity.comparator) return undefined;
  return quantity.code || quantity.unit ? converted(quantity.value, quantity, { unit }) : undefined;
}

/** Returns the growth measurements before the age of twenty, by kind, without those that were entered in error
 * or are about another. */
export function measurementsOf(
  words: Words,
  observations: readonly Observation[],
  birth: string | undefined,
): Measurements[] {
  return ORDER.flatMap((measure) => {
    const { codes, unit } = MEASURES[measure];
    const list = observations
      .filter((o) => hasCode(o.code, ...codes) && isCounted(o) && !isOfOther(o))
      .map((source): Measurement => {
        const on = when(source);
        return {
          source,
          on,
          text: value(words, source) ?? '',
          amount: amountOf(source.valueQuantity, unit),
          age: ageInDays(birth, on),
          ageText: childAge(words, birth, on),
        };
      })
      .filter(({ text, age }) => text !== '' && !(age !== undefined && age >= GROWTH_END * 365.25))
      .sort((a, b) => (instant(a.on) ?? 0) - (instant(b.on) ?? 0));
    return list.length > 0 ? [{ measure, list }] : [];
  });
}

/** Returns whether there is a measurement at a known age below twenty, so that growth curves are useful. */
export const hasGrowth = (observations: readonly Observation[], birth: string | undefined): boolean =>
  measurementsOf(ENGLISH, observations, birth).some(({ list }) => list.some(({ age }) => age !== undefined));
