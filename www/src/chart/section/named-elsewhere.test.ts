import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '#reading/fhir/types.ts';
import { noResult } from '../../source/source.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';
import * as module from './named-elsewhere.ts';

type More = Record<string, unknown>;
const record = (resourceType: string, id: string, more: More = {}): Resource & More => ({ resourceType, id, ...more });
const MEDICATIONS = { id: 'medications', queries: ['MedicationRequest?patient={patient}'] };
const PROBLEMS = { id: 'problems', queries: ['Condition?patient={patient}'] };

/** Returns a store that has found some records. The search for the type `waiting` is still under way. */
function storeWith(records: Resource[], waiting = ''): ChartStore {
  const load = (query: string): SearchState => {
    const type = query.split('?')[0];
    if (type === waiting) return { is: 'waiting' };
    const matches = records.filter(({ resourceType }) => resourceType === type);
    return { is: 'loaded', found: { ...noResult(), matches } };
  };
  const found = (query: string): readonly Resource[] => {
    const state = load(query);
    return state.is === 'loaded' ? state.found.matches : [];
  };
  const find = (address: string): Resource | undefined =>
    records.find(({ resourceType, id }) => address === `${resourceType}/${id}`);
  return Object.assign(Object.create(null), { source: { name: 'files' }, load, loadInTime: load, found, find });
}

const item = (reference: string | undefined, display?: string) => ({
  ...(reference ? { reference } : {}),
  ...(display ? { display } : {}),
});
const list = (more: More, ...items: object[]): Resource =>
  record('List', 'l', { status: 'current', title: 'At home', entry: items.map((one) => ({ item: one })), ...more });
const known = record('MedicationRequest', 'known');

test('items of a list whose records are not there are named in the section of their type', () => {
  const verificationStatus = { coding: [{ code: 'refuted' }] };
  const found = list(
    { contained: [{ resourceType: 'Condition', id: 'a', code: { text: 'Gout' }, verificationStatus }] },
    item('#a'),
    item('MedicationRequest/known', 'A'),
    item('MedicationRequest/gone', 'B'),
    item('https://x.example/MedicationRequest/far/_history/2'),
    item('Condition/gone', 'C'),
    item('#inside', 'D'),
  );
  const store = storeWith([known, found]);
  const said = (names: string): string[] => [`“At home” names what is not in this chart: ${names}.`];
  assert.deepEqual(module.namedElsewhere(MEDICATIONS, store), said('B and Medication request\u00a0(1)'));
  assert.deepEqual(module.namedElsewhere(PROBLEMS, store), said('Gout (refuted) and C'));
  assert.deepEqual(module.namedElsewhere(MEDICATIONS, storeWith([known, found], 'MedicationRequest')), []);
});

test('items in words alone belong to the section of the code of their list', () => {
  const coded = { code: { coding: [{ system: 'http://loinc.org', code: '10160-0' }] } };
  const store = storeWith([list(coded, item(undefined, 'Aspirin'), item(undefined))]);
  assert.equal(module.namedElsewhere(MEDICATIONS, store).length, 1);
  assert.deepEqual(module.namedElsewhere(PROBLEMS, store), []);
  assert.deepEqual(module.namedElsewhere(MEDICATIONS, storeWith([list({}, item(undefined, 'Aspirin'))])), []);
});

test('a list that is retired, or entered in error, and an odd one say nothing', () => {
  for (const status of ['retired', 'entered-in-error'])
    assert.deepEqual(
      module.namedElsewhere(MEDICATIONS, storeWith([list({ status }, item('MedicationRequest/gone', 'B'))])),
      [],
      status,
    );
  for (const entry of [null, 'x', 7, [null], [{ item: 'x' }], [{ item: { reference: 7, display: [] } }], {}])
    assert.deepEqual(module.namedElsewhere(MEDICATIONS, storeWith([list({ entry })])), []);
});

test('the sections of a document name records too, those within others as well', () => {
  const document = record('Composition', 'c', {
    title: 'Discharge',
    section: [{ section: [{ entry: [item('Condition/gone', 'Gout'), item('Condition/here')] }] }],
  });
  assert.deepEqual(module.namedElsewhere(PROBLEMS, storeWith([document, record('Condition', 'here')])), [
    '“Discharge” names what is not in this chart: Gout.',
  ]);
});
