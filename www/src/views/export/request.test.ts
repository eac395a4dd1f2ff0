import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExportChoice, instantOf, isAskable, kickOffUrl, localTimeOf, typesOf } from './request.ts';

const BASE = 'https://x.example/fhir/r4';
const choice: ExportChoice = { level: 'patient', group: '', types: [], since: '' };

test('each level has its address, and what is not chosen is no parameter', () => {
  assert.equal(kickOffUrl(BASE, choice), `${BASE}/Patient/$export`);
  assert.equal(kickOffUrl(BASE, { ...choice, level: 'system' }), `${BASE}/$export`);
  assert.equal(kickOffUrl(BASE, { ...choice, level: 'group', group: 'a-1' }), `${BASE}/Group/a-1/$export`);
  const narrow = { ...choice, types: ['Patient', 'Goal'], since: '2026-11-01T07:30:00.000Z' };
  assert.equal(
    kickOffUrl(BASE, narrow),
    `${BASE}/Patient/$export?_type=Patient,Goal&_since=2026-11-01T07%3A30%3A00.000Z`,
  );
});

test('a group needs the id of one, and no other level does', () => {
  assert.equal(isAskable(choice), true);
  assert.equal(isAskable({ ...choice, level: 'group', group: 'reyes-household' }), true);
  for (const group of ['', 'a/b', 'a b', '../x', 'x'.repeat(65)]) {
    assert.equal(isAskable({ ...choice, level: 'group', group }), false, group);
  }
});

test('the types are those that a scope opens for reading, and that the level can have', () => {
  const scopes = 'system/*.read system/Patient.read system/Group.rs system/Goal.s system/Account.read user/Device.read';
  assert.deepEqual(typesOf(scopes, 'patient'), ['Patient']);
  assert.deepEqual(typesOf(scopes, 'system'), ['Group', 'Patient']);
  assert.deepEqual(typesOf('', 'system'), []);
});

test('a local time is an instant, and never later than the one that it was made of', () => {
  const instant = '2026-11-26T08:30:15.987654Z';
  const local = localTimeOf(instant);
  assert.match(local, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:15$/);
  assert.equal(instantOf(local), '2026-11-26T08:30:15.000Z');
  for (const text of ['', 'yesterday', '2026-13-01T00:00']) assert.equal(instantOf(text), '', text);
  assert.equal(localTimeOf('soon'), '');
});
