//! A patient summary as a FHIR document, in the form of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/>): a Bundle whose Composition has sections. It claims no profile, since it contains
//! the records unchanged.

import { deviceOfUse } from '../care/device-state.ts';
import { pregnancyQuestion } from '../care/pregnancy-codes.ts';
import { allergyElsewhere, isAllergyElsewhere } from '../documents/allergies-elsewhere.ts';
import { isDirective } from '../documents/directive.ts';
import { emptyListOf } from '../documents/empty-lists.ts';
import { namedWithoutRecord } from '../documents/named-elsewhere.ts';
import { placeOf as placeOfSection } from '../documents/places.ts';
import { absenceOf, contradictionText, quoted } from '../fhir/absence.ts';
import { isModified, standingOf } from '../fhir/certainty.ts';
import { codesOf } from '../fhir/concept-codes.ts';
import { shortDate } from '../fhir/date.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { compact, parsed } from '../fhir/json.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { namedBy } from '../fhir/reference-names.ts';
import { endedText } from '../fhir/request-state.ts';
import { normalCode } from '../fhir/status-code.ts';
import { capital, hasCode, isEnteredInError, nameOf } from '../fhir/text.ts';
import { typeWords } from '../fhir/type-words.ts';
import { isOfType, type Observation, ofType, type Patient, type Resource } from '../fhir/types.ts';
import { isUnclaimed } from '../fhir/unclaimed.ts';
import { ENGLISH, type PlainMessage, type Words } from '../language/words.ts';
import { isNoMedication } from '../medications/medication.ts';
import { type EntryState, medicationList } from '../medications/medication-list.ts';
import { medicationRecords } from '../medications/medication-records.ts';
import { own } from '../own.ts';
import { absenceText, allergyLists, isNoneOfAll } from '../problems/allergy.ts';
import { meaningOf } from '../records/meaning.ts';
import { ageNote, markedSide, sourcesText, usualRanges } from '../results/flags/usual-range.ts';
import { withSources } from '../results/names/told-apart.ts';
import { PREGNANCY_CODES } from '../results/observation-codes.ts';
import { isSocial, placeOf } from '../results/observation-place.ts';
import { groupsOf } from '../results/panels/test-groups.ts';
import { related } from '../results/related.ts';
import { when } from '../results/values/reading.ts';
import { isObject } from '../shape.ts';
import { visible } from '../visible.ts';
import { entryOf } from './bundle.ts';
import { type SourceSection, sourceWords, wordsMarkup } from './source-words.ts';

/** What a section of the document has of a record: an entry, or only words. */
type Share = 'entry' | 'words' | undefined;

/** The states of medications by the addresses of their records. */
type States = ReadonlyMap<string, EntryState>;

interface SummarySection {
  title: PlainMessage;
  /** The LOINC code of the section. */
  code: string;
  /** The types of its entries, if the document must have the section. */
  required?: string[];
  /** True if it has only the newest result of each test. */
  isNewest?: boolean;
  /** Returns what the section has of a record. */
  shareOf(resource: Resource, states: States): Share;
}

const CODE = /^code$/;
const TIME = /^_?effective(?:DateTime|Period)$/;
/** The elements without which the profiles allow no entry, by type. An extension may say why a time is not known. */
const DEMANDED: Readonly<Record<string, readonly RegExp[]>> = {
  AllergyIntolerance: [CODE],
  Condition: [CODE],
  DiagnosticReport: [CODE, TIME],
  Immunization: [/^vaccineCode$/, /^_?occurrence/],
  MedicationRequest: [/^_?status$/, /^_?intent$/, /^medication/],
  MedicationStatement: [/^medication/, TIME],
  Observation: [CODE, TIME],
  Procedure: [CODE, /^_?performed/],
};

