//! How requests stand: what is going on now, and what is only thought of (<https://hl7.org/fhir/R4/valueset-request-intent.html>).

import { isEnteredInError } from './text.ts';
import type { MedicationRequest, ServiceRequest } from './types.ts';

export type Standing = 'current' | 'held' | 'planned' | 'avoid' | 'past';

const isProposed = (intent: string | undefined): boolean => ['proposal', 'plan', 'option'].includes(intent ?? '');

/**
 * Taken now is what is active as an order, or reported as taken: US Core records what a patient takes without an order here as
 * a plan that is reported. Other plans and proposals, and drafts, are still to be decided.
 */
export function standingOf(r: MedicationRequest): Standing {
  if (isEnteredInError(r) || !['active', 'on-hold', 'draft', 'unknown'].includes(r.status ?? 'unknown')) return 'past';
  const reported = r.reportedBoolean === true || r.reportedReference !== undefined;
  if (r.status === 'draft' || (isProposed(r.intent) && !reported)) return 'planned';
  if (r.doNotPerform) return 'avoid';
  return r.status === 'on-hold' ? 'held' : 'current';
}

/** A service that is still to be decided: no order yet. */
export const isPlanned = ({ status, intent }: ServiceRequest): boolean => status === 'draft' || isProposed(intent);
