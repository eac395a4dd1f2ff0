//! The end of the course of an order, as the order states it: by the bounds of its dosages, or else by its supply.

import { DAY, endOf, isoDay, shortDate } from '../fhir/date.ts';
import { type Bounds, boundsOf, stepsOf } from '../fhir/dosage-timing.ts';
import { Parts, textIn } from '../fhir/loose.ts';
import { dosePeriod } from '../fhir/request-state.ts';
import { later, spanText } from '../fhir/time-units.ts';
import type { MedicationRequest, MedicationStatement, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { itemsOf } from '../shape.ts';

/** The longest supply, in days, that is a course by itself. After a longer or repeated one, the therapy continues. */
const MAX_COURSE_LENGTH = 31;

/** The elements of an order or a report that determine its course. */
type Dosed = Pick<MedicationRequest, 'dosageInstruction' | 'dispenseRequest'> & { authoredOn?: string | undefined };

const dosedBy = (record: MedicationRequest | MedicationStatement): Dosed =>
  record.resourceType === 'MedicationRequest'
    ? { ...record, authoredOn: dosePeriod(record)?.start ?? record.authoredOn }
    : { authoredOn: record.effectivePeriod?.start ?? record.effectiveDateTime, dosageInstruction: record.dosage };

/** Returns whether the text of a dosage names a year that is not over: the order may continue until then. */
function namesLaterYear({ dosageInstruction }: Dosed, now: number): boolean {
  return itemsOf(dosageInstruction).some((dosage) => {
    const years = new Parts(dosage).take('text', textIn)?.match(/(?<!\d)20\d\d(?!\d)/g) ?? [];
    return years.some((year) => Number(year) >= new Date(now).getFullYear());
  });
}

/** A day on which a course ends. */
export interface Day {
  /** The time in milliseconds since 1970. */
  at: number;
  /** The day as written, which may be a month or a year, or as calculated: `2020-08-28`. */
  on: string;
}

/** The end of a course, as its record states it. */
export interface CourseEnd extends Day {
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

/** Returns the last day of a date, which may be a month or a year. */
export function lastDay(on: string | undefined): Day | undefined {
  const end = endOf(on?.split('T')[0]);
  return on === undefined || end === undefined ? undefined : { on, at: end - DAY };
}

/** Returns the day after a span of time; `undefined` if the span is not one of time. */
function dayAfter(day: Day | undefined, span: Quantity | undefined): Day | undefined {
  const at = later(day?.at, span);
  return at === undefined ? undefined : { at, on: isoDay(at) };
}

/** Returns the last of some days; `undefined` if one of them is `undefined`. */
function lastOf(days: readonly (Day | undefined)[]): Day | undefined {
  const known = days.filter((day) => day !== undefined).toSorted((a, b) => b.at - a.at);
  return known.length === days.length ? known[0] : undefined;
}

/** Returns the end of all dosages, with the steps of a taper in sequence; `undefined` if one of them has no end. */
function endOfDosages({ authoredOn, dosageInstruction }: Dosed): Day | undefined {
  const endOfStep = ({ period, duration, longest, isOnce, dates }: Bounds, begin: Day | undefined): Day | undefined => {
    const start = period?.start === undefined ? begin : lastDay(period.start);
    const lasting = dayAfter(start, duration ?? longest);
    return (
      lastDay(period?.end) ?? lasting ?? lastOf(dates.map(lastDay)) ?? (isOnce && period?.start ? start : undefined)
    );
  };
  let end = lastDay(authoredOn);
  for (const step of stepsOf(boundsOf(dosageInstruction))) {
    const begin: Day | undefined = end;
    end = lastOf(step.map((bounds) => endOfStep(bounds, begin)));
    if (end === undefined) return undefined;
  }
  return boundsOf(dosageInstruction).length > 0 ? end : undefined;
}

/**
 * Returns the end of a short supply without repeats: one supply after the day of the order, or after the last day on
 * which it may be dispensed.
 */
function endOfSupply({ authoredOn, dispenseRequest }: Dosed): Day | undefined {
  const { expectedSupplyDuration: span, numberOfRepeatsAllowed: repeats = 0, validityPeriod } = dispenseRequest ?? {};
  if (repeats > 0 || (later(0, span) ?? Infinity) > MAX_COURSE_LENGTH * DAY) return undefined;
  return lastOf([authoredOn, validityPeriod?.end].flatMap((from) => dayAfter(lastDay(from), span) ?? []));
}

/**
 * Returns the end of the course of an order or a report, also in the future. A record without bounds for a medication
 * that is taken more than once has no end.
 */
export function plannedEnd(record: MedicationRequest | MedicationStatement, now: number): CourseEnd | undefined {
  const order = dosedBy(record);
  const dosed = lastDay(dosePeriod(record)?.end) ?? endOfDosages(order);
  const end = dosed ?? (namesLaterYear(order, now) ? undefined : endOfSupply(order));
  return end && { ...end, supply: dosed ? undefined : order.dispenseRequest?.expectedSupplyDuration };
}

/** Returns the end of the course of an order or a report, if it is before the day of a moment. */
export function courseEnd(record: MedicationRequest | MedicationStatement, now = Date.now()): CourseEnd | undefined {
  const end = plannedEnd(record, now);
  const today = new Date(now);
  return end && end.at < Date.UTC(today.getFullYear(), today.getMonth(), today.getDate()) ? end : undefined;
}
