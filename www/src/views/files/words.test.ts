import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Words } from '#reading/language/words.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { spanishWords } from '../../language/es/catalogue.ts';
import { pageLanguage } from '../../language/language.ts';
import { reasonOf } from '../../source/fault-reason.ts';
import { conflictText, heldText, typeName } from './words.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

const report = (taken: number, counts: Record<string, number>): LoadedFiles =>
  ({ taken, counts, absentPatients: [], remarkCounts: {}, areApart: false }) as Partial<LoadedFiles> as LoadedFiles;

test('a type is said in words', () => {
  assert.equal(typeName('AllergyIntolerance'), 'Allergy intolerance');
  assert.equal(typeName('Patient'), 'Patient');
  assert.equal(typeName('ExplanationOfBenefit'), 'Explanation of benefit');
  assert.equal(typeName(''), 'Without a type');
});

test('what is held is said with its patients', () => {
  assert.equal(heldText(report(3, { Patient: 1, Observation: 1_200 })), '1,201 resources of 1 patient');
  assert.equal(heldText(report(1, { Observation: 1 })), '1 resource of no known patient');
  const absent = { ...report(2, { Condition: 2 }), absentPatients: ['x'] };
  assert.equal(heldText(absent), '2 resources of 1 patient');
  const both = { ...absent, counts: { Patient: 1, Condition: 2 } };
  assert.equal(heldText(both), '3 resources of 1 patient and 1 only named');
  assert.equal(heldText({ ...absent, absentPatients: ['unknown'] }), '2 resources of no known patient');
});

test('files that contradict each other are said to be apart', () => {
  assert.equal(conflictText(report(2, { Patient: 2 })), undefined);
  assert.match(conflictText({ ...report(2, { Patient: 2 }), areApart: true }) ?? '', /Each is kept apart\./);
});

test('a fault of a whole file is said by the page, and one of a part as the engine says it', () => {
  assert.equal(reasonOf({ code: 'empty' }), 'The file is empty.');
  assert.equal(reasonOf({ code: 'broken', why: 'TypeError' }), 'It could not be read to its end: TypeError');
  assert.equal(reasonOf({ why: 'it is not JSON' }), 'it is not JSON');
});

test('the words in Spanish', () => {
  pageLanguage.value = new Words({ language: 'es', locale: 'es-ES', catalogue: spanishWords });
  assert.equal(typeName('AllergyIntolerance'), 'Alergia o intolerancia');
  assert.equal(typeName('ImagingSelection'), 'Imaging selection');
  assert.equal(reasonOf({ code: 'empty' }), 'El archivo está vacío.');
  assert.equal(reasonOf({ why: 'it is not JSON' }), 'El motivo, en inglés: it is not JSON');
  assert.equal(typeName(''), 'Sin tipo');
  assert.equal(heldText(report(3, { Patient: 1, Observation: 12_000 })), '12.001 recursos de 1 paciente');
  assert.equal(heldText(report(1, { Observation: 1 })), '1 recurso de ningún paciente conocido');
  assert.equal(reasonOf({ code: 'zip' }), 'Es un archivo ZIP. Descomprímalo y elija los archivos que contiene.');
});
