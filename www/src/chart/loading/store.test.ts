import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals-core';
import { OTHER } from '#reading/fhir/other-types.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Abilities } from '../../source/abilities.ts';
import type { Source } from '../../source/source.ts';
import { exchangeOf, sourceOf } from '../../testing.ts';
import { DOCUMENTS } from '../summary-document/documents.ts';
import { OBSERVATIONS, REPORTS } from './observation-searches.ts';
import { ChartStore, type SearchState } from './store.ts';

const reports = REPORTS.replace('{patient}', 'p');

/** Returns an answer to a search with one record. */
const answerTo = (query: string): Exchange => {
  const [resourceType = ''] = query.split('?');
  const body = {
    resourceType: 'Bundle',
    type: 'searchset',
    entry: [{ resource: { resourceType, id: 'a' }, search: { mode: 'match' } }],
  };
  return exchangeOf(200, body, query);
};

/** Returns a source that answers a search when the test says so. */
function slowSource(): { source: Source; answer: (query: string) => Promise<void> } {
  const waiting = new Map<string, (exchange: Exchange) => void>();
  const search = (query: string): Promise<Exchange> => new Promise((done) => waiting.set(query, done));
  const source = sourceOf(search, { name: 'sample' });
  const answer = async (query: string): Promise<void> => {
    await until(() => waiting.has(query));
    waiting.get(query)?.(answerTo(query));
    waiting.delete(query);
  };
  return { source, answer };
}

/** Returns a source that answers at once, and its searches. */
function quickSource(): { source: Source; asked: string[] } {
  const asked: string[] = [];
  const search = async (query: string): Promise<Exchange> => {
    asked.push(query);
    return answerTo(query);
  };
  return { source: sourceOf(search), asked };
}

/** Waits until a condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 1));
}

test('what reads a search is told of its answer, and records keep the order of the questions', async () => {
  const { source, answer } = slowSource();
  const store = new ChartStore(source, 'p');
  const seen: string[] = [];
  effect(() => {
    seen.push(`${store.load('Condition?patient={patient}').is}, ${store.load('Goal?patient={patient}').is}`);
  });
  assert.equal(store.answered, 0);
  await answer('Goal?patient=p');
  await until(() => store.answered === 1);
  assert.deepEqual([...store.all().keys()], ['Goal/a']);
  await answer('Condition?patient=p');
  await until(() => store.answered === 2);
  assert.deepEqual(seen, ['waiting, waiting', 'waiting, loaded', 'loaded, loaded']);
  assert.deepEqual([...store.all().keys()], ['Condition/a', 'Goal/a']);
});

test('the sections of observations share the search for those of other categories', async () => {
  const asked: string[] = [];
  const { source, answer } = slowSource();
  const search = (query: string): Promise<Exchange> => {
    asked.push(query);
    return source.search(query);
  };
  const store = new ChartStore({ ...source, search }, 'p');
  for (const query of OBSERVATIONS) store.load(query);
  const [vitals = '', ...more] = OBSERVATIONS.map((query) => query.replace('{patient}', 'p'));
  await answer(more.at(-1) ?? '');
  assert.equal(store.answered, 0, 'a section waits for both of its searches');
  await answer(vitals);
  await until(() => store.answered > 0);
  for (const query of more.slice(0, -1)) await answer(query);
  await until(() => store.answered === OBSERVATIONS.length - 2);
  await answer(reports);
  await until(() => store.answered === OBSERVATIONS.length);
  assert.deepEqual([...asked].sort(), [vitals, ...more, reports].sort(), 'reports may contain results');
});

test('without the other categories a section is not whole', async () => {
  const { source, answer } = slowSource();
  const search = (query: string): Promise<Exchange> =>
    query.includes('vital-signs&') ? source.search(query) : Promise.resolve({ ...answerTo(query), status: 400 });
  const store = new ChartStore({ ...source, search }, 'p');
  const [vitals = ''] = OBSERVATIONS;
  store.load(vitals);
  await answer(vitals.replace('{patient}', 'p'));
  await until(() => store.answered === 1);
  const state = store.load(vitals);
  assert.match(state.is === 'loaded' ? (state.found.unread?.() ?? '') : '', /^Observations of other categories/);
  const others = OBSERVATIONS.at(-1) ?? '';
  store.load(others);
  await until(() => store.answered === 2);
  assert.equal(store.load(others).is, 'failed');
});

/** Loads the observations of all sections from a server whose statuses a function determines. */
async function observationsOf(status: (query: string) => number, abilities?: Abilities) {
  const asked: string[] = [];
  const search = async (query: string): Promise<Exchange> => {
    if (query !== reports) asked.push(query);
    const [, id = 'x'] = /category=([\w-]+)/.exec(query) ?? [];
    const resource = { resourceType: 'Observation', id, code: { text: id }, category: [{ coding: [{ code: id }] }] };
    const body = { resourceType: 'Bundle', entry: [{ resource }] };
    return { ...answerTo(query), status: status(query), body };
  };
  const store = new ChartStore(sourceOf(search, { abilities: async () => abilities }), 'p');
  for (const query of OBSERVATIONS) store.load(query);
  await until(() => store.answered === OBSERVATIONS.length);
  const [vitals, labs, screening, others] = OBSERVATIONS.map((query) => store.load(query));
  return { asked, vitals, labs, screening, others };
}
const idsIn = (state: SearchState | undefined): string[] =>
  state?.is === 'loaded' ? state.found.matches.map(({ id }) => id).sort() : [`${state?.is}`];
const unreadIn = (state: SearchState | undefined): string =>
  state?.is === 'loaded' ? (state.found.unread?.() ?? '') : '';

