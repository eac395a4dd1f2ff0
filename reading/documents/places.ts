//! The sections of the chart to which document sections belong. The LOINC codes of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/>) and of C-CDA determine the place, and so do the codes of lists
//! (<https://hl7.org/fhir/R4/valueset-list-example-codes.html>). Sections about allergies without a known code are
//! placed by their title.

import { kept } from '../kept.ts';
import { own } from '../own.ts';
import type { DocumentSection, Heading } from './composition.ts';
import { isOfAllergies } from './titles.ts';

/** The sections of the chart by id, with the codes of the document sections that they represent. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  allergies: ['48765-2', '10155-0', '52473-6', '52472-8', 'allergies'],
  problems: [
    ...['11450-4', '11348-0', '46241-6', '11535-2', '75326-9', '11329-0', '75310-3', '29548-5', '29308-4'],
    ...['55109-3', 'problems'],
  ],
  medications: [
    ...['10160-0', '10183-2', '42346-7', '29549-3', '57828-6', '75311-1', '87232-5', '93341-6', '52471-0'],
    ...['56445-0', '29305-0', '60590-7', '57833-6', '77603-9', '104205-0', 'medications'],
  ],
  immunizations: ['11369-6', '82593-5', '87273-9'],
  vitals: ['8716-3'],
  labs: ['30954-2', '26436-6', '34530-6'],
  reports: ['11502-2', '18748-4', '55113-5', '18726-0', '11493-4', '47045-0'],
  procedures: ['47519-4', '46264-8', '10216-0', '10185-7', '62387-6', '29554-3'],
  screening: ['29762-2', '47420-5', '47249-8', '10190-7', '10182-4', '11366-2', '11330-4', '11341-5'],
  'other-observations': ['10162-6', '82810-3'],
  family: ['10157-6'],
  consents: ['42348-3'],
  flags: ['104605-1'],
  plan: ['18776-5', '61146-7', '51847-2', '80615-8', '62385-0', '56446-8'],
  team: ['85847-2', '85847-1'],
  visits: ['46240-8'],
  documents: [
    ...['8653-8', '8648-8', '11544-6', '42344-2', '69730-0', '42349-1', '29299-5', '10154-3', '46239-0', '51848-0'],
    ...['10164-2', '29545-1', '10210-3', '10187-3', '10184-0', '61150-9', '61149-1', '34109-9', '11488-4', '28570-0'],
    ...['47039-3', '8650-4', '67851-6', '55110-1', '93126-1', '77599-9', '8661-1', '59768-2', '34105-7', '18842-5'],
  ],
  other: ['48768-6'],
};

/** Sections of the chart whose records documents also have in sections of other kinds. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  vitals: ['other-observations'],
  labs: ['reports', 'other-observations'],
  reports: ['labs'],
  screening: ['labs'],
  'other-observations': ['screening', 'labs'],
  orders: ['plan'],
  plan: ['screening'],
};

/** The section of the chart for words without another section: the text of notes, and text of an unknown kind. */
export const REST = 'documents';

const PLACES = new Map(Object.entries(CODES).flatMap(([place, codes]) => codes.map((code) => [code, place])));

const byCode = ({ codes }: Heading): string | undefined => codes.flatMap((code) => PLACES.get(code) ?? [])[0];
const byName = ({ names }: Heading): string[] => (names.some(isOfAllergies) ? ['allergies'] : []);

/**
 * Returns the section of the chart to which a section of a document belongs: by its code, by the code of an enclosing
 * section, or by a title about allergies. An unknown code is treated as no code.
 */
export const placeOf = kept(
  (section: DocumentSection): string =>
    [section, ...section.around].flatMap((one) => byCode(one) ?? [])[0] ??
    [section, ...section.around].flatMap(byName)[0] ??
    REST,
);

/** Returns whether a section of a document may contain entries that belong to a section of the chart. */
export const mayHave = (section: DocumentSection, place: string): boolean => {
  const found = placeOf(section);
  return found === place || (own(ALSO, place) ?? []).includes(found);
};

/** LOINC codes of past and of current records: entries of such a section read as past or as current. */
export const PAST_ILLNESS = '11348-0';
export const CURRENT_PROBLEMS = '11450-4';
