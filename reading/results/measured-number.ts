//! The number of a measured value, in whichever element it stands: a quantity, an integer, or a text that is nothing
//! but a number, such as `7,2 mmol/L` or `<0.01`.

import type { MeasuredValue, Quantity } from '../fhir/types.ts';
import { dimensionOf } from './convert.ts';

const NUMBER = /^([<>]=?|[≤≥])?\s*(-?\d{1,9}(?:[.,]\d{1,9})?)\s*([^\d\s].{0,29})?$/;
/** A comma before three digits may part thousands. */
const AMBIGUOUS = /^\d{1,3},\d{3}$/;
const SIGNS: Readonly<Record<string, string>> = { '≤': '<=', '≥': '>=' };

/** The number that a text is, with its comparator and its unit; nothing for other texts. */
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

/** The number of a value with its unit. One of sampled data has none. */
export function quantityOf(of: MeasuredValue): Quantity | undefined {
  if (of.valueQuantity) return of.valueQuantity.value === undefined ? undefined : of.valueQuantity;
  if (of.valueInteger !== undefined) return { value: of.valueInteger };
  return of.valueString === undefined ? undefined : numberIn(of.valueString);
}
