//! Cases of observations in one line, as real systems write them: values with components, several values, empty ones,
//! and blood pressures in each form.

import type { Observation } from '../../fhir/types.ts';

export interface ReadingCase {
  from: string;
  of: object;
  reads: string;
}

const row = (from: string, of: Partial<Observation> | object, reads: string): ReadingCase => ({ from, of, reads });
const loinc = (code: string, display?: string) => ({
  coding: [{ system: 'http://loinc.org', code, ...(display ? { display } : {}) }],
});
const snomed = (code: string) => ({ coding: [{ system: 'http://snomed.info/sct', code }] });
const quantity = (value: number, unit?: string, comparator?: string) => ({
  value,
  ...(unit ? { unit } : {}),
  ...(comparator ? { comparator } : {}),
});
const half = (code: string, value: object) => ({ code: loinc(code), valueQuantity: value });
const pressure = (systolic: object, diastolic: object, ...more: object[]) => ({
  code: loinc('85354-9'),
  component: [half('8480-6', systolic), half('8462-4', diastolic), ...more],
});

const MASKED = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
};

export const READING_CASES: readonly ReadingCase[] = [
  row('a number that is held back', { valueQuantity: { _value: MASKED, unit: 'mg' } }, 'Not available: held back'),
  row('a unit without its number', { valueQuantity: { ...MASKED, unit: 'mg' } }, 'Not available: held back'),
  row(
    'a unit that its code contradicts',
    { valueQuantity: { ...quantity(7, 'mg/dL'), code: 'mmol/L' } },
    '7 mg/dL (coded as mmol/L)',
  ),
  row('words for the same unit', { valueQuantity: { ...quantity(7, 'ng/mL'), code: 'ug/L' } }, '7 ng/mL'),
  row(
    'words that a code without a display contradicts',
    { valueCodeableConcept: { text: 'Not detected', ...snomed('260373001') } },
    'Not detected (coded as Detected)',
  ),
  row(
    'a pressure in French',
    { component: ['Systolique', 'Diastolique'].map((text, i) => ({ code: { text }, valueInteger: 190 - i })) },
    '190/189',
  ),
  row(
    'practice: a value beside a reason for which there is none',
    { valueQuantity: quantity(5, 'mg/dL'), dataAbsentReason: { text: 'Clotted' } },
    '5 mg/dL (Not available: clotted)',
  ),
  row(
    'US Core: a saturation with the oxygen that was given',
    {
      valueQuantity: quantity(84, '%'),
      component: [{ code: { text: 'Flow' }, valueQuantity: quantity(6, 'L/min') }],
    },
    '84% (Flow: 6 L/min)',
  ),
  row(
    'practice: a value that says nothing beside its components',
    {
      valueString: 'See below',
      component: [{ code: { text: 'K' }, valueQuantity: quantity(7.2, 'mmol/L') }],
    },
    'See below (K: 7.2 mmol/L)',
  ),
  row('practice: two values', { valueQuantity: quantity(3.2, 'S/CO'), valueString: 'positive' }, '3.2 S/CO; positive'),
  row('practice: a unit without a number', { valueQuantity: { unit: 'mg/dL' } }, 'No value'),
  row('practice: words in the place of a unit', { valueQuantity: { unit: 'hemolyzed' } }, 'hemolyzed'),
  row('practice: an empty text', { valueString: '' }, 'No value'),
  row(
    'practice: a blank text with a reason',
    { valueString: ' ', dataAbsentReason: { text: 'Clotted' } },
    'Not available: clotted',
  ),
  row('SNOMED CT: an answer without a display', { valueCodeableConcept: snomed('10828004') }, 'Positive'),
  row(
    'SNOMED CT: another code without a display',
    { valueCodeableConcept: snomed('1') },
    'code 1 (SNOMED CT), without a name',
  ),
  row(
    'practice: the text contradicts the code',
    { valueCodeableConcept: { text: 'Not detected', coding: [{ display: 'Detected' }] } },
    'Not detected (coded as Detected)',
  ),
  row(
    'practice: the text says the same in other words',
    { valueCodeableConcept: { text: 'Pos', coding: [{ display: 'Positive' }] } },
    'Pos',
  ),
  row('R5: a reference', { valueReference: { display: 'Pump 3' } }, 'Pump 3'),
  row('DSTU2: a date', { valueDate: '2024-01-01' }, '2024-01-01'),
  row('practice: a number of another type', { valueDecimal: 3.2 }, '3.2'),
  row('FHIR: a negative range', { valueRange: { low: quantity(-2), high: quantity(2, 'mmol/L') } }, '-2 – 2 mmol/L'),
  row('FHIR: a range with a comparator', { valueRange: { high: quantity(5, '/[HPF]', '<') } }, '< 5 /[HPF]'),
  row(
    'practice: a pressure with a comparator',
    pressure(quantity(200, 'mmHg', '>'), quantity(130, 'mmHg')),
    '> 200/130 mmHg',
  ),
  row('practice: a pressure in two units', pressure(quantity(28, 'kPa'), quantity(100, 'mmHg')), '28 kPa / 100 mmHg'),
  row('practice: a pressure without a unit', pressure(quantity(210), quantity(130)), '210/130'),
  row(
    'practice: the mean beside both numbers',
    pressure(quantity(210, 'mmHg'), quantity(100, 'mmHg'), {
      code: { text: 'Mean' },
      valueQuantity: quantity(137, 'mmHg'),
    }),
    '210/100 mmHg (Mean: 137 mmHg)',
  ),
  row(
    'practice: both numbers by name, as integers',
    {
      component: [
        { code: { text: 'Systolisch' }, valueInteger: 210 },
        { code: { text: 'Diastolisch' }, valueInteger: 130 },
      ],
    },
    '210/130',
  ),
  row(
    'practice: one number is missing, with its reason',
    {
      component: [
        { code: loinc('8480-6'), dataAbsentReason: { text: 'not heard' } },
        half('8462-4', quantity(130, 'mmHg')),
      ],
    },
    '—/130 mmHg (Not available: not heard)',
  ),
  row(
    'LOINC: vital signs without a display have their names',
    { component: [{ code: loinc('8867-4'), valueQuantity: quantity(70, '/min') }] },
    'Heart rate: 70 /min',
  ),
];
