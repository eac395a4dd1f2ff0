import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doseText, recordedDose } from './medication-dose.ts';
import type { MedicationRecord } from './request-state.ts';

const of = (resourceType: string, elements: object): MedicationRecord =>
  ({ resourceType, id: 'm', ...elements }) as MedicationRecord;

test('where a dose would stand and none is recorded, it is said; what is not taken needs none', () => {
  const none = 'no dose recorded';
  const cases: [record: MedicationRecord, dose: string | undefined][] = [
    [of('MedicationRequest', { status: 'active', dosageInstruction: [{ text: '5 mg daily' }] }), '5 mg daily'],
    [of('MedicationStatement', { status: 'active', dosage: [{ text: '5 mg daily' }] }), '5 mg daily'],
    [of('MedicationAdministration', { status: 'completed', dosage: { text: '5 mg' } }), '5 mg'],
    [of('MedicationRequest', { status: 'active' }), none],
    [of('MedicationRequest', { status: 'active', dosageInstruction: [{}] }), none],
    [of('MedicationRequest', { status: 'completed' }), none],
    [of('MedicationStatement', { status: 'on-hold' }), none],
    [of('MedicationAdministration', { status: 'completed' }), none],
    [of('MedicationRequest', { status: 'draft' }), undefined],
    [of('MedicationRequest', { status: 'active', doNotPerform: true }), undefined],
    [of('MedicationRequest', { status: 'completed', doNotPerform: true }), undefined],
    [of('MedicationStatement', { status: 'not-taken' }), undefined],
    [of('MedicationAdministration', { status: 'not-done' }), undefined],
    [of('MedicationRequest', { status: 'entered-in-error' }), undefined],
    [of('MedicationStatement', { status: 'active', medicationCodeableConcept: { text: 'None' } }), undefined],
    [of('MedicationStatement', { status: 'not-taken', dosage: [{ text: '5 mg' }] }), '5 mg'],
  ];
  for (const [record, dose] of cases) assert.equal(doseText(record), dose, JSON.stringify(record));
  assert.equal(recordedDose(of('MedicationRequest', { status: 'active' })), undefined);
});
