import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentReference, Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { documentRelations, relationText, replacedDocuments } from './related-documents.ts';

const document = (id: string, more: object = {}): DocumentReference => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  ...more,
});
const relating = (code: string, ...targets: object[]) => ({ relatesTo: targets.map((target) => ({ code, target })) });
const replacing = (...targets: object[]) => relating('replaces', ...targets);
const to = (id: string) => ({ reference: `DocumentReference/${id}` });

const composition = (id: string, more: object = {}): Resource => ({ resourceType: 'Composition', id, ...more });

const CASES: [what: string, documents: Resource[], replaced: string[]][] = [
  ['none', [document('a'), document('b')], []],
  ['by reference', [document('a'), document('b', replacing(to('a')))], ['a b']],
  [
    'by an absolute reference with a version',
    [document('a'), document('b', replacing({ reference: 'https://x.example/fhir/DocumentReference/a/_history/2' }))],
    ['a b'],
  ],
  [
    'by an identifier',
    [
      document('a', { masterIdentifier: { value: 'urn:oid:1.2' } }),
      document('b', replacing({ identifier: { value: 'urn:oid:1.2' } })),
    ],
    ['a b'],
  ],
  [
    'one after the other',
    [document('a'), document('b', replacing(to('a'))), document('c', replacing(to('b')))],
    ['a b', 'b c'],
  ],
  ['several', [document('a'), document('b'), document('c', replacing(to('a'), to('b')))], ['a c', 'b c']],
  ['made in error', [document('a'), document('b', { ...replacing(to('a')), status: 'entered-in-error' })], []],
  ['each other', [document('a', replacing(to('b'))), document('b', replacing(to('a')))], []],
  [
    'in a circle',
    [document('a', replacing(to('c'))), document('b', replacing(to('a'))), document('c', replacing(to('b')))],
    [],
  ],
  [
    'summaries, by reference',
    [
      composition('a'),
      composition('b', { relatesTo: [{ code: 'replaces', targetReference: { reference: 'Composition/a' } }] }),
    ],
    ['a b'],
  ],
  [
    'summaries, by an identifier',
    [
      composition('a', { identifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:1' } }),
      composition('b', { relatesTo: [{ code: 'replaces', targetIdentifier: { value: 'urn:uuid:1' } }] }),
    ],
    ['a b'],
  ],
  ['itself', [document('a', replacing(to('a')))], []],
  ['another relation', [document('a'), document('b', { relatesTo: [{ code: 'appends', target: to('a') }] })], []],
  ['odd', [document('a'), document('b', { relatesTo: [null, { code: 'replaces', target: 'a' }] })], []],
];

for (const [what, documents, replaced] of CASES) {
  test(`documents that others replace: ${what}`, () => {
    const found = [...replacedDocuments(documents)].map(([one, by]) => `${one.id} ${by.id}`);
    assert.deepEqual(found, replaced);
  });
}

const TEXTS: [what: string, documents: Resource[], texts: (string | undefined)[]][] = [
  [
    'replaced',
    [document('a'), document('b', { ...relating('replaces', to('a')), date: '2026-02-01' })],
    ['replaced by the document of 1 Feb 2026', undefined],
  ],
  [
    'replaced without a date',
    [document('a'), document('b', replacing(to('a')))],
    ['replaced by another document', undefined],
  ],
  [
    'an addition, in both documents',
    [document('a', { date: '2026-01-01' }), document('b', { ...relating('appends', to('a')), date: '2026-02-01' })],
    ['with an addition of 1 Feb 2026', 'adds to the document of 1 Jan 2026'],
  ],
  ['an addition to one that is not here', [document('b', relating('appends', to('a')))], ['adds to another document']],
  [
    'a translation and a signature',
    [
      document('a', { context: { period: { start: '2026-01-01' } } }),
      document('b', relating('transforms', to('a'))),
      document('c', relating('signs', to('a'))),
    ],
    [undefined, 'made from the document of 1 Jan 2026', 'signs the document of 1 Jan 2026'],
  ],
  ['other codes', [document('a'), document('b', relating('other', to('a')))], [undefined, undefined]],
];

for (const [what, documents, texts] of TEXTS) {
  test(`the relations of documents in words: ${what}`, () => {
    const relations = documentRelations(documents);
    const found = documents.map((one) => relationText(ENGLISH, one, relations)?.replaceAll('\u00a0', ' '));
    assert.deepEqual(found, texts);
  });
}
