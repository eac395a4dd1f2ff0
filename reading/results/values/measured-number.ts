//! The number of a measured value, from any of its elements: a quantity, an integer, or a text that is only a number,
//! such as `7,2 mmol/L` or `<0.01`.

import type { MeasuredValue, Quantity } from '../../fhir/types.ts';
import { dimensionOf } from './convert.ts';

const NUMBER = /^([<>]=?|[≤≥])?\s*(-?\d{1,9}(?:[.,]\d{1,9})?)\s*([^\d\s].{0,29})?$/;
/** A comma before three digits may separate thousands. */
const AMBIGUOUS = /^\d{1,3},\d{3}$/;
const SIGNS: Readonly<Record<string, string>> = { '≤': '<=', '≥': '>=' };

/** Returns the number in a text, with its comparator and its unit; `undefined` if the text has anything else. */
export function numberIn(text: string): Quantity | undefined {
  const [, sign, number, unit] = NUMBER.exec(text.trim()) ?? [];
  if (number === undefined || AMBIGUOUS.test(number)) return undefined;
  if (unit !== undefined && !dimensionOf({ unit })) return undefined;
  const written = number.replace(',', '.');
  return {
    value: Number(written),
    written,
    ...(sign ? { comparator: SIGNS[sign] ?? sign } : {}),
    ...(unit ? { unit } : {}),
  };
}

/** Returns the number of a value with its unit. Sampled data have none. */
export function quantityOf(of: MeasuredValue): Quantity | undefined {
  if (of.valueQuantity) return of.valueQuantity.value === undefined ? undefined : of.valueQuantity;
  if (of.valueInteger !== undefined) return { value: of.valueInteger };
  return of.valueString === undefined ? undefined : numberIn(of.valueString);
}
