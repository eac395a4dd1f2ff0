import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withParts } from './text-parts.ts';

/** Writes the parts of a text in capitals, except those that begin with `x`. */
const capitals = (text: string, ...spans: [number, number][]): string =>
  withParts(
    text,
    spans.map(([start, end]) => ({ start, end })),
    ({ start, end }) => (text[start] === 'x' ? undefined : text.slice(start, end).toUpperCase()),
  );

test('parts are written otherwise, and the rest stays', () => {
  assert.equal(capitals('ab cd ef'), 'ab cd ef');
  assert.equal(capitals('ab cd ef', [0, 2], [6, 8]), 'AB cd EF');
  assert.equal(capitals('ab cd ef', [0, 8]), 'AB CD EF');
  assert.equal(capitals('ab xd ef', [3, 5], [6, 8]), 'ab xd EF');
});

test('a part within one that was written is passed over, and one within a part that stays is not', () => {
  assert.equal(capitals('ab cd ef', [0, 5], [3, 5], [6, 7]), 'AB CD Ef');
  assert.equal(capitals('xb cd ef', [0, 5], [3, 5]), 'xb CD ef');
});
