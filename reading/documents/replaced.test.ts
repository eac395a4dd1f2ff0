import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentReference } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { replacedDocuments, replacedText } from './replaced.ts';

const document = (id: string, more: object = {}): DocumentReference => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  ...more,
});
const replacing = (...targets: object[]) => ({ relatesTo: targets.map((target) => ({ code: 'replaces', target })) });
const to = (id: string) => ({ reference: `DocumentReference/${id}` });

const CASES: [what: string, documents: DocumentReference[], replaced: string[]][] = [
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

test('what replaces a document is named by its date', () => {
  assert.match(
    replacedText(ENGLISH, document('b', { date: '2026-02-01' })),
    /^replaced by the document of 1\sFeb\s2026$/,
  );
  assert.equal(replacedText(ENGLISH, document('b')), 'replaced by another document');
});
