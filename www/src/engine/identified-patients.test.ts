import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from './documents.ts';
import { IdentifiedPatients } from './identified-patients.ts';

const SYSTEM = 'http://fhir.de/sid/gkv/kvid-10';
const identifier = { system: SYSTEM, value: 'X110000000' };
const dispense = (id: string, subject: unknown) => ({ resourceType: 'MedicationDispense', id, subject });
const patient = (id: string, identifiers: object[]) => ({ resourceType: 'Patient', id, identifier: identifiers });
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  entry: resources.map((resource) => ({ resource })),
});

interface Read {
  resourceType: string;
  id: string;
  identifier?: unknown;
  name?: unknown;
  subject?: { reference?: string };
}

/** The resources of documents, as they are written once all were noted. */
function written(...documents: object[]): Read[][] {
  const all = new IdentifiedPatients();
  for (const document of documents) for (const one of resourcesIn(document)) all.note(one);
  return documents.map((document) => {
    const text = all.isEmpty
      ? JSON.stringify(document)
      : all.rewrite('a.json', { text: JSON.stringify(document), before: 0 });
    return [...resourcesIn(JSON.parse(text))].map(({ resource }) => resource as unknown as Read);
  });
}
const referencesIn = (read: Read[]) => read.flatMap(({ subject }) => (subject ? [subject.reference] : []));

test('an identifier that no Patient has becomes one Patient, with the name beside it', () => {
  const [read = []] = written(
    bundle(dispense('a', { identifier }), dispense('b', { identifier, display: 'Ada Alder', type: 'Patient' })),
  );
  const made = read.find(({ resourceType }) => resourceType === 'Patient');
  assert.deepEqual([made?.identifier, made?.name], [[identifier], [{ text: 'Ada Alder' }]]);
  assert.deepEqual(referencesIn(read), [`Patient/${made?.id}`, `Patient/${made?.id}`]);
  assert.equal(read.length, 3);
});

test('the one Patient of all files with the identifier is meant', () => {
  const [, read = []] = written(
    patient('ada', [{ system: 'urn:other', value: 'X110000000' }, identifier]),
    dispense('a', { identifier }),
  );
  assert.deepEqual(read, [dispense('a', { identifier, reference: 'Patient/ada' })]);
});

test('a single record has its Patient beside it, and numbers keep their digits', () => {
  const all = new IdentifiedPatients();
  const text = JSON.stringify({ ...dispense('a', { identifier }), quantity: { value: 7 } }).replace(':7', ':7.0');
  for (const one of resourcesIn(JSON.parse(text))) all.note(one);
  const document = all.rewrite('a.json', { text, before: 0 });
  assert.match(document, /"value":7\.0/);
  assert.deepEqual(
    [...resourcesIn(JSON.parse(document))].map(({ type }) => type),
    ['MedicationDispense', 'Patient'],
  );
});

test('what names its patient otherwise, or does not tell whom it means, stays', () => {
  const subjects: unknown[] = [
    undefined,
    'odd',
    { reference: 'Patient/ada', identifier },
    { identifier: { system: SYSTEM } },
    { identifier: [identifier] },
    { identifier, type: 'Group' },
    { display: 'Ada Alder' },
  ];
  for (const subject of subjects) {
    const document = bundle(dispense('a', subject));
    assert.deepEqual(written(document), [[JSON.parse(JSON.stringify(dispense('a', subject)))]]);
  }
  const device = { resourceType: 'Device', id: 'a', patient: { identifier } };
  assert.deepEqual(written(device), [[device]]);
  const two = [patient('ada', [identifier]), patient('eve', [identifier]), dispense('a', { identifier })];
  assert.deepEqual(written(bundle(...two)), [two]);
});
