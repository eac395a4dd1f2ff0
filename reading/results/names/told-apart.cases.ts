//! Cases of results of one name: which are one test, and what is said of the second one.

import type { Observation, Resource } from '../../fhir/types.ts';

export interface ApartCase {
  from: string;
  one: Partial<Observation>;
  other: Partial<Observation>;
  isOne: boolean;
  /** The words about the other result. */
  says: string[];
}

const of = (text: string) => ({ text });
const specimen = (id: string, type: string, more: object = {}) => ({
  [`Specimen/${id}`]: { resourceType: 'Specimen', id, type: of(type), ...more },
});

/** Records to which the results refer without a display. */
export const TARGETS: Readonly<Record<string, Resource & Record<string, unknown>>> = {
  'Patient/donor': { resourceType: 'Patient', id: 'donor', name: [{ text: 'Dana Donor' }] },
  ...specimen('serum', 'Serum'),
  ...specimen('serum-2', 'serum'),
  ...specimen('bad', 'Serum', { status: 'unsatisfactory', condition: [of('Haemolysed')] }),
  ...specimen('error', 'Serum', { status: 'entered-in-error' }),
  ...specimen('noted', 'Serum', { note: [{ text: 'Late in the laboratory' }] }),
  ...specimen('throat', 'Swab', { collection: { bodySite: of('Throat') } }),
  ...specimen('wound', 'Swab', { collection: { bodySite: of('Wound') } }),
  ...specimen('of-donor', 'Serum', { subject: { reference: 'Patient/donor' } }),
  ...specimen('of-baby', 'Serum', { subject: { display: 'Newborn of Probe' } }),
  ...specimen('own', 'Serum', { subject: { reference: 'https://x.example/Patient/p' } }),
  ...specimen('line', 'Blood', { collection: { method: of('Line'), fastingStatusCodeableConcept: of('Fasting') } }),
  'BodyStructure/le': { resourceType: 'BodyStructure', id: 'le', location: of('Eye'), locationQualifier: of('left') },
  'Condition/breast': { resourceType: 'Condition', id: 'breast', code: { text: 'Cancer of the breast' } },
  'Device/a': { resourceType: 'Device', id: 'a', deviceName: [{ name: 'Analyser A' }] },
};

const row = (
  from: string,
  one: Partial<Observation>,
  other: Partial<Observation>,
  isOne: boolean,
  ...says: string[]
): ApartCase => ({ from, one, other, isOne, says });
const from = (id: string) => ({ specimen: to(`Specimen/${id}`) });
const to = (reference: string) => ({ reference });
const focus = (...all: unknown[]): Partial<Observation> => ({ focus: all });
const FOCUS_CODE = 'http://hl7.org/fhir/StructureDefinition/observation-focusCode';
const inExtension = (value: object): Partial<Observation> & { extension: object[] } => ({
  extension: [{ url: FOCUS_CODE, ...value }],
});
const SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';
const inSite = (reference: string): object => ({ extension: [{ url: SITE, valueReference: { reference } }] });
const LATERAL = 'http://hl7.org/fhir/us/mcode/StructureDefinition/mcode-laterality-qualifier';
const left = { extension: [{ url: LATERAL, valueCodeableConcept: { coding: [{ code: '7771000' }] } }] };

/** A result with words of this kind in a component. */
const part = (name: string, valueString: string) => ({ component: [{ code: of(name), valueString }] });

/** A result with the position of the body in an extension. */
const position = (text: string): object => ({
  extension: [
    { url: 'http://hl7.org/fhir/StructureDefinition/observation-bodyPosition', valueCodeableConcept: of(text) },
  ],
});

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
  row('a fetus in German', {}, { code: of('Herzfrequenz des Feten') }, false, 'about: fetus'),
  row('a fetus in French', {}, { code: of('Fréquence cardiaque fœtale') }, false, 'about: fetus'),
  row('a partner', {}, { code: of('Blood group of husband') }, false, 'about: partner'),
  row('a patient with one', {}, { code: of('Lives with partner') }, false),
  row('a fetus in the method', {}, { method: of('Fetal Doppler') }, false, 'about: fetus', 'Method: Fetal Doppler'),
  row('one of twins', named('Heart rate'), named('Twin B heart rate'), false, 'about: baby'),
  row('a mother, who may be the patient', named('Blood group'), named("Mother's blood group"), false),
  row('fetal haemoglobin', {}, named('Hemoglobin, fetal'), false),
  row('an antibody', named('Donor specific antibody'), named('Antibody of HLA, donor'), true),
  row('a graft', { bodySite: of('Donor site') }, { bodySite: of('donor site') }, true, 'Site: donor site'),
  row('specimens', from('serum'), { specimen: { display: 'CSF' } }, false, 'Specimen: CSF'),
  row('one kind', from('serum'), from('serum-2'), true, 'Specimen: serum'),
  row('a bad specimen', from('serum'), from('bad'), false, 'Specimen: Serum, unsatisfactory, Haemolysed'),
  row('one in error', from('serum'), from('error'), false, 'Specimen: Serum, entered in error'),
  row('one is said', from('serum'), {}, false),
  row('not there', from('1'), from('2'), true),
  row('swabs of two sites', from('throat'), from('wound'), false, 'Specimen: Swab, Wound'),
  row('a specimen of a donor', from('serum'), from('of-donor'), false, 'about: Dana Donor', 'Specimen: Serum'),
  row('about that specimen', {}, focus(to('Specimen/of-donor')), false, 'about: Serum (about: Dana Donor)'),
  row('by its words', from('serum'), from('of-baby'), false, 'about: Newborn of Probe', 'Specimen: Serum'),
  row(
    'a specimen with a display',
    from('serum'),
    { specimen: { ...to('Specimen/of-donor'), display: 'Serum' } },
    false,
    ...['about: Dana Donor', 'Specimen: Serum'],
  ),
  row('a specimen of the patient', from('serum'), from('own'), true, 'Specimen: Serum'),
  row('how blood was taken', { specimen: { display: 'Blood' } }, from('line'), false, 'Specimen: Blood, Line, Fasting'),
  row('a structure', { bodySite: of('Eye') }, inSite('BodyStructure/le'), false, 'Site: Eye, left'),
  row('sites', { bodySite: of('Left eye') }, { bodySite: of('Right eye') }, false, 'Site: Right eye'),
  row('sides', { bodySite: of('Eye') }, { bodySite: { ...of('Eye'), ...left } }, false, 'Site: Eye, left'),
  row('sides in parts', part('Laterality', 'Left'), part('Laterality', 'Right'), false, 'Site: Right'),
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
  row('positions', position('Supine'), position('Standing'), false, 'Position: Standing'),
  row('a position in a part', {}, part('Body position', 'Standing'), false, 'Position: Standing'),
  row('devices', {}, { device: to('Device/a') }, false, 'Device: Analyser A'),
  row('the same device', { device: { display: 'Analyser A' } }, { device: to('Device/a') }, true, 'Device: Analyser A'),
];
