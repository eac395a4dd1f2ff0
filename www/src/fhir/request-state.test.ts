import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlanned, type RequestState, requestState } from './request-state.ts';
import type { MedicationRequest } from './types.ts';

test('a prescription is current where it is taken now: no draft, no plan, nothing on hold; a reported plan is', () => {
  const cases: [request: Partial<MedicationRequest>, state: RequestState][] = [
    [{ status: 'active', intent: 'order' }, 'current'],
    [{ status: 'active', intent: 'plan', reportedBoolean: true }, 'current'],
    [{ status: 'active', intent: 'plan', reportedReference: {} }, 'current'],
    [{ status: 'active', intent: 'plan' }, 'planned'],
    [{ status: 'active', intent: 'plan', reportedBoolean: false }, 'planned'],
    [{ status: 'active', intent: 'proposal' }, 'planned'],
    [{ status: 'draft', intent: 'order' }, 'planned'],
    [{ status: 'draft', intent: 'plan', reportedBoolean: true }, 'planned'],
    [{ status: 'on-hold', intent: 'order' }, 'held'],
    [{ status: 'active', intent: 'order', doNotPerform: true }, 'avoid'],
    [{ status: 'unknown', intent: 'order' }, 'current'],
    [{ intent: 'order' }, 'current'],
    [{ status: 'completed', intent: 'order' }, 'past'],
    [{ status: 'stopped', intent: 'order' }, 'past'],
    [{ status: 'cancelled', intent: 'order' }, 'past'],
    [{ status: 'entered-in-error', intent: 'order' }, 'past'],
  ];
  for (const [elements, state] of cases) {
    const request: MedicationRequest = { resourceType: 'MedicationRequest', id: 'm', ...elements };
    assert.equal(requestState(request), state, JSON.stringify(elements));
  }
});

test('a service is planned while it is a draft or no order', () => {
  const planned = (status: string, intent: string): boolean =>
    isPlanned({ resourceType: 'ServiceRequest', id: 's', status, intent });
  assert.equal(planned('draft', 'order'), true);
  assert.equal(planned('active', 'plan'), true);
  assert.equal(planned('active', 'order'), false);
});
