//! The upcoming items of a chart: open orders, dates of goals, supplies of medications that end, and what is ahead or
//! overdue of other types.

import { unnamed } from '../fhir/absent-words.ts';
import { focusText, statusCaution } from '../fhir/certainty.ts';
import { DAY, endOf, instant, isoDay, newest, period, shortDate } from '../fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '../fhir/element-text.ts';
import { isPlanned, requestState } from '../fhir/request-state.ts';
import { normalCode } from '../fhir/status-code.ts';
import { concept, concepts, hasCode, plain } from '../fhir/text.ts';
import type { Goal, MedicationDispense, MedicationRequest, Resource, ServiceRequest } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import { ENGLISH, type Message, type Words } from '../language/words.ts';
import { dispensedUntil, dispensesByOrder, isDispensed } from '../medications/dispenses.ts';
import { medication } from '../medications/medication.ts';
import { testName } from '../results/names/names.ts';
import { doneByOrder } from '../results/panels/results-of-orders.ts';
import { otherDue } from './due-others.ts';

/** Supplies that end within this number of days are due. */
const AHEAD = 14;
/** A supply that ended more than this number of days ago was not renewed, and is no longer reported. */
const BEHIND = 120;

export interface Due {
  /** The record of the item. */
  of: Resource;
  title: string;
  kind: 'order' | 'avoid' | 'goal' | 'supply' | 'other';
  /** The words of an item of another type. */
  says?: string;
  /** The date in milliseconds since 1970, if there is one. */
  at: number | undefined;
  /** The date as written in the record, if it may be less precise than a day. */
  written?: string | undefined;
  isLate: boolean;
  /** True if the period of the item has begun and continues: until the date, or without an end. */
  isRunning?: boolean;
  /** For an order whose period continues: the last time it was carried out, in milliseconds since 1970. */
  doneAt?: number;
  /** For several supplies: the end of the last of them, in milliseconds since 1970. */
  last?: number;
}

const OVER = ['rejected', 'cancelled', 'entered-in-error', 'completed'];
/** The priorities that are shown beside the name of an order. */
const PRESSING = ['stat', 'asap', 'urgent'];

/** Returns whether an order is open: its status is active or unknown. */
const isOpen = (status: string | undefined): boolean =>
  !['completed', 'revoked', 'entered-in-error', 'on-hold', 'draft'].includes(status ?? '');

/** Returns the priority of a request that cannot wait; the empty text for any other. */
export function pressing(words: Words, request: Resource): string {
  const priority = normalCode(valuesAt(request, 'priority')[0]);
  return PRESSING.includes(priority) ? plain(words, priority) : '';
}

/** Returns the name of an order: the service, its details, or else its category. */
export const orderName = (words: Words, order: ServiceRequest): string =>
  testName(words, order.code) ??
  textAt(words, order, 'orderDetail') ??
  (concepts(words, order.category) || unnamed(words, words.t('Order not named'), order.code));

/** Returns the time of an order: the date to show, and whether it is past, running or in the future. */
function timeOf(order: ServiceRequest, now: number): Omit<Due, 'of' | 'title' | 'kind'> {
  const { occurrenceDateTime: once } = order;
  const events = valuesAt(order, 'occurrenceTiming.event').filter((one) => typeof one === 'string');
  const limit = (name: string): string | undefined =>
    firstWritten(order, [`occurrencePeriod.${name}`, `occurrenceTiming.repeat.boundsPeriod.${name}`]);
  const [start, end] = [limit('start') ?? events[0], limit('end') ?? events.at(-1)];
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
 * Returns the open orders. The date is the date on which the service is to take place. An order that was carried out
 * is left out, unless its period continues: then the item has the date on which it was last carried out.
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
    const title = orderName(words, order);
    const last = done !== undefined && Number.isFinite(done) ? { doneAt: done } : {};
    return [{ of: order, title, kind: 'order', ...time, ...last }];
  });
}

/** Returns the services that must not be performed. Each is listed as long as its order is open. */
export const prohibitions = (words: Words, orders: ServiceRequest[]): Due[] =>
  orders
    .filter((order) => isOpen(order.status) && order.doNotPerform)
    .map((order) => ({ of: order, title: orderName(words, order), kind: 'avoid', at: undefined, isLate: false }));

/** Returns the goals that have a date and are not reached. */
export function goalsByDate(words: Words, goals: Goal[], now: number): Due[] {
  const pursued = goals.filter(
    ({ lifecycleStatus = '', achievementStatus: met }) => !OVER.includes(lifecycleStatus) && !hasCode(met, 'achieved'),
  );
  return pursued.flatMap((goal): Due[] => {
    const { description, target } = goal;
    const written = newest(target ?? [], ({ dueDate }) => dueDate).findLast(({ dueDate }) => instant(dueDate))?.dueDate;
    const [at, end] = [instant(written), endOf(written)];
    if (at === undefined || end === undefined) return [];
    const title = concept(words, description) ?? words.t('Goal');
    return [{ of: goal, title, kind: 'goal', at, written, isLate: end <= now }];
  });
}

