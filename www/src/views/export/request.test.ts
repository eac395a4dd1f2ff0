import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAskable, kickOffUrl } from './request.ts';

const BASE = 'https://x.example/fhir/r4';

test('each level has its address', () => {
  assert.equal(kickOffUrl(BASE, { level: 'patient', group: '' }), `${BASE}/Patient/$export`);
  assert.equal(kickOffUrl(BASE, { level: 'system', group: '' }), `${BASE}/$export`);
  assert.equal(kickOffUrl(BASE, { level: 'group', group: 'a-1' }), `${BASE}/Group/a-1/$export`);
});

test('a group needs the id of one, and no other level does', () => {
  assert.equal(isAskable({ level: 'patient', group: '' }), true);
  assert.equal(isAskable({ level: 'group', group: 'reyes-household' }), true);
  for (const group of ['', 'a/b', 'a b', '../x', 'x'.repeat(65)]) {
    assert.equal(isAskable({ level: 'group', group }), false, group);
  }
});
