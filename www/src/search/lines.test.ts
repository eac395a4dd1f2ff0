import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLines, differentLines, type Gap, type Line, withGaps } from './lines.ts';

const SIGNS = { both: ' ', first: '-', second: '+', gap: '…' };
const shown = (lines: (Line | Gap)[]): string =>
  lines.map((line) => SIGNS[line.of] + (line.of === 'gap' ? line.count : line.text)).join('\n');
const textOf = (lines: Line[], side: 'first' | 'second'): string =>
  lines
    .filter(({ of }) => of === 'both' || of === side)
    .map(({ text }) => text)
    .join('\n');

test('lines that both have stay together, the others are of one text', () => {
  assert.equal(shown(compareLines('a\nb\nc', 'a\nx\nc')), ' a\n-b\n+x\n c');
  assert.equal(shown(compareLines('a\nb', 'a\nb')), ' a\n b');
  assert.equal(shown(compareLines('a', 'b')), '-a\n+b');
  assert.equal(shown(compareLines('a\na', 'a\na\na')), ' a\n a\n+a');
  assert.equal(shown(compareLines('a\nb\nc\nd', 'b\nd\ne')), '-a\n b\n-c\n d\n+e');
});

test('both texts can be had back from the lines, also where they are too long to be compared', () => {
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const text = (length: number): string => Array.from({ length }, () => random(4)).join('\n');
  const long = (name: string): string => Array.from({ length: 3_000 }, (_, i) => `${name}${i}`).join('\n');
  const pairs = Array.from({ length: 60 }, () => [text(1 + random(20)), text(1 + random(20))] as const);
  for (const [a, b] of [...pairs, [long('a'), long('b')] as const]) {
    const lines = compareLines(a, b);
    assert.equal(textOf(lines, 'first'), a);
    assert.equal(textOf(lines, 'second'), b);
  }
});

test('of equal lines those near a difference are shown, the others counted', () => {
  const same = (count: number): Line[] => Array.from({ length: count }, (_, i) => ({ of: 'both', text: `${i}` }));
  const lines: Line[] = [...same(5), { of: 'first', text: 'x' }, ...same(4)];
  assert.equal(shown(withGaps(lines, 1)), '…4\n 4\n-x\n 0\n…3');
  assert.deepEqual(withGaps(same(3)), [{ of: 'gap', count: 3 }]);
  assert.equal(
    shown(differentLines({ id: 'a', status: 'final' }, { id: 'a', status: 'amended' })),
    ' {\n   "id": "a",\n-  "status": "final"\n+  "status": "amended"\n }',
  );
});