/** Returns the current medications whose supply ends soon or ended recently. */
export function endingSupplies(
  words: Words,
  requests: MedicationRequest[],
  dispenses: MedicationDispense[],
  included: readonly Resource[],
  now: number,
): Due[] {
  const current = requests.filter((request) => requestState(request, now) === 'current');
  const dispensesOf = dispensesByOrder(dispenses.filter(isDispensed));
  return current.flatMap((request): Due[] => {
    const ends = dispensesOf(request).flatMap((dispense) => dispensedUntil(dispense) ?? []);
    if (ends.length === 0) return [];
    const at = Math.max(...ends);
    if (at > now + AHEAD * DAY || at < now - BEHIND * DAY) return [];
    return [{ of: request, title: medication(words, request, included), kind: 'supply', at, isLate: at < now }];
  });
}

/** Joins the supplies that ended, and those that will, in one item each: their names are beside them. */
export function joinedSupplies(words: Words, supplies: Due[]): Due[] {
  return [true, false].flatMap((isLate): Due[] => {
    const [first, ...more] = byDate(supplies.filter((one) => one.isLate === isLate));
    const last = more.at(-1)?.at;
    if (!first || last === undefined) return first ? [first] : [];
    return [{ ...first, title: words.t('{n} medication|{n} medications', { n: more.length + 1 }), last }];
  });
}

/** Sorts items by date. Of those without a date, the ones that cannot wait come first, and the others last. */
export function byDate(all: Due[]): Due[] {
  const time = ({ at, of }: Due): number => at ?? (pressing(ENGLISH, of) ? -Infinity : Infinity);
  return [...all].sort((a, b) => time(a) - time(b));
}

/** The records from which the due items are found. */
interface DueRecords {
  orders: ServiceRequest[];
  goals: Goal[];
  requests: MedicationRequest[];
  dispenses: MedicationDispense[];
  /** The records that may show that an order was carried out. */
  done: Parameters<typeof doneByOrder>[0];
  /** The records to which the orders of medications refer. */
  included: readonly Resource[];
  /** The records of other types that may be ahead. */
  others: readonly Resource[];
}

/** Returns the due items: prohibitions first, then the other items by date. */
export function dueOf(
  words: Words,
  { orders, goals, requests, dispenses, done, included, others }: DueRecords,
  now: number,
): Due[] {
  const all = [
    ...openOrders(words, orders, now, doneByOrder(done)),
    ...goalsByDate(words, goals, now),
    ...joinedSupplies(words, endingSupplies(words, requests, dispenses, included, now)),
    ...otherDue(words, others, now),
  ];
  return [...prohibitions(words, orders), ...byDate(all)];
}

const DUE_WORDS = {
  order: { ahead: 'Order for {date}', late: 'Order was for {date}' },
  goal: { ahead: 'Goal by {date}', late: 'Goal was for {date}' },
  supply: { ahead: 'Last fill ends {date}', late: 'Last fill ended {date}' },
} as const satisfies Record<Exclude<Due['kind'], 'avoid' | 'other'>, Record<'ahead' | 'late', Message>>;

const dayOf = (words: Words, at: number): string => shortDate(words, isoDay(at));

function timeWords(words: Words, { kind, at, written, isLate, isRunning, says = '', last }: Due): string {
  if (kind === 'other') return says;
  if (kind === 'avoid') return words.t('Not to be done#order');
  if (at === undefined) return words.t('Order open');
  if (last !== undefined) {
    const dates = period(words, { start: isoDay(at), end: isoDay(last) });
    return isLate ? words.t('Last fills ended {dates}', { dates }) : words.t('Last fills end {dates}', { dates });
  }
  const date = written ? shortDate(words, written) : dayOf(words, at);
  return isRunning
    ? words.t('Order until {date}', { date })
    : words.t(DUE_WORDS[kind][isLate ? 'late' : 'ahead'], { date });
}

/** Returns in words whom an order is about, when it is due, whether as needed, and when it was last carried out. */
export function dueWords(words: Words, due: Due): string {
  const reason = textAt(words, due.of, 'asNeededCodeableConcept');
  const isAsNeeded = reason !== undefined || valuesAt(due.of, 'asNeededBoolean').includes(true);
  const done = due.doneAt === undefined ? '' : words.t('last done {date}', { date: dayOf(words, due.doneAt) });
  const caution = due.kind === 'goal' ? statusCaution(words, due.of) : undefined;
  const asNeeded = isAsNeeded && words.t('as needed');
  const urgency = due.kind === 'order' && pressing(words, due.of);
  return joined(...focusText(words, due.of), timeWords(words, due), urgency, caution, asNeeded, reason, done);
}
