import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Loader, loadFiles } from './load-files.ts';
import { Namesakes } from './namesakes.ts';

interface Resource {
  resourceType: string;
  id: string;
  subject?: { reference: string };
  medicationReference?: { reference: string };
}

/** An engine that says which addresses come again with another content. */
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

test('records of two people under one id are both kept, each with its own patient', async () => {
  const { held, loader, report } = await load({
    'a.json': bundle(patient('a'), condition('1', 'Patient/a')),
    'b.json': bundle(patient('b'), condition('1', 'Patient/b')),
  });
  const [one = '', other = ''] = held;
  assert.equal(one, 'Condition/1');
  assert.match(other, /^Condition\/1-[0-9a-f]{8}$/);
  const subjects = [one, other].map((address) => loader.held.get(address)?.subject?.reference);
  assert.deepEqual(subjects, ['Patient/a', 'Patient/b']);
  assert.deepEqual(
    report.remarks.map(({ kind, id, file, why }) => [kind, id, file, why]),
    [['namesake', other.split('/')[1], 'b.json', '1']],
  );
});

test('a name that is valid within one Bundle tells two patients apart in two', async () => {
  const of = (id: string) => ({
    ...bundle(),
    entry: [
      { fullUrl: 'urn:uuid:x', resource: patient(id) },
      { fullUrl: 'urn:uuid:y', resource: condition('1', 'urn:uuid:x') },
    ],
  });
  const files = [of('a'), bundle(of('b')), of('a')].map((one, i) => ({
    name: `${i}.json`,
    file: new Blob([JSON.stringify(one)]),
  }));
  const { all } = await Namesakes.of(files, new Set(['Condition/1']), []);
  assert.deepEqual(
    all.map(({ type, given, file, place }) => [type, given, file, place]),
    [['Condition', '1', '1.json', 'Bundle.entry[0].resource.entry[1]']],
  );
});

test('a reference goes to the record of its own document', async () => {
  const order = (id: string, of: string) => ({
    resourceType: 'MedicationRequest',
    id,
    subject: { reference: `Patient/${of}` },
    medicationReference: { reference: 'Medication/1' },
  });
  const drug = (text: string) => ({ resourceType: 'Medication', id: '1', code: { text } });
  const { held, loader } = await load({
    'a.json': bundle(patient('p'), drug('Warfarin'), order('x', 'p')),
    'b.json': bundle(patient('p'), drug('Aspirin'), order('y', 'p')),
    'c.json': order('z', 'p'),
  });
  const [one = '', other = ''] = held.filter((address) => address.startsWith('Medication/'));
  const named = (id: string) => loader.held.get(`MedicationRequest/${id}`)?.medicationReference?.reference;
  assert.deepEqual([named('x'), named('y')], [one, other]);
  assert.equal(named('z'), 'Medication/1-unclear', 'no document tells which of them is meant');
});

test('orders of one id whose medications are told apart are told apart in turn', async () => {
  const of = (text: string) =>
    bundle(
      patient('p'),
      { resourceType: 'Medication', id: '1', code: { text } },
      {
        resourceType: 'MedicationRequest',
        id: '1',
        subject: { reference: 'Patient/p' },
        medicationReference: { reference: 'Medication/1' },
      },
    );
  const { held } = await load({ 'a.json': of('Warfarin'), 'b.json': of('Aspirin') });
  assert.equal(held.filter((address) => address.startsWith('MedicationRequest/')).length, 2);
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

test('a record that names its patient by an identifier is of the Patient of another file', async () => {
  const identifier = { system: 'urn:insurance', value: 'X1' };
  const named = (id: string, value: string) => ({
    resourceType: 'Condition',
    id,
    subject: { identifier: { ...identifier, value } },
  });
  const { held, loader } = await load({
    'a.json': bundle(named('c', 'X1'), named('d', 'X2')),
    'b.json': { ...patient('p'), identifier: [identifier] },
  });
  assert.equal(loader.held.get('Condition/c')?.subject?.reference, 'Patient/p');
  const other = loader.held.get('Condition/d')?.subject?.reference ?? '';
  assert.ok(other !== 'Patient/p' && held.includes(other), other);
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
