import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { codingWords, concept, concepts } from './text.ts';

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

test('a text and a display stay as they were sent in every language', () => {
  const mother = { system: `${TERMINOLOGY}/v3-RoleCode`, code: 'MTH', display: 'mother' };
  assert.equal(concept(SPANISH, { coding: [mother] }), 'mother');
  assert.equal(concept(SPANISH, { text: 'Mother', coding: [mother] }), 'Mother');
  assert.equal(codingWords(SPANISH, mother), 'mother');
});

test('the class of a visit without a display has words, and another code stays', () => {
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'AMB' }), 'Ambulatoria');
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'ZZZ' }), 'ZZZ');
  assert.equal(codingWords(SPANISH, { system: 'urn:other', code: 'AMB' }), 'AMB');
  assert.equal(codingWords(SPANISH, undefined), undefined);
  assert.equal(concepts(SPANISH, undefined), '');
});
