import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patient } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { notInUse } from './in-use.ts';

const said = (more: object): string[] => notInUse(ENGLISH, { resourceType: 'Patient', id: 'p', ...more } as Patient);

test('a record that is not in use, is replaced or changed says so', () => {
  assert.deepEqual(said({}), []);
  assert.deepEqual(said({ active: true }), []);
  assert.deepEqual(said({ active: false }), ['This record is not in use']);
  assert.deepEqual(said({ active: 'false' }), ['This record is not in use']);
  const link = (type: string): object => ({ link: [{ type, other: { display: 'Ana Roe' } }] });
  assert.deepEqual(said(link('replaced-by')), ['Replaced by another record: Ana Roe']);
  assert.deepEqual(said(link('replace')), said(link('replaced-by')));
  assert.deepEqual(said(link('refer')), ['Another record is to be used too: Ana Roe']);
  assert.deepEqual(said(link('seealso')), []);
  const species = { text: 'Dog' };
  assert.deepEqual(said({ animal: { species } }), ['Animal: Dog']);
  const url = 'http://hl7.org/fhir/StructureDefinition/patient-animal';
  const extension = [{ url: 'species', valueCodeableConcept: species }];
  assert.deepEqual(said({ extension: [{ url, extension }] }), ['Animal: Dog']);
  assert.match(said({ modifierExtension: [{ url: 'urn:x/test-record', valueBoolean: true }] })[0] ?? '', /test-record/);
});