/** The statuses of entries; what has another one is in words. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  DiagnosticReport: ['final', 'registered', 'partial', 'preliminary', 'amended', 'corrected', 'appended', ''],
  Immunization: ['completed'],
  Observation: ['final', 'preliminary', 'amended', 'corrected', ''],
  Procedure: ['completed', 'in-progress'],
};

/** The system of statements in place of records, which the profiles no longer have. */
const WITHDRAWN = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';

/** Returns the code of a statement in place of a record, `no-known-…` or `no-…-info`; `undefined` for others. */
const withdrawnCode = (one: Resource): unknown =>
  ['code', 'vaccineCode', 'medicationCodeableConcept']
    .flatMap((name) => valuesAt(one, `${name}.coding`))
    .filter(isObject)
    .find(({ system }) => system === WITHDRAWN)?.code;

/** Returns whether a record states by such a code that there is none of any kind, and nothing in it says otherwise. */
function statesNone(one: Resource): boolean {
  if (!String(withdrawnCode(one)).startsWith('no-known-') || isModified(one)) return false;
  if (isOfType('AllergyIntolerance', one)) return isNoneOfAll(one);
  if (isOfType('Condition', one)) return absenceOf(ENGLISH, one.code) !== undefined;
  return (isOfType('MedicationStatement', one) || isOfType('MedicationRequest', one)) && isNoMedication(one);
}

const status = (one: Resource): string =>
  normalCode([...valuesAt(one, 'status'), ...valuesAt(one, 'lifecycleStatus')][0]);

/** Returns whether the profile of a record allows it as an entry. */
const isAllowed = (one: Resource): boolean =>
  (DEMANDED[one.resourceType] ?? []).every((name) => Object.keys(one).some((key) => name.test(key))) &&
  (STATUSES[one.resourceType]?.includes(status(one)) ?? true) &&
  withdrawnCode(one) === undefined;

/** Returns the share of records by their types: entries, and types that the section has in words. */
const byType =
  (entries: string[], inWords: string[] = []) =>
  ({ resourceType: type }: Resource): Share =>
    entries.includes(type) ? 'entry' : inWords.includes(type) ? 'words' : undefined;

/** Returns the share of observations that a condition holds for. A result needs a day, if it has a time. */
const observations =
  (holds: (o: Observation) => boolean) =>
  (resource: Resource): Share => {
    if (!isOfType('Observation', resource) || !holds(resource) || isDirective(resource)) return undefined;
    return isSocial(resource) || (when(resource)?.length ?? 10) >= 10 ? 'entry' : 'words';
  };

/** Returns whether an observation is a result: neither a vital sign nor part of the social history. */
const isResult = (o: Observation): boolean => placeOf(o) !== 'vitals' && !isSocial(o);
const isAboutPregnancy = (o: Observation): boolean =>
  pregnancyQuestion(o.code) !== undefined || codesOf(o.code).some((code) => PREGNANCY_CODES.has(code));
const ofResults = observations(isResult);

/** Returns the share of a medication: what is taken is an entry; what is planned, unclear or prohibited is in words. */
function shareOfMedication(resource: Resource, states: States): Share {
  const state = states.get(recordAddress(resource)) ?? 'past';
  if (state === 'past') return undefined;
  return state === 'current' || state === 'held' ? 'entry' : 'words';
}

/** Returns the states of the medications among records at a time. */
function statesOf(words: Words, all: Resource[], now: Date): States {
  const { stateOf } = medicationList(words, medicationRecords(all, all), now.getTime());
  const medications = [...ofType('MedicationRequest', all), ...ofType('MedicationStatement', all)];
  return new Map(medications.map((one) => [recordAddress(one), stateOf(one)]));
}

/** Returns the share of a condition in the section for current or for past problems. */
const conditions =
  (isPast: boolean, inWords: string[] = []) =>
  (resource: Resource): Share => {
    if (!isOfType('Condition', resource)) return byType([], inWords)(resource);
    const standing = standingOf(resource);
    if (standing === 'refuted') return undefined;
    const isOver = standing === 'over' || hasCode(resource.clinicalStatus, 'remission');
    return isOver === isPast ? 'entry' : undefined;
  };

