//! The sections of the chart to which sections of documents belong, by their LOINC codes, which are those of the
//! International Patient Summary (<https://hl7.org/fhir/uv/ips/>) and of C-CDA.

import type { DocumentSection } from '../../fhir/composition.ts';
import { own } from '../../own.ts';

/** A section of the chart, by its id, and the codes of sections of documents that it stands for. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  allergies: ['48765-2'],
  problems: ['11450-4', '11348-0', '46241-6', '11535-2', '75326-9'],
  medications: ['10160-0', '10183-2', '42346-7', '29549-3', '57828-6', '75311-1'],
  immunizations: ['11369-6'],
  vitals: ['8716-3'],
  labs: ['30954-2', '26436-6', '34530-6'],
  reports: ['11502-2', '18748-4', '55113-5', '18726-0'],
  procedures: ['47519-4', '46264-8', '10216-0'],
  screening: ['29762-2', '47420-5', '47249-8'],
  'other-observations': ['10162-6', '82810-3'],
  family: ['10157-6'],
  consents: ['42348-3'],
  flags: ['104605-1'],
  plan: ['18776-5', '61146-7', '51847-2'],
  team: ['85847-2', '85847-1'],
  visits: ['46240-8'],
};

/** Sections of the chart whose records a document has in sections of another kind too. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  labs: ['11502-2'],
  reports: ['30954-2'],
  screening: ['30954-2'],
  'other-observations': ['29762-2', '30954-2', '47420-5'],
  orders: ['18776-5', '51847-2'],
  plan: ['47420-5'],
};

/** The section of the chart for what belongs to none, where the documents themselves are listed. */
export const REST = 'other';

const PLACES = new Map(Object.entries(CODES).flatMap(([place, codes]) => codes.map((code) => [code, place])));

/** Words in titles of sections without a code that is known, and the sections of the chart that they stand for. */
const TITLES: readonly (readonly [title: RegExp, place: string])[] = [
  [/family|familiar|familienanamnese|familieanamnese|家族/i, 'family'],
  [/allerg|alergi|unverträglichkeit|アレルギー|過敏|过敏/i, 'allergies'],
  [/medications?\b|medicines?\b|medicament|medicación|medikament|medicatie|薬|藥/i, 'medications'],
  [/immuni[sz]|vaccin|vacuna|impfung|予防接種|疫苗/i, 'immunizations'],
  [/vital signs?|signos vitales|vitalzeichen/i, 'vitals'],
  [/\blab(?:oratory|s)?\b|\bresults\b|laboratorio|resultados|laborwerte/i, 'labs'],
  [/procedures?\b|surger|procedimiento|cirug|eingriffe/i, 'procedures'],
  [/advance directives?|voluntad(?:es)? anticipad|patientenverf/i, 'consents'],
  [/\bplan\b|care plan|behandlungsplan/i, 'plan'],
  [
    /problems?\b|diagnos|conditions\b|past (?:medical )?(?:illness|history)|problema|antecedentes|診断|診斷/i,
    'problems',
  ],
];

/**
 * The section of the chart to which a section of a document belongs: by its code, or by that of one around it, or else
 * by its title.
 */
export const placeOf = ({ codes, around, title }: DocumentSection): string =>
  [codes, ...around].flat().flatMap((code) => PLACES.get(code) ?? [])[0] ??
  TITLES.find(([words]) => words.test(title ?? ''))?.[1] ??
  REST;

/** Returns whether a section of a document may have what belongs to a section of the chart. */
export const mayHave = (section: DocumentSection, place: string): boolean =>
  placeOf(section) === place || section.codes.some((code) => own(ALSO, place)?.includes(code));

/** LOINC codes of the past, and of what is current: what is listed there reads as such. */
export const PAST_ILLNESS = '11348-0';
export const CURRENT_PROBLEMS = '11450-4';
