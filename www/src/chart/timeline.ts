//! Everything with a date, newest first, by month: what was when, and what else was then.

import { html, nothing, type TemplateResult } from 'lit-html';
import { instant } from '../fhir/date.ts';
import { when as measured } from '../fhir/measure.ts';
import { shortName } from '../fhir/names.ts';
import { concept, concepts, isEnteredInError } from '../fhir/text.ts';
import type { Concept, Observation, Resource } from '../fhir/types.ts';
import { medication } from './medications.ts';
import { readingView } from './reading.ts';
import type { ChartStore } from './store.ts';

export interface Event {
  on: string;
  at: number;
  kind: string;
  title: unknown;
  resource: Resource;
}

const KINDS: Record<string, string> = {
  Condition: 'Problem',
  AllergyIntolerance: 'Allergy',
  MedicationRequest: 'Prescription',
  MedicationDispense: 'Fill',
  Immunization: 'Immunization',
  Observation: 'Result',
  DiagnosticReport: 'Report',
  DocumentReference: 'Note',
  Procedure: 'Procedure',
  ServiceRequest: 'Order',
  Encounter: 'Visit',
  CarePlan: 'Plan',
  Goal: 'Goal',
  QuestionnaireResponse: 'Questionnaire',
};

type Loose = Resource &
  Record<string, unknown> & {
    code?: Concept;
    vaccineCode?: Concept;
    type?: Concept | Concept[];
    title?: string;
    description?: Concept;
    status?: string;
    verificationStatus?: Concept;
  };

function dateOf(r: Loose): string | undefined {
  if (r.resourceType === 'Observation') return measured(r as unknown as Observation);
  const names = [
    'onsetDateTime',
    'performedDateTime',
    'occurrenceDateTime',
    'whenHandedOver',
    'whenPrepared',
    'effectiveDateTime',
    'authoredOn',
    'authored',
    'startDate',
    'statusDate',
    'issued',
    'date',
    'recordedDate',
  ];
  const named = names.map((name) => r[name]).find((value) => typeof value === 'string');
  const periods = ['period', 'performedPeriod', 'effectivePeriod']
    .map((name) => (r[name] as { start?: string } | undefined)?.start)
    .find(Boolean);
  return (named as string | undefined) ?? periods;
}

function titleOf(r: Loose, included: Resource[]): unknown {
  if (r.resourceType.startsWith('Medication')) return medication(r, included);
  if (r.resourceType === 'Observation')
    return html`${shortName(concept(r.code) ?? 'Result').main}: ${readingView(r as unknown as Observation)}`;
  const type = Array.isArray(r.type) ? concepts(r.type) : concept(r.type);
  if (['DiagnosticReport', 'ServiceRequest'].includes(r.resourceType) && concept(r.code))
    return shortName(concept(r.code) ?? '').main;
  return (
    concept(r.code) ??
    concept(r.vaccineCode) ??
    type ??
    r.title ??
    (typeof r.description === 'object' ? concept(r.description) : undefined) ??
    r.resourceType
  );
}

export function eventsOf(store: ChartStore, queries: string[]): Event[] {
  const seen = new Set<string>();
  const events = queries.flatMap((query): Event[] => {
    const state = store.of(query);
    if (state.is !== 'there') return [];
    return state.found.matches.flatMap((resource): Event[] => {
      const r = resource as Loose;
      const address = `${r.resourceType}/${r.id}`;
      const on = dateOf(r);
      const at = instant(on);
      const kind = KINDS[r.resourceType];
      if (!kind || !on || at === undefined || seen.has(address) || isEnteredInError(r)) return [];
      seen.add(address);
      return [{ on, at, kind, title: titleOf(r, state.found.included), resource }];
    });
  });
  return events.sort((a, b) => b.at - a.at);
}

export const yearsOf = (events: Event[]): string[] => [...new Set(events.map(({ on }) => on.slice(0, 4)))];
export const kindsOf = (events: Event[]): string[] => [...new Set(events.map(({ kind }) => kind))].sort();

/** Of one day the results stand together: a blood test is one line, to be opened. */
export function daysOf(events: Event[]): { on: string; list: Event[] }[] {
  const days: { on: string; list: Event[] }[] = [];
  for (const event of events) {
    const on = event.on.slice(0, 10);
    const last = days.at(-1);
    if (last?.on === on) last.list.push(event);
    else days.push({ on, list: [event] });
  }
  return days;
}

export const none = (some: boolean): TemplateResult | typeof nothing =>
  some ? nothing : html`<p class="state empty">Nothing with a date is shown.</p>`;