const MEDICATIONS = ['MedicationRequest', 'MedicationStatement'];
/** The scopes of consents that are no advance directives. */
const OTHER_SCOPES = ['patient-privacy', 'research', 'treatment'];

/** The sections of the International Patient Summary 2.0.1, and one for the family. */
export const SECTIONS: readonly SummarySection[] = [
  { title: 'Medications', code: '10160-0', required: MEDICATIONS, shareOf: shareOfMedication },
  {
    title: 'Allergies and intolerances',
    code: '48765-2',
    required: ['AllergyIntolerance'],
    shareOf: (one) =>
      isOfType('AllergyIntolerance', one) &&
      standingOf(one) !== 'standing' &&
      !(standingOf(one) === 'over' && hasCode(one.clinicalStatus, 'inactive'))
        ? undefined
        : byType(['AllergyIntolerance'], ['AdverseEvent'])(one),
  },
  { title: 'Problems', code: '11450-4', required: ['Condition'], shareOf: conditions(false, ['ClinicalImpression']) },
  { title: 'Past problems', code: '11348-0', shareOf: conditions(true) },
  { title: 'Immunizations', code: '11369-6', shareOf: byType(['Immunization']) },
  { title: 'Procedures', code: '47519-4', shareOf: byType(['Procedure']) },
  { title: 'Medical devices', code: '46264-8', shareOf: byType(['DeviceUseStatement'], ['Device']) },
  {
    title: 'Results',
    code: '30954-2',
    isNewest: true,
    shareOf: (one) => byType(['DiagnosticReport'], ['ImagingStudy'])(one) ?? ofResults(one),
  },
  { title: 'Vital signs', code: '8716-3', isNewest: true, shareOf: observations((o) => placeOf(o) === 'vitals') },
  {
    title: 'Social history',
    code: '29762-2',
    isNewest: true,
    shareOf: observations((o) => isSocial(o) && !isAboutPregnancy(o)),
  },
  {
    title: 'Pregnancy',
    code: '10162-6',
    isNewest: true,
    shareOf: observations((o) => isSocial(o) && isAboutPregnancy(o)),
  },
  {
    title: 'Plan of care',
    code: '18776-5',
    shareOf: (one) =>
      ['completed', 'revoked', 'cancelled', 'rejected'].includes(status(one))
        ? undefined
        : byType(['CarePlan', 'ImmunizationRecommendation'], ['Goal', 'NutritionOrder', 'ServiceRequest'])(one),
  },
  {
    title: 'Alerts',
    code: '104605-1',
    shareOf: (one) =>
      isOfType('Flag', one) && status(one) === 'inactive'
        ? undefined
        : byType(['Flag'], ['DetectedIssue', 'RiskAssessment'])(one),
  },
  {
    title: 'Advance directives',
    code: '42348-3',
    shareOf: (one) => {
      if (isDirective(one)) return byType(['Consent'], [one.resourceType])(one);
      const isOther = valuesAt(one, 'scope.coding.code').some((code) => OTHER_SCOPES.includes(String(code)));
      return isOther ? undefined : byType(['Consent'])(one);
    },
  },
  { title: 'Family history', code: '10157-6', shareOf: byType(['FamilyMemberHistory']) },
];

