//! Events and tasks of any type that are ahead or overdue: recommended immunizations, appointments, planned visits and
//! procedures, and tasks, requests and activities of care plans with a date.

import { DAY, endOf, instant, shortDate } from '../fhir/date.ts';
import { firstText, firstWritten, valuesAt } from '../fhir/element-text.ts';
import { normalCode } from '../fhir/status-code.ts';
import { isEnteredInError, statusText } from '../fhir/text.ts';
import { typeWords } from '../fhir/type-words.ts';
import type { Resource } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import { recommendationsOf } from './recommendations.ts';

type DateMessage =
  | 'Appointment on {date}'
  | 'Appointment asked for: {date}'
  | 'Appointment, on the waiting list: {date}'
  | 'Appointment declined: {date}'
  | 'To be done by {date}'
  | 'To be done from {date}'
  | 'Visit planned for {date}'
  | 'Was to be done by {date}';

/** A type of which records may be ahead: its open statuses, its dates, and the words for them. */
interface DatedType {
  open: string[];
  dates: string[];
  /** The dates on which it begins, where none of the others is written. */
  starts?: string[];
  ahead: DateMessage;
  /** The words for a date that has passed; nothing for what no longer matters then. */
  late?: DateMessage;
}

const request: DatedType = {
  open: ['active', 'requested', 'received', 'accepted', 'ready', 'in-progress', 'on-hold', 'unknown'],
  dates: [...['restriction.period.end', 'executionPeriod.end', 'occurrenceDateTime'], 'occurrencePeriod.end'],
  starts: ['occurrencePeriod.start', 'restriction.period.start'],
  ahead: 'To be done by {date}',
  late: 'Was to be done by {date}',
};
const TYPES: Readonly<Record<string, DatedType>> = {
  Appointment: {
    open: ['proposed', 'pending', 'booked', 'waitlist', 'arrived', 'checked-in'],
    dates: ['start', 'requestedPeriod.start'],
    ahead: 'Appointment on {date}',
  },
  Procedure: {
    open: ['preparation'],
    dates: ['performedDateTime', 'performedPeriod.start'],
    ahead: 'To be done by {date}',
    late: 'Was to be done by {date}',
  },
  Encounter: { open: ['planned'], dates: ['period.start', 'plannedStartDate'], ahead: 'Visit planned for {date}' },
  Task: request,
  DeviceRequest: request,
  CommunicationRequest: request,
  SupplyRequest: request,
};

const ACTIVITY: DatedType = {
  ...request,
  open: ['not-started', 'scheduled', 'in-progress', 'on-hold', 'unknown'],
  dates: ['scheduledPeriod.end', 'scheduledTiming.event'],
  starts: ['scheduledPeriod.start'],
};

/** The elements that name a record of these types. */
const NAMED_BY = [
  ...['code', 'codeCodeableConcept', 'codeReference', 'itemCodeableConcept', 'itemReference', 'serviceType', 'type'],
  ...['appointmentType', 'description'],
  ...['reasonCode', 'category', 'class', 'payload.contentString'],
];

/** A record of another type that is ahead or overdue. */
interface OtherDue {
  of: Resource;
  title: string;
  kind: 'other';
  at: number | undefined;
  written: string | undefined;
  isLate: boolean;
  says: string;
}

/** Returns what is ahead or overdue of a record. */
function dueIn(words: Words, record: Resource, now: number): OtherDue[] {
  if (isEnteredInError(record)) return [];
  if (record.resourceType === 'ImmunizationRecommendation')
    return recommendationsOf(words, record)
      .filter(({ isOver }) => !isOver)
      .map(({ title, says, at, written, isOverdue }) => {
        const isLate = isOverdue || (endOf(written) ?? Infinity) <= now;
        return { of: record, title, kind: 'other', at, written, isLate, says };
      });
  if (record.resourceType === 'CarePlan')
    return normalCode(valuesAt(record, 'status')[0]) === 'active'
      ? valuesAt(record, 'activity.detail').flatMap((activity) => datedDue(words, record, activity, ACTIVITY, now))
      : [];
  const type = own(TYPES, record.resourceType);
  return type ? datedDue(words, record, record, type, now) : [];
}

/** Returns the words for an appointment: it may be one that nobody has booked, or that the patient declined. */
function appointmentWords(appointment: unknown, status: string): DateMessage {
  const isOfPatient = (one: unknown): boolean =>
    valuesAt(one, 'actor.reference').some((to) => typeof to === 'string' && /(?:^|\/)Patient\//.test(to));
  const patients = valuesAt(appointment, 'participant').filter(isOfPatient);
  if (patients.some((one) => valuesAt(one, 'status').includes('declined'))) return 'Appointment declined: {date}';
  if (status === 'waitlist') return 'Appointment, on the waiting list: {date}';
  const isBooked = !['proposed', 'pending'].includes(status) && valuesAt(appointment, 'start').length > 0;
  return isBooked ? 'Appointment on {date}' : 'Appointment asked for: {date}';
}

/** Returns what is ahead or overdue of a record, or of a part of it, by its dates and its status. */
function datedDue(words: Words, record: Resource, part: unknown, type: DatedType, now: number): OtherDue[] {
  const until = firstWritten(part, type.dates);
  const written = until ?? firstWritten(part, type.starts ?? []);
  const at = instant(written);
  const status = normalCode(valuesAt(part, 'status')[0]);
  if (at === undefined || !type.open.includes(status || 'unknown')) return [];
  if (valuesAt(part, 'doNotPerform').includes(true)) return [];
  const isLate = until !== undefined && Math.max(at + DAY, endOf(until) ?? at) <= now;
  const ahead = record.resourceType === 'Appointment' ? appointmentWords(part, status) : type.ahead;
  const message = until === undefined ? 'To be done from {date}' : isLate ? type.late : ahead;
  if (!message) return [];
  const unusual = ['on-hold', 'unknown'].includes(status) && statusText(words, status);
  const says = joined(words.t(message, { date: shortDate(words, written) }), unusual);
  const title = firstText(words, part, NAMED_BY) ?? typeWords(words, record.resourceType);
  return [{ of: record, title, kind: 'other', at, written, isLate, says }];
}

/** Returns what is ahead or overdue among records. What a later recommendation says of a vaccine counts alone. */
export function otherDue(words: Words, records: readonly Resource[], now: number): OtherDue[] {
  const dateOf = (one: Resource): number => instant(firstWritten(one, ['date'])) ?? 0;
  const latest = new Map<string, number>();
  for (const one of records)
    for (const { title } of recommendationsOf(words, one))
      latest.set(title, Math.max(dateOf(one), latest.get(title) ?? 0));
  return records
    .flatMap((one) => dueIn(words, one, now))
    .filter(({ of, title }) => of.resourceType !== 'ImmunizationRecommendation' || latest.get(title) === dateOf(of));
}
