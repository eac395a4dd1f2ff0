import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, parsed } from '#reading/fhir/json.ts';
import { mendedResource } from './lenient.ts';

const subject = { reference: 'Patient/a' };

test('an element of another form is left out, and the rest of the resource stays', () => {
  for (const [given, lost, rest] of [
    [{ resourceType: 'Condition', recordedDate: 20240101, code: { text: 'Asthma' } }, ['recordedDate'], 'code'],
    [
      { resourceType: 'Observation', effectiveDateTime: 1_700_000_000, status: 'final' },
      ['effectiveDateTime'],
      'status',
    ],
    [{ resourceType: 'Patient', name: 8, birthDate: '1980' }, ['name'], 'birthDate'],
    [{ resourceType: 'Patient', name: [{ family: ['A', 'B'] }], gender: 7 }, ['name[0].family', 'gender'], 'name'],
    [{ resourceType: 'Condition', code: { coding: ['x', { code: 'y' }] } }, ['code.coding[0]'], 'code'],
  ] as const) {
    const found = mendedResource({ id: 'x', ...given });
    assert.deepEqual(found?.lost, lost, JSON.stringify(given));
    assert.ok(found && rest in found.resource);
  }
});

/** A resource with an element in another form, and the element as it is read. */
const FORMS: [string, object, string, unknown][] = [
  [
    'a number in quotation marks',
    { valueQuantity: { value: '5.40', unit: '%' } },
    'valueQuantity',
    { value: 5.4, unit: '%' },
  ],
  ['words for a concept', { code: 'Glucose' }, 'code', { text: 'Glucose' }],
  ['a list of one concept', { code: [{ text: 'Glucose' }] }, 'code', { text: 'Glucose' }],
  ['words in a list of concepts', { category: ['laboratory'] }, 'category', [{ text: 'laboratory' }]],
  ['a word for a list of concepts', { category: 'laboratory' }, 'category', [{ text: 'laboratory' }]],
  ['one coding', { code: { coding: { code: '1' } } }, 'code', { coding: [{ code: '1' }] }],
  ['a code as a number', { code: { coding: [{ code: 4548 }] } }, 'code', { coding: [{ code: '4548' }] }],
  ['a note as a text', { note: 'haemolysed' }, 'note', [{ text: 'haemolysed' }]],
  ['a note without its list', { note: { text: 'haemolysed' } }, 'note', [{ text: 'haemolysed' }]],
  ['a reference as a text', { subject: 'Patient/a' }, 'subject', { reference: 'Patient/a' }],
  ['a status in a list', { status: ['final'] }, 'status', 'final'],
  ['a status that is null', { status: null }, 'status', undefined],
  [
    'a code that is null',
    { code: { text: 'x', coding: [null, { code: 'y' }] } },
    'code',
    { text: 'x', coding: [{ code: 'y' }] },
  ],
  ['a component without its list', { component: { valueString: 'x' } }, 'component', [{ valueString: 'x' }]],
];
for (const [what, given, name, wanted] of FORMS) {
  test(`nothing is left out for ${what}`, () => {
    const found = mendedResource({ resourceType: 'Observation', id: 'o', ...given });
    assert.deepEqual(found?.lost, []);
    assert.deepEqual(Reflect.get(found?.resource ?? {}, name), wanted);
  });
}

test('a negation in quotation marks is one, and the names of a Patient are read without their lists', () => {
  const order = mendedResource({ resourceType: 'MedicationRequest', id: 'm', doNotPerform: 'true' });
  assert.deepEqual([order?.lost, Reflect.get(order?.resource ?? {}, 'doNotPerform')], [[], true]);
  const text = mendedResource({ resourceType: 'Observation', id: 'o', valueQuantity: { value: '5.40' } });
  assert.match(compact(text?.resource), JSON.rawJSON ? /"value":5\.40/ : /"value":5\.4/);
  const words = mendedResource({ resourceType: 'Patient', id: 'p', name: 'Ada Lovelace' });
  assert.deepEqual([words?.lost, Reflect.get(words?.resource ?? {}, 'name')], [[], [{ text: 'Ada Lovelace' }]]);
  const patient = mendedResource({ resourceType: 'Patient', id: 'p', name: { family: 'Lovelace', given: 'Ada' } });
  assert.deepEqual(
    [patient?.lost, Reflect.get(patient?.resource ?? {}, 'name')],
    [[], [{ family: 'Lovelace', given: ['Ada'] }]],
  );
});

test('a part that means something else without another goes with the whole', () => {
  const observation = {
    resourceType: 'Observation',
    id: 'o',
    valueQuantity: { value: '5,4', unit: 'mmol/L' },
    referenceRange: [{ low: { value: 'three' }, high: { value: 5 } }, { high: { value: 6 } }],
  };
  const found = mendedResource(observation);
  assert.deepEqual(found?.lost, ['valueQuantity', 'referenceRange[0]']);
  assert.deepEqual(found?.resource, { resourceType: 'Observation', id: 'o', referenceRange: [{ high: { value: 6 } }] });
});

test('what changes the meaning of a resource is not left out: the resource is none', () => {
  for (const given of [
    { resourceType: 'Condition', verificationStatus: 'refuted' },
    { resourceType: 'Condition', clinicalStatus: ['inactive', 'active'] },
    { resourceType: 'MedicationRequest', status: 7 },
    { resourceType: 'MedicationRequest', intent: ['plan', 'order'] },
    { resourceType: 'MedicationRequest', doNotPerform: 'perhaps' },
    { resourceType: 7 },
    'text',
  ]) {
    const all = typeof given === 'object' ? { id: 'x', subject, ...given } : given;
    assert.equal(mendedResource(all), undefined, JSON.stringify(given));
  }
  assert.equal(mendedResource({ resourceType: 'Condition', id: 7 }), undefined);
});

test('the digits of a number and the given resource stay as they are', () => {
  const text =
    '{"resourceType":"Observation","id":"o","valueQuantity":{"value":7.0,"unit":"%"},"issued":7,"code":{"text":8}}';
  const given = parsed(text);
  const found = mendedResource(given);
  assert.match(compact(found?.resource), /"value":7\.0/);
  assert.equal(compact(given), text);
});
