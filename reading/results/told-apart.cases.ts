//! Cases of results of one name: which are one test, and what is said of the second one.

import type { Observation, Resource } from '../fhir/types.ts';

export interface ApartCase {
  from: string;
  one: Partial<Observation>;
  other: Partial<Observation>;
  isOne: boolean;
  /** The words about the other result. */
  says: string[];
}

/** Records to which the results refer without a display. */
export const TARGETS: Readonly<Record<string, Resource & Record<string, unknown>>> = {
  'Patient/donor': { resourceType: 'Patient', id: 'donor', name: [{ text: 'Dana Donor' }] },
  'Specimen/serum': { resourceType: 'Specimen', id: 'serum', type: { text: 'Serum' } },
  'Specimen/serum-2': { resourceType: 'Specimen', id: 'serum-2', type: { text: 'serum' } },
  'Specimen/bad': {
    resourceType: 'Specimen',
    id: 'bad',
    status: 'unsatisfactory',
    type: { text: 'Serum' },
    condition: [{ text: 'Haemolysed' }],
  },
  'Specimen/throat': {
    resourceType: 'Specimen',
    id: 'throat',
    type: { text: 'Swab' },
    collection: { bodySite: { text: 'Throat' } },
  },
  'Specimen/wound': {
    resourceType: 'Specimen',
    id: 'wound',
    type: { text: 'Swab' },
    collection: { bodySite: { text: 'Wound' } },
  },
  'Specimen/of-donor': {
    ...{ resourceType: 'Specimen', id: 'of-donor', type: { text: 'Serum' }, subject: { reference: 'Patient/donor' } },
  },
  'Specimen/own': {
    ...{ resourceType: 'Specimen', id: 'own', type: { text: 'Serum' }, subject: { reference: 'https://x/Patient/p' } },
  },
  'Specimen/line': {
    resourceType: 'Specimen',
    id: 'line',
    type: { text: 'Blood' },
    collection: { method: { text: 'Central line' }, fastingStatusCodeableConcept: { text: 'Fasting' } },
  },
  'BodyStructure/le': {
    resourceType: 'BodyStructure',
    id: 'le',
    location: { text: 'Eye' },
    locationQualifier: [{ text: 'left' }],
  },
  'Condition/breast': { resourceType: 'Condition', id: 'breast', code: { text: 'Cancer of the breast' } },
  'Device/a': { resourceType: 'Device', id: 'a', deviceName: [{ name: 'Analyser A' }] },
};

const of = (text: string) => ({ text });
const row = (
  from: string,
  one: Partial<Observation>,
  other: Partial<Observation>,
  isOne: boolean,
  ...says: string[]
): ApartCase => ({ from, one, other, isOne, says });
const to = (reference: string) => ({ reference });
const focus = (...all: unknown[]): Partial<Observation> => ({ focus: all });
const FOCUS_CODE = 'http://hl7.org/fhir/StructureDefinition/observation-focusCode';
const inExtension = (value: object): Partial<Observation> & { extension: object[] } => ({
  extension: [{ url: FOCUS_CODE, ...value }],
});
const SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';
const inSite = (reference: string) => ({ extension: [{ url: SITE, valueReference: { reference } }] });
const LATERAL = 'http://hl7.org/fhir/us/mcode/StructureDefinition/mcode-laterality-qualifier';
const left = { extension: [{ url: LATERAL, valueCodeableConcept: { coding: [{ code: '7771000' }] } }] };

/** A result with a code of a system. */
const coded = (system: string, code: string): Partial<Observation> => ({ code: { coding: [{ system, code }] } });
const LOINC = 'http://loinc.org';
const named = (text: string): Partial<Observation> => ({ code: { text, coding: [{ system: LOINC, code: '1' }] } });

