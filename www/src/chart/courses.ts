//! Courses of medications: the time in which each was taken, as far as orders and fills tell. Nothing is made up: an
//! end that no record has stays open.

import { instant } from '../fhir/date.ts';
import { boundsOf } from '../fhir/dosage-timing.ts';
import { medication } from '../fhir/medication.ts';
import { requestState } from '../fhir/request-state.ts';
import { concept, isEnteredInError, plain } from '../fhir/text.ts';
import type { MedicationDispense, MedicationRequest, Quantity, Resource } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { own } from '../own.ts';
import { fillsByOrder, withoutOrder } from './fills.ts';

const DAY = 86_400_000;

/**
 * The end of a course. `ended`: a record has it. `active`: it goes on. `unknown`: it has ended or is on hold, and no
 * record says when.
 */
export type CourseEnd = 'ended' | 'active' | 'unknown';

export interface Course {
  name: string;
  resource: MedicationRequest | MedicationDispense;
  /** In milliseconds since 1970. */
  from: number;
  /** The start as it is written. */
  since: string;
  end: CourseEnd;
  /** The end, or the last time of which a record tells; nothing where none does. In milliseconds since 1970. */
  until: number | undefined;
  /** The record that tells of that time: the order's dates, a fill, or the supply that was ordered. */
  by: 'dates' | 'fill' | 'supply' | undefined;
  /** The status in words, with its reason. */
  status: string;
}

/** The courses of one medication, in order of their start. */
export interface CourseLine {
  name: string;
  courses: Course[];
}

/** The days of units of time, by their codes of UCUM or as they are printed. */
const DAYS: Readonly<Record<string, number>> = {
  ...{ h: 1 / 24, hour: 1 / 24, hours: 1 / 24 },
  ...{ d: 1, day: 1, days: 1, wk: 7, week: 7, weeks: 7 },
  ...{ mo: 30.4375, month: 30.4375, months: 30.4375, a: 365.25, year: 365.25, years: 365.25 },
};

/** The longest time that is believed. */
const LONGEST = 100 * 365.25 * DAY;
const believed = (time: number): number | undefined => (time > 0 && time <= LONGEST ? time : undefined);

/** A duration in milliseconds. */
function duration(of: Quantity | undefined): number | undefined {
  const unit = [of?.code, of?.unit].find((one) => one !== undefined && Object.hasOwn(DAYS, one));
  const days = unit === undefined ? undefined : own(DAYS, unit);
  return of?.value === undefined || days === undefined ? undefined : believed(of.value * days * DAY);
}

const latest = (times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
};

/** The time until which a fill lasts: that of handing over, where the days of supply are not known. */
function fillEnd({ whenHandedOver, daysSupply }: MedicationDispense): number | undefined {
  const from = instant(whenHandedOver);
  return from === undefined ? undefined : from + (duration(daysSupply) ?? 0);
}

/** The end that the dosage says: a period, or a duration from the start. */
function datedEnd({ dosageInstruction }: MedicationRequest, from: number): number | undefined {
  const ends = boundsOf(dosageInstruction).map(({ period, duration: lasting }) => {
    const length = duration(lasting);
    return instant(period?.end) ?? (length === undefined ? undefined : from + length);
  });
  return ends.every((end) => end !== undefined) ? latest(ends) : undefined;
}

function suppliedUntil({ dispenseRequest }: MedicationRequest, from: number): number | undefined {
  const once = duration(dispenseRequest?.expectedSupplyDuration);
  const all = once && believed(once * (1 + Math.max(0, dispenseRequest?.numberOfRepeatsAllowed ?? 0)));
  return all && from + all;
}

/** Returns whether an order never became a course: planned, withdrawn before it began, or an order not to take it. */
function isNoCourse(request: MedicationRequest): boolean {
  const { status, doNotPerform } = request;
  if (isEnteredInError(request) || doNotPerform) return true;
  return status === 'cancelled' || status === 'draft' || requestState(request) === 'planned';
}

