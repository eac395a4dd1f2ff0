import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FilesReport } from './file-report.ts';
import { type Loader, loadFiles } from './load-files.ts';

type Report = ReturnType<Loader['load']>;

/** An engine that computes its answer from the text, and stores the texts. */
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
  const { loaders, loader, report } = await load(
    [
      named('a.json', bundle(patient('1', 'Alder', '1980-04-01'), condition('c', '1'), condition('d', '1'))),
      named('b.json', bundle(patient('1', 'Birch', '1975-01-09'), condition('c', '1'))),
    ],
    (text) => (text.includes('Birch') ? { replaced: [{ where: 'line 2, Bundle.entry[0]', why: 'changed' }] } : {}),
  );
  assert.deepEqual([loaders.length, loaders[0]?.isFreed, loaders[1] === loader], [2, true, true]);
  const [alder, c, d, birch, other] = loader.resources;
  assert.notEqual(alder?.id, birch?.id);
  for (const one of [c, d]) assert.equal(one?.subject?.reference, `Patient/${alder?.id}`);
  assert.equal(other?.subject?.reference, `Patient/${birch?.id}`);
  assert.notEqual(other?.id, c?.id);
  assert.equal(report.areApart, true);
  assert.equal(report.taken, 2, 'each document is counted once');
});

test('the records that name nobody are of the only Patient of their document, and of nobody beside two', async () => {
  const nameless = (id: string, more = {}) => ({ resourceType: 'Condition', id, ...more });
  const of = (...resources: object[]) => ({ ...bundle(...resources), type: 'document' });
  const ada = patient('1', 'Alder', '1980-04-01');
  const subjects = async (document: object) => {
    const { loader, report } = await load([named('a.json', document)]);
    return [loader.resources.slice(1).map(({ subject }) => subject?.reference), report.remarkCounts.placed ?? 0];
  };
  const device = { resourceType: 'Device', id: 'd' };
  assert.deepEqual(await subjects(of(ada, nameless('c'), condition('d', '1'), device)), [
    ['Patient/1', 'Patient/1', undefined],
    1,
  ]);
  assert.deepEqual(await subjects(of(ada, nameless('c', { subject: { display: 'Eve' } }))), [[undefined], 0]);
  assert.deepEqual(await subjects(of(ada, nameless('c'), condition('d', '2'))), [[undefined, 'Patient/2'], 0]);
  assert.deepEqual(await subjects(of(ada, patient('2', 'Birch', '1975-01-09'), nameless('c'))), [
    [undefined, undefined],
    0,
  ]);
  assert.deepEqual(await subjects({ ...of(ada, nameless('c')), type: 'collection' }), [[undefined], 0]);
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
        { resourceType: 'Goal', id: 'c', status: 'odd' },
        { resourceType: 'Order', id: 'm' },
        { resourceType: 'Foo', id: 'f' },
        condition('d', '1'),
      ),
    ],
    () => ({ unserved: { Foo: 1, Order: 1 } }),
  );
  assert.deepEqual(remarks(report), ['past Goal c a.ndjson 1', 'past Order m a.ndjson 2', 'unserved Foo f a.ndjson 3']);
  assert.deepEqual({ ...report.older }, { Goal: 1 });
});

test('resources of other versions are loaded as those of R4, and their references follow', async () => {
  const subject = { reference: 'Patient/1' };
  const device = { reference: { reference: 'Device/d' } };
  const { loader, report } = await load([
    named(
      'a.ndjson',
      { resourceType: 'Condition', id: 'c', patient: subject, clinicalStatus: 'active' },
      { resourceType: 'ReferralRequest', id: 'm', patient: subject },
    ),
    named('p.ndjson', { resourceType: 'Procedure', id: 'p', subject, basedOn: [{ reference: 'ReferralRequest/m' }] }),
    named(
      'b.json',
      bundle(patient('1', 'Alder', '1980-04-01'), { resourceType: 'DeviceUsage', id: 'u', patient: subject, device }),
    ),
  ]);
  const older = { tag: [{ code: 'read-as-r4-from-older' }] };
  const [c, referral, procedure, ada, use] = loader.resources;
  assert.deepEqual(c, {
    meta: older,
    resourceType: 'Condition',
    id: 'c',
    subject,
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
    },
  });
  assert.deepEqual(referral, {
    meta: older,
    intent: 'order',
    resourceType: 'ServiceRequest',
    id: 'm-referralrequest',
    subject,
  });
  assert.deepEqual(procedure, {
    resourceType: 'Procedure',
    id: 'p',
    subject,
    basedOn: [{ reference: 'ServiceRequest/m-referralrequest' }],
  });
  assert.equal(ada?.id, '1');
  const r5 = { tag: [{ code: 'read-as-r4-from-r5' }] };
  assert.deepEqual(use, { meta: r5, resourceType: 'DeviceUseStatement', id: 'u', subject, device: device.reference });
  assert.deepEqual(remarks(report), [
    'from-older Condition c a.ndjson 1',
    'from-older ServiceRequest m-referralrequest a.ndjson 2',
    'from-r5 DeviceUseStatement u b.json 1 Bundle.entry[1]',
  ]);
  assert.deepEqual([{ ...report.fromR5 }, report.older], [{ DeviceUseStatement: 1 }, Object.create(null)]);
});

test('a device of R5 is of the patient who uses it, unless several do', async () => {
  const use = (id: string, of: string) => ({
    resourceType: 'DeviceUsage',
    id,
    patient: { reference: `Patient/${of}` },
    device: { reference: { reference: 'Device/d' } },
  });
  const device = { resourceType: 'Device', id: 'd', name: [{ value: 'Heartbeat 3000' }] };
  const patientOf = async (...uses: object[]) => {
    const resources = [patient('1', 'Alder', '1980-04-01'), device, ...uses];
    const found = [named('a.json', bundle(...resources)), named('a.ndjson', ...resources)].map(async (file) => {
      const { loader } = await load([file]);
      const loaded: { id: string; patient?: { reference: string } }[] = loader.resources;
      return loaded.find(({ id }) => id === 'd')?.patient?.reference;
    });
    const [ofBundle, ofLines] = await Promise.all(found);
    assert.equal(ofLines, ofBundle);
    return ofBundle;
  };
  assert.equal(await patientOf(use('u', '1')), 'Patient/1');
  assert.equal(await patientOf(use('u', '1'), use('v', '1')), 'Patient/1');
  assert.equal(await patientOf(use('u', '1'), use('v', '2')), undefined);
  assert.equal(await patientOf(), undefined);
});
