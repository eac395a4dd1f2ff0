//! The section of the chart to which an observation belongs: that of its category, or, if the category is missing, in
//! words, local, or of another kind, that of its code. Each observation has one place.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import type { Coding, Concept, Observation } from '../fhir/types.ts';
import { isLoinc, vitalCodeMeant, vitalCodes } from '../fhir/vital-codes.ts';
import { own } from '../own.ts';
import { namesLabTest } from './names/test-names.ts';
import { LAB_CODES, SOCIAL_CODES, VITAL_CODES } from './observation-codes.ts';
import { dimensionOf } from './values/convert.ts';
import { categoryCodes } from './values/reading.ts';

export type Place = 'vitals' | 'labs' | 'screening' | 'others';

/** The categories of the patient's preferences (US Core). */
export const PREFERENCES = [
  'treatment-intervention-preference',
  'care-experience-preference',
  'observation-adi-documentation',
];
/** The categories of screening and social history. */
export const SCREENING_CATEGORIES = [
  ...['survey', 'sdoh', 'functional-status', 'disability-status', 'cognitive-status', 'social-history'],
  ...PREFERENCES,
];
/** The other categories of FHIR. The author chose such a category deliberately: only a known code overrides it. */
export const OTHER_CATEGORIES = ['exam', 'imaging', 'procedure', 'therapy', 'activity', 'clinical-test'];

/** Categories of other tables that determine a place: sections of LOINC, SNOMED CT, table 0074 of HL7 v2. */
const CODES: Readonly<Record<string, Place>> = {
  ...placed('labs', ['26436-6', '18719-5', '18723-7', '18725-2', '18717-9', '18727-8', '18728-6', '18729-4']),
  ...placed('labs', ['18720-3', '18767-4', '108252007', '15220000', 'lab']),
  ...placed('vitals', ['8716-3', '61746007', 'vital', 'vitals', 'vitalsigns', 'vital-sign']),
  ...placed('screening', ['29762-2', 'social']),
};
function placed(place: Place, codes: readonly string[]): Record<string, Place> {
  return Object.fromEntries(codes.map((code) => [code, place]));
}
/** The sections of a laboratory in table 0074 of HL7 v2. */
const V2_LABS = ['bg', 'blb', 'ch', 'cy', 'ge', 'hm', 'imm', 'mb', 'mcb', 'myc', 'sp', 'sr', 'tx', 'vr'];

const WORDS: readonly [RegExp, Place][] = [
  [
    /^(clinical )?lab(s|oratory|oratorio|oratoire|oratorium)?( (cl[ií]nico|results?|tests?|studies|data|procedure))*$/,
    'labs',
  ],
  [/^(pruebas?|resultados?|ex[aá]menes|analyses|examens?) (de )?laborato(rio|ire)$/, 'labs'],
  [/^labor(atoriums)?(befunde?|werte?|untersuchung(en)?|ergebnisse?|diagnostik)?$/, 'labs'],
  [/^(ha?ematology|microbiology|(clinical |bio)?chemistry|serology|coagulation|urinalysis|virology)$/, 'labs'],
  [/^(toxicology|hematolog[ií]a|microbiolog[ií]a|bioqu[ií]mica|serolog[ií]a|klinische chemie|検体検査)$/, 'labs'],
  [/^(h[äa]matologie|mikrobiologie|serologie|immunology)$/, 'labs'],
  [/^vital[- ]?(signs?|parameters?|werte|zeichen|funktionen)$|^vitals$|^(signos|constantes) vitales$/, 'vitals'],
  [/^signes vitaux$|^sinais vitais$|^vitale (functies|parameters)$|^バイタル(サイン)?$/, 'vitals'],
  [/^social[- ]history$|^survey$|^sozialanamnese$|^(historia|antecedentes) sociale?s?$/, 'screening'],
];

/** Returns the place for a category of another table. */
const placeOfCode = ({ system = '', code = '' }: Coding): Place | undefined => {
  const one = code.trim().toLowerCase();
  return own(CODES, one) ?? (/0074$/.test(system) && V2_LABS.includes(one) ? 'labs' : undefined);
};

