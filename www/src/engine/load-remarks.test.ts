import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FilesReport } from './file-report.ts';
import { isLegalId } from './ids.ts';
import { type Loader, loadFiles } from './load-files.ts';

type Report = ReturnType<Loader['load']>;

/** An engine that answers by a function of the text, and remembers the texts. */
class FakeLoader implements Loader {
  readonly texts: string[] = [];
  isFreed = false;
  readonly #answer: (text: string) => Partial<Report>;

  constructor(answer: (text: string) => Partial<Report> = () => ({})) {
    this.#answer = answer;
  }

  load(text: string): Report {
    this.texts.push(text);
    return { resources: 1, refused: [], unserved: {}, unresolved: 0, replaced: [], ...this.#answer(text) };
  }

  free(): void {
    this.isFreed = true;
  }

  /** The resources of the texts. */
  get resources(): { resourceType: string; id: string; subject?: { reference: string } }[] {
    const documents = this.texts.flatMap((text) => text.split('\n')).filter(Boolean);
    return documents
      .map((line) => JSON.parse(line))
      .flatMap(({ entry, ...one }) => entry?.map(({ resource }: { resource: unknown }) => resource) ?? [one])
      .filter(({ resourceType }) => resourceType !== 'Bundle');
  }
}

const line = (resource: object): string => `${JSON.stringify(resource)}\n`;
const named = (name: string, ...resources: object[]) => ({ name, file: new Blob(resources.map(line)) });
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  entry: resources.map((resource) => ({ resource })),
});
const patient = (id: string, family: string, birthDate: string) => ({
  resourceType: 'Patient',
  id,
  name: [{ family, given: ['A'] }],
  birthDate,
});
const condition = (id: string, of: string) => ({
  resourceType: 'Condition',
  id,
  subject: { reference: `Patient/${of}` },
});

async function load(files: { name: string; file: Blob }[], answer?: (text: string) => Partial<Report>) {
  const loaders: FakeLoader[] = [];
  const newLoader = (): FakeLoader => {
    const loader = new FakeLoader(answer);
    loaders.push(loader);
    return loader;
  };
  return { loaders, ...(await loadFiles(newLoader, files, '2026-01-01', () => undefined)) };
}
const remarks = ({ remarks }: FilesReport): string[] =>
  remarks.map(({ kind, type, id, file, line, place }) => [kind, type, id, file, line, place].filter(Boolean).join(' '));

test('two people of one id in two Bundles are two people, with the records of their own Bundle', async () => {
  const { loaders, loader, report } = await load([
    named('a.json', bundle(patient('1', 'Alder', '1980-04-01'), condition('c', '1'), condition('d', '1'))),
    named('b.json', bundle(patient('1', 'Birch', '1975-01-09'), condition('c', '1'))),
  ]);
  assert.deepEqual([loaders.length, loaders[0]?.isFreed, loaders[1] === loader], [2, true, true]);
  const [alder, c, d, birch, other] = loader.resources;
  assert.deepEqual([alder?.id, c?.id, c?.subject?.reference, d?.id], ['1', 'c', 'Patient/1', 'd']);
  assert.match(birch?.id ?? '', /^1-[0-9a-f]{8}$/);
  assert.equal(other?.subject?.reference, `Patient/${birch?.id}`);
  assert.match(other?.id ?? '', /^c-[0-9a-f]{8}$/);
  assert.deepEqual(remarks(report), ['twin Patient 1 a.json 1', 'twin Patient 1 b.json 1']);
  assert.equal(report.taken, 2, 'each document is counted once');
});

