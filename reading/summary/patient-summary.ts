//! A patient summary as a FHIR document, in the form of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/>): a Bundle whose Composition has sections. It claims no profile, since it contains
//! the records unchanged.

import { allergyElsewhere, isAllergyElsewhere } from '../documents/allergies-elsewhere.ts';
import { isDirective } from '../documents/directive.ts';
import { emptyListOf } from '../documents/empty-lists.ts';
import { placeOf as placeOfSection } from '../documents/places.ts';
import { contradictionText } from '../fhir/absence.ts';
import { shortDate } from '../fhir/date.ts';
import { printed } from '../fhir/json.ts';
import { recordAddress } from '../fhir/record-address.ts';
import { withNames } from '../fhir/reference-names.ts';
import { capital, isEnteredInError } from '../fhir/text.ts';
import { isOfType, type Observation, ofType, type Patient, type Resource } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { absenceText, allergyLists } from '../problems/allergy.ts';
import { meaningOf } from '../records/meaning.ts';
import { isSocial, placeOf } from '../results/observation-place.ts';
import { related } from '../results/related.ts';
import { ageNote, markedSide, sourcesText, usualRanges } from '../results/usual-range.ts';
import { entryOf } from './bundle.ts';
import { type SourceSection, sourceWords, wordsMarkup } from './source-words.ts';

/** A section of the document. */
interface SummarySection {
  title: PlainMessage;
  /** The LOINC code of the section. */
  code: string;
  /** True if the document must have the section. */
  isRequired: boolean;
  holds(resource: Resource): boolean;
}

const isOf =
  (...types: string[]) =>
  ({ resourceType }: Resource): boolean =>
    types.includes(resourceType);

const isObservation =
  (holds: (o: Observation) => boolean) =>
  (resource: Resource): boolean =>
    isOfType('Observation', resource) && holds(resource);

/** Returns whether an observation is a result: neither a vital sign nor part of the social history. */
const isResult = (o: Observation): boolean => placeOf(o) !== 'vitals' && !isSocial(o);

const SECTIONS: SummarySection[] = [
  { title: 'Medications', code: '10160-0', isRequired: true, holds: isOf('MedicationRequest', 'MedicationStatement') },
  {
    title: 'Allergies and intolerances',
    code: '48765-2',
    isRequired: true,
    holds: isOf('AllergyIntolerance', 'AdverseEvent'),
  },
  { title: 'Problems', code: '11450-4', isRequired: true, holds: isOf('Condition', 'ClinicalImpression') },
  { title: 'Immunizations', code: '11369-6', isRequired: false, holds: isOf('Immunization') },
  { title: 'Procedures', code: '47519-4', isRequired: false, holds: isOf('Procedure') },
  { title: 'Medical devices', code: '46264-8', isRequired: false, holds: isOf('Device', 'DeviceUseStatement') },
  {
    title: 'Results',
    code: '30954-2',
    isRequired: false,
    holds: (one) => isOf('DiagnosticReport', 'ImagingStudy')(one) || isObservation(isResult)(one),
  },
  {
    title: 'Vital signs',
    code: '8716-3',
    isRequired: false,
    holds: isObservation((o) => placeOf(o) === 'vitals'),
  },
  { title: 'Social history', code: '29762-2', isRequired: false, holds: isObservation(isSocial) },
  {
    title: 'Plan of care',
    code: '18776-5',
    isRequired: false,
    holds: isOf('CarePlan', 'Goal', 'NutritionOrder', 'ServiceRequest', 'ImmunizationRecommendation'),
  },
  { title: 'Alerts', code: '104605-1', isRequired: false, holds: isOf('Flag', 'DetectedIssue', 'RiskAssessment') },
  {
    title: 'Advance directives',
    code: '42348-3',
    isRequired: false,
    holds: (one) => isOf('Consent')(one) || isDirective(one),
  },
  { title: 'Family history', code: '10157-6', isRequired: false, holds: isOf('FamilyMemberHistory') },
];

/** The origin of a document. */
export interface Origin {
  /** The FHIR base of the records. */
  base: string;
  /** The time at which the document is made. */
  now: Date;
  /** The identifier of the document: a new UUID. */
  uuid: string;
}

