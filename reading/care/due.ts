//! The things of a chart that are still to come: open orders, dates of goals, and supplies of medications that end.

import { DAY, instant, shortDate } from '../fhir/date.ts';
import { isPlanned, requestState } from '../fhir/request-state.ts';
import { concept } from '../fhir/text.ts';
import type { Goal, MedicationDispense, MedicationRequest, Resource, ServiceRequest } from '../fhir/types.ts';
import type { Message, Words } from '../language/words.ts';
import { dispensesByOrder } from '../medications/dispenses.ts';
import { medication } from '../medications/medication.ts';
import { testName } from '../results/names.ts';
import { doneByOrder } from '../results/results-of-orders.ts';

/** Supplies that end within this time are due, in days. */
const AHEAD = 14;
/** A supply that ended longer ago was not renewed, and is no news, in days. */
const BEHIND = 120;

export interface Due {
  /** The record that it is about. */
  of: Resource;
  title: string;
  kind: 'order' | 'avoid' | 'goal' | 'supply';
  /** The date, if there is one, in milliseconds since 1970. */
  at: number | undefined;
  /** The date as the record has it, where that may be less than a day. */
  written?: string | undefined;
  /** True if the date has passed. */
  isLate: boolean;
  /** True if its time has begun and goes on: until the date, or without an end. */
  isRunning?: boolean;
  /** When it was last done, in milliseconds since 1970, of an order whose time goes on. */
  doneAt?: number;
}

const OVER = ['rejected', 'cancelled', 'entered-in-error', 'completed'];
const MET = ['achieved'];

/** Returns whether an order is open: it is active, or its status is not known. */
const isOpen = (status: string | undefined): boolean =>
  !['completed', 'revoked', 'entered-in-error', 'on-hold', 'draft'].includes(status ?? '');

/** The end of a written date, in milliseconds since 1970: that of its day, its month or its year. */
function endOf(text: string | undefined): number | undefined {
  const start = instant(text);
  if (start === undefined || !text || text.includes('T')) return start;
  const [year = 0, month, day] = text.split('-').map(Number);
  return day === undefined ? Date.UTC(year, month ?? 12, 1) : Date.UTC(year, (month ?? 1) - 1, day + 1);
}

/** The time of an order: the date to show, and how it lies to the present. */
function timeOf(order: ServiceRequest, now: number): Omit<Due, 'of' | 'title' | 'kind'> {
  const { occurrenceDateTime: once, occurrencePeriod: { start, end } = {} } = order;
  const dated = (written: string | undefined) => ({ at: instant(written), written });
  const last = endOf(once ?? end);
  if (once || (last !== undefined && last <= now)) {
    return { ...dated(once ?? end), isLate: last !== undefined && last <= now };
  }
  const from = instant(start);
  if (from !== undefined && from > now) return { ...dated(start), isLate: false };
  return { ...dated(end), isLate: false, isRunning: from !== undefined || last !== undefined };
}

/**
 * The open orders. Their date is when the service is to take place. One that was done is left out, unless its time goes
 * on: then it says when it was last done.
 */
export function openOrders(
  words: Words,
  orders: ServiceRequest[],
  now: number,
  doneBy: (order: ServiceRequest) => number | undefined = () => undefined,
): Due[] {
  const open = orders.filter((order) => isOpen(order.status) && !isPlanned(order) && !order.doNotPerform);
  return open.flatMap((order): Due[] => {
    const time = timeOf(order, now);
    const done = doneBy(order);
    if (done !== undefined && !time.isRunning) return [];
    const title = testName(words, order.code) ?? words.t('Order not named');
    const last = done !== undefined && Number.isFinite(done) ? { doneAt: done } : {};
    return [{ of: order, title, kind: 'order', ...time, ...last }];
  });
}

/** The services that are not to be performed. They stand as long as their order does. */
export const prohibitions = (words: Words, orders: ServiceRequest[]): Due[] =>
  orders
    .filter((order) => isOpen(order.status) && order.doNotPerform)
    .map((order) => ({
      title: testName(words, order.code) ?? words.t('Order not named'),
      kind: 'avoid',
      at: undefined,
      isLate: false,
      of: order,
    }));

