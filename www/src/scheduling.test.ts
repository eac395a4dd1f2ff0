import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals-core';
import { FrameBudget, inParts } from './scheduling.ts';

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

test('a list in parts has all of it in its order, and the last part may be short', () => {
  assert.deepEqual(inParts([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  assert.deepEqual(inParts([1, 2], 2), [[1, 2]]);
  assert.deepEqual(inParts([], 2), []);
});
