import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { codingWords, concept, concepts } from './text.ts';

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

test('a text and a display stay as they were sent in every language', () => {
  const mother = { system: `${TERMINOLOGY}/v3-RoleCode`, code: 'MTH', display: 'mother' };
  assert.equal(concept(SPANISH, { coding: [mother] }), 'mother');
  assert.equal(concept(SPANISH, { text: 'Mother', coding: [mother] }), 'Mother');
  assert.equal(codingWords(SPANISH, mother), 'mother');
});

test('a code for why there is no value has words, unless another code says more', () => {
  const coding = { system: `${TERMINOLOGY}/v3-NullFlavor`, code: 'UNK' };
  assert.equal(concept(ENGLISH, { coding: [coding] }), 'Unknown');
  assert.equal(concept(SPANISH, { coding: [{ ...coding, code: 'NASK' }] }), 'No se preguntó');
  assert.equal(concept(ENGLISH, { coding: [coding, { code: 'other' }] }), 'other');
});

test('a severity, a side and a pregnancy without a display have words', () => {
  const said = (code: string) => concept(SPANISH, { coding: [{ system: 'http://snomed.info/sct', code }] });
  assert.deepEqual(['24484000', '7771000', '77386006'].map(said), ['Grave', 'Izquierdo', 'Embarazada']);
});

test('a language without a display has its name', () => {
  const said = (code: string) => concept(SPANISH, { coding: [{ system: 'urn:ietf:bcp:47', code }] });
  assert.deepEqual(['ja', 'not a tag'].map(said), ['japonés', 'not a tag']);
});

test('the class of a visit without a display has words, and another code stays', () => {
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'AMB' }), 'Ambulatoria');
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'ZZZ' }), 'ZZZ');
  assert.equal(codingWords(SPANISH, { system: 'urn:other', code: 'AMB' }), 'AMB');
  assert.equal(codingWords(SPANISH, undefined), undefined);
  assert.equal(concepts(SPANISH, undefined), '');
});