test('a server that demands a category is asked for each, once, and what stays unknown is said', async () => {
  const isNamed = (query: string): boolean => /category=[\w-]+&/.test(query);
  const { asked, vitals, labs, screening, others } = await observationsOf((query) =>
    !isNamed(query) || query.includes('therapy') ? 400 : 200,
  );
  assert.deepEqual(idsIn(others), ['activity', 'clinical-test', 'exam', 'imaging', 'procedure']);
  assert.deepEqual([idsIn(vitals), idsIn(labs)], [['vital-signs'], ['laboratory']]);
  assert.ok(idsIn(screening).includes('social-history') && idsIn(screening).includes('survey'), 'one by one');
  for (const state of [vitals, labs, screening, others]) {
    assert.match(unreadIn(state), /by category alone: those without one .* none of these categories: therapy\./);
  }
  assert.equal(asked.filter((query) => query.includes('category:not=')).length, 1, 'it is not asked again');
  assert.equal(asked.filter((query) => query.includes('category=exam')).length, 1);
});

test('a server that is broken is not asked by category, nor one that cannot choose by it', async () => {
  const broken = await observationsOf((query) => (query.includes(':not') ? 503 : 200));
  assert.deepEqual([idsIn(broken.others), broken.asked.length], [['failed'], OBSERVATIONS.length]);
  assert.match(unreadIn(broken.labs), /other categories could not be read/);
  const type = { read: true, search: true, parameters: new Set(['patient']), includes: [], revIncludes: [] };
  const abilities = { name: '', fhirVersion: '4.0.1', types: new Map([['Observation', type]]) };
  const { asked, others, labs } = await observationsOf(() => 400, abilities);
  assert.deepEqual([idsIn(others), idsIn(labs)], [['failed'], ['failed']]);
  assert.deepEqual([...new Set(asked)], ['Observation?patient=p&_count=200']);
});

test('a search that is tried again waits, and its records are gone until it is answered', async () => {
  const { source, answer } = slowSource();
  const store = new ChartStore(source, 'p');
  assert.equal(store.load('Goal?patient={patient}').is, 'waiting');
  await answer('Goal?patient=p');
  await until(() => store.answered === 1);
  store.retry('Goal?patient={patient}');
  assert.equal(store.load('Goal?patient={patient}').is, 'waiting');
  assert.equal(store.all().size, 0);
  await answer('Goal?patient=p');
  await until(() => store.answered === 1);
  assert.deepEqual([...store.all().keys()], ['Goal/a']);
});

test('the other types of a server are asked for when their part of the page is in sight, and not before', async () => {
  const { asked, source } = quickSource();
  const store = new ChartStore(source, 'p');
  const seen: string[] = [];
  effect(() => {
    const state = store.loadInTime(OTHER);
    seen.push(state.is === 'loaded' && state.found.later ? 'later' : state.is);
  });
  assert.equal(store.loadInTime('Goal?patient={patient}').is, 'waiting');
  await until(() => store.answered === 1);
  assert.deepEqual(asked, ['Goal?patient=p']);
  store.begin(OTHER);
  await until(() => store.answered === 2);
  assert.deepEqual([...new Set(seen)], ['later', 'waiting', 'loaded']);
  assert.ok(asked.includes('Task?patient=p&_count=200') && asked.length > 20, asked.join(', '));
  assert.equal(asked.filter((query) => query.startsWith('Claim?')).length, 0);
});

test('documents and the other records share one request', async () => {
  const { asked, source } = quickSource();
  const store = new ChartStore(source, 'p');
  store.load(DOCUMENTS);
  store.begin(OTHER);
  await until(() => store.answered === 2);
  assert.equal(asked.filter((query) => query.startsWith('Composition?')).length, 1);
  assert.ok(store.find('Composition/a'));
});

test('medications that did not come with records are asked for once, and their absence is said', async () => {
  const statement = (id: string, reference: string): object => ({
    resourceType: 'MedicationStatement',
    id,
    medicationReference: { reference },
  });
  const found = [
    statement('a', 'Medication/m'),
    statement('b', 'https://x.example/fhir/r4/Medication/n/_history/2'),
    statement('c', 'Medication/m'),
    statement('d', '#contained'),
    statement('e', 'https://other.example/fhir/Medication/o'),
  ];
  const asked: string[] = [];
  const sourceWith = (medications: object[]): Source => {
    const search = async (query: string): Promise<Exchange> => {
      asked.push(query);
      const resources = query.startsWith('Medication?') ? medications : found;
      const entry = resources.map((resource) => ({ resource, search: { mode: 'match' } }));
      return { ...answerTo(query), body: { resourceType: 'Bundle', type: 'searchset', entry } };
    };
    return { name: 'sample', grant: undefined, key: 'names', search, read: search };
  };
  const resultOf = async (medications: object[]) => {
    const store = new ChartStore(sourceWith(medications), 'p');
    store.load('MedicationStatement?patient={patient}');
    await until(() => store.answered === 1);
    const state = store.load('MedicationStatement?patient={patient}');
    assert.equal(state.is, 'loaded');
    return state.is === 'loaded' ? state.found : undefined;
  };
  const whole = await resultOf(['m', 'n'].map((id) => ({ resourceType: 'Medication', id })));
  assert.deepEqual(asked, ['MedicationStatement?patient=p', 'Medication?_id=m,n&_count=50']);
  assert.deepEqual(
    whole?.included.map(({ id }) => id),
    ['m', 'n'],
  );
  assert.deepEqual([whole?.matches.length, whole?.exchanges.length, whole?.missing?.()], [5, 2, []]);
  const partly = await resultOf([]);
  assert.deepEqual(partly?.missing?.(), ['Names of some medications may be missing.']);
});
