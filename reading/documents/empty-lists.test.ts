import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { contradicts, emptyListOf } from './empty-lists.ts';

const list = (code: object, reason: string | undefined, more: object = {}): Resource => ({
  resourceType: 'List',
  id: 'l',
  ...{ status: 'current', code, date: '2026-01-01' },
  ...(reason ? { emptyReason: { coding: [{ code: reason }] } } : {}),
  ...more,
});
const loinc = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
const LISTS = 'http://terminology.hl7.org/CodeSystem/list-example-use-codes';
const says = (place: string, ...lists: Resource[]): string | undefined =>
  emptyListOf(ENGLISH, place, lists)?.says.replaceAll('\u00a0', ' ');

test('an empty list says why it is empty, and of when it is', () => {
  const none = 'none known (a list of 1 Jan 2026 says so)';
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown')), none);
  assert.equal(says('allergies', list({ text: 'Alergias' }, 'nilknown')), none);
  assert.equal(says('allergies', list({ coding: [{ system: LISTS, code: 'allergies' }] }, 'nilknown')), none);
  assert.equal(says('problems', list(loinc('11450-4'), 'nilknown')), none);
  assert.equal(says('medications', list({}, 'nilknown', { title: 'Medikationsliste' })), none);
  assert.equal(says('medications', list(loinc('10160-0'), 'notasked')), 'not asked (a list of 1 Jan 2026 says so)');
  assert.equal(
    says('allergies', list(loinc('48765-2'), 'nilknown', { date: undefined })),
    'none known (a list without a date says so)',
  );
});

test('a list that is over, has entries, or is of another kind says nothing, and a newer one counts', () => {
  const entry = [{ item: { reference: 'AllergyIntolerance/a' } }];
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { entry })), undefined);
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { status: 'retired' })), undefined);
  for (const status of ['zzz', undefined])
    assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { status })), undefined);
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { mode: 'changes' })), undefined);
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { status: 'entered-in-error' })), undefined);
  assert.equal(says('allergies', list(loinc('11450-4'), 'nilknown')), undefined);
  assert.equal(says('allergies', list(loinc('52473-6'), undefined)), undefined);
  const lists = ['2026-02-01', '2025-02-01'].map((date) => list(loinc('48765-2'), undefined, { entry, date }));
  for (const other of lists) assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown'), other), undefined);
  const modifierExtension = [{ url: 'urn:x/negated', valueBoolean: true }];
  assert.equal(says('allergies', list(loinc('52473-6'), 'nilknown', { modifierExtension })), undefined);
});

test('a list that none are known contradicts only an entry that may be as old', () => {
  const rows: [date: string | undefined, entries: (string | undefined)[], boolean][] = [
    ['1990-01-01', ['2020-05-01'], false],
    ['2021', ['2020-05-01'], true],
    ['2020-05-01', ['2020-05-01T10:00:00Z', '2023'], true],
    ['1990-01-01', [undefined], true],
    [undefined, ['2020-05-01'], true],
  ];
  for (const [date, entries, expected] of rows) {
    const found = emptyListOf(ENGLISH, 'allergies', [list(loinc('52473-6'), 'nilknown', { date })]);
    assert.equal(found && contradicts(found, entries), expected, `${date} ${entries}`);
  }
});
