import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationAdministration, MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import type { MedicationRecords } from './medication-records.ts';
import { medicationsOverview } from './overview.ts';

const order = (name: string, authoredOn: string, more: Partial<MedicationRequest> = {}): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id: name,
  status: 'active',
  intent: 'order',
  medicationCodeableConcept: { text: name },
  authoredOn,
  ...more,
});
const dispense = (name: string, more: Partial<MedicationDispense> = {}): MedicationDispense => ({
  resourceType: 'MedicationDispense',
  id: `dispense-${name}`,
  status: 'completed',
  medicationCodeableConcept: { text: name },
  whenHandedOver: '2026-03-01',
  ...more,
});
const prepared: MedicationDispense = {
  ...{ resourceType: 'MedicationDispense', id: 'prepared', status: 'completed' },
  ...{ medicationCodeableConcept: { text: 'Senna' }, whenPrepared: '2026-02-09' },
};
const given = (name: string, status = 'completed'): MedicationAdministration => ({
  resourceType: 'MedicationAdministration',
  id: `given-${name}`,
  status,
  medicationCodeableConcept: { text: name },
  effectiveDateTime: '2026-02-01',
});
const NONE: MedicationRecords = { requests: [], statements: [], administrations: [], dispenses: [], included: [] };
const overview = (records: Partial<MedicationRecords>) => medicationsOverview(ENGLISH, { ...NONE, ...records });
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');
const said = (records: Partial<MedicationRecords>): string[] =>
  overview(records).lines.map(({ name, warning, words }) => spaced([warning, name, words].filter(Boolean).join(' | ')));

test('lines begin with what must not be taken, then what is taken, what is not, and what has not begun', () => {
  const requests = [
    order('Iron', '2026-01-05', { intent: 'plan', status: 'draft' }),
    order('Warfarin', '2026-01-04', { status: 'on-hold' }),
    order('Metformin', '2026-01-03', { dosageInstruction: [{ text: 'One a day' }] }),
    order('Ibuprofen', '2026-01-02', { doNotPerform: true }),
  ];
  assert.deepEqual(said({ requests }), [
    'Do not take | Ibuprofen | ordered 2 Jan 2026',
    'Metformin | One a day, ordered 3 Jan 2026',
    'On hold | Warfarin | no dose recorded, ordered 4 Jan 2026',
  ]);
  const { current, planned } = overview({ requests });
  assert.deepEqual([current, planned.map(({ name }) => name)], [1, ['Iron']]);
});

test('a drug without an order or a report is listed by its latest dispense or administration', () => {
  const records = {
    requests: [order('Metformin', '2026-01-03')],
    dispenses: [dispense('Metformin'), dispense('Lisinopril', { status: 'on-hold' }), prepared],
    administrations: [given('Heparin'), given('Morphine', 'stopped'), given('Cefazolin', 'not-done')],
  };
  assert.deepEqual(said(records), [
    'Metformin | no dose recorded, ordered 3 Jan 2026',
    'Heparin | given 1 Feb 2026',
    'Morphine | given 1 Feb 2026, stopped',
    'Lisinopril | filled 1 Mar 2026, on hold',
    'Senna | prepared 9 Feb 2026',
    'Not given | Cefazolin | 1 Feb 2026',
  ]);
});
