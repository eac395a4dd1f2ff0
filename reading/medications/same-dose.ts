//! One dose in several units, as some systems write it: as ordered, as calculated, and as to be given.

import { conceptIn, Parts, quantityIn } from '../fhir/loose.ts';
import type { Quantity } from '../fhir/types.ts';
import { itemsOf } from '../shape.ts';

type Dimension = 'mass' | 'volume' | 'count';

const MASS = /^(?:[kmnu\u00b5\u03bc]?g|mcg|grams?|milligrams?|micrograms?)$/i;
const VOLUME = /^(?:[cdmu]?l|millilit(?:er|re)s?|lit(?:er|re)s?)$/i;
const COUNT = /^\{?(?:tab|tbl|tablet|cap|capsule|caplet|puff|drop|patch|sachet|suppositor|ampul|vial|spray)/i;

function dimensionOf({ code, unit }: Quantity): Dimension | undefined {
  for (const one of [code, unit]) {
    if (one === undefined) continue;
    if (MASS.test(one)) return 'mass';
    if (VOLUME.test(one)) return 'volume';
    if (COUNT.test(one)) return 'count';
  }
  return undefined;
}

/**
 * Returns the amounts of a dose that is written several times, without duplicates, counted things first. Returns
 * `undefined` if the amounts differ in one kind of unit, or contain more than a type and an amount.
 */
export function sameDose(value: unknown): Quantity[] | undefined {
  const items = itemsOf(value);
  if (items.length < 2) return undefined;
  const byDimension = new Map<Dimension, Quantity>();
  for (const item of items) {
    const parts = new Parts(item);
    const [type, dose] = [parts.take('type', conceptIn), parts.take('doseQuantity', quantityIn)];
    const dimension = dose && dimensionOf(dose);
    if (!type || !dimension || dose.comparator || parts.left().length > 0) return undefined;
    const known = byDimension.get(dimension) ?? dose;
    if (known.value === undefined || known.value !== dose.value || known.unit !== dose.unit) return undefined;
    byDimension.set(dimension, known);
  }
  return (['count', 'mass', 'volume'] as const).flatMap((one) => byDimension.get(one) ?? []);
}
