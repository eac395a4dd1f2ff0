//! The dated records of a chart as events.

import { html, type TemplateResult } from 'lit-html';
import { instant } from '../../fhir/date.ts';
import { wordsOf } from '../../fhir/meaning.ts';
import { reading } from '../../fhir/reading.ts';
import { requestStatus } from '../../fhir/request-state.ts';
import { codeOf, codingWords, concept, concepts, isEnteredInError, plain } from '../../fhir/text.ts';
import { isOfType, type Resource, type ResourceOf, type ResourceType, visitAddress } from '../../fhir/types.ts';
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

/** The rule by which records of a type become events. Its other words are those of the type (`../meaning.ts`). */
interface EventType<T extends ResourceType> {
  /** The date, where it is not that of the type. */
  when?(resource: ResourceOf<T>): string | undefined;
  /** The name, where it is not that of the type. */
  what?(resource: ResourceOf<T>): string | undefined;
  status(resource: ResourceOf<T>): string | undefined;
  /** The statuses that go without saying. */
  usual: string[];
}

const EVENT_TYPES = {
  AllergyIntolerance: { status: (a) => codeOf(a.verificationStatus), usual: ['confirmed'] },
  Condition: {
    status: (c) => codeOf(c.verificationStatus),
    usual: ['confirmed'],
  },
  MedicationRequest: {
    status: requestStatus,
    usual: ['active', 'completed'],
  },
  MedicationDispense: { status: (m) => m.status, usual: ['completed'] },
  Immunization: { status: (i) => i.status, usual: ['completed'] },
  Observation: { status: (o) => o.status, usual: ['final', 'amended', 'corrected'] },
  DiagnosticReport: { status: (r) => r.status, usual: ['final', 'amended', 'corrected', 'appended'] },
  DocumentReference: { what: (d) => concept(d.type), status: (d) => d.status, usual: ['current'] },
  Procedure: { status: (p) => p.status, usual: ['completed'] },
  ServiceRequest: {
    status: requestStatus,
    usual: ['active', 'completed'],
  },
  Encounter: {
    what: (e) => concepts(e.type) || codingWords(e.class),
    status: (e) => e.status,
    usual: ['finished'],
  },
  CarePlan: { status: (p) => p.status, usual: ['active', 'completed'] },
  Goal: { status: (g) => g.lifecycleStatus, usual: ['active', 'completed', 'accepted'] },
  QuestionnaireResponse: { status: (q) => q.status, usual: ['completed', 'amended'] },
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
  const { usual, ...own }: EventType<T> = EVENT_TABLE[type];
  const words = wordsOf(type);
  const kind = words?.kind ?? type;
  const on = own.when ? own.when(resource) : words?.when?.(resource);
  const at = instant(on);
  const name = own.what ? own.what(resource) : words?.what?.(resource, included);
  const said = own.status(resource);
  return {
    on: at === undefined ? '' : (on ?? ''),
    at,
    kind,
    name: name ?? kind,
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
