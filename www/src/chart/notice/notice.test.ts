import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '#reading/fhir/types.ts';
import type { KnownPerson } from '../../engine/load/file-report.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import * as own from '../../source/files.ts';
import { noResult, type SearchResult } from '../../source/source.ts';
import type { ChartStore } from '../loading/store.ts';
import * as items from './items.ts';

/** Returns a store that answers searches from a table, and others with nothing. */
const storeOf = (answers: Record<string, Partial<SearchResult>>, patient = 'ada', name = 'files'): ChartStore => {
  const loaded = Object.values(answers).flatMap(({ matches = [] }) => matches);
  const all = new Map(loaded.map((one: Resource) => [`${one.resourceType}/${one.id}`, one]));
  const load = (query: string) => {
    const [type = ''] = query.split('?');
    return { is: 'loaded', found: { ...noResult(), ...answers[type] } };
  };
  return { source: { name }, patient, load, loadInTime: load, all: () => all } as unknown as ChartStore;
};

const report: LoadedFiles = {
  taken: 9,
  faults: [{ file: 'a.ndjson', line: 2, why: 'it is not JSON' }],
  faultCount: 1,
  lost: { '': 1, Condition: 1 },
  unserved: { Foo: 2, Order: 1 },
  older: { Condition: 1 },
  fromOlder: {},
  fromR5: {},
  remarks: [
    { kind: 'older', type: 'Condition', id: 'c', file: 'a.ndjson', line: 4 },
    { kind: 'mended', type: 'Condition', id: 'a-b', file: 'a.ndjson', line: 5, why: 'a b' },
    { kind: 'mended', type: 'Goal', id: 'g', file: 'a.ndjson', line: 6, why: 'x. It counts as that of the load' },
  ],
  remarkCounts: { older: 1, mended: 2 },
  areApart: false,
  undelivered: {},
  linked: [],
  alike: [],
  counts: {},
  nobodys: { Condition: 3 },
  absentPatients: ['x'],
  absentRecords: { x: 4 },
  absent: { Observation: 4 },
};

const nothing = { lost: {}, unserved: {}, older: {}, nobodys: {}, absent: {} };

/** Returns the texts of the notice on a chart of files with this report. */
function said(store: ChartStore, addresses: string[] = [], of: LoadedFiles = report): string[] {
  const choice = { files: [], leftOut: 0 };
  own.files.value = { is: 'open', load: 1, report: of, patient: 'ada', choice, same: [] };
  return items.noticeItems(store, addresses).map(({ says }) => says);
}

test('each kind of what is left out is counted once', () => {
  assert.deepEqual(said(storeOf({})), [
    '2 parts of the files that could not be read',
    '2 records of an older FHIR',
    '4 records of patients who are not in the files',
    '2 records that name no patient',
    '2 resources of unknown types',
    '1 record with another version',
    '2 records whose id or time of change was replaced',
  ]);
});

test('a chart without a Patient does not count its own records among those of others', () => {
  assert.ok(!said(storeOf({}, 'x')).some((one) => one.includes('not in the files')));
});

test('people who may be one are told on their charts alone', () => {
  const person = (patient: string) => ({ patient, id: patient, who: patient, file: 'a.json' });
  const [ada, eda, bob] = ['ada', 'eda', 'bob'].map(person) as [KnownPerson, KnownPerson, KnownPerson];
  const alike = [
    [ada, eda],
    [eda, bob, ada],
  ];
  said(storeOf({}), [], { ...report, alike });
  const others = (patient: string) => own.similarPeople(patient).map(({ other }) => other.patient);
  assert.deepEqual([others('ada'), others('bob'), others('zoe')], [['eda', 'bob'], ['eda', 'ada'], []]);
  const { value } = own.files;
  const same = [
    { kept: ada, other: bob },
    { kept: bob, other: eda },
  ];
  if (value.is === 'open') own.files.value = { ...value, same };
  assert.deepEqual([own.sameAs('ada'), own.sameAs('eda')], [same, []]);
});

