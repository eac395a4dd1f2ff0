//! The end of the course of an order, by its own words: the bounds of its dosages, or else its supply.

import { boundsOf } from './dosage-timing.ts';
import { itemsOf, Parts, textIn } from './loose.ts';
import { timeUnit } from './time-units.ts';
import type { MedicationRequest, Quantity } from './types.ts';

/** The longest supply in days that is a course by itself. Of a longer one, or one that repeats, the therapy goes on. */
const LONGEST_COURSE = 31;

/** Returns whether the text of a dosage names a year that is not over: the order may go on until then. */
function namesLaterYear({ dosageInstruction }: MedicationRequest, now: number): boolean {
  return itemsOf(dosageInstruction).some((dosage) => {
    const years = new Parts(dosage).take('text', textIn)?.match(/(?<!\d)20\d\d(?!\d)/g) ?? [];
    return years.some((year) => Number(year) >= new Date(now).getFullYear());
  });
}

/** The end of a course. */
export interface CourseEnd {
  /** The last day, `2020-08-28`. */
  on: string;
  /** The time that one supply lasts, where the end was counted by the supply. */
  supply: Quantity | undefined;
}

const DAY = 86_400_000;
const DAYS: Readonly<Partial<Record<string, number>>> = { s: 1 / 86_400, min: 1 / 1440, h: 1 / 24, d: 1, wk: 7 };
const MONTHS: Readonly<Partial<Record<string, number>>> = { mo: 1, a: 12 };

/** The last day of a date, which may be a month or a year. */
function lastDay(date: string | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T|$)/.exec(date ?? '') ?? [];
  if (year === undefined) return undefined;
  return day === undefined
    ? Date.UTC(Number(year), month === undefined ? 12 : Number(month), 0)
    : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** A moment some time after another. Nothing where the span is none of time. */
function later(from: number | undefined, span: Quantity | undefined): number | undefined {
  const unit = timeUnit(span?.code) ?? timeUnit(span?.unit);
  if (from === undefined || unit === undefined || !span?.value || span.value < 0) return undefined;
  const months = MONTHS[unit];
  if (months === undefined) return from + Math.ceil(span.value * (DAYS[unit] ?? Number.NaN)) * DAY;
  const date = new Date(from);
  return date.setUTCMonth(date.getUTCMonth() + Math.ceil(span.value * months));
}

/** The end of the bounds of all dosages. Nothing where one of them has none. */
function endOfDosages({ authoredOn, dosageInstruction }: MedicationRequest): number | undefined {
  const ends = boundsOf(dosageInstruction).map(
    ({ period, duration }) => lastDay(period?.end) ?? later(lastDay(period?.start ?? authoredOn), duration),
  );
  const known = ends.filter((end) => end !== undefined);
  return known.length > 0 && known.length === ends.length ? Math.max(...known) : undefined;
}

/**
 * The end of a short supply without repeats: of one from the day of the order, or from the last day on which it may be
 * handed over.
 */
function endOfSupply({ authoredOn, dispenseRequest }: MedicationRequest): number | undefined {
  const { expectedSupplyDuration: span, numberOfRepeatsAllowed: repeats = 0, validityPeriod } = dispenseRequest ?? {};
  const lasts = later(0, span);
  if (repeats > 0 || lasts === undefined || lasts > LONGEST_COURSE * DAY) return undefined;
  const ends = [lastDay(authoredOn), lastDay(validityPeriod?.end)].flatMap((from) => later(from, span) ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** The end of the course of an order, where it is before the day of a moment. An order without bounds has none. */
export function courseEnd(order: MedicationRequest, now = Date.now()): CourseEnd | undefined {
  const dosed = endOfDosages(order);
  const end = dosed ?? (namesLaterYear(order, now) ? undefined : endOfSupply(order));
  const today = new Date(now);
  if (end === undefined || !(end < Date.UTC(today.getFullYear(), today.getMonth(), today.getDate()))) return undefined;
  const supply = dosed === undefined ? order.dispenseRequest?.expectedSupplyDuration : undefined;
  return { on: new Date(end).toISOString().slice(0, 10), supply };
}
