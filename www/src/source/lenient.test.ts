import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, parsed } from '../fhir/json.ts';
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
    [{ resourceType: 'Patient', name: 'Ada', birthDate: '1980' }, ['name'], 'birthDate'],
    [{ resourceType: 'Patient', name: [{ family: ['Ada'] }], gender: 7 }, ['name[0].family', 'gender'], 'name'],
    [{ resourceType: 'Condition', code: { coding: ['x', { code: 'y' }] } }, ['code.coding[0]'], 'code'],
  ] as const) {
    const found = mendedResource({ id: 'x', ...given });
    assert.deepEqual(found?.lost, lost, JSON.stringify(given));
    assert.ok(found && rest in found.resource);
  }
});

test('a part that means something else without another goes with the whole', () => {
  const observation = {
    resourceType: 'Observation',
    id: 'o',
    valueQuantity: { value: '5.4', unit: 'mmol/L' },
    referenceRange: [{ low: { value: '3' }, high: { value: 5 } }, { high: { value: 6 } }],
  };
  const found = mendedResource(observation);
  assert.deepEqual(found?.lost, ['valueQuantity', 'referenceRange[0]']);
  assert.deepEqual(found?.resource, { resourceType: 'Observation', id: 'o', referenceRange: [{ high: { value: 6 } }] });
});

test('what changes the meaning of a resource is not left out: the resource is none', () => {
  for (const given of [
    { resourceType: 'Condition', verificationStatus: 'refuted' },
    { resourceType: 'Condition', clinicalStatus: ['inactive'] },
    { resourceType: 'MedicationRequest', status: 7 },
    { resourceType: 'MedicationRequest', intent: ['plan'] },
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
