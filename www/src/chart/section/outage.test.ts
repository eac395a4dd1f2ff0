import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Exchange } from '../../http/exchange.ts';
import type { SearchState } from '../loading/store.ts';

let outage: typeof import('./outage.ts');
before(async () => {
  Object.assign(globalThis, { location: new URL('https://x.example/') });
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  outage = await import('./outage.ts');
});

const exchange = (status: number, where: 'edge' | 'local' = 'edge'): Exchange => ({
  where,
  method: 'GET',
  url: '',
  at: new Date(0),
  headers: {},
  status,
  answerHeaders: {},
  text: '',
  body: undefined,
  bytes: 0,
  ms: 0,
});
const failed = (of: Exchange | undefined): SearchState => ({ is: 'failed', exchange: of, says: '' });
const LOADED: SearchState = {
  is: 'loaded',
  found: { matches: [], included: [], malformed: [], older: 0, errors: [], exchanges: [] },
};

test('a search is unanswered without an answer, and where the server could not answer', () => {
  for (const [state, expected] of [
    [failed(exchange(0)), true],
    [failed(exchange(500)), true],
    [failed(exchange(503)), true],
    [failed(exchange(404)), false],
    [failed(exchange(401)), false],
    [failed(exchange(429)), false],
    [failed(exchange(500, 'local')), false],
    [failed(undefined), false],
    [LOADED, false],
    [{ is: 'waiting' }, false],
    [{ is: 'withheld', why: '' }, false],
  ] satisfies [SearchState, boolean][]) {
    assert.equal(outage.isUnanswered(state), expected, JSON.stringify(state));
  }
});

test('a server is down that was asked and has answered nothing', () => {
  const isServerDown = (...states: SearchState[]): boolean =>
    outage.isServerDown({ answers: new Map(states.map((state, i) => [String(i), state])) });
  const withheld: SearchState = { is: 'withheld', why: '' };
  assert.equal(isServerDown(), false);
  assert.equal(isServerDown(withheld), false, 'nothing was asked');
  assert.equal(isServerDown(failed(exchange(0)), withheld), true);
  assert.equal(isServerDown(failed(exchange(0)), LOADED), false);
  assert.equal(isServerDown(failed(exchange(502)), failed(exchange(404))), false);
});
