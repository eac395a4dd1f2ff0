//! The dispenses of medication orders: which MedicationDispense is of which MedicationRequest.

import { medicationCode } from '../fhir/status-code.ts';
import type { MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { byKey, requestIds } from './by-order.ts';

/** Statuses of what was not dispensed (<https://hl7.org/fhir/R4/valueset-medicationdispense-status.html>). */
const NOT_DISPENSED = ['entered-in-error', 'cancelled', 'declined', 'stopped', 'preparation', 'unfulfilled'];
/** Statuses of what is ready, or waits: dispensed only with a time of handing over. */
const WAITING = ['in-progress', 'on-hold'];

/** Returns whether a medication was handed to somebody, as far as its record tells. */
export function isDispensed({ status, whenHandedOver }: MedicationDispense): boolean {
  const code = medicationCode(status);
  return !NOT_DISPENSED.includes(code) && (whenHandedOver !== undefined || !WAITING.includes(code));
}

/** The ids of the orders of a dispense. */
const orderIds = ({ authorizingPrescription }: MedicationDispense): string[] => requestIds(authorizingPrescription);

/** Returns a function that gives the dispenses of an order, in their order, from an index. */
export function dispensesByOrder(
  dispenses: readonly MedicationDispense[],
): (request: MedicationRequest) => MedicationDispense[] {
  const byId = byKey(dispenses, orderIds);
  return ({ id }) => byId.get(id) ?? [];
}

/** The dispenses of none of the orders. */
export function withoutOrder(
  dispenses: readonly MedicationDispense[],
  requests: readonly MedicationRequest[],
): MedicationDispense[] {
  const known = new Set(requests.map(({ id }) => id));
  return dispenses.filter((dispense) => !orderIds(dispense).some((id) => known.has(id)));
}
