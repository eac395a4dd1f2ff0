import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setSubject } from '../fhir/subject.ts';
import type { Observation } from '../fhir/types.ts';
import { spanish } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import type { SearchResult } from '../source/source.ts';
import { findTest, loadedObservations, observationsOf } from './loaded-tests.ts';
import { LABS, VITALS } from './observation-searches.ts';
import type { ChartStore, SearchState } from './store.ts';
import { groupsOf } from './test-groups.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

const answer = (matches: Observation[]): SearchState => ({
  is: 'loaded',
  found: { matches, included: [], exchanges: [] } as unknown as SearchResult,
});

/** Observations that count how often the test of one of them is looked at. */
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

/** A chart whose searches have been answered, each anew where it is set. */
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
  // Another answer makes other groups.
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

test('the series of a test are made when they are asked for, and once', () => {
  const { list } = counted(80);
  let judged = 0;
  for (const one of list) {
    Object.defineProperty(one, 'interpretation', {
      get: () => {
        judged += 1;
        return undefined;
      },
    });
  }
  const [group, other] = groupsOf(list);
  assert.equal(judged, 0);
  assert.equal(group?.series, group?.series);
  const first = judged;
  assert.ok(first > 0);
  assert.ok(other?.series.length === 1 && judged > first);
});

test('groups are made anew in another language, and for another person', () => {
  const { list } = counted(40);
  const groups = groupsOf(list);
  assert.equal(groupsOf(list), groups);
  const [one] = list;
  const person = { birth: '1980-01-01' };
  if (one) setSubject(one, () => person);
  assert.notEqual(groupsOf(list), groups, 'flags depend on the person');
  const ofPerson = groupsOf(list);
  pageLanguage.value = { language: 'es', locale: 'es-ES', catalogue: spanish };
  assert.notEqual(groupsOf(list), ofPerson, 'names depend on the language');
});

test('tests of one short name are told apart by the rest of the name, or by their codes', () => {
  const leukocytes = (id: string, text: string, coding: object[]): Observation => ({
    resourceType: 'Observation',
    id,
    code: { text, coding },
    effectiveDateTime: '2024-04-05T08:00:00Z',
    valueQuantity: { value: 12, unit: '10*3/uL' },
  });
  const loinc = (code: string): object[] => [{ system: 'http://loinc.org', code }];
  const groups = groupsOf([
    leukocytes('a', 'Leukocytes [#/volume] in Blood by Automated count', loinc('6690-2')),
    leukocytes('b', 'Leukocytes', loinc('26464-8')),
    leukocytes('c', 'leukocytes', [{ system: 'urn:lab', code: 'WBC2' }]),
    leukocytes('d', 'Sodium', loinc('2951-2')),
  ]);
  assert.deepEqual(
    groups.map(({ apart }) => apart),
    ['Blood by Automated count', 'LOINC 26464-8', 'code WBC2', undefined],
  );
});