function orderCourse(request: MedicationRequest, fills: MedicationDispense[], included: Resource[]): Course[] {
  if (isNoCourse(request)) return [];
  const firstFill = fills
    .map(({ whenHandedOver }) => whenHandedOver)
    .sort((a, b) => (instant(a) ?? 0) - (instant(b) ?? 0));
  const since = request.authoredOn ?? firstFill[0];
  const from = instant(since);
  if (since === undefined || from === undefined) return [];
  const dated = datedEnd(request, from);
  const isCurrent = requestState(request) === 'current';
  const filled = latest(fills.map(fillEnd));
  const supplied = suppliedUntil(request, from);
  const status = [plain(request.status), concept(request.statusReason)].filter(Boolean).join(': ');
  const of = { name: medication(request, included), resource: request, from, since, status };
  if (dated !== undefined && dated >= from) return [{ ...of, end: 'ended', until: dated, by: 'dates' }];
  if (isCurrent) return [{ ...of, end: 'active', until: undefined, by: undefined }];
  if (filled !== undefined) return [{ ...of, end: 'unknown', until: Math.max(from, filled), by: 'fill' }];
  return [{ ...of, end: 'unknown', until: supplied, by: supplied === undefined ? undefined : 'supply' }];
}

/** A fill without an order that is shown. */
function fillCourse(fill: MedicationDispense, included: Resource[]): Course[] {
  const from = instant(fill.whenHandedOver);
  if (from === undefined || fill.whenHandedOver === undefined) return [];
  return [
    {
      name: medication(fill, included),
      resource: fill,
      from,
      since: fill.whenHandedOver,
      end: 'unknown',
      until: fillEnd(fill),
      by: 'fill',
      status: t('handed over'),
    },
  ];
}

/** The courses of some orders and fills, by medication, in order of their first start. */
export function courseLines(
  requests: readonly MedicationRequest[],
  dispenses: readonly MedicationDispense[],
  included: Resource[],
): CourseLine[] {
  const handedOver = dispenses.filter((fill) => !isEnteredInError(fill) && fill.whenHandedOver !== undefined);
  const fillsOf = fillsByOrder(handedOver);
  const courses = [
    ...requests.flatMap((request) => orderCourse(request, fillsOf(request), included)),
    ...withoutOrder(handedOver, requests).flatMap((fill) => fillCourse(fill, included)),
  ];
  const byName = Map.groupBy(courses, ({ name }) => name.toLowerCase());
  return [...byName.values()]
    .map((list) => list.toSorted((a, b) => a.from - b.from))
    .map((list) => ({ name: list[0]?.name ?? '', courses: list }))
    .sort((a, b) => (a.courses[0]?.from ?? 0) - (b.courses[0]?.from ?? 0));
}

/** A part of a course as a bar, in units of the picture. */
export interface Bar {
  course: Course;
  x: number;
  width: number;
  /** True if the course began before the picture does. */
  isCutLeft: boolean;
  /** The right end: an edge, an arrow for what goes on behind the picture, or dots for an end that is not known. */
  right: 'edge' | 'arrow' | 'dots';
}

/** The length of the dots. */
export const DOTS = 26;

/** The bars of a line between two edges of a picture; none of a course that nothing places between them. */
export function barsOf({ courses }: CourseLine, x: (at: number) => number, left: number, right: number): Bar[] {
  return courses.flatMap((course): Bar[] => {
    const start = x(course.from);
    const end = course.end === 'active' ? Infinity : x(course.until ?? course.from);
    if (start > right || end < left) return [];
    const from = Math.max(left, start);
    const until = Math.min(right, end);
    const goesOn = end > right;
    return [
      {
        course,
        x: from,
        width: Math.max(0, until - from),
        isCutLeft: start < left,
        right: goesOn ? 'arrow' : course.end === 'unknown' ? 'dots' : 'edge',
      },
    ];
  });
}
