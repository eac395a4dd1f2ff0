import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Loader, loadFiles } from './load-files.ts';

interface Resource {
  resourceType: string;
  id: string;
  subject?: { reference: string };
  medicationReference?: { reference: string };
}

/** An engine that reports addresses which come again with different content. */
class FakeLoader implements Loader {
  readonly held = new Map<string, Resource>();

  load(text: string): ReturnType<Loader['load']> {
    const replaced: { where: string; why: 'changed' }[] = [];
    const documents = text.split('\n');
    for (const [line, document] of documents.entries()) {
      if (document.trim() === '') continue;
      const { entry, ...one } = JSON.parse(document);
      const resources: Resource[] = entry ? entry.map(({ resource }: { resource: Resource }) => resource) : [one];
      for (const [i, resource] of resources.entries()) {
        if (!resource?.id) continue;
        const address = `${resource.resourceType}/${resource.id}`;
        const before = this.held.get(address);
        const place = entry ? `Bundle.entry[${i}]` : '';
        const where = documents.length > 1 ? `line ${line + 1}${place ? `, ${place}` : ''}` : place;
        if (before && JSON.stringify(before) !== JSON.stringify(resource)) replaced.push({ where, why: 'changed' });
        this.held.set(address, resource);
      }
    }
    return { resources: this.held.size, refused: [], unserved: {}, unresolved: 0, replaced };
  }
}

const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'document',
  entry: resources.map((resource) => ({ resource })),
});
const patient = (id: string) => ({ resourceType: 'Patient', id, name: [{ family: `Of ${id}` }] });
const condition = (id: string, subject: string, text = 'Asthma') => ({
  resourceType: 'Condition',
  id,
  subject: { reference: subject },
  code: { text },
});

async function load(files: Record<string, object | string>) {
  const list = Object.entries(files).map(([name, one]) => ({
    name,
    file: new Blob([typeof one === 'string' ? one : JSON.stringify(one)]),
  }));
  const { loader, report } = await loadFiles(
    () => new FakeLoader(),
    list,
    '2026-01-01',
    () => undefined,
  );
  return { held: [...loader.held.keys()].sort(), loader, report };
}

/** Returns each record as its address and its references, with digests masked. */
const read = ({ held }: FakeLoader) =>
  [...held].map(([address, { subject, medicationReference }]) => [
    address.replace(/[0-9a-f]{8}/g, '#'),
    ...[subject, medicationReference].flatMap((one) => one?.reference.replace(/[0-9a-f]{8}/g, '#') ?? []),
  ]);
const drug = (text: string, more = {}) => ({ resourceType: 'Medication', id: '1', code: { text }, ...more });
const order = (id: string, of: string) => ({
  resourceType: 'MedicationRequest',
  id,
  subject: { reference: `Patient/${of}` },
  medicationReference: { reference: 'Medication/1' },
});

test('records of one id that say other things are all kept, and lead to their own Bundle', async () => {
  const { loader, report } = await load({
    'a.json': bundle(patient('p'), drug('Warfarin'), order('x', 'p')),
    'b.json': bundle(patient('q'), drug('Aspirin'), order('x', 'q')),
    'c.json': order('z', 'p'),
    'd.json': { resourceType: 'Condition', id: 'd', subject: { reference: 'Patient/q' } },
  });
  const ofBundle = (id: string) => [
    [`Patient/${id}-#`],
    ['Medication/1-#'],
    ['MedicationRequest/x-#', `Patient/${id}-#`, 'Medication/1-#'],
  ];
  assert.deepEqual(read(loader), [
    ...ofBundle('p'),
    ...ofBundle('q'),
    // Outside of Bundles it is unknown which of them is meant.
    ['MedicationRequest/z', 'Patient/p', 'Medication/1'],
    ['Condition/d', 'Patient/q'],
  ]);
  for (const id of ['p', 'q']) {
    const [named = ''] = [...loader.held].flatMap(([address, { subject }]) =>
      address.startsWith('MedicationRequest/x') && subject?.reference.startsWith(`Patient/${id}`) ? address : [],
    );
    const { reference = '' } = loader.held.get(named)?.medicationReference ?? {};
    assert.equal(JSON.stringify(loader.held.get(reference)).includes(id === 'p' ? 'Warfarin' : 'Aspirin'), true);
  }
  assert.equal(report.areApart, true);
});

