import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Columns } from './columns.ts';

const placesOf = (count: number, ...heights: number[]): number[] => {
  const columns = new Columns(count);
  return heights.map((lines) => columns.place(lines));
};

test('each tile stands in the shortest column, and all in the only one', () => {
  assert.deepEqual(placesOf(3, 12, 10, 14, 11, 5, 7, 4), [0, 1, 2, 1, 0, 2, 0]);
  assert.deepEqual(placesOf(2, 12, 2, 4, 5, 2), [0, 1, 1, 1, 1]);
  assert.deepEqual(placesOf(1, 3, 2, 1), [0, 0, 0]);
});
