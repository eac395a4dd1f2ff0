import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOwnPatients as withPatientsOf } from './contained-patients.ts';

const withOwnPatients = (text: string, file = 'a.json'): string => withPatientsOf({ text, before: 0 }, file);

const patient = { resourceType: 'Patient', id: 'pat', name: [{ text: 'Ada Alder' }], birthDate: '1980-04-01' };
const report = (more: object = {}) => ({
  resourceType: 'DiagnosticReport',
  id: 'r',
  contained: [patient, { resourceType: 'Observation', id: 'o', subject: { reference: '#pat' } }],
  subject: { display: 'Ada', reference: '#pat' },
  ...more,
});

const entriesIn = (text: string): { resourceType: string; id: string; subject?: { reference: string } }[] =>
  JSON.parse(text).entry.map(({ resource }: { resource: object }) => resource);

test('a contained patient becomes a Patient, also in a Bundle, and one for records that say the same', () => {
  const alone = withOwnPatients(JSON.stringify(report()));
  const [one, person] = entriesIn(alone);
  assert.equal(one?.subject?.reference, `Patient/${person?.id}`);
  assert.deepEqual(person, { ...patient, id: person?.id });
  const goal = { resourceType: 'AllergyIntolerance', id: 'a', contained: [patient], patient: { reference: '#pat' } };
  const bundle = { resourceType: 'Bundle', entry: [{ resource: report() }, { resource: goal }] };
  const late = { id: 'b', meta: { versionId: '1' }, ...bundle };
  for (const [of, indent] of [
    [bundle, 0],
    [bundle, 2],
    [late, 0],
  ] as const) {
    const all = entriesIn(withOwnPatients(JSON.stringify(of, null, indent)));
    assert.deepEqual(
      all.map(({ resourceType, id }) => [resourceType, id]),
      [
        ['DiagnosticReport', 'r'],
        ['AllergyIntolerance', 'a'],
        ['Patient', person?.id],
      ],
    );
  }
});

test('contained patients of two files, and those who are known by a name alone, are each by themselves', () => {
  const idOf = (resource: object, file?: string) =>
    entriesIn(withOwnPatients(JSON.stringify(resource), file)).at(-1)?.id;
  assert.notEqual(idOf(report()), idOf(report(), 'b.json'));
  const named = report({ contained: [{ resourceType: 'Patient', id: 'pat', name: [{ text: 'Ada Alder' }] }] });
  const all = entriesIn(
    withOwnPatients(
      JSON.stringify({ resourceType: 'Bundle', entry: [named, named].map((resource) => ({ resource })) }),
    ),
  );
  assert.equal(new Set(all.map(({ subject }) => subject?.reference).filter(Boolean)).size, 2);
});

test('a contained patient is found where its id has the sign of references too', () => {
  const [one, person] = entriesIn(withOwnPatients(JSON.stringify(report({ contained: [{ ...patient, id: '#pat' }] }))));
  assert.equal(one?.subject?.reference, `Patient/${person?.id}`);
  assert.equal(person?.resourceType, 'Patient');
});

test('what contains no patient of its own stays, and numbers keep their digits', () => {
  const texts = [
    JSON.stringify(report({ subject: { reference: 'Patient/a' } })),
    JSON.stringify(report({ contained: [] })),
    JSON.stringify(report({ subject: 'odd' })),
    '',
    'oops "contained" "reference":"#x" "resourceType":"Patient"',
  ];
  for (const text of texts) assert.equal(withOwnPatients(text), text);
  assert.match(withOwnPatients(JSON.stringify(report({ value: 7 })).replace(':7', ':7.0')), /:7\.0/);
});