test('files of lines that contradict each other are each by themselves', async () => {
  const { loader } = await load({
    'a.ndjson': [patient('p'), drug('Warfarin'), order('x', 'p')].map((one) => `${JSON.stringify(one)}\n`).join(''),
    'b.ndjson': [patient('q'), drug('Aspirin'), order('y', 'q')].map((one) => `${JSON.stringify(one)}\n`).join(''),
  });
  const found = (id: string) => [...loader.held.values()].find((one) => one.id.startsWith(id));
  const [x, y] = [found('x'), found('y')];
  assert.notEqual(x?.medicationReference?.reference, y?.medicationReference?.reference);
  for (const one of [x, y]) assert.ok(loader.held.has(one?.medicationReference?.reference ?? ''));
});

test('a name that is valid within one Bundle tells the records of two patients apart', async () => {
  const of = (id: string) => ({
    ...bundle(),
    entry: [
      { fullUrl: 'urn:uuid:x', resource: patient(id) },
      { fullUrl: 'urn:uuid:y', resource: condition('1', 'urn:uuid:x') },
    ],
  });
  const { Sources } = await import('./sources.ts');
  const files = [of('a'), bundle(of('b')), of('a')].map((one, i) => ({
    name: `${i}.json`,
    file: new Blob([JSON.stringify(one)]),
  }));
  const areSeveral = async (...which: number[]): Promise<boolean> => {
    const chosen = files.filter((_, i) => which.includes(i));
    return (await Sources.of(chosen, new Set(['Condition/1']), [], [])).areSeveral;
  };
  assert.deepEqual([await areSeveral(0, 1), await areSeveral(0, 2)], [true, false]);
});

test('versions of one record are one, whatever their files', async () => {
  const version = (lastUpdated: string, text: string) => ({
    ...condition('1', 'Patient/p', text),
    meta: { lastUpdated },
  });
  const { held, report } = await load({
    'a.json': bundle(patient('p'), version('2024-01-01', 'Asthma')),
    'b.json': bundle(patient('p'), version('2024-02-01', 'Severe asthma')),
    'c.json': condition('2', 'Patient/p'),
  });
  assert.deepEqual([held, report.areApart], [['Condition/1', 'Condition/2', 'Patient/p'], false]);
});

test('absolute references of resources by line are of the one server that they name', async () => {
  const lines = (...all: object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const subjects = async (...conditions: string[]): Promise<(string | undefined)[]> => {
    const resources = conditions.map((of, i) => condition(`c${i}`, of));
    const { loader } = await load({ 'p.ndjson': lines(patient('p')), 'c.ndjson': lines(...resources) });
    return conditions.map((_, i) => loader.held.get(`Condition/c${i}`)?.subject?.reference);
  };
  const [A, B] = ['https://a.example/fhir/Patient/p', 'https://b.example/fhir/Patient/p'];
  assert.deepEqual(await subjects(A, 'Patient/p', `${A}/_history/1`), [
    'Patient/p',
    'Patient/p',
    'Patient/p/_history/1',
  ]);
  assert.deepEqual(await subjects(A, B), [A, B], 'two servers');
});

test('what is damaged, cut off, not delivered or sent in part is told with its place', async () => {
  const text = JSON.stringify(bundle(patient('p'), condition('c', 'Patient/p')));
  const subset = { ...condition('s', 'Patient/p'), meta: { tag: [{ code: 'SUBSETTED' }] } };
  const link = [{ relation: 'next', url: 'https://a.example/fhir/Condition?page=2' }];
  const { held, report } = await load({
    'a.json': text.slice(0, -30),
    'b.json': { ...bundle(subset), type: 'searchset', link },
    'c.json': { ...patient('q'), link: [{ other: { reference: 'Patient/p' }, type: 'replaces' }] },
  });
  assert.deepEqual(held, ['Condition/s', 'Patient/p', 'Patient/q']);
  assert.deepEqual(
    report.faults.map(({ file, line, code }) => [file, line, code]),
    [['a.json', 1, 'cut-off']],
  );
  assert.deepEqual({ ...report.lost }, { '': 1 });
  assert.deepEqual({ ...report.undelivered }, { Condition: 1 });
  assert.deepEqual(
    report.remarks.map(({ kind, type, file, why }) => [kind, type, file, why]),
    [
      ['subset', 'Condition', 'b.json', undefined],
      ['undelivered', 'Condition', 'b.json', 'page '],
    ],
  );
  assert.deepEqual(report.linked, [{ patient: 'q', other: 'p', type: 'replaces' }]);
});
