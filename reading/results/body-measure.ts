//! The weight and the height of a body in kilograms and centimetres, if they were recorded in other units.

import { quantity } from '../fhir/text.ts';
import type { Concept, Quantity } from '../fhir/types.ts';
import { isVital } from '../fhir/vital-codes.ts';
import type { Words } from '../language/words.ts';
import { converted, dimensionOf } from './convert.ts';

/** A body measure: its LOINC codes, the preferred unit, and the unit in which small values stay. */
interface BodyMeasure {
  codes: readonly string[];
  unit: Quantity;
  /** The least value in the preferred unit for which another metric unit is replaced: a newborn has 3,250 g. */
  least: number;
}

const MEASURES: readonly BodyMeasure[] = [
  {
    codes: ['29463-7', '3141-9', '3142-7', '8341-0', '8335-2', '8351-9', '8350-1', '75292-3'],
    unit: { unit: 'kg', code: 'kg' },
    least: 10,
  },
  {
    codes: ['8302-2', '3137-7', '3138-5', '8301-4', '8306-3', '8308-9', '9843-4', '8287-5', '8280-0', '56086-2'],
    unit: { unit: 'cm', code: 'cm' },
    least: Infinity,
  },
];

/** Returns whether a unit is another one times a power of ten: both are metric. */
const isMetric = (of: Quantity, unit: Quantity): boolean => {
  const factor = converted(1, of, unit);
  return factor !== undefined && Number.isInteger(Number(Math.log10(factor).toPrecision(10)));
};

/** Returns the preferred unit of a weight or a height; `undefined` if its own unit is usual, or for other values. */
export function leadUnit(code: Concept | undefined, of: Quantity): Quantity | undefined {
  const { value, unit, code: named } = of;
  if (value === undefined || !(unit || named)) return undefined;
  if (!['mass', 'length'].includes(dimensionOf(of) ?? '')) return undefined;
  const measure = MEASURES.find(({ codes }) => isVital(code, ...codes));
  const inLead = measure && converted(value, of, measure.unit);
  if (!measure || inLead === undefined || inLead === value) return undefined;
  return isMetric(of, measure.unit) && inLead < measure.least ? undefined : measure.unit;
}

/** Returns a weight or a height in the preferred unit, with one decimal; `undefined` if it stays as recorded. */
export function inLeadUnit(words: Words, code: Concept | undefined, of: Quantity): string | undefined {
  const unit = leadUnit(code, of);
  const value = unit && of.value !== undefined ? converted(of.value, of, unit) : undefined;
  if (value === undefined) return undefined;
  const { comparator } = of;
  return quantity(words, { ...unit, ...(comparator ? { comparator } : {}), value: Number(value.toFixed(1)) });
}
