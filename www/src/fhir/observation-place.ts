//! The section of the chart to which an observation belongs: that of its category, or, where the category is missing,
//! in words, local, or of another kind, the one that its code tells. Each observation has one place.

import { dimensionOf } from './convert.ts';
import { LAB_CODES, SOCIAL_CODES, VITAL_CODES } from './observation-codes.ts';
import { categoryCodes } from './reading.ts';
import type { Concept, Observation } from './types.ts';

export type Place = 'vitals' | 'labs' | 'screening' | 'others';

/** What the patient prefers (US Core). */
export const PREFERENCES = [
  'treatment-intervention-preference',
  'care-experience-preference',
  'observation-adi-documentation',
];
/** The categories of screening and social history. */
export const SCREENING_CATEGORIES = [
  'survey',
  'sdoh',
  'functional-status',
  'disability-status',
  'cognitive-status',
  'social-history',
  ...PREFERENCES,
];
/** The other categories of FHIR. Whoever writes one has chosen it: only a code that is known moves the observation. */
export const KNOWN_OTHERS = ['exam', 'imaging', 'procedure', 'therapy', 'activity', 'clinical-test'];

const WORDS: readonly [RegExp, Place][] = [
  [/^lab(s|oratory|oratorio|oratory results?)?$/, 'labs'],
  [/^vital[- ]?signs?$|^vitals$|^signos vitales$/, 'vitals'],
  [/^social[- ]history$|^survey$/, 'screening'],
];

const wordsOf = ({ text, coding = [] }: Concept): string[] =>
  [text, ...coding.map(({ display }) => display)].flatMap((one) => one?.trim().toLowerCase() || []);

/** The place by the categories; nothing where none of them tells it. */
function placeOfCategory(o: Observation): Place | undefined {
  const codes = categoryCodes(o);
  if (codes.includes('laboratory')) return 'labs';
  if (codes.includes('vital-signs')) return 'vitals';
  if (codes.some((code) => SCREENING_CATEGORIES.includes(code))) return 'screening';
  if (codes.some((code) => KNOWN_OTHERS.includes(code))) return undefined;
  const words = (o.category ?? []).flatMap(wordsOf);
  return WORDS.find(([word]) => words.some((one) => word.test(one)))?.[1];
}

const codesOf = (code: Concept | undefined): string[] => (code?.coding ?? []).flatMap(({ code: one }) => one ?? []);

const SPECIMEN = /\bin (?:\w+ ){0,2}(?:blood|serum|plasma|urine|stool|saliva|sputum|fluid|specimen|semen)\b/i;
const SHORT_NAME = /\b(SerPl|Ser|Plas|Bld|BldA|BldV|BldC|RBC|WBC|Ur|CSF|Stl|Gast|Sal)-\w+/;
/** The units in which nothing but a specimen is measured. */
const OF_SPECIMENS = [
  'mass-concentration',
  'substance-concentration',
  'equivalents',
  'activity',
  'cells',
  'osmolality',
];

/** Returns whether LOINC's name of a test says in which specimen it is measured. */
const namesSpecimen = (code: Concept | undefined): boolean =>
  (code?.coding ?? []).some(
    ({ system, display = '' }) => system === 'http://loinc.org' && (SPECIMEN.test(display) || SHORT_NAME.test(display)),
  );

const hasUnitOfSpecimens = (o: Observation): boolean =>
  [o, ...(o.component ?? [])].some(
    ({ valueQuantity: of }) => of !== undefined && OF_SPECIMENS.includes(dimensionOf(of) ?? ''),
  );

/** The place of an observation. */
export function placeOf(o: Observation): Place {
  const place = placeOfCategory(o);
  if (place) return place;
  const codes = codesOf(o.code);
  const isAmong = (known: ReadonlySet<string>): boolean => codes.some((code) => known.has(code));
  if (isAmong(VITAL_CODES)) return 'vitals';
  if (isAmong(SOCIAL_CODES)) return 'screening';
  if (isAmong(LAB_CODES) || namesSpecimen(o.code)) return 'labs';
  const isKnownOther = categoryCodes(o).some((code) => KNOWN_OTHERS.includes(code));
  return !isKnownOther && (o.specimen !== undefined || hasUnitOfSpecimens(o)) ? 'labs' : 'others';
}

/** Returns whether an observation is of the social history, by its category or its code. */
export const isSocial = (o: Observation): boolean =>
  categoryCodes(o).includes('social-history') ||
  (categoryCodes(o).every((code) => !SCREENING_CATEGORIES.includes(code)) && placeOf(o) === 'screening');
