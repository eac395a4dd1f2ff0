//! The end of the course of an order, as the order states it: by the bounds of its dosages, or else by its supply.

import { DAY, endOf, shortDate, today } from '../fhir/date.ts';
import { type Bounds, boundsOf, stepsOf } from '../fhir/dosage-timing.ts';
import { Parts, textIn } from '../fhir/loose.ts';
import { dosePeriod } from '../fhir/request-state.ts';
import { spanText, timeUnit } from '../fhir/time-units.ts';
import type { MedicationRequest, MedicationStatement, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { itemsOf } from '../shape.ts';

/** The longest supply, in days, that is a course by itself. After a longer or repeated one, the therapy continues. */
const MAX_COURSE_LENGTH = 31;

/** The elements of an order or a report that determine its course. */
type Dosed = Pick<MedicationRequest, 'dosageInstruction' | 'dispenseRequest'> & { authoredOn?: string | undefined };

const dosedBy = (record: MedicationRequest | MedicationStatement): Dosed =>
  record.resourceType === 'MedicationRequest'
    ? record
    : { authoredOn: record.effectivePeriod?.start ?? record.effectiveDateTime, dosageInstruction: record.dosage };

/** Returns whether the text of a dosage names a year that is not over: the order may continue until then. */
function namesLaterYear({ dosageInstruction }: Dosed, now: number): boolean {
  return itemsOf(dosageInstruction).some((dosage) => {
    const years = new Parts(dosage).take('text', textIn)?.match(/(?<!\d)20\d\d(?!\d)/g) ?? [];
    return years.some((year) => Number(year) >= new Date(now).getFullYear());
  });
}

/** The end of a course. */
export interface CourseEnd {
  /** The last day, as `2020-08-28`. */
  on: string;
  /** The duration of one supply, if the end was calculated from the supply. */
  supply: Quantity | undefined;
}

/** Returns the words for a course that is over, of a record that is active by its status. */
export function courseEndText(words: Words, { on, supply }: CourseEnd): string {
  const date = shortDate(words, on);
  return supply
    ? words.t('active in the record; its supply for {time} ended about {date}', { time: spanText(words, supply), date })
    : words.t('active in the record; its course ended about {date}', { date });
}

const DAYS: Readonly<Partial<Record<string, number>>> = { s: 1 / 86_400, min: 1 / 1440, h: 1 / 24, d: 1, wk: 7 };
const MONTHS: Readonly<Partial<Record<string, number>>> = { mo: 1, a: 12 };

/** Returns the last day of a date, which may be a month or a year. */
function lastDay(date: string | undefined): number | undefined {
  const end = endOf(date?.slice(0, 10));
  return end === undefined ? undefined : end - DAY;
}

/** Returns the moment after a span of time; `undefined` if the span is not one of time, or of more than 100 years. */
export function later(from: number | undefined, span: Quantity | undefined): number | undefined {
  const unit = timeUnit(span?.code) ?? timeUnit(span?.unit);
  if (from === undefined || unit === undefined || !span?.value || span.value < 0) return undefined;
  const months = MONTHS[unit];
  if (span.value * (months ?? (DAYS[unit] ?? 0) / 30) > 1200) return undefined;
  if (months === undefined) return from + Math.ceil(span.value * (DAYS[unit] ?? Number.NaN)) * DAY;
  const date = new Date(from);
  return date.setUTCMonth(date.getUTCMonth() + Math.ceil(span.value * months));
}

/** Returns the last of some days; `undefined` if one of them is `undefined`. */
function lastOf(days: readonly (number | undefined)[]): number | undefined {
  const known = days.filter((day) => day !== undefined);
  return known.length > 0 && known.length === days.length ? Math.max(...known) : undefined;
}

/** A moment, with its written form if it has one. */
interface Moment {
  at: number;
  written?: string | undefined;
}

function endOfDosage(
  { period, duration, longest, isOnce, dates }: Bounds,
  begin: number | undefined,
): Moment | undefined {
  const end = lastDay(period?.end);
  if (end !== undefined) return { at: end, written: period?.end };
  const start = period?.start === undefined ? begin : lastDay(period.start);
  const once = isOnce && period?.start ? start : undefined;
  const at = later(start, duration ?? longest) ?? lastOf(dates.map(lastDay)) ?? once;
  return at === undefined ? undefined : { at };
}

/**
 * Returns the end of all dosages that begin at a moment, with the steps of a taper in sequence; `undefined` if one of
 * them has no end.
 */
export function endOfDosages(dosages: unknown, from: number | undefined): Moment | undefined {
  let end: Moment | undefined;
  for (const step of stepsOf(boundsOf(dosages))) {
    const begin: number | undefined = end?.at ?? from;
    const ends = step.map((bounds) => endOfDosage(bounds, begin));
    end = ends.every((one) => one !== undefined) ? ends.toSorted((a, b) => b.at - a.at)[0] : undefined;
    if (!end) return undefined;
  }
  return end;
}

/**
 * Returns the end of a short supply without repeats: one supply after the day of the order, or after the last day on
 * which it may be dispensed.
 */
function endOfSupply({ authoredOn, dispenseRequest }: Dosed): number | undefined {
  const { expectedSupplyDuration: span, numberOfRepeatsAllowed: repeats = 0, validityPeriod } = dispenseRequest ?? {};
  const lasts = later(0, span);
  if (repeats > 0 || lasts === undefined || lasts > MAX_COURSE_LENGTH * DAY) return undefined;
  const ends = [lastDay(authoredOn), lastDay(validityPeriod?.end)].flatMap((from) => later(from, span) ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/**
 * Returns the end of the course of an order or a report, if it is before the day of a moment. A record without bounds
 * for a medication that is taken more than once has no end.
 */
export function courseEnd(record: MedicationRequest | MedicationStatement, now = Date.now()): CourseEnd | undefined {
  const order = dosedBy(record);
  const dosed =
    lastDay(dosePeriod(record)?.end) ?? endOfDosages(order.dosageInstruction, lastDay(order.authoredOn))?.at;
  const end = dosed ?? (namesLaterYear(order, now) ? undefined : endOfSupply(order));
  if (end === undefined || end >= today(now)) return undefined;
  const supply = dosed === undefined ? order.dispenseRequest?.expectedSupplyDuration : undefined;
  return { on: new Date(end).toISOString().slice(0, 10), supply };
}
