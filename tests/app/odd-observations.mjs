// A made-up chart of observations in the forms of other systems: with no or a local category, in other units, with
// texts instead of codes, and with ranges for other people.

import { CATEGORY, person } from './own-files.mjs';

const LOINC = 'http://loinc.org';
const V3 = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';

const category = (code) => [{ coding: [{ system: CATEGORY, code }] }];
const loinc = (code, text) => ({ coding: [{ system: LOINC, code, display: text }], text });
const said = (code) => [{ coding: [{ system: V3, code }] }];
const quantity = (value, unit, more = {}) => ({
  value,
  unit,
  code: unit,
  system: 'http://unitsofmeasure.org',
  ...more,
});
const observation = (id, code, on, more) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code,
  subject: { reference: 'Patient/ada' },
  effectiveDateTime: on,
  ...more,
});
/// Returns an observation of a category with a quantity.
const measured =
  (kind) =>
  (id, code, text, on, [value, unit], more = {}) =>
    observation(id, loinc(code, text), on, { category: category(kind), valueQuantity: quantity(value, unit), ...more });
const [vital, laboratory] = ['vital-signs', 'laboratory'].map(measured);
const half = (code, text, value) => ({ code: loinc(code, text), valueQuantity: quantity(value, 'mm[Hg]') });

export const PATIENT = person('ada', 'Lovelace');

