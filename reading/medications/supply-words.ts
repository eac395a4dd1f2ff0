//! The supply of medications in words: orders, substitutions, and the differences between dispenses and orders.

import { period, shortDate } from '../fhir/date.ts';
import { isOfSubstitutions } from '../fhir/known-names.ts';
import { allIn, booleanIn, conceptIn, Parts } from '../fhir/loose.ts';
import { concept, concepts, quantity } from '../fhir/text.ts';
import { spanText } from '../fhir/time-units.ts';
import type { Concept, MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { dispenseTime, latestDispensed, type OrderDispenses } from './dispenses.ts';
import { shortDosages } from './dosage.ts';
import { medication } from './medication.ts';
import { recordedDose } from './medication-dose.ts';
import { byDrug, drugMarks } from './same-drug.ts';

/** Returns the words for the preparation of a dispense, for use if no time of handing over is recorded. */
export const preparedWhen = (words: Words, { whenPrepared }: MedicationDispense): string =>
  whenPrepared ? words.t('prepared {date}', { date: shortDate(words, whenPrepared) }) : words.t('no date');

/** Returns whether a kind of substitution is none, whatever its display. */
const isNone = (kind: Concept | undefined): boolean =>
  kind?.coding?.some(({ system = '', code }) => code === 'N' && isOfSubstitutions(system)) ?? false;

export function substitutionOf(words: Words, { substitution }: MedicationDispense): string {
  const parts = new Parts(substitution);
  const kind = parts.take('type', conceptIn);
  const was = parts.take('wasSubstituted', booleanIn) ?? (isNone(kind) ? false : undefined);
  const reason = concepts(words, parts.take('reason', allIn(conceptIn)));
  const more = joined(was === false && isNone(kind) ? '' : concept(words, kind), reason);
  if (was === undefined && more === '') return '';
  const said = was === false ? words.t('not substituted') : words.t('substituted');
  return more ? `${said} (${more})` : said;
}

/** Returns the words for a substitution in an order; `undefined` if it is simply allowed. */
export function substitutionAllowed(words: Words, { substitution }: MedicationRequest): string | undefined {
  const parts = new Parts(substitution);
  const kind = parts.take('allowedCodeableConcept', conceptIn);
  const isDenied = parts.take('allowedBoolean', booleanIn) === false || isNone(kind);
  const reason = concept(words, parts.take('reason', conceptIn));
  const text = joined(isDenied ? words.t('not allowed#a substitution') : concept(words, kind), reason);
  return text || undefined;
}

/** Returns the quantity of a dispense, and the time for which it lasts. */
export function dispenseAmount(words: Words, dispense: MedicationDispense): string {
  const time = dispenseTime(dispense);
  const lasting = time?.value === undefined ? '' : words.t('for {time}', { time: spanText(words, time) });
  return joined(quantity(words, dispense.quantity), lasting);
}

export const dispenseKind = (words: Words, dispense: MedicationDispense): string | undefined =>
  concept(words, new Parts(dispense).take('type', conceptIn));

interface DispenseDifferences {
  /** The name, if it is another drug or another name of the same drug. */
  name: string | undefined;
  /** The dose, if its words differ. */
  dose: string | undefined;
}

export function dispenseDifferences(
  words: Words,
  dispense: MedicationDispense,
  { order, included }: Omit<OrderDispenses, 'dispenses'>,
): DispenseDifferences {
  const isOther = byDrug([order, dispense], (one) => drugMarks(one, included)).length > 1;
  const [dose, ordered] = [recordedDose(words, dispense), recordedDose(words, order)];
  return {
    name: isOther ? medication(words, dispense, included) : undefined,
    dose: dose === ordered ? undefined : dose,
  };
}

/** Returns the dose of the latest dispense in a few words, if they differ from those of the order. */
export function otherDispensedDose(words: Words, of: OrderDispenses): string | undefined {
  const latest = latestDispensed(of.dispenses);
  return latest && dispenseDifferences(words, latest, of).dose ? recordedDose(words, latest, shortDosages) : undefined;
}

/** Returns the quantity of an order with its refills, and the period in which it may be dispensed. */
export function supplyText(words: Words, { dispenseRequest }: MedicationRequest): string | undefined {
  const { quantity: amount, numberOfRepeatsAllowed: repeats, validityPeriod } = dispenseRequest ?? {};
  const valid = period(words, validityPeriod);
  const texts = [
    quantity(words, amount),
    repeats ? words.t('{n} refill|{n} refills', { n: repeats }) : '',
    valid ? words.t('valid {time}', { time: valid }) : '',
  ];
  return joined(...texts) || undefined;
}
