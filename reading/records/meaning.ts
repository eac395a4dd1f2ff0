//! A record in the words of people: its kind, what it is about, when, who, its status and its value. One table for all
//! types that the chart reads; other types have a kind alone.

import { immunizationDose } from '../care/immunization-dose.ts';
import { absenceOf } from '../fhir/absence.ts';
import { cautionOf } from '../fhir/certainty.ts';
import { period, periodDate } from '../fhir/date.ts';
import { recordAddress } from '../fhir/record-address.ts';
import {
  administrationStatus,
  endedText,
  isPlanned,
  requestState,
  requestStatus,
  statementStatus,
} from '../fhir/request-state.ts';
import { siteText } from '../fhir/site.ts';
import {
  capital,
  codeOf,
  concept,
  concepts,
  isEnteredInError,
  nameOf,
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
  type Reference,
  type Resource,
  type ResourceOf,
  type ResourceType,
} from '../fhir/types.ts';
import { unclaimedText } from '../fhir/unclaimed.ts';
import type { PlainMessage } from '../language/message.ts';
import { courseEnd, courseEndText } from '../medications/course-end.ts';
import { medication } from '../medications/medication.ts';
import { doseText, recordedDose } from '../medications/medication-dose.ts';
import { fillAmount } from '../medications/supply-days.ts';
import { familyConditions } from '../people/family.ts';
import { absenceText, allergyDate, allergyName, graveText, reactionNames } from '../problems/allergy.ts';
import { withIsolate } from '../results/isolate.ts';
import { shortName } from '../results/names.ts';
import { observationText } from '../results/observation-text.ts';
import { when as measuredAt } from '../results/reading.ts';
import { otherWords } from './other-words.ts';

/** The words about one record. Nothing stands where the record does not say it. */
export interface Meaning {
  /** The kind of record in English, such as `Prescription`; it is translated where it is drawn. */
  kind: string;
  what?: string | undefined;
  /** A date as it is written. */
  when?: string | undefined;
  who?: string | undefined;
  status?: string | undefined;
  value?: string | undefined;
  /** The words without which the record would read like a plain fact, such as `refuted`, in the page's language. */
  caution?: string | undefined;
}

/** The words of a type of records: a function for each that its records can say. */
interface Words<T extends ResourceType> {
  kind: PlainMessage;
  what?(resource: ResourceOf<T>, included: Resource[]): string | undefined;
  when?(resource: ResourceOf<T>): string | undefined;
  who?(resource: ResourceOf<T>): string | undefined;
  status?(resource: ResourceOf<T>): string | undefined;
  value?(resource: ResourceOf<T>): string | undefined;
}

const test = (code: Concept | undefined): string | undefined => {
  const name = concept(code);
  return name && shortName(name).main;
};
const joined = (...parts: (string | undefined)[]): string | undefined => parts.filter(Boolean).join(', ') || undefined;

/** The people who performed something, in words. */
const performers = (all: { actor?: Reference }[] | undefined): string | undefined =>
  references((all ?? []).flatMap(({ actor }) => actor ?? [])) || undefined;

/** The site of a record with its side, by the structures among the records that it may refer to. */
const siteIn = (record: Resource, included: readonly Resource[]): string | undefined =>
  siteText(record, (address) => included.find((one) => recordAddress(one) === address));

/** Says that the course of a current medication is over by its own words. */
function overText(m: MedicationRequest | MedicationStatement): string | undefined {
  const over = requestState(m) === 'current' ? courseEnd(m) : undefined;
  return over && courseEndText(over);
}

const orderStatus = (m: MedicationRequest): string | undefined => overText(m) ?? requestStatus(m);
const reportStatus = (m: MedicationStatement): string | undefined => overText(m) ?? endedText(m) ?? statementStatus(m);