const UNKNOWN = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

/** Returns the subject of a document about a patient of whom only the id is known. */
export function unknownPatient(words: Words, id: string): Patient {
  const patient: Patient & { _birthDate: typeof UNKNOWN } = {
    resourceType: 'Patient',
    id,
    name: [{ text: words.t('Unknown patient') }],
    gender: 'unknown',
    _birthDate: UNKNOWN,
  };
  return patient;
}

/** Returns text as XHTML. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns words as XHTML, with their language, which is that of the page. */
function xhtml(words: Words, body: string): string {
  const of = words.language;
  return `<div xmlns="http://www.w3.org/1999/xhtml" lang="${of}" xml:lang="${of}">${body}</div>`;
}

/** Returns the contradictions between entries about allergies, in words. */
const contradictionsIn = (words: Words, resources: Resource[]): string[] =>
  allergyLists(ofType('AllergyIntolerance', resources)).contradictions.map((a) =>
    contradictionText(words, absenceText(words, a)),
  );

/** Returns the note that adverse events are not entries about allergies, if there are no such entries. */
const aboutEvents = (words: Words, resources: Resource[]): string[] =>
  resources.some(isOf('AdverseEvent')) && !resources.some(isOf('AllergyIntolerance'))
    ? [words.t('An adverse event is not an allergy entry: it does not say whether there is an allergy.')]
    : [];

/** Returns the note on allergies that problems and observations state, without an entry of their own. */
function allergyNotes(words: Words, all: readonly Resource[]): string[] {
  const names = all.filter(isAllergyElsewhere).flatMap((one) => allergyElsewhere(words, one) ?? []);
  return names.length > 0 ? [words.t('Other records name: {names}', { names: words.listed([...new Set(names)]) })] : [];
}

/** Returns the notes on the usual ranges of vital signs: that an age is unknown, and the sources. */
function usualNotes(words: Words, resources: Resource[]): string[] {
  const usual = ofType('Observation', resources).flatMap((o) => usualRanges(words, o));
  return [ageNote(words, usual), sourcesText(words, usual.filter(markedSide))].filter((one) => one !== undefined);
}

/** Returns the narrative of a section: the words of its records, and those of the source documents. */
function narrative(
  words: Words,
  resources: Resource[],
  included: Resource[],
  texts: readonly SourceSection[] = [],
  remarks: readonly string[] = [],
): { status: string; div: string } {
  const lines = resources.map((resource) => {
    const { what, value, when, status, caution, kind } = meaningOf(words, resource, included);
    // A record that is not a plain fact is marked as such.
    const state = caution ? capital(caution) : status;
    const said = [what ?? words.translated(kind), value, when && shortDate(words, when), state]
      .filter(Boolean)
      .join(', ');
    return `<li>${escaped(said)}</li>`;
  });
  const cautions = [...contradictionsIn(words, resources), ...aboutEvents(words, resources), ...remarks];
  lines.unshift(...cautions.map((text) => `<li><b>${escaped(text)}</b></li>`));
  const none = texts.length > 0 ? words.t('Nothing is coded.') : words.t('No information.');
  const body = lines.length > 0 ? `<ul>${lines.join('')}</ul>` : `<p>${escaped(none)}</p>`;
  const notes = usualNotes(words, resources).map((text) => `<p>${escaped(text)}</p>`);
  const div = xhtml(words, `${body}${notes.join('')}${wordsMarkup(words, texts, escaped)}`);
  return { status: texts.length > 0 ? 'additional' : 'generated', div };
}

const coded = (system: string, code: string, display: string) => ({ coding: [{ system, code, display }] });
const referenceTo = (resource: Resource) => ({ reference: recordAddress(resource) });

/** The sections of the document by the sections of the chart for their words. */
const CODES: Readonly<Record<string, string>> = {
  allergies: '48765-2',
  problems: '11450-4',
  medications: '10160-0',
  immunizations: '11369-6',
  procedures: '47519-4',
  labs: '30954-2',
  reports: '30954-2',
  'other-observations': '30954-2',
  vitals: '8716-3',
  screening: '29762-2',
  plan: '18776-5',
  flags: '104605-1',
  consents: '42348-3',
  family: '10157-6',
};

