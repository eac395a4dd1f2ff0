import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../http/exchange.ts';
import { historyIn, MAX_SEARCHES, type PastSearch, pastSearchOf, withSearch } from './history.ts';

const past = (query: string, more: Partial<PastSearch> = {}): PastSearch => ({
  query,
  where: 'local',
  at: '2026-08-03T10:00:00.000Z',
  status: 200,
  ms: 3,
  ...more,
});
const answered: Exchange = {
  where: 'edge',
  method: 'GET',
  url: 'https://x.example/fhir/r4/X',
  headers: { Authorization: 'Bearer eyJhbGc…' },
  at: new Date('2026-08-03T10:00:00Z'),
  status: 200,
  answerHeaders: {},
  text: 'the answer',
  body: {
    resourceType: 'Bundle',
    total: 9,
    entry: [{ resource: { resourceType: 'X', id: 'secret' }, search: { mode: 'match' } }],
  },
  ms: 5,
  bytes: 10,
  rowsRead: 4,
};

test('a search is kept with its numbers, without its answer', () => {
  assert.deepEqual(pastSearchOf('X?a=b', answered, 7), {
    query: 'X?a=b',
    where: 'edge',
    at: '2026-08-03T10:00:00.000Z',
    status: 200,
    ms: 7,
    matches: 1,
    total: 9,
    rowsRead: 4,
  });
  const counted = pastSearchOf('X?_summary=count', answered, 7);
  assert.deepEqual([counted.matches, counted.total], [undefined, 9]);
  const { rowsRead: _, ...refused } = { ...answered, status: 400, body: { resourceType: 'OperationOutcome' } };
  assert.deepEqual(Object.keys(pastSearchOf('X', refused, 7)), ['query', 'where', 'at', 'status', 'ms']);
});

test('the newest search comes first, one of the same place and query moves there, and fifty stay', () => {
  let history: PastSearch[] = [];
  for (let i = 0; i < 60; i += 1) history = withSearch(history, past(`X?n=${i}`));
  assert.deepEqual([history.length, history[0]?.query, history.at(-1)?.query], [MAX_SEARCHES, 'X?n=59', 'X?n=10']);
  history = withSearch(history, past('X?n=20', { ms: 9 }));
  assert.deepEqual([history.length, history[0]?.query, history[0]?.ms], [MAX_SEARCHES, 'X?n=20', 9]);
  history = withSearch(history, past('X?n=20', { where: 'edge' }));
  assert.deepEqual([history[0]?.where, history[1]?.where, history[1]?.query], ['edge', 'local', 'X?n=20']);
  assert.equal(withSearch(history, past(`X?n=${'1'.repeat(10_000)}`)), history);
});

test('what is stored may be odd: the rest of it stays', () => {
  const good = past('X');
  assert.deepEqual(historyIn(JSON.stringify([good, null, 'x', { ...good, where: 'moon' }])), [good]);
  for (const text of [null, '', '{', '{}', '7']) assert.deepEqual(historyIn(text), []);
  assert.equal(historyIn(JSON.stringify(Array.from({ length: 99 }, () => good))).length, MAX_SEARCHES);
});
