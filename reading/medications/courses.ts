//! Courses of medications: the period in which each was taken, from orders, dispenses, reports and administrations.
//! A start or an end that no record has stays unknown.

import { DAY, endOf, instant } from '../fhir/date.ts';
import { isReported, requestState, statementStatus } from '../fhir/request-state.ts';
import { medicationCode, normalCode, toldStatus } from '../fhir/status-code.ts';
import { concept, concepts, isEnteredInError, plain, statusText } from '../fhir/text.ts';
import type {
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
  Resource,
} from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import type { Course, CourseLine } from './course.ts';
import { endOfDosages, later } from './course-end.ts';
import { dispensesByOrder, isDispensed, withoutOrder } from './dispenses.ts';
import { givenCourse, isGiven } from './given-courses.ts';
import { type DrugRecord, isNoMedication, medication } from './medication.ts';
import { byDrug, type DrugMarks, drugMarks } from './same-drug.ts';

/** The records of medications. `included` are the Medications to which they may refer. */
export interface MedicationRecords {
  requests: readonly MedicationRequest[];
  dispenses?: readonly MedicationDispense[];
  statements?: readonly MedicationStatement[];
  administrations?: readonly MedicationAdministration[];
  included?: readonly Resource[];
}

export interface Courses {
  /** The courses of each medication, in order of their first start. */
  lines: CourseLine[];
  /** The names of the medications that are or were taken at an unrecorded time. */
  undated: string[];
}

const latest = (times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : undefined;
};

/** Returns the end of a dispensed supply, or the time of the dispense if the days of supply are unknown. */
function dispenseEnd({ whenHandedOver, daysSupply }: MedicationDispense): number | undefined {
  const from = instant(whenHandedOver);
  return later(from, daysSupply) ?? from;
}

function suppliedUntil({ dispenseRequest }: MedicationRequest, from: number): number | undefined {
  const { expectedSupplyDuration: once, numberOfRepeatsAllowed: repeats = 0 } = dispenseRequest ?? {};
  return once && later(from, { ...once, value: (once.value ?? 0) * (1 + Math.max(0, repeats)) });
}

/** Returns whether an order never became a course: planned, withdrawn before it began, or an order not to take it. */
function isNoCourse(request: MedicationRequest): boolean {
  if (isEnteredInError(request) || request.doNotPerform) return true;
  const isProposed = ['proposal', 'option'].includes(normalCode(request.intent)) && !isReported(request);
  return isProposed || medicationCode(request.status) === 'cancelled' || requestState(request) === 'planned';
}

/** A course with the records from which it is known, which may have no time. */
interface Found {
  name: string;
  marks: DrugMarks;
  course: Course | undefined;
}

/** Returns whether an order or a report was stopped, so that its end is not the planned one. */
const isCutShort = ({ status }: MedicationRequest | MedicationStatement): boolean =>
  ['stopped', 'on-hold'].includes(medicationCode(status));

/** Returns the end of an order, as far as it is known. */
function orderEnd(
  request: MedicationRequest,
  from: number,
  dispenses: readonly MedicationDispense[],
): Pick<Course, 'end' | 'until' | 'ends' | 'by'> {
  const dated = endOfDosages(request.dosageInstruction, from);
  if (dated && dated.at > from - DAY && !isCutShort(request))
    return { end: 'ended', until: Math.max(from, dated.at), ends: dated.written, by: 'dates' };
  if (medicationCode(request.status) === 'active') return { end: 'active', until: undefined, by: undefined };
  const dispensed = latest(dispenses.map(dispenseEnd));
  if (dispensed !== undefined) return { end: 'unknown', until: Math.max(from, dispensed), by: 'dispense' };
  const supplied = (isCutShort(request) ? dated?.at : undefined) ?? suppliedUntil(request, from);
  return { end: 'unknown', until: supplied, by: supplied === undefined ? undefined : 'supply' };
}

function orderCourse(
  words: Words,
  request: MedicationRequest,
  name: string,
  dispenses: readonly MedicationDispense[],
): Course | undefined {
  const first = dispenses
    .map(({ whenHandedOver }) => whenHandedOver)
    .sort((a, b) => (instant(a) ?? 0) - (instant(b) ?? 0));
  const since = request.authoredOn ?? first[0];
  const from = instant(since);
  if (since === undefined || from === undefined) return undefined;
  const status = statusText(words, toldStatus(request.status));
  return {
    name,
    resource: request,
    from,
    since,
    isStartKnown: true,
    ...orderEnd(request, from, dispenses),
    status: [status, concept(words, request.statusReason)].filter(Boolean).join(': '),
    sources: dispenses.length > 0 ? ['ordered', 'dispensed'] : ['ordered'],
    given: 0,
  };
}

/** Returns whether a report states that a medication is or was taken. */
const isTaken = (report: MedicationStatement): boolean =>
  !isEnteredInError(report) &&
  !isNoMedication(report) &&
  !['planned', 'avoid', 'untaken'].includes(requestState(report));

