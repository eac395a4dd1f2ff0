//! The dispenses of medications: what was handed over, for how long, and for which order.

import { instant, newest } from '../fhir/date.ts';
import { medicationCode } from '../fhir/status-code.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { later } from '../fhir/time-units.ts';
import type { MedicationDispense, MedicationRequest, Quantity, Resource } from '../fhir/types.ts';
import { byKey, requestIds } from './by-order.ts';
import { byDrug, drugMarks } from './same-drug.ts';

/** Statuses of supplies that were not dispensed (<https://hl7.org/fhir/R4/valueset-medicationdispense-status.html>). */
const NOT_DISPENSED = ['entered-in-error', 'cancelled', 'declined', 'stopped', 'preparation', 'unfulfilled'];
/** Statuses of supplies that wait: they were dispensed only if they have a time of handing over. */
const WAITING = ['in-progress', 'on-hold'];

/** Returns whether a medication was handed over, as far as its record shows. */
export function isDispensed({ status, whenHandedOver }: MedicationDispense): boolean {
  const code = medicationCode(status);
  return !NOT_DISPENSED.includes(code) && (whenHandedOver !== undefined || !WAITING.includes(code));
}

export const dispenseDate = ({ whenHandedOver, whenPrepared }: MedicationDispense): string | undefined =>
  whenHandedOver ?? whenPrepared;

/** Returns the time for which a dispense lasts. The unit of the element is days, also for a number without a unit. */
export const dispenseTime = ({ daysSupply: time }: MedicationDispense): Quantity | undefined =>
  time && !time.unit && !time.code && !time.comparator ? { ...time, code: 'd' } : time;

/** Returns the end of a dispensed supply; `undefined` if its start or its length is unknown. */
export const dispensedUntil = (dispense: MedicationDispense): number | undefined =>
  later(instant(dispense.whenHandedOver), dispenseTime(dispense));

const orderIds = ({ authorizingPrescription }: MedicationDispense): string[] => requestIds(authorizingPrescription);

/** Returns a function that looks up the dispenses of an order in an index and returns them in their order. */
export function dispensesByOrder(
  dispenses: readonly MedicationDispense[],
): (request: MedicationRequest) => MedicationDispense[] {
  const byId = byKey(dispenses, orderIds);
  return ({ id }) => byId.get(id) ?? [];
}

/** Returns the dispenses that belong to none of the orders. */
export function withoutOrder(
  dispenses: readonly MedicationDispense[],
  requests: readonly MedicationRequest[],
): MedicationDispense[] {
  const known = new Set(requests.map(({ id }) => id));
  return dispenses.filter((dispense) => !orderIds(dispense).some((id) => known.has(id)));
}

export interface OrderDispenses {
  order: MedicationRequest;
  /** Newest first. */
  dispenses: MedicationDispense[];
  included: readonly Resource[];
}

/** Returns the latest dispense that was handed over. The dispenses are newest first. */
export const latestDispensed = (dispenses: readonly MedicationDispense[]): MedicationDispense | undefined =>
  dispenses.find(isDispensed);

/** Returns the dispenses without a shown order, by drug, newest first. Entries in error are last. */
export function dispensesByDrug(
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
): MedicationDispense[][] {
  const sorted = newest(loose, dispenseDate);
  const valid = sorted.filter((dispense) => !isEnteredInError(dispense));
  return [
    ...byDrug(valid, (one) => drugMarks(one, included)),
    ...sorted.filter((dispense) => isEnteredInError(dispense)).map((dispense) => [dispense]),
  ];
}