test('records that may be of one or of the other of two people are of neither', async () => {
  const { loader } = await load([
    named('a.ndjson', patient('1', 'Alder', '1980-04-01'), condition('a', '1')),
    named('b.ndjson', patient('1', 'Birch', '1975-01-09'), patient('2', 'Case', '2000-01-01'), condition('b', '2')),
    named('conditions.ndjson', condition('x', '1'), condition('y', '2')),
    named('practitioners.ndjson', { resourceType: 'Practitioner', id: 'p' }),
  ]);
  const byId = new Map(loader.resources.map((one) => [one.id.replace(/-.*/, ''), one]));
  assert.equal(byId.get('a')?.subject?.reference, 'Patient/1');
  // Nobody else has this id: it stays, and a file of its own finds the person.
  assert.equal(byId.get('b')?.subject?.reference, 'Patient/2');
  assert.equal(byId.get('y')?.subject?.reference, 'Patient/2');
  assert.match(byId.get('x')?.subject?.reference ?? '', /^Patient\/1-unclear-[0-9a-f]{8}$/);
  assert.equal(byId.get('p')?.id, 'p');
});

test('of two people of one id in one file of lines, neither has the records', async () => {
  const { loader, report } = await load([
    named('a.ndjson', patient('1', 'Alder', '1980-04-01'), condition('c', '1'), patient('1', 'Birch', '1975-01-09')),
  ]);
  const [alder, c, birch] = loader.resources;
  const unclear = c?.subject?.reference.replace('Patient/', '') ?? '';
  assert.equal(new Set([alder?.id, birch?.id, unclear]).size, 3);
  assert.match(unclear, /^1-unclear-/);
  assert.deepEqual(report.sharedIds, [
    {
      id: '1',
      people: [
        { patient: alder?.id, who: 'A Alder, 1980-04-01', file: 'a.ndjson' },
        { patient: birch?.id, who: 'A Birch, 1975-01-09', file: 'a.ndjson' },
      ],
      unclear: [{ patient: unclear, file: 'a.ndjson' }],
      records: 1,
    },
  ]);
  assert.deepEqual(
    report.remarks.filter(({ kind }) => kind === 'unclear').map(({ type, line, why }) => [type, line, why]),
    [['Condition', 2, '1']],
  );
});

/** The subjects of the conditions of a load, by the first part of their ids. */
const subjects = ({ resources }: FakeLoader): Record<string, string | undefined> =>
  Object.fromEntries(
    resources
      .filter(({ resourceType }) => resourceType === 'Condition')
      .map(({ id, subject }) => [id.replace(/-.*/, ''), subject?.reference]),
  );
const entry = (resource: { resourceType: string; id: string }, fullUrl?: string) => ({
  ...(fullUrl ? { fullUrl } : {}),
  resource,
});
const [A, B] = ['https://a.example/fhir', 'https://b.example/fhir'];

test('of two people of one id in one Bundle, each has what its addresses tell, and neither has the rest', async () => {
  const bundle = {
    resourceType: 'Bundle',
    entry: [
      entry(patient('1', 'Alder', '1980-04-01'), 'urn:uuid:alder'),
      entry(patient('1', 'Birch', '1975-01-09'), `${B}/Patient/1`),
      entry(condition('byUrn', '1'), 'urn:uuid:c'),
      entry({ ...condition('byBase', '1') }, `${B}/Condition/byBase`),
      entry(condition('absolute', '1')),
      entry(condition('relative', '1')),
      entry(condition('elsewhere', '1')),
      entry(condition('other', '2')),
    ],
  };
  const text = JSON.stringify(bundle)
    .replace('"byUrn","subject":{"reference":"Patient/1"', '"byUrn","subject":{"reference":"urn:uuid:alder"')
    .replace('"absolute","subject":{"reference":"', `$&${B}/`)
    .replace('"elsewhere","subject":{"reference":"', `$&https://c.example/fhir/`)
    .replace('"relative","subject":{"reference":"Patient/1"', '"relative","subject":{"reference":"Patient\\/1"');
  const { loader, report } = await load([{ name: 'a.json', file: new Blob([text]) }]);
  const [alder, birch] = loader.resources;
  assert.equal(alder?.id, '1');
  assert.match(birch?.id ?? '', /^1-[0-9a-f]{8}$/);
  const { byUrn, byBase, absolute, relative, elsewhere, other } = subjects(loader);
  assert.equal(byUrn, 'urn:uuid:alder', 'the engine finds it by its address');
  assert.equal(byBase, `Patient/${birch?.id}`);
  assert.equal(absolute, `${B}/Patient/${birch?.id}`);
  assert.match(relative ?? '', /^Patient\/1-unclear-/);
  assert.equal(elsewhere, 'https://c.example/fhir/Patient/1', 'it is of another server');
  assert.equal(other, 'Patient/2');
  assert.equal(report.sharedIds[0]?.records, 1);
  assert.ok(loader.texts.some((one) => one.includes(`"fullUrl":"${B}/Patient/${birch?.id}"`)));
});