const WORDS: { [T in ResourceType]?: Words<T> } = {
  Patient: { kind: 'Patient', what: (p) => nameOf(p.name), when: (p) => p.birthDate },
  AllergyIntolerance: {
    kind: 'Allergy',
    what: (a) => absenceText(a) || allergyName(a),
    when: allergyDate,
    who: (a) => reference(a.asserter ?? a.recorder),
    status: (a) => bothStatuses(a),
    value: (a) => joined(absenceText(a) ? undefined : graveText(a), reactionNames(a).join('; ')),
  },
  Condition: {
    kind: 'Problem',
    what: (c) => absenceOf(c.code)?.text ?? concept(c.code),
    when: (c) => c.onsetDateTime ?? periodDate(c.onsetPeriod) ?? c.recordedDate,
    who: (c) => reference(c.asserter ?? c.recorder),
    status: (c) => bothStatuses(c),
    value: (c) => joined(concept(c.severity), siteText(c)),
  },
  Medication: { kind: 'Medication', what: (m) => concept(m.code) },
  MedicationRequest: {
    kind: 'Prescription',
    what: medication,
    when: (m) => m.authoredOn,
    who: (m) => reference(m.requester ?? m.reportedReference),
    status: orderStatus,
    value: (m) => doseText(m),
  },
  MedicationDispense: {
    kind: 'Fill',
    what: medication,
    when: (m) => m.whenHandedOver ?? m.whenPrepared,
    who: (m) => performers(m.performer),
    status: (m) => m.status,
    value: (m) => joined(fillAmount(m), recordedDose(m)),
  },
  MedicationStatement: {
    kind: 'Reported medication',
    what: medication,
    when: (m) => m.effectiveDateTime ?? periodDate(m.effectivePeriod) ?? m.dateAsserted,
    who: (m) => reference(m.informationSource),
    status: reportStatus,
    value: (m) => doseText(m),
  },
  MedicationAdministration: {
    kind: 'Administration',
    what: medication,
    when: (m) => m.effectiveDateTime ?? periodDate(m.effectivePeriod),
    who: (m) => performers(m.performer),
    status: administrationStatus,
    value: (m) => doseText(m),
  },
  Immunization: {
    kind: 'Immunization',
    what: (i) => absenceOf(i.vaccineCode)?.text ?? concept(i.vaccineCode),
    when: (i) => i.occurrenceDateTime,
    who: (i) => performers(i.performer),
    status: (i) => (i.status === 'not-done' ? 'not given' : i.status),
    value: (i) => joined(immunizationDose(i), concept(i.statusReason)),
  },
  Observation: {
    kind: 'Result',
    what: (o) => {
      const name = test(o.code);
      return name && withIsolate(o, name);
    },
    when: measuredAt,
    who: (o) => references(o.performer) || undefined,
    status: (o) => o.status,
    value: observationText,
  },
  DiagnosticReport: {
    kind: 'Report',
    what: (r) => test(r.code),
    when: (r) => r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued,
    who: (r) => references(r.performer) || undefined,
    status: (r) => r.status,
    value: (r) => r.conclusion,
  },
  DocumentReference: {
    kind: 'Note',
    what: (d) => concept(d.type) ?? d.description,
    when: (d) => d.date ?? periodDate(d.context?.period),
    who: (d) => references(d.author) || undefined,
    status: (d) => joined(d.status, d.docStatus),
  },
  Procedure: {
    kind: 'Procedure',
    what: (p, included) => absenceOf(p.code)?.text ?? joined(concept(p.code), siteIn(p, included)),
    when: (p) => p.performedDateTime ?? periodDate(p.performedPeriod),
    who: (p) => performers(p.performer),
    status: (p) => p.status,
    value: (p) =>
      joined(
        concept(p.outcome),
        concepts(p.complication),
        p.status === 'not-done' ? concept(p.statusReason) : undefined,
      ),
  },
  Device: {
    kind: 'Device',
    what: (d) => d.deviceName?.[0]?.name ?? concept(d.type),
    status: (d) => d.status,
    value: (d) => (d.deviceName?.[0]?.name ? concept(d.type) : undefined),
  },
  CarePlan: {
    kind: 'Plan',
    what: (p) => p.title || concepts(p.category) || undefined,
    when: (p) => periodDate(p.period),
    status: (p) => joined(p.status, p.intent === 'proposal' || p.intent === 'option' ? p.intent : undefined),
    value: (p) => period(p.period) || undefined,
  },
  Goal: {
    kind: 'Goal',
    what: (g) => concept(g.description),
    when: (g) => g.startDate ?? g.statusDate,
    status: (g) => joined(g.lifecycleStatus, concept(g.achievementStatus)),
  },
  CareTeam: { kind: 'Care team', what: (t) => t.name, when: (t) => periodDate(t.period), status: (t) => t.status },
  Practitioner: { kind: 'Practitioner', what: (p) => nameOf(p.name) },
  PractitionerRole: { kind: 'Role of a practitioner', what: (p) => reference(p.practitioner) },
  Organization: { kind: 'Organization', what: (o) => o.name },
  RelatedPerson: {
    kind: 'Related person',
    what: (p) => nameOf(p.name) ?? otherWords(p).what,
    value: (p) => otherWords(p).value,
  },
  ServiceRequest: {
    kind: 'Order',
    what: (s, included) => joined(test(s.code), siteIn(s, included)),
    when: (s) => s.occurrenceDateTime ?? periodDate(s.occurrencePeriod) ?? s.authoredOn,
    who: (s) => reference(s.requester),
    status: (s) => joined(requestStatus(s), isPlanned(s) ? undefined : s.intent),
    value: (s) => concepts(s.reasonCode) || undefined,
  },
  Encounter: {
    kind: 'Visit',
    what: (e) => concepts(e.type) || undefined,
    when: (e) => periodDate(e.period),
    who: (e) => reference(e.serviceProvider),
    status: (e) => e.status,
    value: (e) => concepts(e.reasonCode) || undefined,
  },
  Flag: {
    kind: 'Alert',
    what: (f) => concept(f.code),
    when: (f) => periodDate(f.period),
    who: (f) => reference(f.author),
    status: (f) => f.status,
    value: (f) => joined(concepts(f.category), period(f.period)),
  },
  FamilyMemberHistory: {
    kind: 'Family history',
    what: (f) => joined(concept(f.relationship), f.name),
    when: (f) => f.date,
    status: (f) => f.status,
    value: familyConditions,
  },
  QuestionnaireResponse: { kind: 'Questionnaire', when: (q) => q.authored, status: (q) => q.status },
  Provenance: {
    kind: 'Provenance',
    what: (p) => concept(p.activity),
    when: (p) => p.recorded,
    who: (p) => references((p.agent ?? []).flatMap(({ who }) => who ?? [])) || undefined,
  },
};

