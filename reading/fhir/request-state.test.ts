import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import * as states from './request-state.ts';
import type { MedicationAdministration, MedicationRequest, MedicationStatement } from './types.ts';

/** The afternoon of a day, in the time zone of the tests. */
const NOW = new Date(2026, 6, 15, 16, 30).getTime();

/** Returns a report in the form of R5, which has the adherence in an element of its own. */
const adheres = (code: string): Partial<MedicationStatement> =>
  ({ status: 'recorded', adherence: { code: { coding: [{ code }] } } }) as Partial<MedicationStatement>;
/** Returns the period of an order in an element of R5. */
const holds = (effectiveDosePeriod: object): Partial<MedicationRequest> =>
  ({ effectiveDosePeriod }) as Partial<MedicationRequest>;
const starts = (start: string): object => ({ timing: { repeat: { boundsPeriod: { start } } } });

test('a prescription is current where it is taken now: no draft, no plan, nothing on hold; a reported plan is', () => {
  const cases: [request: Partial<MedicationRequest>, state: states.RequestState][] = [
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
    // The case of letters does not matter.
    [{ status: 'Active', intent: 'order' }, 'current'],
    [{ status: 'COMPLETED', intent: 'order' }, 'past'],
    [{ status: 'on_hold', intent: 'order' }, 'held'],
    // Spaces, and words of C-CDA and of other systems with the same meaning.
    [{ status: 'on hold', intent: 'order' }, 'held'],
    [{ status: 'Not Active', intent: 'order' }, 'past'],
    [{ status: 'expired', intent: 'order' }, 'current'],
    [{ status: 'proposed', intent: 'order' }, 'planned'],
    [{ status: 'ACTIVE', intent: 'Proposal' }, 'planned'],
    [{ status: 'active' }, 'current'],
    [{ status: 'active', intent: 'order', dosageInstruction: [{ timing: { event: ['2026-08-01'] } }] }, 'planned'],
    [{ status: 'active', intent: 'order', dosageInstruction: [{ timing: { event: ['2026', '2027'] } }] }, 'current'],
    [{ status: 'active', intent: 'order', ...holds({ start: '2027' }) }, 'planned'],
    [{ status: 'active', intent: 'order', ...holds({ start: '2020', end: '2021' }) }, 'current'],
    [{ status: 'active', intent: 'plan', doNotPerform: true }, 'avoid'],
    [{ status: 'active', intent: 'proposal', doNotPerform: true }, 'planned'],
    [{ status: 'draft', intent: 'order', doNotPerform: true }, 'planned'],
    [{ status: 'stopped', intent: 'order', doNotPerform: true }, 'past'],
    [{ status: 'active', intent: 'instance-order' }, 'current'],
    [{ status: 'active', intent: 'order', dosageInstruction: [starts('2026-08-01')] }, 'planned'],
    [{ status: 'active', intent: 'order', dosageInstruction: [starts('2026-07-15')] }, 'current'],
    [{ status: 'active', intent: 'order', dosageInstruction: [starts('2026-08-01'), {}] }, 'current'],
    [{ status: 'active', intent: 'order', dosageInstruction: [starts('soon')] }, 'current'],
    [{ status: 'completed', intent: 'order' }, 'past'],
    [{ status: 'stopped', intent: 'order' }, 'past'],
    [{ status: 'cancelled', intent: 'order' }, 'past'],
    [{ status: 'entered-in-error', intent: 'order' }, 'past'],
  ];
  for (const [elements, state] of cases) {
    const request: MedicationRequest = { resourceType: 'MedicationRequest', id: 'm', ...elements };
    assert.equal(states.requestState(request, NOW), state, JSON.stringify(elements));
  }
});

test('what was only proposed is never told as an order that is over', () => {
  const told = (elements: Partial<MedicationRequest>): string | undefined =>
    states.requestStatus({ resourceType: 'MedicationRequest', id: 'm', ...elements });
  for (const [elements, expected] of [
    [{ status: 'completed', intent: 'proposal' }, 'completed, proposal'],
    [{ status: 'cancelled', intent: 'Option' }, 'cancelled, option'],
    [{ status: 'completed', intent: 'proposal', reportedBoolean: true }, 'completed'],
    [{ status: 'completed', intent: 'plan' }, 'completed'],
    [{ status: 'completed', intent: 'order' }, 'completed'],
    [{ status: 'planned', intent: 'order' }, 'planned'],
  ] as const)
    assert.equal(told(elements), expected, JSON.stringify(elements));
});

test('what is being given says that its period has ended', () => {
  const told = (status: string, end: string): string | undefined =>
    states
      .overdueText(
        ENGLISH,
        { resourceType: 'MedicationAdministration', id: 'm', status, effectivePeriod: { end } },
        NOW,
      )
      ?.replaceAll('\u00a0', ' ');
  assert.equal(told('in-progress', '2026-07-14'), 'its period ended 14 Jul 2026');
  assert.equal(told('in-progress', '2026-07-15'), undefined);
  assert.equal(told('completed', '2026-07-14'), undefined);
});

