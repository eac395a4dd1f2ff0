import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartStore } from '../loading/store.ts';
import { latestOf, newestOf } from './newest.ts';

const store = {} as ChartStore;

test('the newest three entries are drawn, with those that stay, and no others before the button is pressed', () => {
  const drawn: (readonly number[])[] = [];
  const draw = (some: readonly number[]): string => {
    drawn.push(some);
    return some.join();
  };
  newestOf([1, 2, 3, 4, 5, 6], draw, { name: 'Visits', stays: (one) => one === 5 }, store);
  assert.deepEqual(drawn.splice(0), [[1, 2, 3, 5]]);
  assert.equal(newestOf([1, 2, 3], draw, { name: 'Visits' }, store), '1,2,3', 'a short list has no button');
  assert.equal(newestOf([1, 2, 3, 4], draw, { name: 'Visits', stays: () => true }, store), '1,2,3,4');
});

test('the latest of each key is the first', () => {
  const one = (id: string) => ({ resourceType: 'Observation', id });
  const all = [one('smoking 2'), one('work 2'), one('work 1'), one('smoking 1')];
  const isLatest = latestOf(all, ({ id }) => id.split(' ')[0] ?? '');
  assert.deepEqual(
    all.filter(isLatest).map(({ id }) => id),
    ['smoking 2', 'work 2'],
  );
});
