//! A record in words for people: its kind, subject, date, persons, status and value. One table covers all types that
//! the chart reads; other types have only a kind.

import { deviceCaution } from '../care/device-state.ts';
import { dischargeText } from '../care/discharge.ts';
import { immunizationDose } from '../care/immunization-dose.ts';
import { absenceOf, nameBesideAbsence } from '../fhir/absence.ts';
import { cautionOf } from '../fhir/certainty.ts';
import { goalDate, period, periodDate, procedureDate } from '../fhir/date.ts';
import { ageText, firstText } from '../fhir/element-text.ts';
import { recordAddress } from '../fhir/record-address.ts';
import * as request from '../fhir/request-state.ts';
import { siteText } from '../fhir/site.ts';
import {
  capital,
  codeOf,
  concept,
  concepts,
  isEnteredInError,
  nameOf,
  performers,
  plain,
  reference,
  references,
} from '../fhir/text.ts';
import { typeKind } from '../fhir/type-words.ts';
import {
  type Concept,
  isOfType,
  type MedicationRequest,
  type MedicationStatement,
  type Resource,
  type ResourceOf,
  type ResourceType,
} from '../fhir/types.ts';
import { unclaimedText } from '../fhir/unclaimed.ts';
import { visitKind } from '../fhir/visit-kind.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type PlainMessage, type Words } from '../language/words.ts';
import { courseEnd, courseEndText } from '../medications/course-end.ts';
import { dispenseDate } from '../medications/dispenses.ts';
import { medication } from '../medications/medication.ts';
import { doseText, recordedDose } from '../medications/medication-dose.ts';
import { medicationDate } from '../medications/medication-list.ts';
import { authorsOf } from '../medications/medication-status.ts';
import { dispenseAmount } from '../medications/supply-words.ts';
import { familyEvents } from '../people/family.ts';
import { absenceText, allergyDate, allergyName, graveText, reactionNames } from '../problems/allergy.ts';
import { onset } from '../problems/problem.ts';
import { observationText } from '../results/flags/observation-text.ts';
import { testName } from '../results/names/names.ts';
import { withIsolate } from '../results/panels/isolate.ts';
import { when as measuredAt } from '../results/values/reading.ts';
import { reportDate } from '../results/values/report-status.ts';
import { answeredBy } from './answered-by.ts';
import { otherWords } from './other-words.ts';

/** The words about one record. A member is `undefined` if the record does not have it. */
export interface Meaning {
  /** The kind of record in English, such as `Prescription`, which is translated for display. */
  kind: string;
  what?: string | undefined;
  /** A date as written. */
  when?: string | undefined;
  who?: string | undefined;
  status?: string | undefined;
  value?: string | undefined;
  /** The words without which the record would read like a plain fact, such as `refuted`. */
  caution?: string | undefined;
}

/** The words of a type of record: a function for each property that its records can have. */
interface TypeWords<T extends ResourceType> {
  kind: PlainMessage;
  what?(resource: ResourceOf<T>, included: Resource[]): string | undefined;
  when?(resource: ResourceOf<T>): string | undefined;
  who?(resource: ResourceOf<T>): string | undefined;
  status?(resource: ResourceOf<T>): string | undefined;
  value?(resource: ResourceOf<T>): string | undefined;
}

const joined = (...parts: (string | undefined)[]): string | undefined => parts.filter(Boolean).join(', ') || undefined;

/** Returns the site of a record with its side, from the body structures among the records to which it may refer. */
const siteIn = (words: Words, record: Resource, included: readonly Resource[]): string | undefined =>
  siteText(words, record, (address) => included.find((one) => recordAddress(one) === address));

/** Returns how a visit ended, with a label. */
function discharge(words: Words, visit: Resource): string | undefined {
  const how = dischargeText(words, visit);
  return how && words.t('discharge: {how}', { how });
}

/** Returns the statement that the course of a current medication is over by its own words. */
function overText(words: Words, m: MedicationRequest | MedicationStatement): string | undefined {
  const over = request.requestState(m) === 'current' ? courseEnd(m) : undefined;
  return over && courseEndText(words, over);
}

const orderStatus = (words: Words, m: MedicationRequest): string | undefined =>
  overText(words, m) ?? request.requestStatus(m);
const reportStatus = (words: Words, m: MedicationStatement): string | undefined =>
  overText(words, m) ?? request.endedText(words, m) ?? request.statementStatus(m);

