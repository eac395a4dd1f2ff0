import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationRecord } from '../fhir/request-state.ts';
import { ENGLISH } from '../language/words.ts';
import { doseText, recordedDose } from './medication-dose.ts';

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
  for (const [record, dose] of cases) assert.equal(doseText(ENGLISH, record), dose, JSON.stringify(record));
  assert.equal(recordedDose(ENGLISH, of('MedicationRequest', { status: 'active' })), undefined);
});

/** An extension of a record with a text. */
const extension = (name: string, value: object): object => ({
  extension: [{ url: `http://example.org/StructureDefinition/${name}`, ...value }],
});
const rendered = (text: string): object =>
  extension('extension-MedicationRequest.renderedDosageInstruction', { valueMarkdown: text });
const pieces = { doseAndRate: [{ doseQuantity: { unit: 'piece' } }] };
const every = (frequency: number, period: number, periodUnit: string): object => ({
  timing: { repeat: { frequency, period, periodUnit } },
});

test('the sentence for the whole dosage is shown, beside what is coded where the two differ', () => {
  const request = (elements: object): MedicationRecord => of('MedicationRequest', { status: 'active', ...elements });
  const cases: [record: MedicationRecord, dose: string][] = [
    // Austria and Germany before R5: only the sentence contains the amount.
    [
      request({ ...rendered('every 8 days: 1 piece each'), dosageInstruction: [{ ...every(1, 8, 'd'), ...pieces }] }),
      'every 8 days: 1 piece each · as coded: piece, amount not recorded, every 8 days',
    ],
    [
      request({
        ...rendered('every 2 days: at 8 one piece, at 18 two'),
        dosageInstruction: [{ ...every(1, 2, 'd'), ...pieces }, every(1, 2, 'd')],
      }),
      'every 2 days: at 8 one piece, at 18 two · as coded: piece, amount not recorded, every 2 days; every 2 days',
    ],
    [request({ ...rendered('1-0-1-0'), dosageInstruction: [] }), '1-0-1-0'],
    [request({ ...rendered('2 tablets daily'), dosageInstruction: [{ text: '2 tablets daily.' }] }), '2 tablets daily'],
    [
      request({ ...rendered('2 tablets daily'), dosageInstruction: [{ text: '1 tablet daily' }] }),
      '2 tablets daily · as coded: 1 tablet daily',
    ],
    // R5.
    [request({ renderedDosageInstruction: '5 mg at night' }), '5 mg at night'],
    [of('MedicationStatement', { status: 'active', renderedDosageInstruction: '5 mg at night' }), '5 mg at night'],
    // New Zealand: an extension of the record contains the frequency.
    [
      request({
        ...extension('rf-medicationrequest-medicationfrequency', {
          valueCoding: { code: '1', display: 'Every 28 days' },
        }),
        dosageInstruction: [{ doseAndRate: [{ doseQuantity: { value: 25, unit: 'mg' } }] }],
      }),
      '25 mg, Every 28 days',
    ],
    [request({ ...extension('GeneratedDosageInstructionsMeta', { valueString: '1.0' }) }), 'no dose recorded'],
    [request({ ...extension('prescriptionCategory', { valueString: 'red' }) }), 'no dose recorded'],
    [request({ extension: 'x', renderedDosageInstruction: 7 }), 'no dose recorded'],
  ];
  for (const [record, dose] of cases)
    assert.equal(doseText(ENGLISH, record)?.replaceAll('\u00a0', ' '), dose, JSON.stringify(record));
});
