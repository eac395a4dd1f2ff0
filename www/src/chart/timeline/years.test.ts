import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from './days.ts';
import { firstDays, railOf } from './years.ts';

const day = (on: string, size: number): Day => ({ on, size, from: 0, visits: [], records: [], results: [] });

test('each year with its count and its part of the largest; few empty years are rows, many are one', () => {
  const days = [day('2024-05-01', 3), day('2024', 1), day('2022-01-01', 2), day('2016-12', 1)];
  assert.deepEqual(railOf(days), [
    { is: 'year', year: 2024, count: 4, share: 1 },
    { is: 'year', year: 2023, count: 0, share: 0 },
    { is: 'year', year: 2022, count: 2, share: 0.5 },
    { is: 'gap', from: 2017, until: 2021 },
    { is: 'year', year: 2016, count: 1, share: 0.25 },
  ]);
  assert.deepEqual(railOf([]), []);
  assert.deepEqual(
    [...firstDays(days)].map(({ on }) => on),
    ['2024-05-01', '2022-01-01', '2016-12'],
  );
});

test('a year that was mistyped makes one row, not a thousand', () => {
  assert.equal(railOf([day('2024-01-01', 1), day('0024-01-01', 1)]).length, 3);
});
