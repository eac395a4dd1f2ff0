// A record of tens of thousands of observations: 99 laboratory tests, one of them with 1,000 results, and the vital
// signs of decades.

import { CATEGORY, line, person } from './own-files.mjs';

const TESTS = 99;
/// The number of results of the most frequent test.
export const OF_ONE_TEST = 1_000;
const VITALS = [
  ['8867-4', 'Heart rate', '/min', 60],
  ['29463-7', 'Body weight', 'kg', 70],
  ['8310-5', 'Body temperature', 'Cel', 36],
];

const observation = (id, patient, { category, code, name, unit, value, day }) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ system: CATEGORY, code: category }] }],
  code: { coding: [{ system: 'http://loinc.org', code, display: name }] },
  subject: { reference: `Patient/${patient}` },
  effectiveDateTime: new Date(Date.UTC(2023, 11, 31) - day * 86_400_000).toISOString(),
  valueQuantity: { value, unit, system: 'http://unitsofmeasure.org', code: unit },
});

/// Returns `count` observations of one patient as NDJSON. Of five, four are laboratory results and one is a vital sign.
export function wideRecord(patient, count) {
  const lines = [line(person(patient, 'Wide'))];
  for (let i = 0; i < count; i += 1) {
    const [code, name, unit, base] = VITALS[i % VITALS.length];
    const value = base + (i % 19);
    const vital = { category: 'vital-signs', code, name, unit, value, day: i / 4 };
    // The first test has the first 1,000 results, and the other tests share the rest.
    const test = i < OF_ONE_TEST * 1.25 ? 0 : i % TESTS;
    const result = {
      category: 'laboratory',
      code: test === 0 ? '4548-4' : `${1000 + test}-1`,
      name: test === 0 ? 'Hemoglobin A1c' : `Analyte ${test} [Mass/volume] in Serum or Plasma`,
      unit: 'mg/dL',
      value: 50 + ((i * 7) % 100),
      day: i / 4,
    };
    const made = observation(`wide-${i}`, patient, i % 5 === 4 ? vital : result);
    if (i % 5 !== 4) made.referenceRange = [{ low: { value: 60, unit: 'mg/dL' }, high: { value: 130, unit: 'mg/dL' } }];
    lines.push(line(made));
  }
  return lines.join('');
}

const text = (words) => ({ text: words });
const measure = (category, n) => ({
  status: 'final',
  category: [{ coding: [{ system: CATEGORY, code: category }] }],
  code: text(`Measure ${category} ${n}`),
  effectiveDateTime: '2021-05-04',
  valueQuantity: { value: 10 + (n % 90), unit: 'mg' },
});

/// Functions that make records by section. Each record has its own row, tile or article there.
const OF_SECTIONS = {
  problems: (n) => ({
    resourceType: 'Condition',
    clinicalStatus: {
      coding: [{ code: 'active', system: 'http://terminology.hl7.org/CodeSystem/condition-clinical' }],
    },
    code: text(`Condition ${n}`),
    onsetDateTime: '2019-02-01',
  }),
  immunizations: (n) => ({
    resourceType: 'Immunization',
    status: 'completed',
    vaccineCode: text(`Vaccine ${n}`),
    occurrenceDateTime: '2015-03-02',
  }),
  vitals: (n) => ({ resourceType: 'Observation', ...measure('vital-signs', n) }),
  labs: (n) => ({ resourceType: 'Observation', ...measure('laboratory', n) }),
  procedures: (n) => ({
    resourceType: 'Procedure',
    status: 'completed',
    code: text(`Procedure ${n}`),
    performedDateTime: '2018-01-01',
  }),
  plan: (n) => ({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title: `Plan ${n}`,
    period: { start: '2020-01-01' },
  }),
};
/// The sections with many rows, and the number of rows in each.
export const WIDE_SECTIONS = Object.keys(OF_SECTIONS);
export const ROWS = 1_000;

/// Returns the records of these sections as NDJSON.
export const manyRows = (patient) =>
  Object.entries(OF_SECTIONS)
    .flatMap(([section, of]) =>
      Array.from({ length: ROWS }, (_, n) => {
        const { resourceType, ...more } = of(n);
        const whose = resourceType === 'Immunization' ? 'patient' : 'subject';
        return line({ resourceType, id: `${section}-${n}`, [whose]: { reference: `Patient/${patient}` }, ...more });
      }),
    )
    .join('');
