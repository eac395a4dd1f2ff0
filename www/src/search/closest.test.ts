import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closest } from './closest.ts';

const NAMES = ['_id', 'patient', 'category', 'code', 'date', 'status'];

test('a name with a slip is known by its letters', () => {
  for (const [name, meant] of [
    ['statsu', 'status'],
    ['Status', 'status'],
    ['pateint', 'patient'],
    ['categry', 'category'],
    ['cod', 'code'],
    ['colour', undefined],
    ['x', undefined],
    ['', undefined],
    ['s'.repeat(5000), undefined],
  ] as const)
    assert.equal(closest(name, NAMES), meant, name);
});