/** The origin of a document, and what its records lack. */
export interface Origin {
  /** The FHIR base of the records. */
  base: string;
  /** The time at which the document is made. */
  now: Date;
  /** Returns a new UUID: for the document, and for the program that is its author. */
  uuid(): string;
  /** The types that the access to the records does not open. */
  closed?: readonly string[];
  /** The types of which the access opens a part. */
  partly?: readonly string[];
  /** True if the records have only the newest observations of each code. */
  hasOnlyNewest?: boolean;
  /** True if there are more records than a document has. */
  isCut?: boolean;
  /** The number of malformed records. */
  unreadable?: number;
  /** The codes of the sections that the person does not share. */
  leftOut?: readonly string[];
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

/** Returns text as XHTML, without letters that nobody sees. */
const escaped = (text: string): string =>
  visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

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
  resources.some(({ resourceType }) => resourceType === 'AdverseEvent') &&
  ofType('AllergyIntolerance', resources).length === 0
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
    const ended = isOfType('MedicationStatement', resource) ? endedText(words, resource) : undefined;
    const state = capital(ended ?? caution ?? status ?? '');
    const name = what ?? words.translated(kind);
    const more = [value, when && shortDate(words, when), state].filter(Boolean);
    return `<li>${escaped(more.length > 0 ? [quoted(name), ...more].join(', ') : name)}</li>`;
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
/** Returns a reference of the Composition. It is absolute, since the Composition has no address of the server. */
const referenceTo = (base: string, resource: Resource) => ({ reference: entryOf(base, resource).fullUrl });

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

const NEWEST = 'The newest result of each test: older ones are not in this summary.';

const EMPTY = 'http://terminology.hl7.org/CodeSystem/list-empty-reason';
const UNAVAILABLE = coded(EMPTY, 'unavailable', 'Unavailable');
const NIL_KNOWN = coded(EMPTY, 'nilknown', 'Nil Known');
const WITHHELD = coded(EMPTY, 'withheld', 'Information Withheld');

/** Returns the newest readings of each test among observations, and all other records. */
function newestOf(words: Words, held: Resource[]): Resource[] {
  const groups = groupsOf(words, ofType('Observation', held));
  const kept = new Set<Resource>(groups.flatMap((group) => group.readings));
  return held.filter((one) => !isOfType('Observation', one) || kept.has(one));
}

/** A section of the document with its entries. */
interface Held {
  section: object;
  entries: Resource[];
}

/** The records of which sections tell, those that they may name, and the addresses of all, also of those left out. */
type Read = Origin & { valid: Resource[]; all: Resource[]; known: ReadonlySet<string>; states: States };

/** Returns a section with records and words of documents; none if it has neither and is not required. */
function sectionOf(
  words: Words,
  { title, code, required, isNewest, shareOf }: SummarySection,
  { base, valid, all, states, known, closed = [], hasOnlyNewest, isCut }: Read,
  texts: readonly SourceSection[],
): Held[] {
  const every = valid.filter((one) => shareOf(one, states) !== undefined);
  const held = isNewest ? newestOf(words, every) : every;
  const entries = held.filter((one) => shareOf(one, states) === 'entry' && isAllowed(one));
  const place = Object.keys(CODES).find((id) => CODES[id] === code) ?? '';
  const list = held.length === 0 ? emptyListOf(words, place, valid) : undefined;
  const items = namedWithoutRecord(words, isCut ? [] : valid, {
    isOf: (one) => own(CODES, one) === code,
    hasType: (type) => required?.includes(type) || shareOf({ resourceType: type, id: '' }, states) !== undefined,
    // Older observations are not read.
    isKnown: (address) => known.has(address) || (hasOnlyNewest === true && address.startsWith('Observation/')),
  });
  const remarks = [
    list?.says,
    ...items,
    ...(code === CODES.allergies ? allergyNotes(words, valid) : []),
    isNewest && held.length > 0 && (hasOnlyNewest || held.length < every.length) && words.t(NEWEST),
  ].filter((one) => typeof one === 'string');
  if ([held, texts, items].every((one) => one.length === 0) && !required) return [];
  const told = held.filter(({ resourceType }) => required?.includes(resourceType));
  const isNone = told.length > 0 && told.every((one) => shareOf(one, states) === 'entry' && statesNone(one));
  const [newest] = held.length > 0 ? [] : texts.filter(({ of }) => of.about === undefined);
  const said = isNone ? NIL_KNOWN : (list?.reason ?? newest?.of.emptyReason);
  const open = items.length > 0 ? UNAVAILABLE : (said ?? UNAVAILABLE);
  const reason = required?.every((type) => closed.includes(type)) ? WITHHELD : open;
  const section = {
    title: words.t(title),
    // The title is the server's. The displays of LOINC are others.
    code: { coding: [{ system: 'http://loinc.org', code }] },
    text: narrative(words, held, all, texts, remarks),
    ...(entries.length > 0 ? { entry: entries.map((one) => referenceTo(base, one)) } : {}),
    ...(entries.length === 0 && required ? { emptyReason: reason } : {}),
  };
  return [{ section, entries }];
}

/** Returns a section for words of no other section, and a section that lists what the document lacks. */
function addedSections(words: Words, texts: readonly SourceSection[], lacking: readonly string[]): object[] {
  const section = (title: string, body: string) => ({
    title,
    code: { text: title },
    text: { status: 'additional', div: xhtml(words, body) },
  });
  const added = texts.map((one) =>
    section(visible(one.of.title ?? words.t('Section without a title')), wordsMarkup(words, [one], escaped)),
  );
  const text = words.t('Not in this summary: {what}.', { what: lacking.join(', ') });
  return lacking.length === 0
    ? added
    : [...added, section(words.t('What this summary lacks'), `<p>${escaped(text)}</p>`)];
}

/** Returns a patient with what a document demands of one: a name, and a birth date or that it is not known. */
function named(words: Words, patient: Patient): Resource {
  const { name, birthDate } = patient;
  return {
    ...(birthDate ? {} : { _birthDate: UNKNOWN }),
    ...patient,
    ...(nameOf(name) ? {} : { name: [{ ...name?.[0], text: words.t('Unknown patient') }] }),
  };
}

const REFERENCE = /"reference":"([^"]+)"/g;