export const OBSERVATIONS = [
  observation('wbc', loinc('6690-2', 'Leukocytes'), '2024-03-05', {
    valueQuantity: quantity(88, '10*3/uL'),
    interpretation: said('HH'),
    referenceRange: [{ low: quantity(4, '10*9/L'), high: quantity(11, '10*9/L') }],
    note: [{ text: 'Told to the ward by telephone' }],
  }),
  observation('pressure-exam', loinc('85354-9', 'Blood pressure panel'), '2023-01-10T09:00:00Z', {
    category: category('exam'),
    component: [half('8480-6', 'Systolic blood pressure', 128), half('8462-4', 'Diastolic blood pressure', 79)],
  }),
  vital('systolic', '8480-6', 'Systolic blood pressure', '2024-03-05T08:00:00Z', [192, 'mm[Hg]']),
  vital('diastolic', '8462-4', 'Diastolic blood pressure', '2024-03-05T08:00:00Z', [96, 'mm[Hg]']),
  vital('oxygen', '59408-5', 'Oxygen saturation', '2024-03-05T08:00:00Z', [82, '%']),
  vital('oxygen-before', '2708-6', 'Oxygen saturation', '2020-03-05T08:00:00Z', [98, '%']),
  vital('temperature', '8310-5', 'Body temperature', '2024-03-05T08:00:00Z', [104.2, '[degF]']),
  vital('temperature-before', '8310-5', 'Body temperature', '2024-01-05T08:00:00Z', [37, 'Cel']),
  observation('pregnancy', loinc('82810-3', 'Pregnancy status'), '2024-03-05', {
    category: [{ coding: [{ system: 'urn:hospital', code: '77', display: 'Ward round' }] }],
    valueCodeableConcept: { text: 'Pregnant' },
  }),
  observation('immunity', loinc('22322-2', 'Hepatitis B surface antibody'), '2024-03-05', {
    category: category('laboratory'),
    valueCodeableConcept: { text: 'Immune' },
    interpretation: said('POS'),
  }),
  laboratory('hemoglobin', '718-7', 'Hemoglobin', '2024-03-05', [12.4, 'g/dL'], {
    referenceRange: [
      { low: quantity(13.5, 'g/dL'), high: quantity(17.5, 'g/dL'), appliesTo: [{ text: 'Male' }] },
      { low: quantity(12, 'g/dL'), high: quantity(15.5, 'g/dL'), appliesTo: [{ text: 'Female' }] },
    ],
  }),
  laboratory('potassium', '2823-3', 'Potassium', '2024-03-05', [6.9, 'mmol/L'], {
    interpretation: said('N'),
    referenceRange: [{ low: quantity(3.5, 'mmol/L'), high: quantity(5.1, 'mmol/L') }],
  }),
  laboratory('sodium', '2951-2', 'Sodium', '2024-03-05', [140, 'mmol/L'], {
    referenceRange: [{ low: quantity(145, 'mmol/L'), high: quantity(135, 'mmol/L') }],
  }),
  laboratory('digoxin', '10535-3', 'Digoxin', '2024-03-05', [0.4, 'ng/mL'], {
    interpretation: [{ text: 'see comment' }],
    referenceRange: [
      {
        low: quantity(0.8, 'ng/mL'),
        high: quantity(2, 'ng/mL'),
        type: { coding: [{ code: 'therapeutic' }], text: 'Therapeutic' },
      },
    ],
  }),
  observation('crp', loinc('1988-5', 'C reactive protein'), '2024-03-05', {
    category: category('laboratory'),
    status: 'preliminary',
    valueQuantity: quantity(5, 'mg/L', { comparator: '<' }),
    referenceRange: [{ high: quantity(10, 'mg/L') }],
  }),
  laboratory('crp-before', '1988-5', 'C reactive protein', '2024-02-05', [1.2, 'mg/dL'], {
    referenceRange: [{ high: quantity(10, 'mg/L') }],
  }),
  observation('gas', loinc('24336-0', 'Gas panel'), '2024-03-05', {
    category: category('laboratory'),
    component: [
      {
        code: loinc('2744-1', 'pH of Arterial blood'),
        valueQuantity: quantity(7.1, '[pH]'),
        interpretation: said('LL'),
        referenceRange: [{ low: { value: 7.35 }, high: { value: 7.45 } }],
      },
      {
        code: loinc('2019-8', 'Carbon dioxide'),
        valueQuantity: quantity(41, 'mm[Hg]'),
        interpretation: said('N'),
        referenceRange: [{ low: { value: 35 }, high: { value: 45 } }],
      },
    ],
  }),
  observation('gait', { text: 'Gait' }, '2024-03-05', {
    category: [{ text: 'Neurology' }],
    valueString: 'Broad-based, unsteady',
    interpretation: said('A'),
  }),
  observation('ecg', loinc('11524-6', 'EKG study'), '2024-03-05', {
    category: category('procedure'),
    valueSampledData: {
      origin: { value: 0, unit: 'mV' },
      period: 4,
      factor: 0.01,
      lowerLimit: -3,
      upperLimit: 3,
      dimensions: 1,
      data: Array.from({ length: 250 }, (_, i) => (i % 50 === 10 ? 110 : Math.round(8 * Math.sin(i / 6)))).join(' '),
    },
  }),
  observation('titer', { text: 'Antinuclear antibody titer' }, '2024-03-05', {
    valueRatio: { numerator: { value: 1 }, denominator: { value: 320 } },
  }),
  observation('disc', { text: 'Cup to disc' }, '2024-03-05', {
    valueRatio: { numerator: { value: 3 }, denominator: { value: 10 } },
  }),
  observation('walk', loinc('64098-7', 'Six minute walk test'), '2024-03-05', {
    category: category('clinical-test'),
    valueRange: { low: quantity(300, 'm'), high: quantity(320, 'm') },
  }),
  observation('waking', { text: 'Time of waking' }, '2024-03-05', {
    category: category('activity'),
    valueTime: '06:40:00',
  }),
  observation('declined', { text: 'Grip strength' }, '2024-03-05', {
    category: category('exam'),
    dataAbsentReason: { coding: [{ code: 'asked-declined' }] },
  }),
  observation('mistake', { text: 'Reflexes' }, '2024-03-05', {
    category: category('exam'),
    status: 'entered-in-error',
    valueString: 'Absent',
    interpretation: said('AA'),
  }),
];
