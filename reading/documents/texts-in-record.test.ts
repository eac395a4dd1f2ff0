import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { binaryOf, textsIn, textsOfBinary } from './texts-in-record.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const record = (resourceType: string, more: object): Resource => ({ resourceType, id: 'r', ...more });
const reference = (...attachments: object[]): Resource =>
  record('DocumentReference', { content: attachments.map((attachment) => ({ attachment })) });

test('the words of a document are texts by line, each behind the title of its section', () => {
  const div = '<div><table><tr><td>NovoLog</td><td>15 units</td></tr></table><p>Twice</p></div>';
  const composition = record('Composition', { section: [{ title: 'Medications', text: { div } }, { title: 'Empty' }] });
  assert.deepEqual(textsIn(ENGLISH, composition), {
    texts: ['Medications: NovoLog, 15 units', 'Medications: Twice'],
    unread: [],
  });
  const ofOther = record('Composition', {
    section: [{ title: 'Allergies', focus: { display: 'Newborn Max' }, text: { div: '<div>Milk</div>' } }],
  });
  assert.deepEqual(textsIn(ENGLISH, ofOther).texts, ['about: Newborn Max: Allergies: Milk']);
});

test('attachments of text are read, whatever their kind, and others are counted', () => {
  const found = textsIn(
    ENGLISH,
    reference(
      { contentType: 'text/plain', data: base64('Her granddaughter\ncame along') },
      { data: base64('<!doctype html><p>Seen by a nurse</p><script>x</script>') },
      { contentType: 'application/pdf', data: base64('%PDF-1.4') },
      { url: 'Binary/b', contentType: 'text/plain' },
      { contentType: 'text/plain', data: '%' },
      { url: `data:text/plain;base64,${base64('In its address')}` },
      { data: base64('Of no kind') },
      { contentType: 'text/xml', data: base64('<ClinicalDocument><text representation="B64">JVBERi0=</text>') },
    ),
  );
  const more = ['In its address', 'Of no kind'];
  assert.deepEqual(found.texts, ['Her granddaughter came along', 'Seen by a nurse', ...more]);
  assert.deepEqual(found.unread.map(binaryOf), [undefined, 'Binary/b', undefined, undefined]);
  const answer = [{ valueAttachment: { contentType: 'application/pdf', url: 'Binary/f' } }];
  const form = record('QuestionnaireResponse', { item: [{ item: [{ answer }] }] });
  assert.deepEqual(textsIn(ENGLISH, form).unread.map(binaryOf), ['Binary/f']);
  const binary = { resourceType: 'Binary', data: base64('In a file of its own') };
  assert.deepEqual(textsOfBinary(ENGLISH, { contentType: 'text/plain' }, binary), ['In a file of its own']);
  assert.equal(textsOfBinary(ENGLISH, { contentType: 'image/png' }, binary), undefined);
  const report = record('DiagnosticReport', { presentedForm: [{ contentType: 'text/plain', data: base64('Nodule') }] });
  assert.deepEqual(textsIn(ENGLISH, report), { texts: ['Nodule'], unread: [] });
});

test('a long text is cut between words, and odd records have no texts', () => {
  const { texts } = textsIn(ENGLISH, reference({ contentType: 'text/plain', data: base64('word '.repeat(2_000)) }));
  assert.equal(texts.length, 3);
  assert.ok(
    texts.every((one) =>
      one
        .trim()
        .split(' ')
        .every((word) => word === 'word'),
    ),
  );
  for (const odd of [null, 7, 'x', [null], { attachment: 5 }])
    assert.deepEqual(textsIn(ENGLISH, record('DocumentReference', { content: odd })).texts, []);
});
