import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseOf } from './status.ts';

const NOW = Date.parse('2026-11-26T08:30:00Z');

test('the server says when it is asked again: in seconds or by a date, within bounds', () => {
  assert.equal(pauseOf('7', 0, NOW), 7);
  assert.equal(pauseOf('Thu, 26 Nov 2026 08:30:12 GMT', 0, NOW), 12);
  assert.equal(pauseOf('Thu, 26 Nov 2026 08:00:00 GMT', 0, NOW), 1);
  assert.equal(pauseOf('0', 3, NOW), 1);
  assert.equal(pauseOf('86400', 0, NOW), 60);
});

test('a server that does not say it is asked less and less often', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((asked) => pauseOf(undefined, asked, NOW)),
    [1, 2, 4, 8, 60],
  );
  assert.equal(pauseOf('whenever', 1, NOW), 2);
});
