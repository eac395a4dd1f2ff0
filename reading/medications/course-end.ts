//! The end of the course of an order or a report, as the bounds of its dosages state it.

import { DAY, shortDate } from '../fhir/date.ts';
import { type Bounds, boundsOf, stepsOf } from '../fhir/dosage-timing.ts';
import { dosePeriod } from '../fhir/request-state.ts';
import { timeUnit } from '../fhir/time-units.ts';
import type { MedicationRequest, MedicationStatement, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** The elements of an order or a report that determine its course. */
type Dosed = Pick<MedicationRequest, 'dosageInstruction'> & { authoredOn?: string | undefined };

const dosedBy = (record: MedicationRequest | MedicationStatement): Dosed =>
  record.resourceType === 'MedicationRequest'
    ? record
    : { authoredOn: record.effectivePeriod?.start ?? record.effectiveDateTime, dosageInstruction: record.dosage };

/** Returns the words for a course that is over, of a record that is active by its status. `on` is its last day. */
export const courseEndText = (words: Words, on: string): string =>
  words.t('active in the record; its course ended about {date}', { date: shortDate(words, on) });

const DAYS: Readonly<Partial<Record<string, number>>> = { s: 1 / 86_400, min: 1 / 1440, h: 1 / 24, d: 1, wk: 7 };
const MONTHS: Readonly<Partial<Record<string, number>>> = { mo: 1, a: 12 };

/** Returns the last day of a date, which may be a month or a year. */
function lastDay(date: string | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T|$)/.exec(date ?? '') ?? [];
  if (year === undefined) return undefined;
  return day === undefined
    ? Date.UTC(Number(year), month === undefined ? 12 : Number(month), 0)
    : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** The longest time that is accepted as plausible. */
export const MAX_LENGTH = 100 * 365.25 * DAY;

/** Returns the moment after a span of time; `undefined` if the span is not one of time, or not plausible. */
export function later(from: number | undefined, span: Quantity | undefined): number | undefined {
  const unit = timeUnit(span?.code) ?? timeUnit(span?.unit);
  if (from === undefined || unit === undefined || !span?.value) return undefined;
  const months = MONTHS[unit];
  const date = new Date(from);
  const end =
    months === undefined
      ? from + Math.ceil(span.value * (DAYS[unit] ?? Number.NaN)) * DAY
      : date.setUTCMonth(date.getUTCMonth() + Math.ceil(span.value * months));
  return end > from && end - from <= MAX_LENGTH ? end : undefined;
}

/** The last day of a course, with its written form if it has one. */
export interface LastDay {
  at: number;
  written?: string | undefined;
}

/** Returns the last of some days; `undefined` if one of them is `undefined`. */
function lastOf(days: readonly (LastDay | undefined)[]): LastDay | undefined {
  const known = days.filter((day) => day !== undefined);
  return known.length === days.length ? known.toSorted((a, b) => b.at - a.at)[0] : undefined;
}

/** Returns the last day of a date, with the date. */
function written(date: string | undefined): LastDay | undefined {
  const at = lastDay(date);
  return at === undefined ? undefined : { at, written: date };
}

/**
 * Returns the end of all dosages that begin on a date, with the steps of a taper in sequence; `undefined` if one of
 * them has no end.
 */
export function endOfDosages(dosages: unknown, from: string | undefined): LastDay | undefined {
  const endOf = (
    { period, duration, longest, isOnce, dates }: Bounds,
    begin: number | undefined,
  ): LastDay | undefined => {
    const start = period?.start === undefined ? begin : lastDay(period.start);
    const at = later(start, duration ?? longest) ?? (isOnce && period?.start ? start : undefined);
    return written(period?.end) ?? (at === undefined ? lastOf(dates.map(written)) : { at });
  };
  let end = written(from);
  const all = boundsOf(dosages);
  for (const step of stepsOf(all)) {
    const begin = end?.at;
    end = lastOf(step.map((bounds) => endOf(bounds, begin)));
    if (end === undefined) return undefined;
  }
  return all.length > 0 ? end : undefined;
}

/**
 * Returns the last day of the course of an order or a report, as `2020-08-28`, if it is before the day of a moment. A
 * record without bounds for a medication that is taken more than once has no end.
 */
export function courseEnd(record: MedicationRequest | MedicationStatement, now = Date.now()): string | undefined {
  const { dosageInstruction, authoredOn } = dosedBy(record);
  const end = lastDay(dosePeriod(record)?.end) ?? endOfDosages(dosageInstruction, authoredOn)?.at;
  const today = new Date(now);
  return end !== undefined && end < Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
    ? new Date(end).toISOString().slice(0, 10)
    : undefined;
}