function reportCourse(words: Words, report: MedicationStatement, name: string): Course | undefined {
  const { effectivePeriod, effectiveDateTime, dateAsserted, status } = report;
  const { start, end } = effectivePeriod ?? {};
  const since = [start, effectiveDateTime, end, dateAsserted].find((written) => instant(written) !== undefined);
  const from = instant(since);
  if (since === undefined || from === undefined) return undefined;
  const dosed = end === undefined && since === start ? endOfDosages(report.dosage, from)?.at : undefined;
  const until = end !== undefined ? endOf(end) : (dosed ?? Infinity) < Date.now() ? dosed : undefined;
  // A future date is not the end of a medication that was already stopped.
  const isCut = isCutShort(report) && (until ?? 0) > Date.now();
  const isEnded = until !== undefined && until >= from && !isCut;
  const goesOn = requestState(report) === 'current' && medicationCode(status) === 'active';
  const text = medicationCode(status) === 'unknown' ? words.t('status unknown') : plain(words, statementStatus(report));
  return {
    name,
    resource: report,
    from,
    since,
    isStartKnown: since === start,
    end: isEnded ? 'ended' : goesOn ? 'active' : 'unknown',
    until: isEnded ? until : undefined,
    ends: isEnded ? end : undefined,
    by: isEnded ? 'dates' : undefined,
    status: [text, concepts(words, report.statusReason)].filter(Boolean).join(': '),
    sources: ['reported'],
    given: 0,
  };
}

/** Returns the course of a dispense without a shown order. */
function dispenseCourse(words: Words, dispense: MedicationDispense, name: string): Course | undefined {
  const from = instant(dispense.whenHandedOver);
  if (from === undefined || dispense.whenHandedOver === undefined) return undefined;
  return {
    name,
    resource: dispense,
    from,
    since: dispense.whenHandedOver,
    isStartKnown: true,
    end: 'unknown',
    until: dispenseEnd(dispense),
    by: 'dispense',
    status: words.t('filled'),
    sources: ['dispensed'],
    given: 0,
  };
}

/** Returns the courses of medications, by drug. Each order and each report is a course; what was given is another. */
export function coursesOf(
  words: Words,
  { requests, dispenses = [], statements = [], administrations = [], included = [] }: MedicationRecords,
): Courses {
  const dispensed = dispenses.filter((dispense) => isDispensed(dispense) && dispense.whenHandedOver !== undefined);
  const orders = requests.filter((request) => !isNoCourse(request));
  const given = administrations.filter(isGiven);
  const dispensesOf = dispensesByOrder(dispensed);
  const found = <R extends DrugRecord>(all: readonly R[], of: (one: R, name: string) => Course | undefined): Found[] =>
    all.map((one) => {
      const name = medication(words, one, included);
      return { name, marks: drugMarks(one, included), course: of(one, name) };
    });
  const all: (Found & { given?: MedicationAdministration })[] = [
    ...found(orders, (one, name) => orderCourse(words, one, name, dispensesOf(one))),
    ...found(withoutOrder(dispensed, orders), (dispense, name) => dispenseCourse(words, dispense, name)),
    ...found(statements.filter(isTaken), (report, name) => reportCourse(words, report, name)),
    ...found(given, () => undefined).map((one, i) => ({ ...one, given: given[i] })),
  ];
  const lines = byDrug(all, ({ marks }) => marks).map((list) => {
    const name = list[0]?.name ?? '';
    const administered = givenCourse(
      words,
      list.flatMap((one) => one.given ?? []),
      name,
    );
    const courses = [...list.flatMap(({ course }) => course ?? []), ...(administered ? [administered] : [])];
    courses.sort((a, b) => a.from - b.from);
    return { name: courses[0]?.name ?? name, courses };
  });
  return {
    lines: lines
      .filter(({ courses }) => courses.length > 0)
      .sort((a, b) => (a.courses[0]?.from ?? 0) - (b.courses[0]?.from ?? 0)),
    undated: lines.filter(({ courses }) => courses.length === 0).map(({ name }) => name),
  };
}

/** A part of a course as a bar, in units of the picture. */
export interface Bar {
  course: Course;
  x: number;
  width: number;
  /** The left end: an edge, a notch if the course began before the picture, or dots if the start is unknown. */
  left: 'edge' | 'notch' | 'dots';
  /** The right end: an edge, an arrow if the course continues beyond the picture, or dots if the end is unknown. */
  right: 'edge' | 'arrow' | 'dots';
}

/** The length of the dotted part. */
export const DOTS = 26;

/** Returns the bars of a line between two edges of a picture, without courses that are outside them. */
export function barsOf({ courses }: CourseLine, x: (at: number) => number, left: number, right: number): Bar[] {
  return courses.flatMap((course): Bar[] => {
    const whole = { from: course.from, until: course.until };
    const spans = course.spans ?? [whole];
    return spans.flatMap(({ from, until }, i): Bar[] => {
      const isLast = i === spans.length - 1;
      const start = x(from);
      const end = isLast && course.end === 'active' ? Infinity : x(until ?? from);
      if (start > right || end < left) return [];
      const begin = Math.max(left, start);
      return [
        {
          course,
          x: begin,
          width: Math.max(0, Math.min(right, end) - begin),
          left: start < left ? 'notch' : course.isStartKnown || i > 0 ? 'edge' : 'dots',
          right: end > right ? 'arrow' : isLast && course.end === 'unknown' ? 'dots' : 'edge',
        },
      ];
    });
  });
}
