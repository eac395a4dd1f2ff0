import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coding, MedicationStatement, Resource } from '../fhir/types.ts';
import { byDrug, drugMarks } from './same-drug.ts';

const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const SNOMED = 'http://snomed.info/sct';
const ATC = 'http://www.whocc.no/atc';

/** Returns a record with a text and codes, `system|code`. */
const record = (id: string, text: string | undefined, ...codes: string[]): MedicationStatement => ({
  resourceType: 'MedicationStatement',
  id,
  medicationCodeableConcept: {
    ...(text === undefined ? {} : { text }),
    coding: codes.map((one): Coding => {
      const [system = '', code = ''] = one.split('|');
      return { code, ...(system ? { system } : {}) };
    }),
  },
});
const referring = (id: string, reference: string, display?: string): MedicationStatement => ({
  resourceType: 'MedicationStatement',
  id,
  medicationReference: { reference, ...(display === undefined ? {} : { display }) },
});
const groups = (records: MedicationStatement[], included: Resource[] = []): string[] =>
  byDrug(records, (one) => drugMarks(one, included)).map((list) => list.map(({ id }) => id).join(' '));

/** The table: records, and the expected groups. */
const CASES: [says: string, records: MedicationStatement[], groups: string[]][] = [
  ['one code, two names', [record('a', 'Glucophage', `${RXNORM}|1`), record('b', 'Metformin', `${RXNORM}|1`)], ['a b']],
  ['one name, no code', [record('a', 'Metformin'), record('b', 'metformin ')], ['a b']],
  ['one name, other spaces', [record('a', 'Metformin  500mg'), record('b', 'metformin 500 mg')], ['a b']],
  ['two strengths', [record('a', 'Metformin 500 mg'), record('b', 'Metformin 5 00 mg')], ['a', 'b']],
  ['one name, a code beside none', [record('a', 'Metformin', `${RXNORM}|1`), record('b', 'Metformin')], ['a b']],
  [
    'one name, codes of two systems',
    [record('a', 'Metformin', `${RXNORM}|1`), record('b', 'Metformin', `${SNOMED}|2`)],
    ['a b'],
  ],
  [
    'one name, two codes of a system: two drugs',
    [record('a', 'Insulin', `${RXNORM}|1`), record('b', 'Insulin', `${RXNORM}|2`), record('c', 'Insulin')],
    ['a', 'b', 'c'],
  ],
  [
    'a record with two codes joins those of each',
    [record('a', 'A', `${RXNORM}|1`), record('b', 'B', `${SNOMED}|2`), record('c', 'C', `${SNOMED}|2`, `${RXNORM}|1`)],
    ['a b c'],
  ],
  [
    'names do not join what codes of a system tell apart, by way of a third',
    [
      record('a', 'X', `${RXNORM}|1`),
      record('b', 'X', `${SNOMED}|1`),
      record('c', 'Y', `${SNOMED}|1`),
      record('d', 'Y', `${RXNORM}|2`),
    ],
    ['a b c', 'd'],
  ],
  ['a code without a system is none', [record('a', 'A', '|1'), record('b', 'B', '|1')], ['a', 'b']],
  [
    'a code for unknown is none',
    ['a', 'b'].map((id) => record(id, id, 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor|UNK')),
    ['a', 'b'],
  ],
  [
    'a group of ATC is no drug',
    [record('a', 'Enalapril', `${ATC}|C09AA`), record('b', 'Ramipril', `${ATC}|C09AA`)],
    ['a', 'b'],
  ],
  [
    'a substance of ATC is one',
    [record('a', 'Vasotec', `${ATC}|C09AA02`), record('b', 'Enalapril', `${ATC}|C09AA02`)],
    ['a b'],
  ],
  ['records without a name or a code are not one', [record('a', undefined), record('b', undefined)], ['a', 'b']],
  [
    'one Medication, also by a version of it',
    [referring('a', 'Medication/x'), referring('b', 'https://h.example/fhir/Medication/x/_history/3')],
    ['a b'],
  ],
  ['Medications that are missing', [referring('a', 'Medication/x'), referring('b', 'Medication/y')], ['a', 'b']],
  ['a display beside a name', [referring('a', 'Medication/x', 'Metformin'), record('b', 'Metformin')], ['a b']],
  ['contained ones of one id are two', [referring('a', '#m'), referring('b', '#m')], ['a', 'b']],
];

test('records are of one drug by code, else by name', () => {
  for (const [says, records, expected] of CASES) assert.deepEqual(groups(records), expected, says);
});

test('the code of a Medication counts as one of the record', () => {
  const medication = {
    resourceType: 'Medication',
    id: 'x',
    code: { text: 'Glucophage', coding: [{ system: RXNORM, code: '1' }] },
  };
  assert.deepEqual(groups([referring('a', 'Medication/x'), record('b', 'Metformin', `${RXNORM}|1`)], [medication]), [
    'a b',
  ]);
});
