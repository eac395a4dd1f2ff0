import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asR4 } from './as-r4.ts';
import { isOlder, isOlderType } from './is-older.ts';

const subject = { reference: 'Patient/a' };

test('a record that has no meaning in R4 is of an older FHIR, and one that was converted is not', () => {
  const older: [string, object][] = [
    ['Order', {}],
    ['DeviceComponent', {}],
    ['AllergyIntolerance', { status: 'odd' }],
    ['AdverseEvent', { category: 'odd' }],
    ['Goal', { status: 'odd' }],
  ];
  const current: [string, object][] = [
    ['MedicationOrder', { patient: subject }],
    ['AllergyIntolerance', { status: 'active' }],
    ['AdverseEvent', { category: 'AE' }],
    ['AdverseEvent', { category: [{ text: 'medication' }] }],
    ['FamilyMemberHistory', { notDone: true }],
    ['Goal', { status: 'achieved' }],
    ['Goal', { lifecycleStatus: 'active', status: 'odd' }],
    ['MedicationDispense', { notDone: true }],
    ['Condition', { subject }],
    ['constructor', { status: 'x' }],
  ];
  for (const [resourceType, members] of older)
    assert.equal(isOlder(asR4({ resourceType, ...members })), true, resourceType);
  for (const [resourceType, members] of current) {
    assert.equal(isOlder(asR4({ resourceType, ...members })), false, resourceType);
  }
  for (const odd of [undefined, null, 'Condition', [], { resourceType: 7 }]) assert.equal(isOlder(odd), false);
  assert.equal(isOlderType('constructor'), false);
});
