import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decoded } from './decoded.ts';

test('damaged percent-encoding stays as it is', () => {
  assert.equal(decoded('a%20b'), 'a b');
  assert.equal(decoded('100%'), '100%');
});
