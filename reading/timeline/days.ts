//! The events of a chart by day, newest first: visits with their records, and the records without a visit.

import { recordAddress } from '../fhir/record-address.ts';
import { isOfType } from '../fhir/types.ts';
import type { Message, Words } from '../language/words.ts';
import { flag } from '../results/flags/flag.ts';
import { isOfOther } from '../results/names/told-apart.ts';
import type { TimelineEvent } from './events.ts';

export interface Visit {
  event: TimelineEvent;
  /** The records of the visit, by kind. */
  records: TimelineEvent[];
}

export interface Day {
  /** The day as written, or a month or a year if that is all that is known. */
  on: string;
  visits: Visit[];
  /** The records without a shown visit, by kind. */
  records: TimelineEvent[];
  /** The results among them, if there are more than a few: a blood test with many results is one line. */
  results: TimelineEvent[];
  /** The number of its events. */
  size: number;
  /** The number of events of the preceding days in the list. */
  from: number;
}

/** The kinds of records with the forms of their counts, in the order in which a visit lists them. */
const KINDS = {
  Problem: '{n} problem|{n} problems',
  Allergy: '{n} allergy|{n} allergies',
  Result: '{n} result|{n} results',
  Report: '{n} report|{n} reports',
  Procedure: '{n} procedure|{n} procedures',
  Immunization: '{n} immunization|{n} immunizations',
  Prescription: '{n} prescription|{n} prescriptions',
  Fill: '{n} fill|{n} fills',
  'Reported medication': '{n} reported medication|{n} reported medications',
  Administration: '{n} administration|{n} administrations',
  Order: '{n} order|{n} orders',
  Note: '{n} note|{n} notes',
  Questionnaire: '{n} questionnaire|{n} questionnaires',
  Plan: '{n} plan|{n} plans',
  Goal: '{n} goal|{n} goals',
} as const satisfies Record<string, Message>;
const isCounted = (kind: string): kind is keyof typeof KINDS => Object.hasOwn(KINDS, kind);
/** Up to this number of results of a day have a line each. */
const FEW = 3;
const ORDER: string[] = Object.keys(KINDS);

const isResult = ({ kind }: TimelineEvent): boolean => kind === 'Result';
export const isVisit = ({ kind }: TimelineEvent): boolean => kind === 'Visit';

/** Orders events by day, and within a day by time, newest first. The day is the written day. */
const newestFirst = (a: TimelineEvent, b: TimelineEvent): number => {
  const [x, y] = [dayOf(a), dayOf(b)];
  return x === y ? b.at - a.at : x < y ? 1 : -1;
};
const dayOf = ({ on }: TimelineEvent): string => on.slice(0, 10);

const byKind = (a: TimelineEvent, b: TimelineEvent): number =>
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.at - b.at;

/** Groups events by day. With `visits`, a visit contains its records; otherwise each record has its own day. */
export function daysOf(events: readonly TimelineEvent[], { visits: withVisits = true } = {}): Day[] {
  const visits = new Map<string, Visit>();
  for (const event of withVisits ? events.filter(isVisit) : [])
    visits.set(recordAddress(event.resource), { event, records: [] });
  const days = new Map<string, Day>();
  const day = (on: string): Day => {
    const known = days.get(on);
    if (known) return known;
    const made: Day = { on, visits: [], records: [], results: [], size: 0, from: 0 };
    days.set(on, made);
    return made;
  };
  for (const event of events.toSorted(newestFirst)) {
    const own = visits.get(recordAddress(event.resource));
    const host = visits.get(event.visit ?? '');
    if (own) day(dayOf(event)).visits.push(own);
    else if (host) host.records.push(event);
    else if (event.on) day(dayOf(event)).records.push(event);
  }
  const list = [...days.values()].sort((a, b) => (a.on < b.on ? 1 : -1));
  for (const one of list) {
    for (const { records } of one.visits) records.sort(byKind);
    one.records.sort(byKind);
    const results = one.records.filter(isResult);
    if (results.length <= FEW) continue;
    one.results = results;
    one.records = one.records.filter((event) => !isResult(event));
  }
  return counted(list);
}

export const visitDays = (days: readonly Day[]): Day[] =>
  counted(days.filter(({ visits }) => visits.length > 0).map((day) => ({ ...day, records: [], results: [] })));

/** Gives each day its size and the number of events before it. */
function counted(days: Day[]): Day[] {
  let from = 0;
  for (const day of days) {
    day.from = from;
    day.size =
      day.records.length + day.results.length + day.visits.reduce((sum, { records }) => sum + 1 + records.length, 0);
    from += day.size;
  }
  return days;
}

export const kindsOf = (events: readonly TimelineEvent[]): string[] =>
  [...new Set(events.map(({ kind }) => kind))].sort();

export const sizeOf = (days: readonly Day[]): number => {
  const last = days.at(-1);
  return last ? last.from + last.size : 0;
};

/** Returns whether a result of the patient, or a part of it, is flagged. */
const isAbnormal = ({ resource }: TimelineEvent): boolean =>
  isOfType('Observation', resource) && !isOfOther(resource) && flag(resource) !== undefined;

/** Returns the counts of the records of a visit: `12 results, 2 abnormal · 1 prescription`. */
export function countsOf(words: Words, records: readonly TimelineEvent[]): string {
  const groups = Map.groupBy(records, ({ kind }) => kind);
  const counts = [...groups].map(([kind, list]) => {
    const records = words.t(isCounted(kind) ? KINDS[kind] : '{n} record|{n} records', { n: list.length });
    const abnormal = list.filter(isAbnormal).length;
    return abnormal ? words.t('{records}, {n} abnormal', { records, n: abnormal }) : records;
  });
  return counts.join(' · ');
}

/** Returns the names of records of one kind, without duplicates: `Asthma, Eczema and 2 more`. */
export function namesOf(words: Words, records: readonly TimelineEvent[], kind: string, most = 3): string {
  const names = [...new Set(records.filter((one) => one.kind === kind).map(({ name }) => name))];
  const rest = names.length - most;
  const first = names.slice(0, most).join(', ');
  return rest > 0 ? words.t('{names} and {n} more', { names: first, n: rest }) : first;
}

/** Returns whether a record of a visit has the date of another day. */
export const isOfOtherDay = (record: TimelineEvent, visit: TimelineEvent): boolean =>
  record.on !== '' && dayOf(record) !== dayOf(visit);
