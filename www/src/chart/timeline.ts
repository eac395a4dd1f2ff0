//! The dated records of a chart as events, newest first, by day.

import { html } from 'lit-html';
import { instant } from '../fhir/date.ts';
import { shortName } from '../fhir/names.ts';
import { when } from '../fhir/reading.ts';
import { concept, concepts, isEnteredInError } from '../fhir/text.ts';
import { type Concept, ofType, type Resource, type ResourceOf, type ResourceType } from '../fhir/types.ts';
import { medication } from './medications.ts';
import { readingView } from './reading.ts';
import type { ChartStore } from './store.ts';

export interface TimelineEvent {
  /** The date as it is written. */
  on: string;
  /** Its beginning, in milliseconds since 1970. */
  at: number;
  kind: string;
  title: unknown;
  resource: Resource;
}

/** The rule by which records of a type become events. */
interface EventType<T extends ResourceType> {
  kind: string;
  date(resource: ResourceOf<T>): string | undefined;
  title(resource: ResourceOf<T>, included: Resource[]): unknown;
}

const testName = (code: Concept | undefined): string | undefined => {
  const name = concept(code);
  return name && shortName(name).main;
};

const EVENT_TYPES = {
  AllergyIntolerance: {
    kind: 'Allergy',
    date: (a) => a.onsetDateTime ?? a.recordedDate,
    title: (a) => concept(a.code),
  },
  Condition: {
    kind: 'Problem',
    date: (c) => c.onsetDateTime ?? c.recordedDate,
    title: (c) => concept(c.code),
  },
  MedicationRequest: { kind: 'Prescription', date: (m) => m.authoredOn, title: medication },
  MedicationDispense: { kind: 'Fill', date: (m) => m.whenHandedOver ?? m.whenPrepared, title: medication },
  Immunization: { kind: 'Immunization', date: (i) => i.occurrenceDateTime, title: (i) => concept(i.vaccineCode) },
  Observation: {
    kind: 'Result',
    date: when,
    title: (o) => html`${testName(o.code) ?? 'Result'}: ${readingView(o)}`,
  },
  DiagnosticReport: {
    kind: 'Report',
    date: (r) => r.effectiveDateTime ?? r.issued ?? r.effectivePeriod?.start,
    title: (r) => testName(r.code),
  },
  DocumentReference: { kind: 'Note', date: (d) => d.date, title: (d) => concept(d.type) },
  Procedure: {
    kind: 'Procedure',
    date: (p) => p.performedDateTime ?? p.performedPeriod?.start,
    title: (p) => concept(p.code),
  },
  ServiceRequest: {
    kind: 'Order',
    date: (s) => s.occurrenceDateTime ?? s.authoredOn,
    title: (s) => testName(s.code),
  },
  Encounter: { kind: 'Visit', date: (e) => e.period?.start, title: (e) => e.type && concepts(e.type) },
  CarePlan: { kind: 'Plan', date: (p) => p.period?.start, title: (p) => p.title },
  Goal: { kind: 'Goal', date: (g) => g.startDate ?? g.statusDate, title: (g) => concept(g.description) },
  QuestionnaireResponse: { kind: 'Questionnaire', date: (q) => q.authored, title: () => undefined },
} satisfies { [T in ResourceType]?: EventType<T> };

type DatedType = keyof typeof EVENT_TYPES;
const EVENT_TABLE: { [T in DatedType]: EventType<T> } = EVENT_TYPES;

function eventsOfType<T extends DatedType>(type: T, matches: Resource[], included: Resource[]): TimelineEvent[] {
  const { kind, date, title }: EventType<T> = EVENT_TABLE[type];
  return ofType(type, matches).flatMap((resource): TimelineEvent[] => {
    const on = date(resource);
    const at = instant(on);
    if (!on || at === undefined || isEnteredInError(resource)) return [];
    return [{ on, at, kind, title: title(resource, included) ?? type, resource }];
  });
}

const isDatedType = (type: string): type is DatedType => Object.hasOwn(EVENT_TYPES, type);

/** The events of some searches, each record once, newest first. */
export function eventsOf(store: ChartStore, queries: string[]): TimelineEvent[] {
  const events = new Map<string, TimelineEvent>();
  for (const query of queries) {
    const state = store.of(query);
    const [type = ''] = query.split(/[?/]/);
    if (state.is !== 'loaded' || !isDatedType(type)) continue;
    for (const event of eventsOfType(type, state.found.matches, state.found.included)) {
      const address = `${type}/${event.resource.id}`;
      if (!events.has(address)) events.set(address, event);
    }
  }
  return [...events.values()].sort((a, b) => b.at - a.at);
}

export const yearsOf = (events: TimelineEvent[]): string[] => [...new Set(events.map(({ on }) => on.slice(0, 4)))];
export const kindsOf = (events: TimelineEvent[]): string[] => [...new Set(events.map(({ kind }) => kind))].sort();

/** Groups events, which are in order, by day. */
export function daysOf(events: TimelineEvent[]): { on: string; list: TimelineEvent[] }[] {
  const days: { on: string; list: TimelineEvent[] }[] = [];
  for (const event of events) {
    const on = event.on.slice(0, 10);
    const last = days.at(-1);
    if (last?.on === on) last.list.push(event);
    else days.push({ on, list: [event] });
  }
  return days;
}
