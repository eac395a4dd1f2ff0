import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanish, spanishDisplays } from '../language/es/catalogue.ts';
import { ENGLISH, Words } from '../language/words.ts';
import { codingWords, concept, concepts } from './text.ts';

const SPANISH = new Words({ language: 'es', locale: 'es-MX', catalogue: spanish, displays: spanishDisplays });

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';
const coding = (table: string, code: string, display?: string) => ({
  system: `${TERMINOLOGY}/${table}`,
  code,
  ...(display && { display }),
});

test('displays of common tables of HL7 are Spanish, with their capital', () => {
  for (const [table, code, display, said] of [
    ['condition-category', 'encounter-diagnosis', 'Encounter Diagnosis', 'Diagnóstico de la consulta'],
    ['condition-clinical', 'remission', 'Remission', 'En remisión'],
    ['observation-category', 'vital-signs', 'Vital Signs', 'Signos vitales'],
    ['v3-ObservationInterpretation', 'HH', 'Critical high', 'Alto crítico'],
    ['v3-MaritalStatus', 'S', 'Never Married', 'Soltero'],
    ['v3-ActCode', 'AMB', 'ambulatory', 'ambulatoria'],
    ['v3-ActCode', 'IMP', 'inpatient encounter', 'hospitalización'],
    ['v3-RoleCode', 'MTH', 'mother', 'madre'],
    ['v2-0131', 'C', 'Emergency Contact', 'Contacto de emergencia'],
    ['v2-0203', 'MR', 'Medical record number', 'Número de expediente médico'],
    ['v2-0074', 'MB', 'Microbiology', 'Microbiología'],
    ['v3-ActReason', 'PATOBJ', 'Patient objection', 'Objeción del paciente'],
    ['provenance-participant-type', 'author', 'Author', 'Autor'],
    ['allergyintolerance-clinical', 'resolved', 'Resolved', 'Resuelto'],
  ] as const) {
    assert.equal(concept(SPANISH, { coding: [coding(table, code, display)] }), said);
    assert.equal(codingWords(SPANISH, coding(table, code, display)), said);
  }
  assert.equal(
    concept(SPANISH, { text: 'Vital Signs', coding: [coding('observation-category', 'vital-signs')] }),
    'Signos vitales',
  );
});

test('a text of its own, a code of another table and an unknown display stay as they were sent', () => {
  assert.equal(
    concept(SPANISH, { text: 'Signs of life', coding: [coding('observation-category', 'vital-signs')] }),
    'Signs of life',
  );
  assert.equal(
    concept(SPANISH, { coding: [{ system: 'http://snomed.info/sct', code: '1', display: 'Mother' }] }),
    'Mother',
  );
  assert.equal(concept(SPANISH, { coding: [{ code: 'x', display: 'Emergency' }] }), 'Emergency');
  assert.equal(concept(SPANISH, { coding: [coding('v3-ActCode', 'XYZ', 'A class of ours')] }), 'A class of ours');
  assert.equal(concept(SPANISH, { coding: [coding('v3-ActCode', 'XYZ', 'constructor')] }), 'constructor');
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'AMB' }), 'Ambulatoria');
  assert.equal(codingWords(SPANISH, { system: `${TERMINOLOGY}/v3-ActCode`, code: 'ZZZ' }), 'ZZZ');
  assert.equal(codingWords(SPANISH, { system: 'urn:other', code: 'AMB' }), 'AMB');
  assert.equal(codingWords(SPANISH, undefined), undefined);
  assert.equal(concepts(SPANISH, undefined), '');
});

test('in English every display stays', () => {
  assert.equal(concept(ENGLISH, { coding: [coding('v3-MaritalStatus', 'S', 'Never Married')] }), 'Never Married');
  assert.equal(codingWords(ENGLISH, coding('v3-ActCode', 'AMB', 'ambulatory')), 'ambulatory');
});
