import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point, Series } from '#reading/results/trends/series.ts';
import { BOTTOM, LEFT, RIGHT, scaleOf, steps, TOP, times } from './scale.ts';

const point = (on: string, value: number): Point => ({
  on,
  at: Date.parse(on),
  value,
  text: String(value),
  flag: undefined,
  isBound: false,
  isPreliminary: false,
  recorded: { value },
  source: { resourceType: 'Observation', id: on },
});
const series = (...points: Point[]): Series => ({
  key: 'k',
  name: 'Weight',
  unit: 'kg',
  points,
  low: undefined,
  high: undefined,
  limits: undefined,
});

test('the value axis is marked by multiples of 1, 2 or 5 times a power of ten', () => {
  assert.deepEqual(steps(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(steps(0.1, 0.62, 5), [0.2, 0.4, 0.6]);
  assert.deepEqual(steps(95, 1005, 5), [200, 400, 600, 800, 1000]);
});

test('the time axis is marked by years, months or days', () => {
  const labels = (from: string, until: string): string[] =>
    times(Date.parse(from), Date.parse(until), 4).map(({ label }) => label);
  assert.deepEqual(labels('2018-06-01', '2021-06-01'), ['2019', '2020', '2021']);
  assert.deepEqual(labels('2021-01-15', '2021-05-01'), ['Feb 21', 'Mar 21', 'Apr 21', 'May 21']);
  assert.deepEqual(labels('2021-03-01', '2021-03-04'), ['1 Mar', '2 Mar', '3 Mar', '4 Mar']);
});

test('a scale holds every point and the range, inside the room for the labels', () => {
  const points = [point('2019-01-01', 70), point('2021-01-01', 90)];
  const { x, y } = scaleOf([{ ...series(...points), high: 100 }], 1100, 330);
  for (const { at } of points) assert.ok(x(at) >= LEFT && x(at) <= 1100 - RIGHT);
  for (const value of [70, 90, 100]) assert.ok(y(value) >= TOP && y(value) <= 330 - BOTTOM);
  assert.ok(y(90) < y(70), 'more is higher');
});

test('a single point has a scale too', () => {
  const only = point('2020-01-01', 5);
  const { x, y } = scaleOf([series(only)], 1100, 330);
  assert.ok(Number.isFinite(x(only.at)) && Number.isFinite(y(only.value)));
});
