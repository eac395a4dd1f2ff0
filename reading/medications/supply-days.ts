//! The amount and the days of a dispense, in words.

import { quantity } from '../fhir/text.ts';
import type { MedicationDispense, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** The time of a supply. The element is of days: a number without a unit is one of them. */
export function supplyDays(words: Words, of: Quantity | undefined): string | undefined {
  if (of?.value === undefined) return undefined;
  const isBare = !of.unit && !of.code && !of.comparator;
  const amount = isBare ? words.t('{n} day|{n} days', { n: of.value }) : (quantity(words, of) ?? '');
  return words.t('for {amount}', { amount });
}

/** The quantity of a dispense, and the days that it lasts. */
export const dispenseAmount = (words: Words, { quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(words, amount), supplyDays(words, daysSupply)].filter(Boolean).join(', ');
