//! The supply of medications in words: what was ordered, what was substituted, and how fills differ from their order.

import { newest, period, shortDate } from '../fhir/date.ts';
import { allIn, booleanIn, conceptIn, Parts } from '../fhir/loose.ts';
import { concept, concepts, isEnteredInError, quantity } from '../fhir/text.ts';
import type { MedicationDispense, MedicationRequest, Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { shortDosages } from './dosage.ts';
import { isHandedOver } from './fills.ts';
import { medication } from './medication.ts';
import { recordedDose } from './medication-dose.ts';
import { byDrug, drugMarks } from './same-drug.ts';

export const dispenseDate = ({ whenHandedOver, whenPrepared }: MedicationDispense): string | undefined =>
  whenHandedOver ?? whenPrepared;

/** The words of a fill on when it was prepared, for where it does not say when it was handed over. */
export const preparedWhen = (words: Words, { whenPrepared }: MedicationDispense): string =>
  whenPrepared ? words.t('prepared {date}', { date: shortDate(words, whenPrepared) }) : words.t('no date');

/** The words of a fill on a substitution. */
export function substitutionOf(words: Words, { substitution }: MedicationDispense): string {
  const parts = new Parts(substitution);
  const was = parts.take('wasSubstituted', booleanIn);
  const reason = concepts(words, parts.take('reason', allIn(conceptIn)));
  const more = [concept(words, parts.take('type', conceptIn)), reason].filter(Boolean).join(', ');
  if (was === undefined && more === '') return '';
  const said = was === false ? words.t('not substituted') : words.t('substituted');
  return more ? `${said} (${more})` : said;
}

/** The words of an order on a substitution; nothing where it is simply allowed. */
export function substitutionAllowed(words: Words, { substitution }: MedicationRequest): string | undefined {
  const parts = new Parts(substitution);
  const isAllowed = parts.take('allowedBoolean', booleanIn);
  const allowed = concept(words, parts.take('allowedCodeableConcept', conceptIn));
  const reason = concept(words, parts.take('reason', conceptIn));
  const text = [isAllowed === false ? words.t('not allowed#a substitution') : allowed, reason]
    .filter(Boolean)
    .join(', ');
  return text || undefined;
}

/** The kind of a fill, such as a part of it, or one of an emergency. */
export const kindOf = (words: Words, fill: MedicationDispense): string | undefined =>
  concept(words, new Parts(fill).take('type', conceptIn));

/** The fills of an order. */
export interface OrderFills {
  order: MedicationRequest;
  /** Newest first. */
  fills: MedicationDispense[];
  included: readonly Resource[];
}

/** The differences of a fill from its order. */
interface Otherwise {
  /** The name of another drug, or of the same one by another name. */
  name: string | undefined;
  /** The dose in other words. */
  dose: string | undefined;
}

export function otherwise(
  words: Words,
  fill: MedicationDispense,
  { order, included }: Omit<OrderFills, 'fills'>,
): Otherwise {
  const isOther = byDrug([order, fill], (one) => drugMarks(one, included)).length > 1;
  const [dose, ordered] = [recordedDose(words, fill), recordedDose(words, order)];
  return {
    name: isOther ? medication(words, fill, included) : undefined,
    dose: dose === ordered ? undefined : dose,
  };
}

/** The latest fill that was handed over. Fills are newest first. */
export const latestOf = (fills: readonly MedicationDispense[]): MedicationDispense | undefined =>
  fills.find(isHandedOver);

/** The dose of the latest fill in a few words, where it has other words than that of the order. */
export function otherDoseOfFill(words: Words, of: OrderFills): string | undefined {
  const latest = latestOf(of.fills);
  return latest && otherwise(words, latest, of).dose ? recordedDose(words, latest, shortDosages) : undefined;
}

/** The fills without an order that is shown, by drug, newest first. Those in error stand by themselves, at the end. */
export function handedOverByDrug(
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
): MedicationDispense[][] {
  const sorted = newest(loose, dispenseDate);
  const valid = sorted.filter((fill) => !isEnteredInError(fill));
  return [
    ...byDrug(valid, (one) => drugMarks(one, included)),
    ...sorted.filter((fill) => isEnteredInError(fill)).map((fill) => [fill]),
  ];
}

/** The quantity of an order with its refills, and the time in which it may be handed over. */
export function supplyText(words: Words, { dispenseRequest }: MedicationRequest): string | undefined {
  const { quantity: amount, numberOfRepeatsAllowed: repeats, validityPeriod } = dispenseRequest ?? {};
  const valid = period(words, validityPeriod);
  const texts = [
    quantity(words, amount),
    repeats ? words.t('{n} refill|{n} refills', { n: repeats }) : '',
    valid ? words.t('valid {time}', { time: valid }) : '',
  ];
  return texts.filter(Boolean).join(', ') || undefined;
}