const UNAVAILABLE = coded('http://terminology.hl7.org/CodeSystem/list-empty-reason', 'unavailable', 'Unavailable');

/** Returns a section with records and words of documents; none if it has neither and is not required. */
function sectionOf(
  words: Words,
  { title, code, isRequired, holds }: SummarySection,
  valid: Resource[],
  all: Resource[],
  texts: readonly SourceSection[],
): object[] {
  const held = valid.filter(holds);
  const isEmpty = held.length === 0 && texts.length === 0;
  const place = Object.keys(CODES).find((id) => CODES[id] === code) ?? '';
  const list = held.length === 0 ? emptyListOf(words, place, valid) : undefined;
  const notes = code === CODES.allergies ? allergyNotes(words, valid) : [];
  if (isEmpty && !isRequired) return [];
  return [
    {
      title: words.t(title),
      code: coded('http://loinc.org', code, title),
      text: narrative(words, held, all, texts, list ? [list.says, ...notes] : notes),
      ...(held.length > 0 ? { entry: held.map(referenceTo) } : {}),
      ...(isEmpty ? { emptyReason: list?.reason ?? UNAVAILABLE } : {}),
    },
  ];
}

/** Returns a section for words of no other section, and a section that lists what the document lacks. */
function addedSections(words: Words, texts: readonly SourceSection[], lacking: readonly string[]): object[] {
  const section = (title: string, body: string) => ({ title, text: { status: 'additional', div: xhtml(words, body) } });
  const added = texts.map((one) =>
    section(one.of.title ?? words.t('Section without a title'), wordsMarkup(words, [one], escaped)),
  );
  const text = words.t('Not in this summary: {what}.', { what: lacking.join(', ') });
  return lacking.length === 0
    ? added
    : [...added, section(words.t('What this summary lacks'), `<p>${escaped(text)}</p>`)];
}

/**
 * Returns the document about a patient. Records that were entered in error are left out. The words of source documents
 * are in the section for their place in the chart, or in a section of their own if there is none.
 */
export function patientSummary(words: Words, patient: Patient, all: Resource[], { base, now, uuid }: Origin): string {
  const known = new Map(all.map((one) => [recordAddress(one), one]));
  const records = related(
    all,
    () => patient,
    (one) => withNames(one, (to) => known.get(to.reference ?? '')),
  );
  const source = sourceWords(words, records);
  const valid = records.filter((one, i) => all[i] !== patient && !isEnteredInError(one));
  const device: Resource & { deviceName: unknown } = {
    resourceType: 'Device',
    id: 'edgechart',
    deviceName: [{ name: words.t('edgechart, from the records at {base}', { base }), type: 'user-friendly-name' }],
  };
  const codeOf = ({ of }: SourceSection): string | undefined => own(CODES, placeOfSection(of));
  const wordsFor = (code: string | undefined): SourceSection[] => source.sections.filter((one) => codeOf(one) === code);
  const sections = SECTIONS.flatMap((one) => sectionOf(words, one, valid, records, wordsFor(one.code)));
  const composition: Resource & Record<string, unknown> = {
    resourceType: 'Composition',
    id: uuid,
    language: words.language,
    status: 'final',
    type: coded('http://loinc.org', '60591-5', 'Patient summary Document'),
    subject: referenceTo(patient),
    date: now.toISOString(),
    author: [referenceTo(device)],
    title: words.t('Patient summary'),
    section: [...sections, ...addedSections(words, wordsFor(undefined), source.lacking)],
  };
  const used = valid.filter((resource) => SECTIONS.some(({ holds }) => holds(resource)));
  const named = JSON.stringify(used);
  // Records that are referenced from these records are added, if they are available.
  const others = valid.filter((one) => !used.includes(one) && named.includes(`"${recordAddress(one)}"`));
  return printed({
    resourceType: 'Bundle',
    type: 'document',
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${uuid}` },
    timestamp: now.toISOString(),
    entry: [composition, patient, device, ...used, ...others].map((resource) => entryOf(base, resource)),
  });
}
