import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from './documents.ts';
import { mayPlace, withPlacedPatients } from './placed-patients.ts';

const ADA = { reference: 'Patient/ada' };
const EVE = { reference: 'Patient/eve' };
const ref = (...all: string[]) => all.map((reference) => ({ reference }));
const record = (resourceType: string, id: string, more: object = {}) => ({ resourceType, id, ...more });
const document = (of: object | undefined, section: unknown, more: object = {}, id = 'd') =>
  record('Composition', id, { ...(of ? { subject: of } : {}), section, ...more });
const at = (encounter: string) => ({ encounter: { reference: `Encounter/${encounter}` } });

interface Read {
  id: string;
  subject?: { reference?: string; identifier?: { value: string } };
  patient?: { reference?: string };
  meta?: { tag?: { code: string }[] };
}

/** The patient and the mark of each record of a Bundle that has one, by its id. */
function placed(resources: object[], fullUrl: (id: string) => string = () => ''): Record<string, string> {
  const entry = resources.map((resource) => ({
    fullUrl: fullUrl('id' in resource ? String(resource.id) : ''),
    resource,
  }));
  const text = JSON.stringify({ resourceType: 'Bundle', entry });
  const read = [...resourcesIn(JSON.parse(withPlacedPatients(text)))].map(
    ({ resource }) => resource as unknown as Read,
  );
  assert.equal(mayPlace([...resourcesIn(JSON.parse(text))]), withPlacedPatients(text) !== text);
  return Object.fromEntries(
    read.flatMap(({ id, subject, patient, meta }) => {
      const [tag] = meta?.tag ?? [];
      const { reference = '', identifier } = { ...subject, ...patient } as NonNullable<Read['subject']>;
      return tag ? [[id, `${reference || identifier?.value}, ${tag.code}`]] : [];
    }),
  );
}

const ROWS: [string, object[], Record<string, string>][] = [
  [
    'the entries of a document, also in sections of sections',
    [
      document(ADA, [{ entry: ref('Condition/c'), section: [{ entry: ref('AllergyIntolerance/a') }] }]),
      record('Condition', 'c'),
      record('AllergyIntolerance', 'a'),
      record('Condition', 'unlisted'),
    ],
    { c: 'Patient/ada, patient-of-document', a: 'Patient/ada, patient-of-document' },
  ],
  [
    'the visit of an entry, and what else happened there',
    [
      document(ADA, [{ entry: ref('Condition/c') }]),
      record('Condition', 'c', at('e')),
      record('Encounter', 'e'),
      record('Procedure', 'p', at('e')),
    ],
    {
      c: 'Patient/ada, patient-of-document',
      e: 'Patient/ada, patient-of-visit',
      p: 'Patient/ada, patient-of-visit',
    },
  ],
  [
    'what happened at the visit of a patient, without a document',
    [record('Encounter', 'e', { subject: ADA }), record('Observation', 'o', at('e'))],
    { o: 'Patient/ada, patient-of-visit' },
  ],
  [
    'the results of a report, and their members',
    [
      record('DiagnosticReport', 'r', { subject: ADA, result: ref('Observation/o') }),
      record('Observation', 'o', { hasMember: ref('Observation/m') }),
      record('Observation', 'm'),
    ],
    { o: 'Patient/ada, patient-of-report', m: 'Patient/ada, patient-of-report' },
  ],
  [
    'one patient whom two documents name',
    [
      document(ADA, [{ entry: ref('Condition/c') }]),
      document(ADA, [{ entry: ref('Condition/c') }], {}, 'd2'),
      record('Condition', 'c'),
    ],
    { c: 'Patient/ada, patient-of-document' },
  ],
  [
    'a patient who is named by an identifier alone',
    [
      document({ identifier: { system: 'urn:s', value: '7' } }, [{ entry: ref('Condition/c') }]),
      record('Condition', 'c'),
    ],
    { c: '7, patient-of-document' },
  ],
  [
    'none of two patients',
    [
      document(ADA, [{ entry: ref('Condition/c') }]),
      document(EVE, [{ entry: ref('Condition/c', 'Condition/own') }], {}, 'd2'),
      record('Condition', 'c', at('e')),
      record('Condition', 'own'),
      record('Encounter', 'e'),
      record('Procedure', 'p', at('e')),
    ],
    { own: 'Patient/eve, patient-of-document' },
  ],
  [
    'none at a visit of several patients',
    [
      record('Condition', 'a', { subject: ADA, ...at('e') }),
      record('Condition', 'b', { subject: EVE, ...at('e') }),
      record('Encounter', 'e'),
    ],
    {},
  ],
  [
    'none that says something of its subject',
    [
      document(ADA, [{ entry: ref('Condition/c', 'Condition/n', 'Condition/b') }]),
      record('Condition', 'c', { subject: { display: 'Bob' } }),
      record('Condition', 'n', { subject: null }),
      record('Condition', 'b', { subject: { reference: 'Patient/bob' } }),
    ],
    {},
  ],
  [
    'none of a section about somebody else, or of a document about no patient',
    [
      document(ADA, [{ focus: { reference: 'Patient/child' }, entry: ref('Condition/c') }]),
      document({ reference: 'Group/g' }, [{ entry: ref('Condition/c') }], {}, 'd2'),
      document(undefined, [{ entry: ref('Condition/c') }], {}, 'd3'),
      record('Condition', 'c'),
    ],
    {},
  ],
  [
    'none of a type that need not be of a patient',
    [document(ADA, [{ entry: ref('Device/v') }]), record('Device', 'v')],
    {},
  ],
  [
    'nothing for odd shapes',
    [
      record('Composition', 'd', { subject: 'ada', section: 'odd', encounter: [7, null] }),
      document(ADA, { entry: [null, 'x', { reference: 7 }], section: 5 }, {}, 'd2'),
      record('DiagnosticReport', 'r', { subject: ADA, result: 'odd' }),
      record('Condition', 'c', { encounter: 'odd', meta: 'odd' }),
    ],
    {},
  ],
];

