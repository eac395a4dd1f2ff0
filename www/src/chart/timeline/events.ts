//! The dated records of a chart as events.

import { html, type TemplateResult } from 'lit-html';
import { instant } from '../../fhir/date.ts';
import { shortName } from '../../fhir/names.ts';
import { reading, when } from '../../fhir/reading.ts';
import { codeOf, concept, concepts, isEnteredInError, plain } from '../../fhir/text.ts';
import {
  type Concept,
  isOfType,
  type Resource,
  type ResourceOf,
  type ResourceType,
  visitAddress,
} from '../../fhir/types.ts';
import { medication } from '../medications.ts';
import { readingText } from '../reading.ts';

export interface TimelineEvent {
  /** The date as it is written; empty for a record whose visit alone has one. */
  on: string;
  /** Its beginning, in milliseconds since 1970. */
  at: number;
  kind: string;
  /** The name in plain text; of a result, that of its test. */
  name: string;
  /** The value of a result. */
  value?: string;
  /** The status, where it is not the usual one. */
  status: string | undefined;
  /** The `Encounter/id` of the visit at which it was recorded. */
  visit: string | undefined;
  resource: Resource;
}

/** The rule by which records of a type become events. */
interface EventType<T extends ResourceType> {
  kind: string;
  date(resource: ResourceOf<T>): string | undefined;
  name(resource: ResourceOf<T>, included: Resource[]): string | undefined;
  status?(resource: ResourceOf<T>): string | undefined;
  /** The statuses that go without saying. */
  usual?: string[];
}

const testName = (code: Concept | undefined): string | undefined => {
  const name = concept(code);
  return name && shortName(name).main;
};

const EVENT_TYPES = {
  AllergyIntolerance: {
    kind: 'Allergy',
    date: (a) => a.onsetDateTime ?? a.recordedDate,
    name: (a) => concept(a.code),
    status: (a) => codeOf(a.verificationStatus),
    usual: ['confirmed'],
  },
  Condition: {
    kind: 'Problem',
    date: (c) => c.onsetDateTime ?? c.recordedDate,
    name: (c) => concept(c.code),
    status: (c) => codeOf(c.verificationStatus),
    usual: ['confirmed'],
  },
  MedicationRequest: {
    kind: 'Prescription',
    date: (m) => m.authoredOn,
    name: medication,
    status: (m) => (m.doNotPerform ? 'do not take' : m.status),
    usual: ['active', 'completed'],
  },
  MedicationDispense: {
    kind: 'Fill',
    date: (m) => m.whenHandedOver ?? m.whenPrepared,
    name: medication,
    status: (m) => m.status,
    usual: ['completed'],
  },
  Immunization: {
    kind: 'Immunization',
    date: (i) => i.occurrenceDateTime,
    name: (i) => concept(i.vaccineCode),
    status: (i) => i.status,
    usual: ['completed'],
  },
  Observation: {
    kind: 'Result',
    date: when,
    name: (o) => testName(o.code) ?? 'Result',
    status: (o) => o.status,
    usual: ['final', 'amended', 'corrected'],
  },
  DiagnosticReport: {
    kind: 'Report',
    date: (r) => r.effectiveDateTime ?? r.issued ?? r.effectivePeriod?.start,
    name: (r) => testName(r.code),
    status: (r) => r.status,
    usual: ['final', 'amended', 'corrected', 'appended'],
  },
  DocumentReference: {
    kind: 'Note',
    date: (d) => d.date,
    name: (d) => concept(d.type),
    status: (d) => d.status,
    usual: ['current'],
  },
  Procedure: {
    kind: 'Procedure',
    date: (p) => p.performedDateTime ?? p.performedPeriod?.start,
    name: (p) => concept(p.code),
    status: (p) => p.status,
    usual: ['completed'],
  },
  ServiceRequest: {
    kind: 'Order',
    date: (s) => s.occurrenceDateTime ?? s.authoredOn,
    name: (s) => testName(s.code),
    status: (s) => (s.doNotPerform ? 'do not perform' : s.status),
    usual: ['active', 'completed'],
  },
  Encounter: {
    kind: 'Visit',
    date: (e) => e.period?.start,
    name: (e) => concepts(e.type) || e.class?.display,
    status: (e) => e.status,
    usual: ['finished'],
  },
  CarePlan: {
    kind: 'Plan',
    date: (p) => p.period?.start,
    name: (p) => p.title || concepts(p.category),
    status: (p) => p.status,
    usual: ['active', 'completed'],
  },
  Goal: {
    kind: 'Goal',
    date: (g) => g.startDate ?? g.statusDate,
    name: (g) => concept(g.description),
    status: (g) => g.lifecycleStatus,
    usual: ['active', 'completed', 'accepted'],
  },
  QuestionnaireResponse: {
    kind: 'Questionnaire',
    date: (q) => q.authored,
    name: () => undefined,
    status: (q) => q.status,
    usual: ['completed', 'amended'],
  },
} satisfies { [T in ResourceType]?: EventType<T> };

type DatedType = keyof typeof EVENT_TYPES;
const EVENT_TABLE: { [T in DatedType]: EventType<T> } = EVENT_TYPES;

/** Returns whether records of a type become events. */
export const isDatedType = (type: string): type is DatedType => Object.hasOwn(EVENT_TYPES, type);

/**
 * The event of a record, or nothing where it was entered in error. A record without a date has no `at`; it is an event
 * only where its visit has one.
 */
export function eventOf<T extends DatedType>(
  type: T,
  resource: Resource,
  included: Resource[],
): (Omit<TimelineEvent, 'at'> & { at: number | undefined }) | undefined {
  if (!isOfType(type, resource) || isWithdrawn(resource)) return undefined;
  const { kind, date, name, status, usual = [] }: EventType<T> = EVENT_TABLE[type];
  const on = date(resource);
  const at = instant(on);
  const said = status?.(resource);
  return {
    on: at === undefined ? '' : (on ?? ''),
    at,
    kind,
    name: name(resource, included) ?? kind,
    ...(isOfType('Observation', resource) ? { value: reading(resource) } : {}),
    status: said === undefined || usual.includes(said) ? undefined : plain(said),
    visit: type === 'Encounter' ? undefined : visitAddress(resource),
    resource,
  };
}

/** Returns whether a record was entered in error, by the status of any type. */
const isWithdrawn = (resource: Resource & { lifecycleStatus?: string }): boolean =>
  isEnteredInError(resource) || resource.lifecycleStatus === 'entered-in-error';

/** The name of an event, and the value of a result. */
export const eventTitle = ({ name, value }: TimelineEvent): TemplateResult | string =>
  value === undefined ? name : html`${name}: ${readingText(value)}`;
