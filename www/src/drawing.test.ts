import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { signal } from '@preact/signals-core';
import { Clock, keepDrawn, onChange } from './drawing.ts';

/** The callbacks that wait for the next frame. */
let waiting: (() => void)[] = [];
const nextFrame = (): void => {
  const now = waiting;
  waiting = [];
  for (const run of now) run();
};

beforeEach(() => {
  waiting = [];
  Object.assign(globalThis, {
    document: { hidden: false },
    requestAnimationFrame: (run: () => void) => waiting.push(run),
  });
});

test('what is drawn is drawn again once, in the frame after changes of what it read', () => {
  const [name, count, other] = [signal('a'), signal(0), signal('')];
  const drawn: string[] = [];
  const stop = keepDrawn(() => drawn.push(`${name.value} ${count.value}`));
  assert.deepEqual(drawn, ['a 0'], 'at once');
  name.value = 'b';
  count.value = 1;
  count.value = 2;
  other.value = 'not read';
  assert.deepEqual(drawn, ['a 0'], 'not before the frame');
  nextFrame();
  assert.deepEqual(drawn, ['a 0', 'b 2']);
  nextFrame();
  assert.deepEqual(drawn, ['a 0', 'b 2'], 'nothing has changed');
  count.value = 3;
  stop();
  nextFrame();
  count.value = 4;
  nextFrame();
  assert.deepEqual(drawn, ['a 0', 'b 2'], 'it has ended');
});

test('what the last drawing did not read draws nothing', () => {
  const [isOpen, text] = [signal(true), signal('a')];
  let drawings = 0;
  keepDrawn(() => {
    drawings += 1;
    if (isOpen.value) void text.value;
  });
  isOpen.value = false;
  nextFrame();
  text.value = 'b';
  nextFrame();
  assert.equal(drawings, 2);
});

test('a drawing that wants another frame gets it', () => {
  const drawn = signal(0);
  keepDrawn(() => {
    if (drawn.value < 3) drawn.value += 1;
  });
  for (let frame = 0; frame < 5; frame += 1) nextFrame();
  assert.equal(drawn.value, 3);
  assert.equal(waiting.length, 0);
});

test('a drawing that fails is reported, and drawn again after a change', () => {
  const errors: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => errors.push(error) });
  const isBroken = signal(true);
  let drawings = 0;
  keepDrawn(() => {
    if (isBroken.value) throw new Error('broken');
    drawings += 1;
  });
  assert.equal(errors.length, 1);
  isBroken.value = false;
  nextFrame();
  assert.equal(drawings, 1);
});

test('a watcher is called after each change, and not before', () => {
  const value = signal('a');
  const seen: string[] = [];
  const stop = onChange(value, (one) => seen.push(one));
  assert.deepEqual(seen, []);
  value.value = 'b';
  value.value = 'b';
  value.value = 'c';
  stop();
  value.value = 'd';
  assert.deepEqual(seen, ['b', 'c']);
});

test('what has read a clock is drawn again as it ticks', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1_000 });
  const clock = new Clock(100);
  const drawn: number[] = [];
  keepDrawn(() => drawn.push(clock.now));
  t.mock.timers.tick(50);
  nextFrame();
  t.mock.timers.tick(60);
  nextFrame();
  assert.deepEqual(drawn, [1_000, 1_110]);
  clock.stop();
  t.mock.timers.tick(1_000);
  nextFrame();
  assert.deepEqual(drawn, [1_000, 1_110]);
});