/** Returns the place for the categories; `undefined` if none of them determines it. */
function placeOfCategory(o: Observation): Place | undefined {
  const codes = categoryCodes(o);
  if (codes.includes('laboratory')) return 'labs';
  if (codes.includes('vital-signs')) return 'vitals';
  if (codes.some((code) => SCREENING_CATEGORIES.includes(code))) return 'screening';
  const words = (o.category ?? []).flatMap(namesOf);
  const said = WORDS.find(([word]) => words.some((one) => word.test(one)))?.[1];
  if (said || codes.some((code) => OTHER_CATEGORIES.includes(code))) return said;
  return (o.category ?? [])
    .flatMap(({ coding }) => coding ?? [])
    .map(placeOfCode)
    .find(Boolean);
}

const SPECIMEN =
  /\bin (?:\w+ ){0,2}(?:blood|serum|plasma|urine|stool|saliva|sputum|fluid|specimen|semen|isolate|tissue)\b/i;
/** A LOINC property before the specimen, a notation that only LOINC uses. */
const LOINC_NAME = /\[[A-Z#][^\]]*\] in [A-Z]/;
const SHORT_NAME = /\b(SerPl|Ser|Plas|Bld|BldA|BldV|BldC|RBC|WBC|Ur|CSF|Stl|Gast|Sal)-\w+/;
/** The units that are used only for specimens. */
const OF_SPECIMENS = [
  ...['mass-concentration', 'substance-concentration', 'equivalents', 'activity', 'cells', 'osmolality'],
  ...['flow-per-surface', 'sedimentation'],
];

/** Returns whether the LOINC name of a test contains the specimen. */
const namesSpecimen = (code: Concept | undefined): boolean =>
  [code?.text, ...(code?.coding ?? []).map(({ display }) => display)].some((one) => LOINC_NAME.test(one ?? '')) ||
  (code?.coding ?? []).some(
    ({ system, display = '' }) => isLoinc(system) && (SPECIMEN.test(display) || SHORT_NAME.test(display)),
  );

const hasUnitOfSpecimens = (o: Observation): boolean =>
  [o, ...(o.component ?? [])].some(
    ({ valueQuantity: of }) => of !== undefined && OF_SPECIMENS.includes(dimensionOf(of) ?? ''),
  );

/** Returns whether an observation without a value groups vital signs: most of its parts, and at least two. */
function isVitalsPanel({ component = [], valueQuantity, valueString, valueCodeableConcept }: Observation): boolean {
  const signs = component.filter(({ code }) => vitalCodeMeant(code) !== undefined).length;
  const hasValue = valueQuantity !== undefined || valueString !== undefined || valueCodeableConcept !== undefined;
  return !hasValue && signs >= 2 && 2 * signs > component.length;
}

export function placeOf(o: Observation): Place {
  const place = placeOfCategory(o);
  if (place) return place;
  const codes = codesOf(o.code);
  const isAmong = (known: ReadonlySet<string>): boolean => codes.some((code) => known.has(code));
  if (vitalCodes(o.code).some((code) => VITAL_CODES.has(code))) return 'vitals';
  if (isAmong(SOCIAL_CODES)) return 'screening';
  if (isAmong(LAB_CODES) || namesSpecimen(o.code)) return 'labs';
  if (o.specimen === undefined && isVitalsPanel(o)) return 'vitals';
  const isKnownOther = categoryCodes(o).some((code) => OTHER_CATEGORIES.includes(code));
  const isOfLab = o.specimen !== undefined || hasUnitOfSpecimens(o) || namesLabTest(o.code);
  return !isKnownOther && isOfLab ? 'labs' : 'others';
}

export const isSocial = (o: Observation): boolean =>
  categoryCodes(o).includes('social-history') ||
  (categoryCodes(o).every((code) => !SCREENING_CATEGORIES.includes(code)) && placeOf(o) === 'screening');