/** The goals that have a date and are not reached. */
export function goalsByDate(words: Words, goals: Goal[], now: number): Due[] {
  const pursued = goals.filter(
    ({ lifecycleStatus, achievementStatus }) =>
      !OVER.includes(lifecycleStatus ?? '') &&
      !(achievementStatus?.coding ?? []).some(({ code }) => MET.includes(code ?? '')),
  );
  return pursued.flatMap((goal): Due[] => {
    const { description, target } = goal;
    const dates = (target ?? []).flatMap(({ dueDate }) => instant(dueDate) ?? []);
    if (dates.length === 0) return [];
    const at = Math.min(...dates);
    return [{ of: goal, title: concept(words, description) ?? words.t('Goal'), kind: 'goal', at, isLate: at < now }];
  });
}

/** The last day of what was dispensed, in milliseconds since 1970. */
function endOfSupply({ whenHandedOver, daysSupply }: MedicationDispense): number | undefined {
  const from = instant(whenHandedOver);
  const days = daysSupply?.value;
  const isInDays = !daysSupply || ['d', 'day', 'days', undefined].includes(daysSupply.code ?? daysSupply.unit);
  return from !== undefined && days !== undefined && isInDays ? from + days * DAY : undefined;
}

/** The current medications whose supply ends soon, or has ended lately. */
export function endingSupplies(
  words: Words,
  requests: MedicationRequest[],
  dispenses: MedicationDispense[],
  included: Resource[],
  now: number,
): Due[] {
  const current = requests.filter((request) => requestState(request) === 'current');
  const dispensesOf = dispensesByOrder(dispenses.filter(({ status }) => status === 'completed'));
  return current.flatMap((request): Due[] => {
    const ends = dispensesOf(request).flatMap((dispense) => endOfSupply(dispense) ?? []);
    if (ends.length === 0) return [];
    const at = Math.max(...ends);
    if (at > now + AHEAD * DAY || at < now - BEHIND * DAY) return [];
    return [{ of: request, title: medication(words, request, included), kind: 'supply', at, isLate: at < now }];
  });
}

/** In order of their dates; those without a date come last. */
export const byDate = (all: Due[]): Due[] => [...all].sort((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity));

/** The records that tell what is due. */
interface DueRecords {
  orders: ServiceRequest[];
  goals: Goal[];
  requests: MedicationRequest[];
  dispenses: MedicationDispense[];
  /** The records that may be of an order. */
  done: Parameters<typeof doneByOrder>[0];
  /** The records that the orders of medications refer to. */
  included: Resource[];
}

/** What is due: first what must not be done, then by date. */
export function dueOf(
  words: Words,
  { orders, goals, requests, dispenses, done, included }: DueRecords,
  now: number,
): Due[] {
  const all = [
    ...openOrders(words, orders, now, doneByOrder(done)),
    ...goalsByDate(words, goals, now),
    ...endingSupplies(words, requests, dispenses, included, now),
  ];
  return [...prohibitions(words, orders), ...byDate(all)];
}

const DUE_WORDS = {
  order: { ahead: 'Order for {date}', late: 'Order was for {date}' },
  goal: { ahead: 'Goal by {date}', late: 'Goal was for {date}' },
  supply: { ahead: 'Last fill ends {date}', late: 'Last fill ended {date}' },
} as const satisfies Record<Exclude<Due['kind'], 'avoid'>, Record<'ahead' | 'late', Message>>;

const dayOf = (words: Words, at: number): string => shortDate(words, new Date(at).toISOString().slice(0, 10));

function timeWords(words: Words, { kind, at, written, isLate, isRunning }: Due): string {
  if (kind === 'avoid') return words.t('Not to be done#order');
  if (at === undefined) return words.t('Order open');
  const date = written ? shortDate(words, written) : dayOf(words, at);
  return isRunning
    ? words.t('Order until {date}', { date })
    : words.t(DUE_WORDS[kind][isLate ? 'late' : 'ahead'], { date });
}

/** When a thing is due, and when it was last done. */
export function dueWords(words: Words, due: Due): string {
  const done = due.doneAt === undefined ? '' : words.t('last done {date}', { date: dayOf(words, due.doneAt) });
  return [timeWords(words, due), done].filter(Boolean).join(', ');
}
