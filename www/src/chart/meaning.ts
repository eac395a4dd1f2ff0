//! A record in the words of people: its kind, what it is about, when, who, its status and its value. One table for all
//! types that the chart reads; other types have a kind alone.

import { instant, period } from '../fhir/date.ts';
import { flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { when as measuredAt, range, reading } from '../fhir/reading.ts';
import {
  capital,
  codeOf,
  concept,
  concepts,
  isEnteredInError,
  nameOf,
  plain,
  quantity,
  reference,
  references,
} from '../fhir/text.ts';
import { type Concept, isOfType, type Resource, type ResourceOf, type ResourceType } from '../fhir/types.ts';
import { medication } from './medications.ts';

/** The words about one record. Nothing stands where the record does not say it. */
export interface Meaning {
  /** The kind of record, such as `Prescription`. */
  kind: string;
  what?: string | undefined;
  /** A date as it is written. */
  when?: string | undefined;
  who?: string | undefined;
  status?: string | undefined;
  value?: string | undefined;
}

type Words<T extends ResourceType> = (resource: ResourceOf<T>, included: Resource[]) => Meaning;

const test = (code: Concept | undefined): string | undefined => {
  const name = concept(code);
  return name && shortName(name).main;
};
const joined = (...parts: (string | undefined)[]): string | undefined => parts.filter(Boolean).join(', ') || undefined;

const WORDS: { [T in ResourceType]?: Words<T> } = {
  Patient: (p) => ({ kind: 'Patient', what: nameOf(p.name), when: p.birthDate }),
  AllergyIntolerance: (a) => ({
    kind: 'Allergy',
    what: concept(a.code),
    when: a.onsetDateTime ?? a.recordedDate,
    who: reference(a.recorder),
    status: joined(codeOf(a.clinicalStatus), codeOf(a.verificationStatus)),
    value: (a.reaction ?? []).map(({ manifestation }) => concepts(manifestation)).join('; ') || undefined,
  }),
  Condition: (c) => ({
    kind: 'Problem',
    what: concept(c.code),
    when: c.onsetDateTime ?? c.onsetPeriod?.start ?? c.recordedDate,
    who: reference(c.recorder),
    status: joined(codeOf(c.clinicalStatus), codeOf(c.verificationStatus)),
    value: concept(c.severity),
  }),
  Medication: (m) => ({ kind: 'Medication', what: concept(m.code) }),
  MedicationRequest: (m, included) => ({
    kind: 'Prescription',
    what: medication(m, included),
    when: m.authoredOn,
    who: reference(m.requester ?? m.reportedReference),
    status: m.status,
    value: (m.dosageInstruction ?? []).flatMap(({ text }) => text || []).join('; ') || undefined,
  }),
  MedicationDispense: (m, included) => ({
    kind: 'Fill',
    what: medication(m, included),
    when: m.whenHandedOver ?? m.whenPrepared,
    who: references((m.performer ?? []).flatMap(({ actor }) => actor ?? [])) || undefined,
    status: m.status,
    value: joined(quantity(m.quantity), m.daysSupply && `for ${quantity(m.daysSupply)}`),
  }),
  Immunization: (i) => ({
    kind: 'Immunization',
    what: concept(i.vaccineCode),
    when: i.occurrenceDateTime,
    who: references((i.performer ?? []).flatMap(({ actor }) => actor ?? [])) || undefined,
    status: i.status === 'not-done' ? 'not given' : i.status,
    value: concept(i.statusReason),
  }),
  Observation: (o) => {
    const usual = range(o.referenceRange?.[0]);
    const of = flag(o);
    return {
      kind: 'Result',
      what: test(o.code),
      when: measuredAt(o),
      who: references(o.performer) || undefined,
      status: o.status,
      value: joined(reading(o), of && plain(of), usual && `range ${usual}`),
    };
  },
  DiagnosticReport: (r) => ({
    kind: 'Report',
    what: test(r.code),
    when: r.effectiveDateTime ?? r.issued ?? r.effectivePeriod?.start,
    who: references(r.performer) || undefined,
    status: r.status,
    value: r.conclusion,
  }),
  DocumentReference: (d) => ({
    kind: 'Note',
    what: concept(d.type) ?? d.description,
    when: d.date,
    who: references(d.author) || undefined,
    status: d.status,
  }),
  Procedure: (p) => ({
    kind: 'Procedure',
    what: concept(p.code),
    when: p.performedDateTime ?? p.performedPeriod?.start,
    status: p.status,
  }),
  Device: (d) => ({ kind: 'Device', what: concept(d.type), status: d.status }),
  CarePlan: (p) => ({
    kind: 'Plan',
    what: p.title ?? (concepts(p.category) || undefined),
    when: p.period?.start,
    status: p.status,
    value: period(p.period) || undefined,
  }),
  Goal: (g) => ({
    kind: 'Goal',
    what: concept(g.description),
    when: g.startDate ?? g.statusDate,
    status: joined(g.lifecycleStatus, concept(g.achievementStatus)),
  }),
  CareTeam: (t) => ({ kind: 'Care team', what: t.name, when: t.period?.start, status: t.status }),
  Practitioner: (p) => ({ kind: 'Practitioner', what: nameOf(p.name) }),
  PractitionerRole: (p) => ({ kind: 'Role of a practitioner', what: reference(p.practitioner) }),
  Organization: (o) => ({ kind: 'Organization', what: o.name }),
  RelatedPerson: (p) => ({ kind: 'Related person', what: nameOf(p.name) }),
  ServiceRequest: (s) => ({
    kind: 'Order',
    what: test(s.code),
    when: s.occurrenceDateTime ?? s.authoredOn,
    who: reference(s.requester),
    status: joined(s.status, s.intent),
    value: concepts(s.reasonCode) || undefined,
  }),
  Encounter: (e) => ({
    kind: 'Visit',
    what: concepts(e.type) || undefined,
    when: e.period?.start,
    who: reference(e.serviceProvider),
    status: e.status,
    value: concepts(e.reasonCode) || undefined,
  }),
  QuestionnaireResponse: (q) => ({ kind: 'Questionnaire', when: q.authored, status: q.status }),
  Provenance: (p) => ({
    kind: 'Provenance',
    what: concept(p.activity),
    when: p.recorded,
    who: references((p.agent ?? []).flatMap(({ who }) => who ?? [])) || undefined,
  }),
};

function wordsOf<T extends ResourceType>(type: T, resource: Resource, included: Resource[]): Meaning | undefined {
  const words: Words<T> | undefined = WORDS[type];
  return words && isOfType(type, resource) ? words(resource, included) : undefined;
}

const isKnown = (type: string): type is ResourceType => Object.hasOwn(WORDS, type);

/** The meaning of a record. `included` are records that it may refer to. */
export function meaningOf(resource: Resource, included: Resource[] = []): Meaning {
  const { resourceType: type } = resource;
  const found = isKnown(type) ? wordsOf(type, resource, included) : undefined;
  const meaning = found ?? { kind: type.replace(/([a-z])([A-Z])/g, '$1 $2') };
  const status = isEnteredInError(resource) ? 'entered in error' : meaning.status && capital(plain(meaning.status));
  return { ...meaning, status };
}

/** The order of records by date, newest first; those without a date come last. */
export const byDateOf = (a: Resource, b: Resource): number =>
  (instant(meaningOf(b).when) ?? -Infinity) - (instant(meaningOf(a).when) ?? -Infinity) || 0;
