import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Columns } from './columns.ts';

test('each tile stands in the shorter column, and a wide one across both', () => {
  const columns = new Columns();
  const places = [2, 10, 7, 8, 6, 3].map((lines, i) => columns.place(lines, i === 0));
  assert.deepEqual(places, ['both', 'first', 'second', 'second', 'first', 'second']);
});

test('a short tile beside a long one does not hold up the next', () => {
  const columns = new Columns();
  assert.deepEqual(
    [12, 2, 4, 5, 2].map((lines) => columns.place(lines)),
    ['first', 'second', 'second', 'second', 'second'],
  );
});
