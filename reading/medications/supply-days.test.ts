import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { supplyDays } from './supply-days.ts';

test('a supply without a unit is of days, and another unit stays', () => {
  assert.equal(supplyDays(ENGLISH, { value: 90 }), 'for 90 days');
  assert.equal(supplyDays(ENGLISH, { value: 1 }), 'for 1 day');
  assert.equal(supplyDays(ENGLISH, { value: 3, unit: 'months' })?.replace('\u00a0', ' '), 'for 3 months');
  assert.equal(supplyDays(ENGLISH, { unit: 'd' }), undefined);
  assert.equal(supplyDays(ENGLISH, undefined), undefined);
});