/** The words of a type; nothing for a type that the chart does not read. */
export const wordsOf = <T extends ResourceType>(type: T): Words<T> | undefined => WORDS[type];

function meaningIn<T extends ResourceType>(type: T, resource: Resource, included: Resource[]): Meaning | undefined {
  const words = wordsOf(type);
  if (!words || !isOfType(type, resource)) return undefined;
  return {
    kind: words.kind,
    what: words.what?.(resource, included),
    when: words.when?.(resource),
    who: words.who?.(resource),
    status: words.status?.(resource),
    value: words.value?.(resource),
  };
}

/** The clinical and the verification status, as they were written. */
const bothStatuses = (of: { clinicalStatus?: Concept; verificationStatus?: Concept }): string | undefined =>
  joined(
    codeOf(of.clinicalStatus) ?? concept(of.clinicalStatus),
    codeOf(of.verificationStatus) ?? concept(of.verificationStatus),
  );

const isKnown = (type: string): type is ResourceType => Object.hasOwn(WORDS, type);

/** Returns whether a type has words of its own here. */
export const hasWords = (type: string): boolean => isKnown(type);

/** The meaning of a record. `included` are records that it may refer to. */
export function meaningOf(resource: Resource, included: Resource[] = []): Meaning {
  const { resourceType: type } = resource;
  const found = isKnown(type) ? meaningIn(type, resource, included) : undefined;
  const meaning: Meaning = found ?? { kind: typeKind(type), ...otherWords(resource, included) };
  const status = isEnteredInError(resource)
    ? plain('entered-in-error')
    : meaning.status && capital(plain(meaning.status));
  const caution = [cautionOf(resource), unclaimedText(resource)].filter(Boolean).join(', ') || undefined;
  return { ...meaning, status, caution };
}
