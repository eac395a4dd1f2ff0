import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationRequest, MedicationStatement } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { medicationList } from './medication-list.ts';
import { plannedMedications } from './planned-medications.ts';

const NOW = Date.now();
const drug = (text: string) => ({ medicationCodeableConcept: { text } });
const dose = (value: number) => ({
  doseAndRate: [{ doseQuantity: { value, unit: 'mg' } }],
  timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
});
const request = (id: string, name: string, elements: Partial<MedicationRequest> = {}): MedicationRequest => ({
  ...{ resourceType: 'MedicationRequest', id, status: 'active', intent: 'order' },
  ...drug(name),
  ...elements,
});
const report = (id: string, name: string, elements: Partial<MedicationStatement> = {}): MedicationStatement => ({
  ...{ resourceType: 'MedicationStatement', id, status: 'active' },
  ...drug(name),
  ...elements,
});

const later = { timing: { repeat: { boundsPeriod: { start: '2999-01-01' } } } };

/** Returns the planned medications as `name: words`. */
const planned = (requests: MedicationRequest[], reports: MedicationStatement[] = []): string[] =>
  plannedMedications(ENGLISH, medicationList(ENGLISH, { requests, statements: reports }, NOW).entries, []).map(
    ({ name, words }) => `${name}: ${words}`.replaceAll('\u00a0', ' '),
  );

test('drafts, plans, proposals and intended medications are planned, each drug once, and nothing else is', () => {
  const cases: [name: string, MedicationRequest[], MedicationStatement[], string[]][] = [
    ['a draft', [request('a', 'Sotalol', { status: 'draft' })], [], ['Sotalol: draft']],
    ['a draft in capitals', [request('a', 'Sotalol', { status: 'DRAFT' })], [], ['Sotalol: draft']],
    ['a proposal', [request('a', 'Sotalol', { intent: 'proposal' })], [], ['Sotalol: proposal']],
    ['an option', [request('a', 'Sotalol', { intent: 'option' })], [], ['Sotalol: option']],
    [
      'a proposal on hold',
      [request('a', 'X', { intent: 'proposal', status: 'on-hold' })],
      [],
      ['X: on hold, proposal'],
    ],
    ['what is intended', [], [report('a', 'Sotalol', { status: 'intended' })], ['Sotalol: intended']],
    ['an order', [request('a', 'Sotalol')], [], []],
    ['an order that is to begin', [request('a', 'X', { dosageInstruction: [later] })], [], []],
    ['a plan that was withdrawn', [request('a', 'X', { intent: 'plan', status: 'cancelled' })], [], []],
    ['a draft in error', [request('a', 'X', { intent: 'proposal', status: 'entered-in-error' })], [], []],
    ['a plan alone is not clear', [request('a', 'X', { intent: 'plan' })], [], []],
    ['a plan that is reported', [request('a', 'X', { intent: 'plan', reportedBoolean: true })], [], []],
    [
      'two of one drug',
      [
        request('a', 'Sotalol', { status: 'draft', authoredOn: '2026-02-01' }),
        request('b', 'sotalol', { intent: 'proposal', authoredOn: '2026-01-01' }),
      ],
      [],
      ['Sotalol: draft, proposal'],
    ],
    [
      'a proposal not to take it',
      [request('a', 'Sotalol', { intent: 'proposal', doNotPerform: true })],
      [],
      ['not to take: Sotalol: proposal'],
    ],
    [
      'a draft beside an order of another dose',
      [
        request('a', 'Sotalol', { dosageInstruction: [dose(80)] }),
        request('b', 'Sotalol', { status: 'draft', dosageInstruction: [dose(160)] }),
      ],
      [],
      ['Sotalol: draft, 160 mg, once a day, also among the current ones'],
    ],
    [
      'a plan that an order carries out',
      [
        request('a', 'X', { dosageInstruction: [dose(80)] }),
        request('b', 'X', { intent: 'plan', dosageInstruction: [dose(80)] }),
        request('c', 'X', { intent: 'plan' }),
      ],
      [],
      [],
    ],
    [
      'a plan of another dose than the order',
      [
        request('a', 'X', { dosageInstruction: [dose(80)] }),
        request('b', 'X', { intent: 'plan', dosageInstruction: [dose(40)] }),
      ],
      [],
      ['X: plan, 40 mg, once a day, also among the current ones'],
    ],
    [
      'a draft of what was taken before',
      [request('a', 'X', { status: 'completed' }), request('b', 'X', { status: 'draft' })],
      [],
      ['X: draft'],
    ],
  ];
  for (const [name, requests, reports, expected] of cases) assert.deepEqual(planned(requests, reports), expected, name);
});