test('two records of one id in one Bundle are two where they are of two people', async () => {
  const bundle = {
    resourceType: 'Bundle',
    entry: [A, B].flatMap((base, i) => [
      entry(patient('1', ['Alder', 'Birch'][i] ?? '', `19${7 + i}5-01-09`), `${base}/Patient/1`),
      entry(condition('c', '1'), `${base}/Condition/c`),
    ]),
  };
  const { loader } = await load([{ name: 'a.json', file: new Blob([JSON.stringify(bundle)]) }]);
  const [alder, c, birch, d] = loader.resources;
  assert.deepEqual([alder?.id, c?.id, c?.subject?.reference], ['1', 'c', 'Patient/1']);
  assert.equal(d?.subject?.reference, `Patient/${birch?.id}`);
  assert.match(d?.id ?? '', /^c-[0-9a-f]{8}$/);
});

test('a Bundle in a Bundle has people of its own, and one that has none takes those around it', async () => {
  const inner = (...resources: { resourceType: string; id: string }[]) => entry(bundle(...resources) as never);
  const { loader } = await load([
    {
      name: 'a.json',
      file: new Blob([
        JSON.stringify({
          resourceType: 'Bundle',
          entry: [
            inner(patient('1', 'Alder', '1980-04-01'), condition('a', '1')),
            inner(patient('1', 'Birch', '1975-01-09'), condition('b', '1')),
            inner(condition('x', '1')),
          ],
        }),
      ]),
    },
  ]);
  const found = loader.texts.join('');
  assert.match(found, /"id":"a","subject":\{"reference":"Patient\/1"/);
  assert.match(found, /"id":"b-[0-9a-f]{8}","subject":\{"reference":"Patient\/1-[0-9a-f]{8}"/);
  assert.match(found, /"id":"x-unclear-[0-9a-f]{8}","subject":\{"reference":"Patient\/1-unclear-/);
});

test('a file that names neither server is of neither of two people of two servers', async () => {
  const of = (base: string, family: string, birthDate: string, id: string) => ({
    resourceType: 'Bundle',
    entry: [
      entry(patient('1', family, birthDate), `${base}/Patient/1`),
      entry(condition(id, '1'), `${base}/Condition/${id}`),
    ],
  });
  const { loader } = await load([
    named('a.json', of(A, 'Alder', '1980-04-01', 'a')),
    named('b.json', of(B, 'Birch', '1975-01-09', 'b')),
    named('c.ndjson', condition('x', '1')),
    named('d.json', { resourceType: 'Bundle', entry: [entry(condition('y', '1'), `${B}/Condition/y`)] }),
  ]);
  const birch = loader.resources.filter(({ resourceType }) => resourceType === 'Patient')[1]?.id;
  const { a, b, x, y } = subjects(loader);
  assert.equal(a, 'Patient/1');
  assert.equal(b, `Patient/${birch}`);
  assert.match(x ?? '', /^Patient\/1-unclear-/);
  assert.equal(y, `Patient/${birch}`, 'its address tells the server');
});

test('what a record of one server names is not looked for at the other', async () => {
  const request = (id: string, of: string, medication: string) => ({
    resourceType: 'MedicationRequest',
    id,
    subject: { reference: `Patient/${of}` },
    medicationReference: { reference: `Medication/${medication}` },
  });
  const { loader } = await load([
    named('a.json', bundle(patient('1', 'Alder', '1980-04-01'), { resourceType: 'Medication', id: 'm' })),
    named('b.json', bundle(patient('1', 'Birch', '1975-01-09'), request('r', '1', 'm'), request('s', '1', 'n'))),
    named('n.ndjson', { resourceType: 'Medication', id: 'n' }),
  ]);
  const found = loader.texts.join('');
  assert.match(found, /"id":"r-\w+".*?"Medication\/m-[0-9a-f]{8}"/, 'it is missing, as it was in its file');
  assert.match(found, /"id":"s-\w+".*?"Medication\/n"/, 'a file without people may be of either');
});

test('a Patient that says too little, and the records beside it, are of neither of two people', async () => {
  const { loader } = await load([
    named('a.json', bundle(patient('1', 'Alder', '1980-04-01'), condition('a', '1'))),
    named('b.json', bundle(patient('1', 'Birch', '1975-01-09'), condition('b', '1'))),
    named('c.json', bundle({ resourceType: 'Patient', id: '1' }, condition('c', '1'))),
  ]);
  const blank = loader.resources.filter(({ resourceType }) => resourceType === 'Patient')[2];
  assert.match(blank?.id ?? '', /^1-unclear-[0-9a-f]{8}$/);
  assert.equal(subjects(loader).c, `Patient/${blank?.id}`);
});

test('a corrected birth date is one person, of whom both forms are told', async () => {
  const meta = (day: string) => ({ meta: { source: 'https://his.example', lastUpdated: `2024-01-${day}T00:00:00Z` } });
  const { loaders, report } = await load([
    named('a.json', bundle({ ...patient('1', 'Alder', '1980-04-01'), ...meta('01') }, condition('c', '1'))),
    named('b.json', bundle({ ...patient('1', 'Alder', '1980-04-10'), ...meta('02') }, condition('d', '1'))),
  ]);
  assert.equal(loaders.length, 1, 'nobody is kept apart');
  assert.deepEqual(
    report.remarks.map(({ kind, id, file, why }) => [kind, id, file, why]),
    [
      ['corrected', '1', 'a.json', 'A Alder, 1980-04-01'],
      ['corrected', '1', 'b.json', 'A Alder, 1980-04-10'],
    ],
  );
});

test('a record that is gone by the answer to its request is deleted', async () => {
  const fullUrl = 'https://a.example/fhir/Condition/c';
  const { loaders } = await load([
    named('a.json', {
      resourceType: 'Bundle',
      type: 'history',
      entry: [
        { fullUrl, response: { status: '410 Gone', lastModified: '2024-01-01T00:00:00Z' } },
        { fullUrl: 'urn:uuid:x', response: { status: '410' } },
        { fullUrl, request: { method: 'DELETE', url: 'Condition/c' }, response: { status: '410' } },
      ],
    }),
  ]);
  const [, document = ''] = (loaders[0]?.texts.join('') ?? '').split('\n');
  assert.deepEqual(JSON.parse(document).entry, [
    {
      request: { method: 'DELETE', url: 'Condition/c' },
      response: { lastModified: '2024-01-01T00:00:00Z' },
    },
    { fullUrl: 'urn:uuid:x', response: { status: '410' } },
    { fullUrl, request: { method: 'DELETE', url: 'Condition/c' }, response: { status: '410' } },
  ]);
});

test('one person in several files is one, and nothing is loaded again', async () => {
  const ada = patient('1', 'Alder', '1980-04-01');
  const { loaders, report } = await load([
    named('a.json', bundle(ada, condition('c', '1'))),
    named('b.json', bundle({ ...ada, meta: { versionId: '2' } }, condition('c', '1'))),
    named('c.ndjson', condition('d', '1')),
  ]);
  assert.deepEqual([loaders.length, report.remarks], [1, []]);
});

test('what the engine replaces is told with type, id and line, in lines and in Bundles', async () => {
  const answer = (text: string): Partial<Report> =>
    text.includes('Goal')
      ? { replaced: [{ where: 'line 2, Bundle.entry[1]', why: 'deleted' }] }
      : { replaced: [2, 3].map((at) => ({ where: `line ${at}`, why: at === 2 ? 'older' : 'changed' }) as const) };
  const { report } = await load(
    [
      named('a.ndjson', condition('c', '1'), condition('d', '1')),
      named('b.json', {
        resourceType: 'Bundle',
        entry: [{}, { request: { method: 'DELETE', url: 'Goal/g' } }],
      }),
    ],
    answer,
  );
  assert.deepEqual(remarks(report), [
    'older Condition c a.ndjson 1',
    'changed Condition d a.ndjson 2',
    'deleted Goal g b.json 1 Bundle.entry[1]',
  ]);
});

test('ids that FHIR does not allow are replaced, and a resource without one gets one', async () => {
  const long = 'x'.repeat(100);
  const answer = (text: string): Partial<Report> =>
    text.includes('without') && !text.includes('"id"')
      ? { resources: 0, refused: [{ where: '', why: 'Condition without an id' }] }
      : {};
  const { loader, report } = await load(
    [
      named('a.ndjson', { resourceType: 'Medication', id: long }, condition('c', long)),
      { name: 'b.json', file: new Blob([JSON.stringify({ resourceType: 'Condition', code: { text: 'without' } })]) },
    ],
    answer,
  );
  const [medication, c] = loader.resources;
  assert.ok(isLegalId(medication?.id ?? ''));
  assert.equal(c?.subject?.reference, `Patient/${medication?.id}`);
  assert.deepEqual([report.faults, { ...report.lost }, { ...report.remarkCounts }], [[], {}, { mended: 2 }]);
  assert.deepEqual(
    report.remarks.map(({ type, line, why }) => [type, line ?? 0, why]),
    [
      ['Medication', 1, long],
      ['Condition', 0, ''],
    ],
  );
});

test('a fault with which the resource is kept is no loss', async () => {
  const reasons = [
    'Condition/c comes again with another content, and the last one counts',
    'Condition/c: meta.lastUpdated is no time: "no text". It counts as that of the load',
    'Condition/c belongs to nobody: no entry of its Bundle is urn:uuid:x',
    'Condition/c cannot be read: the member "subject" comes twice',
  ];
  const answer = (): Partial<Report> => ({ refused: reasons.map((why) => ({ where: 'line 2', why })) });
  const { report } = await load([named('a.ndjson', condition('c', '1'), condition('d', '1'))], answer);
  assert.deepEqual([report.faultCount, { ...report.lost }], [4, { Condition: 1 }]);
  assert.deepEqual(remarks(report), ['older Condition c a.ndjson 1', 'mended Condition c a.ndjson 1']);
});

test('resources of an older FHIR and of unknown types are told with their places', async () => {
  const { report } = await load(
    [
      named(
        'a.ndjson',
        { resourceType: 'Condition', id: 'c', patient: { reference: 'Patient/1' } },
        { resourceType: 'MedicationOrder', id: 'm' },
        { resourceType: 'Foo', id: 'f' },
        condition('d', '1'),
      ),
    ],
    () => ({ unserved: { Foo: 1, MedicationOrder: 1 } }),
  );
  assert.deepEqual(remarks(report), [
    'past Condition c a.ndjson 1',
    'past MedicationOrder m a.ndjson 2',
    'unserved Foo f a.ndjson 3',
  ]);
  assert.deepEqual({ ...report.older }, { Condition: 1 });
});