const wordsByType = kept((words: Words): { [T in ResourceType]?: TypeWords<T> } => ({
  Patient: { kind: 'Patient', what: (p) => nameOf(p.name), when: (p) => p.birthDate },
  AllergyIntolerance: {
    kind: 'Allergy',
    what: (a) => absenceText(words, a) || allergyName(words, a),
    when: allergyDate,
    who: (a) => reference(words, a.asserter ?? a.recorder),
    status: (a) => bothStatuses(words, a),
    value: (a) => joined(absenceText(words, a) ? undefined : graveText(words, a), reactionNames(words, a).join('; ')),
  },
  Condition: {
    kind: 'Problem',
    what: (c) => absenceOf(words, c.code)?.text ?? nameBesideAbsence(words, c.code),
    when: onset,
    who: (c) => reference(words, c.asserter ?? c.recorder),
    status: (c) => bothStatuses(words, c),
    value: (c) =>
      joined(concept(words, c.severity), siteText(words, c), ageText(words, c.onsetAge, c.onsetRange) ?? c.onsetString),
  },
  Medication: { kind: 'Medication', what: (m) => concept(words, m.code) },
  MedicationRequest: {
    kind: 'Prescription',
    what: (of, included) => medication(words, of, included),
    when: medicationDate,
    who: (m) => {
      const { prescriber, reporter } = authorsOf(m);
      return joined(reference(words, prescriber), reference(words, reporter));
    },
    status: (m) => orderStatus(words, m),
    value: (m) => doseText(words, m),
  },
  MedicationDispense: {
    kind: 'Fill',
    what: (of, included) => medication(words, of, included),
    when: dispenseDate,
    who: (m) => performers(words, m.performer),
    status: (m) => m.status,
    value: (m) => joined(dispenseAmount(words, m), recordedDose(words, m)),
  },
  MedicationStatement: {
    kind: 'Reported medication',
    what: (of, included) => medication(words, of, included),
    when: medicationDate,
    who: (m) => reference(words, m.informationSource),
    status: (m) => reportStatus(words, m),
    value: (m) => doseText(words, m),
  },
  MedicationAdministration: {
    kind: 'Administration',
    what: (of, included) => medication(words, of, included),
    when: medicationDate,
    who: (m) => performers(words, m.performer),
    status: request.administrationStatus,
    value: (m) => doseText(words, m),
  },
  Immunization: {
    kind: 'Immunization',
    what: (i) => absenceOf(words, i.vaccineCode)?.text ?? nameBesideAbsence(words, i.vaccineCode),
    when: (i) => i.occurrenceDateTime,
    who: (i) => performers(words, i.performer),
    status: (i) => (i.status === 'not-done' ? 'not given' : i.status),
    value: (i) => joined(immunizationDose(words, i), concept(words, i.statusReason), i.occurrenceString),
  },
  Observation: {
    kind: 'Result',
    what: (o) => {
      const name = testName(words, o.code);
      return name && withIsolate(o, name);
    },
    when: measuredAt,
    who: (o) => references(words, o.performer) || undefined,
    status: (o) => o.status,
    value: (o) => observationText(words, o),
  },
  DiagnosticReport: {
    kind: 'Report',
    what: (r) => testName(words, r.code),
    when: reportDate,
    who: (r) => references(words, r.performer) || undefined,
    status: (r) => r.status,
    value: (r) => joined(r.conclusion, concepts(words, r.conclusionCode)),
  },
  DocumentReference: {
    kind: 'Note',
    what: (d) => concept(words, d.type) ?? d.description,
    when: (d) => d.date ?? periodDate(d.context?.period),
    who: (d) => references(words, d.author) || undefined,
    status: (d) => joined(d.status, d.docStatus),
  },
  Procedure: {
    kind: 'Procedure',
    what: (p, included) =>
      absenceOf(words, p.code)?.text ?? joined(nameBesideAbsence(words, p.code), siteIn(words, p, included)),
    when: procedureDate,
    who: (p) => performers(words, p.performer),
    status: (p) => p.status,
    value: (p) =>
      joined(
        concept(words, p.outcome),
        concepts(words, p.complication),
        p.status === 'not-done' ? concept(words, p.statusReason) : undefined,
        p.performedString ?? ageText(words, p.performedAge, p.performedRange),
      ),
  },
  Device: {
    kind: 'Device',
    what: (d) =>
      absenceOf(words, d.type)?.text ??
      (d.deviceName?.[0]?.name || concept(words, d.type)) ??
      firstText(words, d, ['modelNumber', 'definition', 'manufacturer']),
    status: (d) => d.status,
    value: (d) => (d.deviceName?.[0]?.name ? concept(words, d.type) : undefined),
  },
  CarePlan: {
    kind: 'Plan',
    what: (p) => p.title || concepts(words, p.category) || undefined,
    when: (p) => periodDate(p.period),
    status: (p) => joined(p.status, p.intent === 'proposal' || p.intent === 'option' ? p.intent : undefined),
    value: (p) => period(words, p.period) || undefined,
  },
  Goal: {
    kind: 'Goal',
    what: (g) => concept(words, g.description),
    when: goalDate,
    status: (g) => joined(g.lifecycleStatus, concept(words, g.achievementStatus)),
  },
  CareTeam: { kind: 'Care team', what: (t) => t.name, when: (t) => periodDate(t.period), status: (t) => t.status },
  Practitioner: { kind: 'Practitioner', what: (p) => nameOf(p.name) },
  PractitionerRole: { kind: 'Role of a practitioner', what: (p) => reference(words, p.practitioner) },
  Organization: { kind: 'Organization', what: (o) => o.name },
  RelatedPerson: {
    kind: 'Related person',
    what: (p) => nameOf(p.name) ?? otherWords(words, p).what,
    value: (p) => otherWords(words, p).value,
  },
  ServiceRequest: {
    kind: 'Order',
    what: (s, included) => joined(testName(words, s.code), siteIn(words, s, included)),
    when: (s) => s.occurrenceDateTime ?? periodDate(s.occurrencePeriod) ?? s.authoredOn,
    who: (s) => reference(words, s.requester),
    status: (s) => joined(request.requestStatus(s), request.isPlanned(s) ? undefined : s.intent),
    value: (s) => concepts(words, s.reasonCode) || undefined,
  },
  Encounter: {
    kind: 'Visit',
    what: (e) => visitKind(words, e) || undefined,
    when: (e) => periodDate(e.period),
    who: (e) => reference(words, e.serviceProvider),
    status: (e) => e.status,
    value: (e) => joined(concepts(words, e.reasonCode), discharge(words, e)),
  },
  Flag: {
    kind: 'Alert',
    what: (f) => concept(words, f.code),
    when: (f) => periodDate(f.period),
    who: (f) => reference(words, f.author),
    status: (f) => f.status,
    value: (f) => joined(concepts(words, f.category), period(words, f.period)),
  },
  FamilyMemberHistory: {
    kind: 'Family history',
    what: (f) => joined(concept(words, f.relationship), f.name),
    when: (f) => f.date,
    status: (f) => f.status,
    value: (one) => familyEvents(words, one).join('; ') || undefined,
  },
  QuestionnaireResponse: {
    kind: 'Questionnaire',
    when: (q) => q.authored,
    who: (q) => answeredBy(words, q),
    status: (q) => q.status,
  },
  Provenance: {
    kind: 'Provenance',
    what: (p) => concept(words, p.activity),
    when: (p) => p.recorded,
    who: (p) =>
      references(
        words,
        (p.agent ?? []).flatMap(({ who }) => who ?? []),
      ) || undefined,
  },
}));