/** A document has one Composition, and is about one person. */
const NEVER_ADDED = ['Composition', 'Patient', 'Group'];
/** The types that give names to others, which come along where sections are left out. */
const NAMING = ['Practitioner', 'PractitionerRole', 'Organization', 'Location', 'Medication', 'RelatedPerson'];

/** Returns records without the displays of references to records that are left out. */
function withoutDisplays(records: Resource[], hidden: ReadonlySet<string>): Resource[] {
  if (hidden.size === 0) return records;
  const strip = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(strip);
    else if (isObject(value)) {
      if (typeof value.reference === 'string' && hidden.has(referredAddress(value.reference))) delete value.display;
      Object.values(value).forEach(strip);
    }
  };
  // The copy keeps the digits of numbers.
  const copies = parsed(compact(records)) as Resource[];
  copies.forEach(strip);
  return copies;
}

/**
 * Returns the document about a patient. Records that were entered in error are left out, and so is what is refuted. The
 * words of source documents are in the section for their place in the chart, or in a section of their own if there is
 * none.
 */
export function patientSummary(words: Words, patient: Patient, all: Resource[], origin: Origin): object {
  const { base, now, uuid, closed = [], partly = [], isCut, unreadable = 0, leftOut = [] } = origin;
  const states = statesOf(words, all, now);
  const hidden = SECTIONS.filter(({ code }) => leftOut.includes(code));
  const isHidden = (one: Resource): boolean => hidden.some(({ shareOf }) => shareOf(one, states) !== undefined);
  // What is left out gives no name to what is not. A panel still tells whom its results are about.
  const nameless = withoutDisplays(all, new Set(all.filter(isHidden).map(recordAddress)));
  const withTargets = namedBy(nameless.filter((one) => !isHidden(one)));
  const reports = ofType('DiagnosticReport', nameless).map(withTargets);
  const records = related(withSources(nameless, reports), () => patient, withTargets);
  const source = sourceWords(words, records);
  const shared = records.filter((one) => !isHidden(one));
  const valid = shared.filter((one) => recordAddress(one) !== recordAddress(patient) && !isEnteredInError(one));
  // The use of a device tells of it; a device of no patient may be one of the laboratory.
  const inUse = new Set(valid.filter(({ resourceType }) => resourceType === 'DeviceUseStatement').map(deviceOfUse));
  const isOwn = (one: Resource): boolean => valuesAt(one, 'patient').length > 0 && !inUse.has(recordAddress(one));
  const told = valid.filter((one) => one.resourceType !== 'Device' || isOwn(one) || isUnclaimed(one));
  const device: Resource & { deviceName: unknown } = {
    resourceType: 'Device',
    id: uuid(),
    deviceName: [{ name: words.t('edgechart, from the records at {base}', { base }), type: 'user-friendly-name' }],
  };
  const codeOf = ({ of }: SourceSection): string | undefined =>
    SECTIONS.find(({ code }) => of.codes.includes(code))?.code ?? own(CODES, placeOfSection(of));
  const wordsFor = (code: string | undefined): SourceSection[] => source.sections.filter((one) => codeOf(one) === code);
  const read = { ...origin, valid: told, all: shared, states, known: new Set(all.map(recordAddress)) };
  const held = SECTIONS.flatMap((one) =>
    leftOut.includes(one.code)
      ? sectionOf(words, one, { ...read, valid: [], all: [], closed: one.required ?? [] }, [])
      : sectionOf(words, one, read, wordsFor(one.code)),
  );
  const typesText = (types: readonly string[]): string =>
    words.listed(types.map((type) => words.translated(typeWords(words, type))));
  // Words of no section may be about one that is left out.
  const added = leftOut.length > 0 ? [] : wordsFor(undefined);
  const lacking = [
    ...source.lacking,
    closed.length > 0 && words.t('what the access does not open: {types}', { types: typesText(closed) }),
    partly.length > 0 && words.t('what the access opens only in part: {types}', { types: typesText(partly) }),
    isCut && words.t('records beyond the most that a summary has'),
    unreadable > 0 && words.t('{n} record that cannot be read|{n} records that cannot be read', { n: unreadable }),
    leftOut.length > 0 && words.t('sections that the person does not share'),
  ].filter((one) => typeof one === 'string');
  const composition: Resource & Record<string, unknown> = {
    resourceType: 'Composition',
    id: uuid(),
    language: words.language,
    status: 'final',
    type: coded('http://loinc.org', '60591-5', 'Patient summary Document'),
    subject: referenceTo(base, patient),
    date: now.toISOString(),
    author: [{ reference: `urn:uuid:${device.id}` }],
    title: words.t('Patient summary'),
    section: [...held.map(({ section }) => section), ...addedSections(words, added, lacking)],
  };
  const used = [...new Set(held.flatMap(({ entries }) => entries))];
  // What these records refer to is added, if it is available, and what that refers to.
  const isOther = ({ resourceType: type }: Resource): boolean =>
    leftOut.length > 0 ? NAMING.includes(type) : !NEVER_ADDED.includes(type);
  const available = new Map(valid.filter(isOther).map((one) => [recordAddress(one), one]));
  const found = new Set<Resource>([patient, ...used]);
  for (const one of found)
    for (const [, address = ''] of compact(one).matchAll(REFERENCE)) {
      // A reference may have the base of the server, and a version.
      const other = available.get(address.replace(`${base}/`, '').replace(/\/_history\/.*$/, ''));
      if (other) found.add(other);
    }
  const others = [...found].slice(1 + used.length);
  const made = (resource: Resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource });
  const kept = [named(words, patient), ...used, ...others].map((resource) => entryOf(base, resource));
  return {
    resourceType: 'Bundle',
    type: 'document',
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${composition.id}` },
    timestamp: now.toISOString(),
    entry: [made(composition), ...kept.slice(0, 1), made(device), ...kept.slice(1)],
  };
}