test('what was not delivered, sent in part, guessed or placed is said', async () => {
  const at = { type: 'Condition', file: 'a.json', line: 1 };
  const of: LoadedFiles = {
    ...report,
    ...nothing,
    faults: [],
    undelivered: { Condition: 3 },
    remarks: [
      { kind: 'undelivered', ...at, id: '', why: 'page 40' },
      { kind: 'undelivered', ...at, id: '', why: 'total 40' },
      { kind: 'undelivered', ...at, id: '', why: 'error No allergies today' },
      { kind: 'subset', ...at, id: 's' },
      { kind: 'guessed', type: '', id: '', file: 'b.json' },
      { kind: 'placed', ...at, id: 'p' },
    ],
    remarkCounts: { undelivered: 3, subset: 1, guessed: 1, placed: 1 },
    linked: [
      { patient: 'ada', other: 'old', type: 'replaces' },
      { patient: 'new', other: 'ada', type: 'replaces' },
      { patient: 'ada', other: 'see', type: 'seealso' },
      { patient: 'bob', other: 'eve', type: 'refer' },
    ],
  };
  assert.deepEqual(said(storeOf({}), [], of), [
    '3 other entries of this person',
    '3 parts that the source did not deliver',
    '1 record without elements that its source left out',
    '1 file whose letters may be wrong',
    '1 record of the only patient of its document',
  ]);
  const all = await Promise.all(items.noticeItems(storeOf({}), []).map(({ entries }) => entries()));
  assert.deepEqual(
    all.map((entries) => entries.map(({ reason }) => reason)),
    [
      ['This chart has replaced it.', 'It has replaced this chart.', 'It is linked with this chart.'],
      [
        'It is one page of a search with 40 matches, and the next page is not among the files.',
        'The source counts 40 matches of this search, and the file has fewer.',
        'The source says: No allergies today',
      ],
      ['Its source left elements of it out.'],
      ['Some of its bytes are not UTF-8, and were read as Windows-1252.'],
      ['Its document has one Patient alone.'],
    ],
  );
});

test('a chart tells nothing of the records in the chart of another patient of the files', () => {
  const subset = { kind: 'subset', type: 'Condition', id: 's', file: 'a.json' } as const;
  const of = { ...report, counts: { Patient: 2 }, remarks: [subset], remarkCounts: { subset: 1 } };
  const inPart = '1 record without elements that its source left out';
  assert.ok(said(storeOf({}), ['Patient/ada', 'Condition/s'], of).includes(inPart));
  assert.ok(!said(storeOf({}), ['Patient/ada'], of).includes(inPart));
});

test('records of other patients in the answers of a server are counted', () => {
  const of = storeOf({ Condition: { ofOthers: 2 } }, 'ada', 'session');
  assert.ok(said(of).includes('2 records of other patients'));
});

test('where nothing is left out, nothing is said', () => {
  const whole: LoadedFiles = { ...report, ...nothing, remarks: [], remarkCounts: {} };
  const condition: Resource = { resourceType: 'Condition', id: 'c' };
  const addresses = ['Patient/ada', 'Condition/c', 'Provenance/p'];
  assert.deepEqual(said(storeOf({ Condition: { matches: [condition] } }), addresses, whole), []);
});

test('records of the patient that no search has found are counted by type', () => {
  const condition: Resource = { resourceType: 'Condition', id: 'c' };
  const store = storeOf({ Condition: { matches: [condition] } }, 'ada', 'sample');
  const addresses = ['Patient/ada', 'Condition/c', 'Account/a', 'Account/b', 'Observation/o'];
  assert.deepEqual(said(store, addresses), ['3 records in no section (Account and Observation)']);
});

test('lists that go on, and records and fields that could not be read, are counted for every source', async () => {
  const store = storeOf(
    {
      Condition: { unread: () => 'There is more.', malformed: ['entry 1.status is not a string'] },
      Procedure: { mended: [{ type: 'Procedure', id: 'p', lost: ['performedDateTime'] }], older: 2 },
    },
    'ada',
    'session',
  );
  assert.deepEqual(said(store), [
    '1 list that goes on',
    '1 record that could not be read',
    '1 record with fields that could not be read',
    '2 records of an older FHIR',
  ]);
  const lists = await Promise.all(items.noticeItems(store, []).map(({ entries }) => entries()));
  assert.deepEqual(
    lists.flat().map(({ type, id, reason }) => [type, id, reason]),
    [
      ['Condition', '', 'Problems and health concerns: There is more.'],
      ['Condition', '', 'entry 1.status is not a string'],
      ['Procedure', 'p', 'Left out: performedDateTime'],
    ],
  );
});

test('a remark has its reason and its place', () => {
  said(storeOf({}));
  const all = items.noticeItems(storeOf({}), []);
  const of = (title: string): unknown => all.find((one) => one.title === title)?.entries();
  assert.deepEqual(of('Ids and times that were replaced'), [
    {
      type: 'Condition',
      id: 'a-b',
      file: 'a.ndjson',
      line: 5,
      isHeld: true,
      reason: 'Its id in the file has signs that are not allowed, and was replaced: a b',
    },
    {
      type: 'Goal',
      id: 'g',
      file: 'a.ndjson',
      line: 6,
      isHeld: true,
      reason: 'Its time of change could not be read: it counts as that of the load.',
    },
  ]);
});

test('what was replaced without a loss is apart from what is missing', () => {
  said(storeOf({}));
  const all = items.noticeItems(storeOf({}), []);
  assert.deepEqual(
    all.filter(({ isQuiet }) => isQuiet).map(({ title }) => title),
    ['Replaced by another version', 'Ids and times that were replaced'],
  );
  assert.equal(items.unassignedCount(storeOf({})), 2);
  assert.equal(items.unassignedCount(storeOf({}, 'ada', 'sample')), 0);
});