/** Returns the words of a type; `undefined` for a type that the chart does not read. */
export const wordsOf = <T extends ResourceType>(words: Words, type: T): TypeWords<T> | undefined =>
  wordsByType(words)[type];

function meaningIn<T extends ResourceType>(
  words: Words,
  type: T,
  resource: Resource,
  included: Resource[],
): Meaning | undefined {
  const own = wordsOf(words, type);
  if (!own || !isOfType(type, resource)) return undefined;
  return {
    kind: own.kind,
    what: own.what?.(resource, included),
    when: own.when?.(resource),
    who: own.who?.(resource),
    status: own.status?.(resource),
    // It takes most of the time, and is not always wanted.
    get value() {
      return own.value?.(resource);
    },
  };
}

/** Returns the clinical and the verification status, as written. */
const bothStatuses = (
  words: Words,
  of: { clinicalStatus?: Concept; verificationStatus?: Concept },
): string | undefined =>
  joined(
    codeOf(of.clinicalStatus) ?? concept(words, of.clinicalStatus),
    codeOf(of.verificationStatus) ?? concept(words, of.verificationStatus),
  );

const isKnown = (type: string): type is ResourceType => Object.hasOwn(wordsByType(ENGLISH), type);

/** Returns whether a type has its own words here. */
export const hasWords = (type: string): boolean => isKnown(type);

/** Returns the meaning of a record. `included` are records to which it may refer. */
export function meaningOf(words: Words, resource: Resource, included: Resource[] = []): Meaning {
  const { resourceType: type } = resource;
  const found = isKnown(type) ? meaningIn(words, type, resource, included) : undefined;
  const meaning: Meaning = found ?? { kind: typeKind(type), ...otherWords(words, resource, included) };
  const status = isEnteredInError(resource)
    ? plain(words, 'entered-in-error')
    : meaning.status && capital(plain(words, meaning.status));
  const inUse = isOfType('Device', resource) ? deviceCaution(words, resource, included) : undefined;
  const caution = joined(cautionOf(words, resource), unclaimedText(words, resource), inUse);
  return Object.assign(meaning, { status, caution });
}