test('a service is planned while it is a draft or no order', () => {
  const planned = (status: string, intent: string): boolean =>
    states.isPlanned({ resourceType: 'ServiceRequest', id: 's', status, intent });
  assert.equal(planned('draft', 'order'), true);
  assert.equal(planned('active', 'plan'), true);
  assert.equal(planned('active', 'order'), false);
});

test('what is reported is current, held, planned, not taken or past, by its status and its time, and says so', () => {
  // From https://hl7.org/fhir/R4/valueset-medication-statement-status.html; recorded and draft are from R5.
  const cases: [elements: Partial<MedicationStatement>, state: states.RequestState, status: string | undefined][] = [
    [{ status: 'active' }, 'current', 'active'],
    [{ status: 'active', effectiveDateTime: '2015-02' }, 'current', 'active'],
    [{ status: 'active', effectivePeriod: { start: '2015-02-01' } }, 'current', 'active'],
    [{ status: 'active', effectivePeriod: { start: '2015', end: '2016' } }, 'past', 'ended'],
    [{ status: 'active', effectivePeriod: { end: '2026-07-14' } }, 'past', 'ended'],
    [{ status: 'active', effectivePeriod: { end: '2026-07-15' } }, 'current', 'active'],
    [{ status: 'active', effectivePeriod: { end: '2026-07' } }, 'current', 'active'],
    [{ status: 'active', effectivePeriod: { end: '2026-06' } }, 'past', 'ended'],
    [{ status: 'active', effectivePeriod: { end: 'soon' } }, 'current', 'active'],
    [{ status: 'active', effectivePeriod: { start: '2026-08-01' } }, 'planned', 'planned'],
    [{ status: 'active', effectiveDateTime: '2027' }, 'planned', 'planned'],
    [{ status: 'intended' }, 'planned', 'intended'],
    [{ status: 'intended', effectivePeriod: { end: '2020' } }, 'past', 'intended, ended'],
    [{ status: 'completed' }, 'past', 'completed'],
    [{ status: 'stopped', effectivePeriod: { start: '2020' } }, 'past', 'stopped'],
    [{ status: 'on-hold' }, 'held', 'on-hold'],
    [{ status: 'on-hold', effectivePeriod: { end: '2020' } }, 'past', 'on-hold, ended'],
    [{ status: 'not-taken' }, 'untaken', 'not taken'],
    [{ status: 'not-taken', effectivePeriod: { end: '2020' } }, 'untaken', 'not taken'],
    [{ status: 'unknown' }, 'current', 'unknown'],
    [{ status: 'unknown', effectivePeriod: { end: '2020' } }, 'past', 'unknown, ended'],
    [{}, 'current', undefined],
    [{ status: 'recorded' }, 'current', 'recorded'],
    [{ status: 'Completed' }, 'past', 'completed'],
    [{ status: 'not taken' }, 'untaken', 'not taken'],
    [{ status: 'activ' }, 'current', 'activ'],
    [adheres('taking'), 'current', 'recorded'],
    [adheres('not-taking'), 'untaken', 'not taken'],
    [adheres('stopped'), 'past', 'stopped'],
    [adheres('on-hold'), 'held', 'on-hold'],
    [{ status: 'draft' }, 'planned', 'draft'],
    [{ status: 'entered-in-error' }, 'past', 'entered-in-error'],
    [{ status: 'active', doNotPerform: true }, 'avoid', 'do not take'],
    [{ status: 'on-hold', doNotPerform: true }, 'avoid', 'on-hold, do not take'],
    [{ status: 'active', doNotPerform: 'yes' }, 'current', 'active'],
    [{ status: 'active', taken: 'unk' }, 'current', 'active, not known whether taken'],
    [{ status: 'completed', taken: 'unk' }, 'past', 'completed'],
  ];
  for (const [elements, state, status] of cases) {
    const statement: MedicationStatement = { resourceType: 'MedicationStatement', id: 'm', ...elements };
    assert.equal(states.requestState(statement, NOW), state, JSON.stringify(elements));
    assert.equal(states.statementStatus(statement, NOW), status, JSON.stringify(elements));
  }
});

test('what is given is current while it runs', () => {
  const cases: [status: string | undefined, state: states.RequestState, said: string | undefined][] = [
    ['in-progress', 'current', 'in-progress'],
    ['on-hold', 'held', 'on-hold'],
    ['not-done', 'untaken', 'not administered'],
    ['withheld', 'untaken', 'not administered'],
    ['Completed', 'past', 'completed'],
    ['stopped', 'past', 'stopped'],
    ['unknown', 'past', 'unknown'],
    ['entered-in-error', 'past', 'entered-in-error'],
    [undefined, 'past', undefined],
  ];
  for (const [status, state, said] of cases) {
    const given: MedicationAdministration = {
      resourceType: 'MedicationAdministration',
      id: 'm',
      ...(status === undefined ? {} : { status }),
    };
    assert.equal(states.requestState(given, NOW), state, status);
    assert.equal(states.administrationStatus(given), said, status);
  }
});
