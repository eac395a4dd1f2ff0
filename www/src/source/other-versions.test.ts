import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, parsed } from '#reading/fhir/json.ts';
import { asR4 } from './other-versions.ts';

const MG = { value: 5, unit: 'mg' };
const warfarin = { text: 'Warfarin' };
const code = (value: string) => ({ code: { coding: [{ code: value }] } });

/** A resource without its type, and the expected resource of R4. */
const CASES: [string, string, object, object][] = [
  [
    'R5: a medication by its concept',
    'MedicationRequest',
    { medication: { concept: warfarin } },
    { medicationCodeableConcept: warfarin },
  ],
  [
    'R5: a medication by reference',
    'MedicationDispense',
    { medication: { reference: { reference: 'Medication/1' } } },
    { medicationReference: { reference: 'Medication/1' } },
  ],
  [
    'R5: taking',
    'MedicationStatement',
    { status: 'recorded', adherence: code('taking') },
    { status: 'active', adherence: code('taking') },
  ],
  [
    'R5: not taking',
    'MedicationStatement',
    { status: 'recorded', adherence: code('not-taking') },
    { status: 'not-taken', adherence: code('not-taking') },
  ],
  ['R5: recorded alone', 'MedicationStatement', { status: 'recorded' }, { status: 'unknown' }],
  [
    'R5: an error stays one',
    'MedicationStatement',
    { status: 'entered-in-error', adherence: code('not-taking') },
    { status: 'entered-in-error', adherence: code('not-taking') },
  ],
  [
    'R5: the time of an administration',
    'MedicationAdministration',
    { occurenceDateTime: '2020' },
    { effectiveDateTime: '2020' },
  ],
  [
    'R5: an ingredient',
    'Medication',
    { ingredient: [{ item: { concept: warfarin } }] },
    { ingredient: [{ itemCodeableConcept: warfarin }] },
  ],
  ['R5: what is ordered', 'ServiceRequest', { code: { concept: { text: 'MRI' } } }, { code: { text: 'MRI' } }],
  ['R5: the time of a procedure', 'Procedure', { occurrenceDateTime: '2020' }, { performedDateTime: '2020' }],
  [
    'R5: a visit',
    'Encounter',
    { status: 'completed', class: [{ coding: [{ code: 'AMB' }] }], actualPeriod: { start: '2020' } },
    { status: 'finished', class: { code: 'AMB' }, period: { start: '2020' } },
  ],
  [
    'STU3: a dose beside the timing',
    'MedicationRequest',
    { dosageInstruction: [{ text: 'x', doseQuantity: MG, rateRatio: { numerator: MG } }] },
    { dosageInstruction: [{ text: 'x', doseAndRate: [{ doseQuantity: MG, rateRatio: { numerator: MG } }] }] },
  ],
  [
    'STU3: a range',
    'MedicationStatement',
    { dosage: [{ doseRange: { low: MG } }] },
    { dosage: [{ doseAndRate: [{ doseRange: { low: MG } }] }] },
  ],
  [
    'DSTU2: a quantity',
    'MedicationStatement',
    { dosage: [{ quantityQuantity: MG }] },
    { dosage: [{ doseAndRate: [{ doseQuantity: MG }] }] },
  ],
  ['STU3: a comment', 'Observation', { comment: 'haemolysed' }, { note: [{ text: 'haemolysed' }] }],
  [
    'DSTU2: comments beside a note',
    'Observation',
    { comments: 'b', note: [{ text: 'a' }] },
    { note: [{ text: 'a' }, { text: 'b' }] },
  ],
  [
    'DSTU2: family names',
    'Patient',
    { name: [{ family: ['de', 'Casa'] }, null] },
    { name: [{ family: 'de Casa' }, null] },
  ],
  [
    'R4: a dose',
    'MedicationRequest',
    { dosageInstruction: [{ doseAndRate: [{ doseQuantity: MG }] }] },
    { dosageInstruction: [{ doseAndRate: [{ doseQuantity: MG }] }] },
  ],
  [
    'R4: a visit',
    'Encounter',
    { status: 'finished', class: { code: 'AMB' } },
    { status: 'finished', class: { code: 'AMB' } },
  ],
  ['R4: an administration', 'MedicationAdministration', { dosage: { dose: MG } }, { dosage: { dose: MG } }],
  [
    'odd shapes',
    'MedicationRequest',
    { medication: 3, dosageInstruction: [null, 'x'] },
    { medication: 3, dosageInstruction: [null, 'x'] },
  ],
  ['odd lists', 'Encounter', { class: [null], adherence: [] }, { class: [null], adherence: [] }],
  ['another type', 'constructor', { status: 'recorded' }, { status: 'recorded' }],
];

for (const [what, resourceType, given, wanted] of CASES) {
  test(`read as R4, ${what}`, () => {
    assert.deepEqual(asR4({ resourceType, ...given }), { resourceType, ...wanted });
  });
}

test('numbers keep their digits, and what is no resource stays', () => {
  const text = '{"resourceType":"MedicationRequest","dosageInstruction":[{"doseQuantity":{"value":5.0}}]}';
  assert.match(compact(asR4(parsed(text))), /"value":5\.0\}/);
  for (const odd of [undefined, null, 3, 'x', []]) assert.equal(asR4(odd), odd);
});