export const APART_CASES: readonly ApartCase[] = [
  row('nothing is said of either', {}, {}, true),
  row('about a donor', {}, focus({ ...to('Patient/donor'), display: 'Kidney donor' }), false, 'about: Kidney donor'),
  row('a donor by reference', {}, focus(to('Patient/donor')), false, 'about: Dana Donor'),
  row(
    'by an absolute one',
    focus(to('Patient/donor')),
    focus(to('https://x.example/Patient/donor')),
    true,
    'about: Dana Donor',
  ),
  row('by display alone', {}, focus({ display: 'Fetus' }), false, 'about: Fetus'),
  row('by identifier', {}, focus({ identifier: { value: 'D-7' } }), false, 'about: D-7'),
  row('a record that is not there', {}, focus(to('RelatedPerson/x')), false, 'about: Related person x'),
  row('not as FHIR has it', {}, { focus: { display: 'Fetus' } }, false, 'about: Fetus'),
  row('words', {}, { focus: 'Fetus' }, false, 'about: Fetus'),
  row('nothing readable', {}, focus({}), false, 'about: Unnamed'),
  row('by an extension', {}, inExtension({ valueCodeableConcept: { text: 'Fetus' } }), false, 'about: Fetus'),
  row('a reference there', {}, inExtension({ valueReference: { display: 'Donor' } }), false, 'about: Donor'),
  row('two fetuses', focus({ display: 'Twin A' }), focus({ display: 'Twin B' }), false, 'about: Twin B'),
  row('a tumour', focus(to('Condition/colon')), focus(to('Condition/breast')), false, 'about: Cancer of the breast'),
  row('two at once', {}, focus({ display: 'A' }, { display: 'B' }), false, 'about: A, B'),
  row('the patient', {}, focus(to('Patient/p')), true),
  row('a fetus in the name', {}, { code: of('Fetal heart rate') }, false, 'about: fetus'),
  row('a fetus at the site', {}, { bodySite: of('Fetus A') }, false, 'about: fetus', 'Site: Fetus A'),
  row('a baby in a part', {}, { component: [{ code: of('Measured on'), valueString: 'baby' }] }, false, 'about: baby'),
  row('a newborn in Spanish', {}, { code: of('Peso del recién nacido') }, false, 'about: newborn'),
  row('fetal haemoglobin', {}, named('Hemoglobin, fetal'), false),
  row('an antibody', named('Donor specific antibody'), named('Antibody of HLA, donor'), true),
  row('a graft', { bodySite: of('Donor site') }, { bodySite: of('donor site') }, true, 'Site: donor site'),
  row('specimens', { specimen: to('Specimen/serum') }, { specimen: { display: 'CSF' } }, false, 'Specimen: CSF'),
  row('one kind', { specimen: to('Specimen/serum') }, { specimen: to('Specimen/serum-2') }, true, 'Specimen: serum'),
  row(
    'a bad specimen',
    { specimen: to('Specimen/serum') },
    { specimen: to('Specimen/bad') },
    false,
    'Specimen: Serum, unsatisfactory, Haemolysed',
  ),
  row('one is said', { specimen: to('Specimen/serum') }, {}, false),
  row('not there', { specimen: to('Specimen/1') }, { specimen: to('Specimen/2') }, true),
  row(
    'swabs of two sites',
    { specimen: to('Specimen/throat') },
    { specimen: to('Specimen/wound') },
    false,
    'Specimen: Swab, Wound',
  ),
  row(
    'a specimen of a donor',
    { specimen: to('Specimen/serum') },
    { specimen: to('Specimen/of-donor') },
    false,
    ...['about: Dana Donor', 'Specimen: Serum'],
  ),
  row(
    'a specimen of the patient',
    { specimen: to('Specimen/serum') },
    { specimen: to('Specimen/own') },
    true,
    'Specimen: Serum',
  ),
  row(
    'how blood was taken',
    { specimen: { display: 'Blood' } },
    { specimen: to('Specimen/line') },
    false,
    'Specimen: Blood, Central line, Fasting',
  ),
  row('a structure', { bodySite: of('Eye') }, inSite('BodyStructure/le'), false, 'Site: Eye, left'),
  row('sites', { bodySite: of('Left eye') }, { bodySite: of('Right eye') }, false, 'Site: Right eye'),
  row('sides', { bodySite: of('Eye') }, { bodySite: { ...of('Eye'), ...left } }, false, 'Site: Eye, left'),
  row('methods', { method: of('Dipstick') }, { method: of('Culture') }, false, 'Method: Culture'),
  row('a side in the name', named('IOP left eye'), named('IOP, right eye'), false),
  row('a side in letters', named('IOP OS'), named('IOP OD'), false),
  row('one side in other words', named('PIO ojo izquierdo'), named('IOP left eye'), true),
  row('a chamber of the heart', named('Left ventricular ejection fraction'), named('LVEF'), true),
  row('fasting and a challenge', named('Glucose, fasting'), named('Glucose, 2 h after 75 g'), false),
  row('fasting or not', named('Glucose, fasting'), named('Glucose, non-fasting'), false),
  row('one time in other words', named('Glucose 2 hours post meal'), named('Glucosa 2h'), true),
  row('other words of one test', named('Glucose'), named('Glucose [Mass/volume] in Serum'), true),
  row('one code of two laboratories', coded('urn:lab-a', '100'), coded('urn:lab-b', '100'), false),
  row('one code of one', coded('urn:lab-a', '100'), coded('urn:lab-a', '100'), true),
  row('LOINC by its OID', coded(LOINC, '2345-7'), coded('urn:oid:2.16.840.1.113883.6.1', '2345-7'), true),
  row('SNOMED CT by its OID', coded('http://snomed.info/sct', '1'), coded('urn:oid:2.16.840.1.113883.6.96', '1'), true),
  row('devices', {}, { device: to('Device/a') }, false, 'Device: Analyser A'),
  row('the same device', { device: { display: 'Analyser A' } }, { device: to('Device/a') }, true, 'Device: Analyser A'),
];
