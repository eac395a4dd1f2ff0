import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals-core';
import { FrameBudget, grow, growAtOnce, inParts, inTurns, stopGrowing } from './scheduling.ts';

test('each frame has time for one part, however slow the device is', (t) => {
  let now = 0;
  let frames = 0;
  t.mock.method(performance, 'now', () => now);
  const budget = new FrameBudget();
  effect(() => {
    budget.begin();
    frames += 1;
  });
  for (let frame = 1; frame <= 3; frame += 1) {
    now += 100;
    assert.equal(budget.hasTime(), true, 'the first part');
    assert.equal(budget.hasTime(), false, 'the second one waits');
    assert.equal(frames, frame + 1, 'for another frame');
  }
});

test('a fast device draws more parts in a frame', (t) => {
  t.mock.method(performance, 'now', () => 0);
  let frames = 0;
  const budget = new FrameBudget();
  effect(() => {
    budget.begin();
    frames += 1;
  });
  for (let part = 0; part < 5; part += 1) assert.equal(budget.hasTime(), true);
  assert.equal(frames, 1, 'no other frame is needed');
});

test('long work is done in turns of at least one entry, with a pause behind each', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const told: number[][] = [];
  Object.assign(globalThis, { window: { scheduler: { yield: async () => told.push([]) } } });
  const takes = (each: number) => {
    told.splice(0, told.length, []);
    const one = (entry: number): void => {
      now += each;
      told.at(-1)?.push(entry);
    };
    return inTurns([1, 2, 3, 4, 5], one, () => told.at(-1)?.push(Infinity));
  };
  await takes(4);
  assert.deepEqual(told, [[1, 2, Infinity], [3, 4, Infinity], [5, Infinity], []]);
  await takes(100);
  assert.deepEqual(told, [...[1, 2, 3, 4, 5].map((entry) => [entry, Infinity]), []]);
  await takes(0);
  assert.deepEqual(told, [[1, 2, 3, 4, 5, Infinity], []]);
});

test('a list in parts has all of it in its order, and the last part may be short', () => {
  assert.deepEqual(inParts([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  assert.deepEqual(inParts([1, 2], 2), [[1, 2]]);
  assert.deepEqual(inParts([], 2), []);
});

/** Returns a list of `parts` parts whose first part is drawn. */
const listOf = (name: string, parts: number, log: string[]) => {
  let drawn = 1;
  return {
    drawNext: () => {
      drawn += 1;
      log.push(`${name}${drawn}`);
      return drawn < parts;
    },
  };
};

test('lists grow one after the other, a part in each frame, and nothing new is begun meanwhile', async () => {
  // Node has no frames, like a hidden page.
  Object.assign(globalThis, { document: { hidden: true } });
  const frame = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
  const budget = new FrameBudget();
  let room: boolean | undefined;
  let frames = 0;
  const stop = effect(() => {
    budget.begin();
    room = budget.hasRoom(1);
    frames += 1;
  });
  assert.equal(room, true);
  const log: string[] = [];
  const gone = listOf('gone', 9, log);
  for (const one of [listOf('a', 3, log), gone, listOf('b', 2, log)]) grow(one);
  stopGrowing(gone);
  assert.deepEqual([room, log], [false, []]);
  await frame();
  assert.deepEqual(log, ['a2']);
  await frame();
  assert.deepEqual([room, log], [false, ['a2', 'a3']]);
  await frame();
  assert.deepEqual(log, ['a2', 'a3', 'b2']);
  assert.deepEqual([room, frames], [true, 3], 'the page is drawn again once all lists are whole');
  stop();
});

test('a frame has room for a part of any size, or for small ones of twenty entries together', () => {
  const budget = new FrameBudget();
  const rooms = (...entries: number[]): boolean[] => {
    budget.begin();
    return entries.map((count) => budget.hasRoom(count));
  };
  assert.deepEqual(rooms(900, 1, 0), [true, false, false]);
  assert.deepEqual(rooms(8, 12, 1), [true, true, false]);
});

test('a print has lists whole at once', () => {
  const log: string[] = [];
  grow(listOf('a', 3, log));
  growAtOnce();
  assert.deepEqual(log, ['a2', 'a3']);
});

test('nothing is shown below a large part that is new, or while lists grow', () => {
  const budget = new FrameBudget();
  let shown = 0;
  const stop = effect(() => {
    budget.begin();
    shown = budget.shown([3, 900, 0, 2]);
  });
  // The frame after the large part shows what is below it.
  assert.equal(shown, 4);
  const list = listOf('a', 2, []);
  grow(list);
  assert.equal(budget.shown([3, 900, 0, 2]), 4);
  assert.equal(budget.shown([3, 900, 0, 2, 5]), 4);
  stopGrowing(list);
  assert.equal(shown, 4);
  stop();
});
