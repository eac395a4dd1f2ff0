//! The fills of medication orders: which MedicationDispense was handed over by which MedicationRequest.

import { medicationCode } from '../fhir/status-code.ts';
import type { MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { byKey, requestIds } from './by-order.ts';

/** Statuses of what was not handed over (<https://hl7.org/fhir/R4/valueset-medicationdispense-status.html>). */
const NOT_HANDED_OVER = ['entered-in-error', 'cancelled', 'declined', 'stopped', 'preparation', 'unfulfilled'];
/** Statuses of what is ready, or waits: it was handed over only if it says when. */
const WAITING = ['in-progress', 'on-hold'];

/** Returns whether something was handed over, as far as its status tells. */
export function isHandedOver({ status, whenHandedOver }: MedicationDispense): boolean {
  const code = medicationCode(status);
  return !NOT_HANDED_OVER.includes(code) && (whenHandedOver !== undefined || !WAITING.includes(code));
}

/** The ids of the orders by which a medication was handed over. */
const orderIds = ({ authorizingPrescription }: MedicationDispense): string[] => requestIds(authorizingPrescription);

/** Returns a function that gives the fills of an order, in their order. They are looked up, and not searched for. */
export function fillsByOrder(
  dispenses: readonly MedicationDispense[],
): (request: MedicationRequest) => MedicationDispense[] {
  const byId = byKey(dispenses, orderIds);
  return ({ id }) => byId.get(id) ?? [];
}

/** The fills of none of the orders. */
export function withoutOrder(
  dispenses: readonly MedicationDispense[],
  requests: readonly MedicationRequest[],
): MedicationDispense[] {
  const known = new Set(requests.map(({ id }) => id));
  return dispenses.filter((fill) => !orderIds(fill).some((id) => known.has(id)));
}
