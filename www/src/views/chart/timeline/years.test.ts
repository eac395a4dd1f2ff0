import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from '#reading/timeline/days.ts';
import { runsOf, yearsOf } from './years.ts';

const day = (on: string, size: number): Day => ({ on, size, from: 0, visits: [], records: [], results: [] });

test('each year has its count and its part of the largest', () => {
  const days = [day('2024-05-01', 3), day('2024', 1), day('2022-01-01', 2), day('2016-12', 1)];
  assert.deepEqual(yearsOf(days), [
    { year: 2024, count: 4, share: 1 },
    { year: 2022, count: 2, share: 0.5 },
    { year: 2016, count: 1, share: 0.25 },
  ]);
  assert.deepEqual(yearsOf([]), []);
});

test('the days of a year make runs of one size, and the first of them has the year', () => {
  let from = 0;
  const counted = (on: string, size: number): Day => {
    const made = { ...day(on, size), from };
    from += size;
    return made;
  };
  const days = [
    ...['2024-05-03', '2024-05-02', '2024-05-01'].map((on) => counted(on, 60)),
    counted('2022-01-01', 900),
    counted('2022', 1),
    counted('2021-12-31', 1),
  ];
  assert.deepEqual(
    runsOf(days).map(({ year, size, from: start, days: of }) => [year, start, size, of.length]),
    [
      [2024, 0, 120, 2],
      [undefined, 120, 60, 1],
      [2022, 180, 900, 1],
      [undefined, 1080, 1, 1],
      [2021, 1081, 1, 1],
    ],
  );
  assert.deepEqual(
    runsOf(days).flatMap(({ days: of }) => of),
    days,
  );
  assert.deepEqual(runsOf([]), []);
});
