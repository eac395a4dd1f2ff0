import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OtherEntries, otherCount } from './other-count.ts';

const UNCLEAR: OtherEntries = { n: 4, says: '{n} unclear|{n} unclear', isAlways: true };
const PAST: OtherEntries = { n: 1, says: '{n} past|{n} past' };
const NONE: OtherEntries = { n: 0, says: '{n} on hold|{n} on hold', isAlways: true };

const ROWS: [number, OtherEntries[], string | undefined][] = [
  [0, [], undefined],
  [3, [], undefined],
  [0, [UNCLEAR, PAST], '4 unclear'],
  [3, [UNCLEAR, PAST], '3, 4 unclear'],
  [0, [NONE, PAST], '1 past'],
  [3, [NONE, PAST], undefined],
  [1000, [PAST, UNCLEAR], '1,000, 4 unclear'],
];

for (const [count, others, expected] of ROWS) {
  test(`the contents say ${expected ?? 'the number alone'} for ${count} of ${JSON.stringify(others)}`, () =>
    assert.equal(otherCount(count, others).otherCount, expected));
}
