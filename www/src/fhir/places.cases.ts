//! Cases of places of observations: the category, else LOINC, else what a laboratory alone measures.

import type { Place } from './observation-place.ts';
import type { Observation } from './types.ts';

export interface PlaceCase {
  from: string;
  of: Partial<Observation>;
  place: Place;
}

const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const of = (code: string) => ({ coding: [{ system: CATEGORY, code }] });
const loinc = (code: string, display?: string) => ({
  code: { coding: [{ system: 'http://loinc.org', code, ...(display ? { display } : {}) }] },
});
const local = { coding: [{ system: 'urn:hospital', code: '77', display: 'Ward round' }] };
const row = (from: string, observation: Partial<Observation>, place: Place): PlaceCase => ({
  from,
  of: observation,
  place,
});

export const PLACE_CASES: readonly PlaceCase[] = [
  row('FHIR: laboratory', { category: [of('laboratory')], code: { text: 'x' } }, 'labs'),
  row('FHIR: vital-signs', { category: [of('vital-signs')], code: { text: 'x' } }, 'vitals'),
  row('FHIR: survey', { category: [of('survey')] }, 'screening'),
  row('FHIR: social-history', { category: [of('social-history')] }, 'screening'),
  row('US Core: sdoh', { category: [of('sdoh')] }, 'screening'),
  row('FHIR: two categories have one place', { category: [of('survey'), of('laboratory')] }, 'labs'),
  row('FHIR: exam', { category: [of('exam')], ...loinc('32465-7') }, 'others'),
  row('FHIR: imaging', { category: [of('imaging')], ...loinc('18782-3') }, 'others'),
  row('FHIR: procedure', { category: [of('procedure')], ...loinc('8601-7') }, 'others'),
  row('FHIR: therapy', { category: [of('therapy')] }, 'others'),
  row('FHIR: activity', { category: [of('activity')], ...loinc('41950-7') }, 'others'),
  row('US Core: clinical-test', { category: [of('clinical-test')], ...loinc('64098-7') }, 'others'),
  row('LOINC: blood pressure of an exam', { category: [of('exam')], ...loinc('85354-9') }, 'vitals'),
  row('LOINC: a pulse without a category', loinc('8867-4'), 'vitals'),
  row('LOINC: leukocytes without a category', loinc('6690-2'), 'labs'),
  row('LOINC: leukocytes of a procedure', { category: [of('procedure')], ...loinc('6690-2') }, 'labs'),
  row('LOINC: the panel of a blood count', loinc('58410-2'), 'labs'),
  row('LOINC: smoking status without a category', loinc('72166-2'), 'screening'),
  row('LOINC: pregnancy of a local category', { category: [local], ...loinc('82810-3') }, 'screening'),
  row('LOINC: the expected date of birth', loinc('11778-8'), 'screening'),
  row('LOINC: a name that says the specimen', loinc('99999-9', 'Zinc [Mass/volume] in Serum or Plasma'), 'labs'),
  row('LOINC: a short name', loinc('99999-9', 'Zinc SerPl-mCnc'), 'labs'),
  row('SNOMED CT: a heart rate', { code: { coding: [{ code: '364075005' }] } }, 'vitals'),
  row('practice: laboratory in words', { category: [{ text: 'Laboratory' }] }, 'labs'),
  row('practice: vital signs in words', { category: [{ text: 'Vital Signs' }] }, 'vitals'),
  row(
    'practice: a local category, named',
    { category: [{ coding: [{ system: 'urn:h', code: '1', display: 'Lab' }] }] },
    'labs',
  ),
  row('practice: a local category', { category: [local], code: { text: 'Gait' } }, 'others'),
  row('practice: a specimen', { specimen: { reference: 'Specimen/1' }, code: { text: 'Urine culture' } }, 'labs'),
  row(
    'practice: a unit of laboratories',
    { code: { text: 'Zinc' }, valueQuantity: { value: 1, unit: 'umol/L' } },
    'labs',
  ),
  row(
    'practice: cells in a component',
    { code: { text: 'Count' }, component: [{ valueQuantity: { value: 1, unit: 'K/uL' } }] },
    'labs',
  ),
  row(
    'practice: a unit of laboratories at an exam',
    { category: [of('exam')], valueQuantity: { value: 1, unit: 'mg/dL' } },
    'others',
  ),
  row('practice: nothing is said', { code: { text: 'Note' }, valueString: 'x' }, 'others'),
  row('a record without anything', {}, 'others'),
  row(
    'a name of JavaScript',
    { category: [{ text: 'constructor' }], code: { coding: [{ code: 'toString' }] } },
    'others',
  ),
];
