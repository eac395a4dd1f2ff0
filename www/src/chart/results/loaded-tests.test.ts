import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '#reading/fhir/types.ts';
import type { SearchResult } from '../../source/source.ts';
import { LABS, VITALS } from '../loading/observation-searches.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';
import { findTest, loadedObservations, observationsOf } from './loaded-tests.ts';

const answer = (matches: Observation[]): SearchState => ({
  is: 'loaded',
  found: { matches, included: [], exchanges: [] } as unknown as SearchResult,
});

/** Returns observations that count how often their codes are read. */
function counted(size: number): { list: Observation[]; reads: () => number } {
  let reads = 0;
  const list = Array.from(
    { length: size },
    (_, i): Observation => ({
      resourceType: 'Observation',
      id: `o${i}`,
      status: 'final',
      get code() {
        reads += 1;
        return { coding: [{ system: 'http://loinc.org', code: `${i % 40}` }] };
      },
      effectiveDateTime: `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
      valueQuantity: { value: i, unit: 'mg/dL' },
    }),
  );
  return { list, reads: () => reads };
}

/** Returns a chart whose searches have been answered. A test can replace an answer in `states`. */
function chartOf(matches: Map<string, Observation[]>): { store: ChartStore; states: Map<string, SearchState> } {
  const states = new Map<string, SearchState>();
  const load = (query: string): SearchState => {
    const state = states.get(query) ?? answer(matches.get(query) ?? []);
    states.set(query, state);
    return state;
  };
  return { store: { load } as unknown as ChartStore, states };
}

test('observations are grouped once for the same answers, however often a trend is drawn', () => {
  const { list, reads } = counted(2000);
  const { store, states } = chartOf(new Map([[LABS, list]]));
  const first = findTest(store, '7');
  assert.ok(first && first !== 'waiting');
  assert.equal(first.list.length, 50);
  const once = reads();
  for (let drawn = 0; drawn < 20; drawn += 1) assert.equal(findTest(store, '7'), first);
  assert.equal(loadedObservations(store), loadedObservations(store));
  assert.equal(observationsOf(store, LABS), observationsOf(store, LABS));
  assert.equal(reads(), once, 'nothing is grouped again');
  // A changed answer changes the groups.
  states.set(VITALS, answer(counted(40).list));
  const next = findTest(store, '7');
  assert.ok(next && next !== 'waiting');
  assert.equal(next.list.length, 51);
});

test('while observations are still to come none are grouped', () => {
  const { list, reads } = counted(40);
  const { store, states } = chartOf(new Map([[LABS, list]]));
  states.set(VITALS, { is: 'waiting' });
  assert.equal(findTest(store, '7'), 'waiting');
  assert.equal(reads(), 0);
  states.set(VITALS, answer([]));
  assert.equal(findTest(store, 'no such test'), undefined);
});
