import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { progressText, quartersOf } from './progress.ts';

const STEP = { bytes: 1_572_864, allBytes: 6_291_456, resources: 1_204, done: 0, files: 1 };

test('progress is said in bytes and resources, with the file where there are several', () => {
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
  assert.equal(plain(progressText(STEP)), '1.5 MiB of 6.0 MiB read · 1,204 resources indexed');
  assert.equal(
    plain(progressText({ ...STEP, bytes: STEP.allBytes, done: 3, files: 3, resources: 1 })),
    '6.0 MiB read · 1 resource indexed · file 3 of 3',
  );
});

test('a quarter is said once it is read', () => {
  assert.equal(quartersOf(STEP), 1);
  assert.equal(quartersOf({ ...STEP, bytes: STEP.bytes - 1 }), 0);
  assert.equal(quartersOf({ ...STEP, bytes: STEP.allBytes }), 4);
  assert.equal(quartersOf({ ...STEP, bytes: 0, allBytes: 0 }), 0);
});
