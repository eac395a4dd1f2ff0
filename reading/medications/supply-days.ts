//! The days for which a medication was handed over, in words.

import { quantity } from '../fhir/text.ts';
import type { MedicationDispense, Quantity } from '../fhir/types.ts';
import { t } from '../language/message.ts';

/** The time of a supply. The element is of days: a number without a unit is one of them. */
export function supplyDays(of: Quantity | undefined): string | undefined {
  if (of?.value === undefined) return undefined;
  const isBare = !of.unit && !of.code && !of.comparator;
  const amount = isBare ? t('{n} day|{n} days', { n: of.value }) : (quantity(of) ?? '');
  return t('for {amount}', { amount });
}

/** The quantity of a fill, and the days that it lasts. */
export const fillAmount = ({ quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(amount), supplyDays(daysSupply)].filter(Boolean).join(', ');