for (const [name, resources, expected] of ROWS) {
  test(`records that name no patient are placed: ${name}`, () => assert.deepEqual(placed(resources), expected));
}

test('references are those of the Bundle, by its addresses', () => {
  const urn = (id: string) => `urn:uuid:${id}`;
  const inUrns = [
    document({ reference: urn('ada') }, [{ entry: ref(urn('c')) }]),
    record('Patient', 'ada'),
    record('Condition', 'c', { subject: undefined, encounter: { reference: urn('e') } }),
    record('Encounter', 'e', { subject: { reference: 'Patient/ada' } }),
  ];
  assert.deepEqual(placed(inUrns, urn), { c: 'Patient/ada, patient-of-document' });
  const server = (id: string) => `https://x.example/fhir/${id === 'd' ? 'Composition' : 'Condition'}/${id}`;
  const onServer = [document(ADA, [{ entry: ref('Condition/c/_history/2') }]), record('Condition', 'c')];
  assert.deepEqual(placed(onServer, server), { c: 'Patient/ada, patient-of-document' });
  // Of two servers it is not told which is meant.
  const two = [document(ADA, [{ entry: ref('Condition/c') }]), record('Condition', 'c'), record('Condition', 'c')];
  let n = 0;
  assert.deepEqual(
    placed(two, (id) => (id === 'c' ? `https://${++n}.example/Condition/c` : '')),
    {},
  );
});

test('Bundles in a Bundle are each by themselves, and numbers keep their digits', () => {
  const bundle = (of: object) => ({
    resourceType: 'Bundle',
    entry: [document(of, [{ entry: ref('Condition/c') }]), record('Condition', 'c', { quantity: { value: 7 } })].map(
      (resource) => ({
        resource,
      }),
    ),
  });
  const text = JSON.stringify({
    resourceType: 'Bundle',
    entry: [{ resource: bundle(ADA) }, { resource: bundle(EVE) }],
  });
  const written = withPlacedPatients(text.replaceAll(':7}', ':7.0}'));
  const subjects = [...resourcesIn(JSON.parse(written))].flatMap(({ type, resource }) =>
    type === 'Condition' ? [(resource as unknown as Read).subject?.reference] : [],
  );
  assert.deepEqual(subjects, ['Patient/ada', 'Patient/eve']);
  assert.match(written, /:7\.0/);
});

test('what stands alone stays', () => {
  for (const text of ['', 'oops', JSON.stringify(record('Condition', 'c'))])
    assert.equal(withPlacedPatients(text), text);
});
