//! Cases of places of observations: by category, or else by LOINC, or else by names that only laboratories use.

import type { Observation } from '../fhir/types.ts';
import type { Place } from './observation-place.ts';

export interface PlaceCase {
  from: string;
  of: Partial<Observation>;
  place: Place;
}

const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const of = (code: string) => ({ coding: [{ system: CATEGORY, code }] });
const v2 = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code }],
});
const coded = (code: string) => ({ coding: [{ code }] });
const loinc = (code: string, display?: string) => ({
  code: { coding: [{ system: 'http://loinc.org', code, ...(display ? { display } : {}) }] },
});
const SNOMED = 'http://snomed.info/sct';
const part = (code: string) => ({ code: { coding: [{ system: SNOMED, code }] }, valueQuantity: { value: 1 } });
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
  row('LOINC: a name that says the specimen', loinc('99999-9', 'Zinc [Mass/volume] in Serum or Plasma'), 'labs'),
  row(
    'SNOMED CT: a physical examination with a blood pressure, a pulse and a finding in its parts',
    {
      code: { coding: [{ system: SNOMED, code: '363788007' }] },
      component: [
        ...['271649006', '271650006', '78564009'].map(part),
        { code: { text: 'Gait' }, valueString: 'steady' },
      ],
    },
    'vitals',
  ),
  row(
    'names: an examination of which most parts are no vital signs',
    { code: { text: 'Examination' }, component: [part('78564009'), part('386725007'), ...['a', 'b'].map(part)] },
    'others',
  ),
  row(
    'SNOMED CT: a score of its own with vital signs in its parts',
    {
      code: { text: 'Early warning score' },
      valueQuantity: { value: 3 },
      component: ['78564009', '86290005'].map(part),
    },
    'others',
  ),
  row(
    'SNOMED CT: vital signs in the parts of a laboratory test',
    { ...loinc('24338-6'), specimen: {}, component: ['386725007', '86290005'].map(part) },
    'labs',
  ),
  row('SNOMED CT: a heart rate', { code: { coding: [{ code: '364075005' }] } }, 'vitals'),
  row('practice: laboratory in words', { category: [{ text: 'Laboratory' }] }, 'labs'),
  row(
    'practice: a local category, named',
    { category: [{ coding: [{ system: 'urn:h', code: '1', display: 'Lab' }] }] },
    'labs',
  ),
  row('practice: a local category', { category: [local], code: { text: 'Gait' } }, 'others'),
  row('practice: a specimen', { specimen: { reference: 'Specimen/1' }, code: { text: 'Urine culture' } }, 'labs'),
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
  row('practice: a category in capitals', { category: [of('Laboratory')], code: { text: 'x' } }, 'labs'),
  row('HL7 v2 0074: a laboratory', { category: [v2('LAB')], code: { text: 'x' } }, 'labs'),
  row('HL7 v2 0074: cardiac ultrasound', { category: [v2('CUS')], code: { text: 'x' } }, 'others'),
  row('LOINC: the section of vital signs', { category: [coded('8716-3')], code: { text: 'x' } }, 'vitals'),
  row('SNOMED CT: a laboratory procedure', { category: [coded('108252007')], code: { text: 'x' } }, 'labs'),
  row('practice: German', { category: [{ text: 'Laborbefund' }], code: { text: 'x' } }, 'labs'),
  row('practice: a branch of the laboratory', { category: [{ text: 'Microbiology' }], code: { text: 'x' } }, 'labs'),
  row('practice: words of a laboratory beside exam', { category: [of('exam'), { text: 'Laboratory' }] }, 'labs'),
  row('practice: the antigen by its short name', { code: { text: 'HBsAg' }, valueString: 'positive' }, 'labs'),
  row('practice: INR without a unit', { code: { text: 'INR' }, valueQuantity: { value: 5.6 } }, 'labs'),
  row('practice: a culture', { code: { text: 'Blood culture' }, valueString: 'no growth' }, 'labs'),
  row('practice: a name of LOINC in the text', { code: { text: 'Zinc [Mass/volume] in Serum' } }, 'labs'),
  row('LOINC: the antigen without a display', loinc('5196-1'), 'labs'),
  row('practice: filtration', { code: { text: 'x' }, valueQuantity: { value: 12, unit: 'mL/min/1.73m2' } }, 'labs'),
  row('practice: a vital sign by its name', { code: { text: 'SpO2' } }, 'vitals'),
  row('ISO 11073: a pulse of a device', { code: { coding: [{ code: '147842' }] } }, 'vitals'),
  row('practice: another heart rate by name', { code: { text: 'Fetal heart rate' } }, 'others'),
  row('practice: childbirth is no laboratory', { category: [{ text: 'Labor and delivery' }] }, 'others'),
  row('a record without anything', {}, 'others'),
  row(
    'a name of JavaScript',
    { category: [{ text: 'constructor' }], code: { coding: [{ code: 'toString' }] } },
    'others',
  ),
];
