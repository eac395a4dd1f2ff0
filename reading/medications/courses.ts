//! Courses of medications: the period in which each was taken, from orders, dispenses, reports and administrations.
//! A start or an end that no record has stays unknown.

import { DAY, instant } from '../fhir/date.ts';
import { dateEnded, isReported, requestState, statementStatus } from '../fhir/request-state.ts';
import { isCancelled, medicationCode, normalCode, toldStatus } from '../fhir/status-code.ts';
import { concept, concepts, isEnteredInError, plain, statusText } from '../fhir/text.ts';
import { later } from '../fhir/time-units.ts';
import type {
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import type { Course, CourseLine } from './course.ts';
import { courseEnd, type Day, lastDay, plannedEnd } from './course-end.ts';
import { dispensedUntil, dispensesByOrder, isDispensed, withoutOrder } from './dispenses.ts';
import { givenCourse, isGiven } from './given-courses.ts';
import { type DrugRecord, isNoMedication, medication } from './medication.ts';
import type { MedicationRecords } from './medication-records.ts';
import { byDrug, type DrugMarks, drugMarks } from './same-drug.ts';

export interface Courses {
  /** The courses of each medication, in order of their first start. */
  lines: CourseLine[];
  /** The names of the medications that are or were taken at an unrecorded time. */
  undated: string[];
}

const latest = (times: readonly number[]): number | undefined =>
  times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined;

/** Returns the end of a dispensed supply, or the time of the dispense if the days of supply are unknown. */
const dispenseEnd = (dispense: MedicationDispense): number | undefined =>
  dispensedUntil(dispense) ?? instant(dispense.whenHandedOver);

/** Returns the end of the ordered supply with all its repeats. */
function suppliedUntil({ dispenseRequest }: MedicationRequest, from: number): number | undefined {
  const { expectedSupplyDuration: span, numberOfRepeatsAllowed: repeats = 0 } = dispenseRequest ?? {};
  return later(from, span && { ...span, value: (span.value ?? 0) * (1 + Math.max(0, repeats)) });
}

/** Returns whether an order never became a course: planned, withdrawn before it began, or an order not to take it. */
function isNoCourse(request: MedicationRequest, now: number): boolean {
  if (isEnteredInError(request) || request.doNotPerform) return true;
  const isProposed = ['proposal', 'option'].includes(normalCode(request.intent)) && !isReported(request);
  return isProposed || isCancelled(request.status) || requestState(request, now) === 'planned';
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

/** Returns whether an end is not before the day of a start. */
const endsAfter = (end: Day, from: number): boolean => end.at + DAY > from;

/** Returns the end of an order, as far as it is known. An end before the start is not believed. */
function orderEnd(
  request: MedicationRequest,
  from: number,
  dispenses: readonly MedicationDispense[],
  now: number,
): Pick<Course, 'end' | 'until' | 'ends' | 'by'> {
  const planned = plannedEnd(request, now);
  const believed = planned && endsAfter(planned, from) ? planned : undefined;
  if (believed && !believed.supply && (!isCutShort(request) || dateEnded(request)))
    return { end: 'ended', until: Math.max(from, believed.at), ends: believed.on, by: 'dates' };
  if (medicationCode(request.status) === 'active' && !courseEnd(request, now))
    return { end: 'active', until: undefined, by: undefined };
  const dispensed = latest(dispenses.flatMap((one) => dispenseEnd(one) ?? []));
  if (dispensed !== undefined) return { end: 'unknown', until: Math.max(from, dispensed), by: 'dispense' };
  const supplied = believed?.at ?? suppliedUntil(request, from);
  return { end: 'unknown', until: supplied, by: supplied === undefined ? undefined : 'supply' };
}

function orderCourse(
  words: Words,
  request: MedicationRequest,
  name: string,
  dispenses: readonly MedicationDispense[],
  now: number,
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
    ...orderEnd(request, from, dispenses, now),
    status: [status, concept(words, request.statusReason)].filter(Boolean).join(': '),
    sources: dispenses.length > 0 ? ['ordered', 'dispensed'] : ['ordered'],
    givenCount: 0,
  };
}

const isTaken = (report: MedicationStatement, now: number): boolean =>
  !isEnteredInError(report) &&
  !isNoMedication(report) &&
  !['planned', 'avoid', 'untaken'].includes(requestState(report, now));

function reportCourse(words: Words, report: MedicationStatement, name: string, now: number): Course | undefined {
  const { effectivePeriod, effectiveDateTime, dateAsserted, status } = report;
  const { start, end } = effectivePeriod ?? {};
  const since = [start, effectiveDateTime, end, dateAsserted].find((written) => instant(written) !== undefined);
  const from = instant(since);
  if (since === undefined || from === undefined) return undefined;
  const ended = end === undefined ? courseEnd(report, now) : lastDay(end);
  // A future date is not the end of a medication that was already stopped.
  const isEnded = ended !== undefined && endsAfter(ended, from) && !(isCutShort(report) && ended.at > now);
  const goesOn = requestState(report, now) === 'current' && medicationCode(status) === 'active';
  const text =
    medicationCode(status) === 'unknown' ? words.t('status unknown') : plain(words, statementStatus(report, now));
  return {
    name,
    resource: report,
    from,
    since,
    isStartKnown: since === start,
    end: isEnded ? 'ended' : goesOn ? 'active' : 'unknown',
    until: isEnded ? Math.max(from, ended.at) : undefined,
    ends: isEnded ? ended.on : undefined,
    by: isEnded ? 'dates' : undefined,
    status: [text, concepts(words, report.statusReason)].filter(Boolean).join(': '),
    sources: ['reported'],
    givenCount: 0,
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
    givenCount: 0,
  };
}

/** Returns the courses of medications, by drug: one for each order and each report, and one for all administrations. */
export function coursesOf(
  words: Words,
  { requests = [], dispenses = [], statements = [], administrations = [], included = [] }: Partial<MedicationRecords>,
  now = Date.now(),
): Courses {
  const dispensed = dispenses.filter((dispense) => isDispensed(dispense) && dispense.whenHandedOver !== undefined);
  const orders = requests.filter((request) => !isNoCourse(request, now));
  const given = administrations.filter(isGiven);
  const dispensesOf = dispensesByOrder(dispensed);
  const found = <R extends DrugRecord>(all: readonly R[], of: (one: R, name: string) => Course | undefined): Found[] =>
    all.map((one) => {
      const name = medication(words, one, included);
      return { name, marks: drugMarks(one, included), course: of(one, name) };
    });
  const all: (Found & { administration?: MedicationAdministration })[] = [
    ...found(orders, (one, name) => orderCourse(words, one, name, dispensesOf(one), now)),
    ...found(withoutOrder(dispensed, orders), (dispense, name) => dispenseCourse(words, dispense, name)),
    ...found(
      statements.filter((one) => isTaken(one, now)),
      (report, name) => reportCourse(words, report, name, now),
    ),
    ...found(given, () => undefined).map((one, i) => ({ ...one, administration: given[i] })),
  ];
  const lines = byDrug(all, ({ marks }) => marks).map((list) => {
    const name = list[0]?.name ?? '';
    const administered = givenCourse(
      words,
      list.flatMap((one) => one.administration ?? []),
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
