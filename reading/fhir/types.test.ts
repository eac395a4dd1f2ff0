import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShaped } from '../shape.ts';
import { bundle, codeElement, ofType, resourceShape } from './types.ts';

test('a resource must have the elements of its type, as far as they are read', () => {
  assert.equal(resourceShape({ resourceType: 'Patient', id: 'a', gender: 'female', unknown: [{}] }, ''), undefined);
  assert.match(resourceShape({ resourceType: 'Patient', id: 'a', name: 'Ada' }, 'entry 1') ?? '', /^entry 1\.name /);
  assert.match(
    resourceShape({ resourceType: 'AllergyIntolerance', id: 'a', reaction: 'not a list' }, '') ?? '',
    /^reaction is not a list/,
  );
  assert.match(
    resourceShape({ resourceType: 'MedicationRequest', id: 'a', doNotPerform: 'true' }, '') ?? '',
    /^doNotPerform is not true or false/,
  );
});

test('a resource of another type must have a type and an id', () => {
  assert.equal(resourceShape({ resourceType: 'Coverage', id: 'a', name: 1 }, ''), undefined);
  assert.match(resourceShape({ resourceType: 'Coverage' }, '') ?? '', /^id /);
  assert.match(resourceShape({ resourceType: '__proto__', id: 1 }, '') ?? '', /^id /);
  assert.match(resourceShape(null, 'the record') ?? '', /^the record is not an object/);
});

test('lists of primitive values may hold null', () => {
  const resource = { resourceType: 'Patient', id: 'a', name: [{ given: ['Ada', null] }] };
  assert.equal(resourceShape(resource, ''), undefined);
});

test('a Bundle is one whatever its resources are: they are checked each by itself', () => {
  assert.equal(isShaped(bundle, { resourceType: 'Bundle', entry: [{ resource: 7 }] }), true);
  assert.equal(isShaped(bundle, { resourceType: 'Bundle', entry: {} }), false);
  assert.equal(isShaped(bundle, { resourceType: 'OperationOutcome' }), false);
});

test('resources of one type are picked, and codes of any are read', () => {
  const all = [
    { resourceType: 'Patient', id: 'a' },
    { resourceType: 'Condition', id: 'b' },
  ];
  assert.deepEqual(
    ofType('Condition', all).map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(codeElement({ code: { text: 'Asthma' } }), { text: 'Asthma' });
  assert.equal(codeElement({ code: 'asthma' }), undefined);
});
