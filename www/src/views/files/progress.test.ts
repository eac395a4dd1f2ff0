import assert from 'node:assert/strict';
import { before, test } from 'node:test';

// The module derives its server from the address of the page.
let progress: typeof import('./progress.ts');
before(async () => {
  Object.assign(globalThis, { location: new URL('https://x.example/') });
  progress = await import('./progress.ts');
});

const STEP = { bytes: 1_572_864, allBytes: 6_291_456, resources: 1_204, done: 0, files: 1 };

test('progress is said in bytes and resources, with the file where there are several', () => {
  const { progressText } = progress;
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
  assert.equal(plain(progressText(STEP)), '1.5 MiB of 6.0 MiB read · 1,204 resources indexed');
  assert.equal(
    plain(progressText({ ...STEP, bytes: STEP.allBytes, done: 3, files: 3, resources: 1 })),
    '6.0 MiB read · 1 resource indexed · file 3 of 3',
  );
});

test('a quarter is said once it is read', () => {
  const { quartersOf } = progress;
  assert.equal(quartersOf(STEP), 1);
  assert.equal(quartersOf({ ...STEP, bytes: STEP.bytes - 1 }), 0);
  assert.equal(quartersOf({ ...STEP, bytes: STEP.allBytes }), 4);
  assert.equal(quartersOf({ ...STEP, bytes: 0, allBytes: 0 }), 0);
});
