import '../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Patient } from '#reading/fhir/types.ts';
import { Words } from '#reading/language/words.ts';
import { spanish } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { ageOf, missingText, recordNumber } from './patient.ts';

const typed = (code: string, display: string, value?: string, system?: string) => ({
  type: { coding: [{ code, display }] },
  ...(value === undefined ? {} : { value }),
  ...(system === undefined ? {} : { system }),
});
const SSN = typed('SS', 'Social Security Number', '123-45');
const MRN = typed('MR', 'Medical Record Number', '7');
// The types of this program do not read the period.
const ENDED = { ...MRN, period: { end: '2020-01-01' } };

test('the number of a patient is the one of the record, and no name of a numbering or number of a clinician', () => {
  const rows: [string, NonNullable<Patient['identifier']>, string | undefined][] = [
    ['that of the record first', [SSN, MRN], 'Medical Record Number 7'],
    ['else the first', [SSN, { value: '8' }], 'Social Security Number 123-45'],
    ['one without a value', [typed('MR', 'Medical Record Number'), SSN], 'Social Security Number 123-45'],
    [
      'an OID for a value',
      [typed('SS', 'Social Security Number', '2.16.840.1.113883.4.1'), { value: '8' }],
      'Record number 8',
    ],
    ['an OID alone', [typed('MR', 'Medical Record Number', 'urn:oid:2.16.840.1.113883.4.1')], undefined],
    ['a number with points', [{ value: '1.2.3' }], 'Record number 1.2.3'],
    [
      'the number of a clinician',
      [typed('NPI', 'National Provider Identifier', '1'), SSN],
      'Social Security Number 123-45',
    ],
    ['one by its system', [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1' }], undefined],
    [
      'one in use before an old one',
      [
        { use: 'old', ...MRN },
        { use: 'usual', ...SSN },
      ],
      'Social Security Number 123-45',
    ],
    ['one of the record in use', [{ use: 'old', ...MRN }, SSN, { ...MRN, value: '8' }], 'Medical Record Number 8'],
    ['one that has not ended', [ENDED, { value: '8' }], 'Record number 8'],
    ['a temporary one last', [{ use: 'temp', value: '1' }, { value: '8' }], 'Record number 8'],
    ['an old one alone', [ENDED], 'Medical Record Number (old) 7'],
    ['none', [], undefined],
  ];
  for (const [why, identifier, expected] of rows) {
    const found = recordNumber({ resourceType: 'Patient', id: 'p', identifier });
    assert.equal(found && `${found.label} ${found.value}`, expected, why);
  }
});

test('the age of the dead is that at death, and none without its date', () => {
  const now = Date.parse('2026-06-01');
  const rows: [Partial<Patient>, string | undefined][] = [
    [{ birthDate: '1980-01-01' }, '46\u00a0y'],
    [{ birthDate: '1980-01-01', deceasedBoolean: false }, '46\u00a0y'],
    [{ birthDate: '1980-01-01', deceasedDateTime: '2020-06-01' }, '40\u00a0y'],
    [{ birthDate: '1980-01-01', deceasedBoolean: true }, undefined],
    [{}, 'unknown'],
  ];
  for (const [more, expected] of rows)
    assert.equal(ageOf({ resourceType: 'Patient', id: 'p', ...more }, now), expected, JSON.stringify(more));
});

test('a sex that the source holds back is not called not recorded', () => {
  const p: Patient = { resourceType: 'Patient', id: 'p' };
  assert.equal(missingText(p, 'gender'), 'not recorded');
  const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
  const masked = { ...p, ...{ _gender: { extension: [{ url, valueCode: 'masked' }] } } };
  assert.equal(missingText(masked, 'gender'), 'Not available: held back');
});

test('the usual names of the number are in the language of the page', () => {
  pageLanguage.value = new Words({ language: 'es', locale: 'es-ES', catalogue: spanish });
  const found = recordNumber({ resourceType: 'Patient', id: 'p', identifier: [MRN] });
  assert.deepEqual(found, { label: 'Número de historia clínica', value: '7' });
});
