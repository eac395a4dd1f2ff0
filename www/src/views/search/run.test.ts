import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/exchange.ts';
import { type Run, runNames, runTitle } from './run.ts';

const entry = (id: string): object => ({ resource: { resourceType: 'X', id }, search: { mode: 'match' } });
const run = (number: number, more: Partial<Exchange> = {}, query = 'X?a=b'): Run => ({
  number,
  query,
  times: [1],
  exchange: {
    where: 'local',
    method: 'GET',
    url: 'https://x.example/fhir/r4/X?a=b',
    headers: {},
    at: new Date(0),
    status: 200,
    answerHeaders: {},
    text: '',
    body: { resourceType: 'Bundle', total: 9, entry: [entry('a'), entry('b')] },
    ms: 1,
    bytes: 1,
    ...more,
  },
});

test('two runs are named by their places, or by their numbers', () => {
  assert.deepEqual(runNames([run(1), run(2, { where: 'edge' })]), ['this browser', 'the server']);
  assert.deepEqual(runNames([run(1), run(2)]), ['run 1', 'run 2']);
});

test('the title of a run says what it found', () => {
  assert.equal(runTitle(run(3, { where: 'edge' })), '3 · the server · 2 matches · X?a=b');
  assert.equal(runTitle(run(4, { status: 401 })), '4 · this browser · 401 · X?a=b');
  assert.equal(runTitle(run(5, { status: 0 })), '5 · this browser · failed · X?a=b');
  assert.equal(runTitle(run(6, {}, 'X?_summary=count')), '6 · this browser · counts 9 · X?_summary=count');
});
