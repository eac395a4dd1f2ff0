//! The amount and the days of supply of a dispense, in words.

import { quantity } from '../fhir/text.ts';
import type { MedicationDispense, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** Returns the duration of a supply. The unit of the element is days, also for a number without a unit. */
export function supplyDays(words: Words, of: Quantity | undefined): string | undefined {
  if (of?.value === undefined) return undefined;
  const isBare = !of.unit && !of.code && !of.comparator;
  const amount = isBare ? words.t('{n} day|{n} days', { n: of.value }) : (quantity(words, of) ?? '');
  return words.t('for {amount}', { amount });
}

/** Returns the quantity of a dispense, and the days for which it lasts. */
export const dispenseAmount = (words: Words, { quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(words, amount), supplyDays(words, daysSupply)].filter(Boolean).join(', ');
