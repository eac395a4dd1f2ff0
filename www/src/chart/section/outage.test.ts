import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/exchange.ts';
import { noResult } from '../../source/source.ts';
import { exchangeOf } from '../../testing.ts';
import type { SearchState } from '../loading/store.ts';
import * as outage from './outage.ts';

const failed = (of: Exchange | undefined): SearchState => ({ is: 'failed', exchange: of, says: '' });
const LOADED: SearchState = { is: 'loaded', found: noResult() };

test('a search is unanswered without an answer, and where the server could not answer', () => {
  for (const [state, expected] of [
    [failed(exchangeOf(0)), true],
    [failed(exchangeOf(500)), true],
    [failed(exchangeOf(503)), true],
    [failed(exchangeOf(404)), false],
    [failed(exchangeOf(401)), false],
    [failed(exchangeOf(429)), false],
    [failed({ ...exchangeOf(500), where: 'local' }), false],
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
  assert.equal(isServerDown(failed(exchangeOf(0)), withheld), true);
  assert.equal(isServerDown(failed(exchangeOf(0)), LOADED), false);
  assert.equal(isServerDown(failed(exchangeOf(502)), failed(exchangeOf(404))), false);
});
