import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from '#reading/timeline/days.ts';
import type { TimelineEvent } from '#reading/timeline/events.ts';
import { drawnIn, drawnOf, nextSlice, partsOf, partsOfList, SLICE } from './slices.ts';

const event: TimelineEvent = {
  on: '2020',
  at: 0,
  kind: 'Note',
  name: '',
  status: undefined,
  visit: undefined,
  resource: { resourceType: 'Basic', id: 'a' },
};
const some = (count: number): TimelineEvent[] => Array.from({ length: count }, () => event);
const daysOfSizes = (...sizes: number[]): Day[] => {
  let from = 0;
  return sizes.map((size) => {
    const day = { on: '2020', visits: [], records: some(size), results: [], size, from };
    from += size;
    return day;
  });
};

test('slices go on until all is drawn, none much larger than a slice', () => {
  for (const days of [
    daysOfSizes(1, 1000, 2),
    daysOfSizes(...Array.from({ length: 900 }, (_, i) => (i % 7) + 1)),
    [],
  ]) {
    const whole = days.reduce((sum, { size }) => sum + size, 0);
    let drawn = 0;
    while (drawn < whole) {
      const next = nextSlice(days, drawn);
      assert.ok(next > drawn && next - drawn <= 1.5 * SLICE, `${drawn} to ${next}`);
      const counts = drawnIn(days, next).map((day) => drawnOf(day, next));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        next,
      );
      assert.ok(counts.every((count) => count > 0));
      drawn = next;
    }
    assert.equal(nextSlice(days, drawn), whole);
  }
});

test('the rest of a short day comes with it', () => {
  const days = daysOfSizes(SLICE - 1, 5, SLICE);
  assert.equal(nextSlice(days, 0), SLICE + 4);
  assert.deepEqual(drawnIn(days, 0), []);
});

test('a day is drawn in order: each visit before its records, then the others, then the results', () => {
  const [day] = daysOfSizes(3);
  assert.ok(day);
  const whole = {
    ...day,
    visits: [
      { event, records: some(2) },
      { event, records: some(1) },
    ],
    results: some(4),
  };
  assert.deepEqual(partsOf(whole, 0), { visits: [], records: 0, results: 0 });
  assert.deepEqual(partsOf(whole, 1), { visits: [0], records: 0, results: 0 });
  assert.deepEqual(partsOf(whole, 4), { visits: [2, 0], records: 0, results: 0 });
  assert.deepEqual(partsOf(whole, 10), { visits: [2, 1], records: 3, results: 2 });
});

test('the parts of a long list are whole slices and the rest', () => {
  assert.deepEqual(partsOfList(some(200), SLICE + 5), [
    { from: 0, until: SLICE },
    { from: SLICE, until: SLICE + 5 },
  ]);
  assert.deepEqual(partsOfList(some(3), 500), [{ from: 0, until: 3 }]);
  assert.deepEqual(partsOfList([], 10), []);
});
