//! The dispenses of medication orders: the MedicationDispense resources of each MedicationRequest.

import { medicationCode } from '../fhir/status-code.ts';
import type { MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { byKey, requestIds } from './by-order.ts';

/** Statuses of supplies that were not dispensed (<https://hl7.org/fhir/R4/valueset-medicationdispense-status.html>). */
const NOT_DISPENSED = ['entered-in-error', 'cancelled', 'declined', 'stopped', 'preparation', 'unfulfilled'];
/** Statuses of supplies that wait: they were dispensed only if they have a time of handing over. */
const WAITING = ['in-progress', 'on-hold'];

/** Returns whether a medication was handed over, as far as its record shows. */
export function isDispensed({ status, whenHandedOver }: MedicationDispense): boolean {
  const code = medicationCode(status);
  return !NOT_DISPENSED.includes(code) && (whenHandedOver !== undefined || !WAITING.includes(code));
}

/** Returns the ids of the orders of a dispense. */
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
