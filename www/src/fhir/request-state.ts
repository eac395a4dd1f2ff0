//! The state of requests: current ones, and those that are only planned
//! (<https://hl7.org/fhir/R4/valueset-request-intent.html>).

import { isEnteredInError } from './text.ts';
import type { MedicationRequest, ServiceRequest } from './types.ts';

export type RequestState = 'current' | 'held' | 'planned' | 'avoid' | 'past';

const isProposed = (intent: string | undefined): boolean => ['proposal', 'plan', 'option'].includes(intent ?? '');

/**
 * The state of a prescription. A medication is current if it is active as an order or reported as taken: US Core
 * records medications without an order here as a plan that is reported. Other plans, proposals and drafts are planned.
 */
export function requestState(r: MedicationRequest): RequestState {
  if (isEnteredInError(r) || !['active', 'on-hold', 'draft', 'unknown'].includes(r.status ?? 'unknown')) return 'past';
  const reported = r.reportedBoolean === true || r.reportedReference !== undefined;
  if (r.status === 'draft' || (isProposed(r.intent) && !reported)) return 'planned';
  if (r.doNotPerform) return 'avoid';
  return r.status === 'on-hold' ? 'held' : 'current';
}

/** Returns whether a service is planned, and not yet ordered. */
export const isPlanned = ({ status, intent }: ServiceRequest): boolean => status === 'draft' || isProposed(intent);

/**
 * The status of a request, in codes that are separated by commas. What is only planned, or not to be done at all, is
 * never called active: a plan, too, is active while it holds.
 */
export function requestStatus(request: MedicationRequest | ServiceRequest): string | undefined {
  const { status, intent, doNotPerform } = request;
  const isMedication = request.resourceType === 'MedicationRequest';
  const planned = isMedication ? requestState(request) === 'planned' : isPlanned(request);
  const codes = [
    status === 'active' && (planned || doNotPerform) ? undefined : status,
    planned && status !== 'draft' ? intent : undefined,
    doNotPerform ? (isMedication ? 'do not take' : 'do not perform') : undefined,
  ];
  return codes.filter(Boolean).join(', ') || undefined;
}
