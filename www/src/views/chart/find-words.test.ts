import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Observation, Resource } from '#reading/fhir/types.ts';
import { ENGLISH, Words } from '#reading/language/words.ts';
import { groupsOf } from '#reading/results/panels/test-groups.ts';
import { spanish } from '../../language/es/catalogue.ts';
import { pageLanguage } from '../../language/language.ts';
import { testsNamed, wordsFor } from './find-words.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

const order = {
  resourceType: 'MedicationRequest',
  id: 'm',
  status: 'on-hold',
  intent: 'order',
  medicationReference: { reference: 'Medication/x' },
  dosageInstruction: [
    {
      timing: { repeat: { frequency: 1, period: 1, periodUnit: 'wk', dayOfWeek: ['mon'] } },
      doseAndRate: [{ doseQuantity: { value: 15, unit: 'mg' } }],
    },
  ],
} as Resource;
const medication = { resourceType: 'Medication', id: 'x', code: { text: 'Methotrexate' } } as Resource;
const spaced = (words: string[] | undefined): string[] | undefined =>
  words?.map((one) => one.replaceAll('\u00a0', ' '));

test('the words of a record are those that a reader sees, in the language of the page', () => {
  assert.deepEqual(spaced(wordsFor(order, [medication])), [
    'MedicationRequest/m',
    'Methotrexate',
    '15 mg, once a week, on Monday',
    'On hold',
    'on hold',
  ]);
  pageLanguage.value = new Words({ language: 'es', locale: 'es-MX', catalogue: spanish });
  assert.deepEqual(spaced(wordsFor(order, [medication]))?.slice(2), [
    '15 mg, una vez por semana, los lunes',
    'En pausa',
    'en pausa',
  ]);
});

test('a refuted problem and a preliminary result have their words, and a plain result has none', () => {
  const refuted = {
    resourceType: 'Condition',
    id: 'c',
    code: { text: 'Gout' },
    verificationStatus: { coding: [{ code: 'refuted' }] },
  } as Resource;
  assert.ok(wordsFor(refuted, [])?.includes('refuted'));
  const result = (status: string): Resource => ({ resourceType: 'Observation', id: 'o', status }) as Resource;
  assert.deepEqual(wordsFor(result('preliminary'), []), ['Observation/o', '', 'preliminary']);
  assert.equal(wordsFor(result('final'), []), undefined);
});

test('a result has the words of whom it is about, and of its specimen', () => {
  pageLanguage.value = ENGLISH;
  const elements = { focus: [{ display: 'Kidney donor' }], specimen: { display: 'Serum' } };
  const result = { ...elements, resourceType: 'Observation', id: 'o', status: 'final' } as Resource;
  assert.deepEqual(wordsFor(result, []), ['Observation/o', '', 'about: Kidney donor', 'Specimen: Serum']);
});

test('a test that panels alone have is found, and one of two of a name says its specimen and is found by it', () => {
  pageLanguage.value = ENGLISH;
  const loinc = (code: string, display: string) => ({ coding: [{ system: 'http://loinc.org', code, display }] });
  const observations = ['2024-01-02', '2024-02-03'].flatMap((on, i): Observation[] => {
    const of = (id: string, more: Partial<Observation>): Observation => ({
      resourceType: 'Observation',
      id: `${id}-${i}`,
      status: 'final',
      effectiveDateTime: on,
      ...more,
    });
    const glucose = { code: { text: 'Glucose' }, valueQuantity: { value: 5, unit: 'mmol/L' } };
    return [
      of('signs', {
        code: loinc('85353-1', 'Vital signs panel'),
        component: [
          { code: loinc('8867-4', 'Heart rate'), valueQuantity: { value: 70, unit: '/min' } },
          { code: loinc('8310-5', 'Body temperature'), valueQuantity: { value: 37, unit: 'Cel' } },
        ],
      }),
      of('serum', { ...glucose, specimen: { display: 'Serum' } }),
      of('fluid', { ...glucose, specimen: { display: 'Cerebrospinal fluid' } }),
    ];
  });
  const found = (text: string): string[] =>
    testsNamed(text, groupsOf(ENGLISH, observations)).map(({ name, apart, count }) => `${name}: ${apart}: ${count}`);
  assert.deepEqual(found('heart'), ['Heart rate: : 2']);
  assert.deepEqual(found('glucose'), ['Glucose: Specimen: Serum: 2', 'Glucose: Specimen: Cerebrospinal fluid: 2']);
  assert.deepEqual(found('glúcose cerebro'), ['Glucose: Specimen: Cerebrospinal fluid: 2']);
  assert.deepEqual(found('glucose urine'), []);
});
