//! The state of requests, and of medications that are reported or given: current ones, those that are only planned
//! (<https://hl7.org/fhir/R4/valueset-request-intent.html>), and those that are not taken
//! (<https://hl7.org/fhir/R4/valueset-medication-statement-status.html>).

import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import { instant, shortDate } from './date.ts';
import { type Bounds, boundsOf } from './dosage-timing.ts';
import { conceptIn, Parts, periodIn, textIn } from './loose.ts';
import { medicationCode, normalCode, toldStatus } from './status-code.ts';
import { isEnteredInError } from './text.ts';
import type {
  MedicationAdministration,
  MedicationRequest,
  MedicationStatement,
  Period,
  ServiceRequest,
} from './types.ts';

/** `avoid`: an order prohibits it. `untaken`: a report states that it is not taken, or it was not given. */
export type RequestState = 'current' | 'held' | 'planned' | 'avoid' | 'untaken' | 'past';

/** The records that show whether a medication is current. */
export type MedicationRecord = MedicationRequest | MedicationStatement | MedicationAdministration;

/** The statuses of an order that has ended. */
const OVER = ['completed', 'stopped', 'cancelled', 'canceled', 'ended', 'revoked', 'replaced', 'entered-in-error'];

const isProposed = (intent: string | undefined): boolean => ['proposal', 'plan', 'option'].includes(normalCode(intent));

/** Returns the date of a moment in the time zone of the reader. */
function localDay(now: number): string {
  const at = new Date(now);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns whether all of a date is before a moment: a day lasts until its end, and so does a year. */
function isBefore(date: string | undefined, now: number): boolean {
  if (date === undefined || instant(date) === undefined) return false;
  if (date.includes('T')) return (instant(date) ?? now) < now;
  return date < localDay(now).slice(0, date.length);
}

/** Returns whether all of a date is after a moment. */
function isAfter(date: string | undefined, now: number): boolean {
  if (date === undefined || instant(date) === undefined) return false;
  if (date.includes('T')) return (instant(date) ?? now) > now;
  return date > localDay(now).slice(0, date.length);
}

/** Extensions with the element of R5, and those of the Netherlands with the same meaning. */
const PERIOD_OF_USE = /(?:effectiveDosePeriod|TimeInterval\.Period|PeriodOfUse)$/;

/** Returns the time at which an order was ended, which only DSTU2 has. */
export const dateEnded = (of: object): string | undefined => new Parts(of).take('dateEnded', textIn);

/** Returns the period of an order, in the form of R5 or of an extension, or until its end in the form of DSTU2. */
export function dosePeriod(of: object): Period | undefined {
  const parts = new Parts(of);
  const extensions = itemsOf(parts.raw('extension')).filter(isObject);
  const found = extensions.find(({ url }) => PERIOD_OF_USE.test(String(url)));
  const period = parts.take('effectiveDosePeriod', periodIn) ?? periodIn(found?.valuePeriod);
  const end = dateEnded(of);
  return end === undefined ? period : { ...period, end };
}

/** Returns whether an order has not begun: the bounds or dates of all its dosages are in the future. */
function beginsLater(order: MedicationRequest, now: number): boolean {
  if (isAfter(dosePeriod(order)?.start, now)) return true;
  const bounds = boundsOf(order.dosageInstruction);
  const isLater = ({ period, dates }: Bounds): boolean =>
    isAfter(period?.start, now) || (dates.length > 0 && dates.every((date) => isAfter(date, now)));
  return bounds.length > 0 && bounds.every(isLater);
}

/**
 * Returns the state of a prescription. A medication is current if its order is active or it is reported as taken: US
 * Core represents medications without an order as a reported plan of this type. Other plans, proposals and drafts are
 * planned, and so is an order that has not begun. A plan not to take a medication is treated like an order not to take
 * it. An unknown status is current, so that nothing is lost.
 */
function orderState(r: MedicationRequest, now: number): RequestState {
  const status = medicationCode(r.status);
  if (isEnteredInError(r) || OVER.includes(status)) return 'past';
  if (status === 'draft') return 'planned';
  if (r.doNotPerform && (normalCode(r.intent) === 'plan' || !isProposed(r.intent))) return 'avoid';
  if (isProposed(r.intent) && !isReported(r)) return 'planned';
  if (status === 'on-hold') return 'held';
  return beginsLater(r, now) ? 'planned' : 'current';
}

/** The states of R5 that replace a status (<https://hl7.org/fhir/R5/valueset-medication-statement-adherence.html>). */
const ADHERENCE: Readonly<Record<string, string>> = {
  'not-taking': 'not-taken',
  'stopped-or-not-taking': 'not-taken',
  'on-hold': 'on-hold',
  stopped: 'stopped',
};

/** Returns the adherence that R5 reports, as a status of R4. */
function adherenceOf(s: MedicationStatement): string | undefined {
  const code = new Parts(s).within('adherence').take('code', conceptIn);
  return code?.coding?.map((one) => own(ADHERENCE, one.code ?? '')).find((status) => status !== undefined);
}

/**
 * Returns the state of a report. It is past if its period has ended, except that `untaken` and `avoid` remain, since
 * the reader must know them. An unknown status is current, so that nothing is lost.
 */
function statementState(s: MedicationStatement, now: number): RequestState {
  const status = adherenceOf(s) ?? medicationCode(s.status);
  if (isEnteredInError(s) || OVER.includes(status)) return 'past';
  if (status === 'not-taken') return 'untaken';
  // R4 has no such element in reports, but some records have it.
  if (s.doNotPerform === true) return 'avoid';
  if (isBefore(s.effectivePeriod?.end, now)) return 'past';
  if (status === 'on-hold') return 'held';
  if (['intended', 'draft'].includes(status) || isAfter(s.effectivePeriod?.start ?? s.effectiveDateTime, now))
    return 'planned';
  return 'current';
}

/** Returns the state of an administration, which is current while it is in progress. */
function administrationState(of: MedicationAdministration): RequestState {
  const status = medicationCode(of.status);
  if (status === 'in-progress') return 'current';
  if (status === 'on-hold') return 'held';
  return status === 'not-done' ? 'untaken' : 'past';
}

export function requestState(record: MedicationRecord, now = Date.now()): RequestState {
  if (record.resourceType === 'MedicationRequest') return orderState(record, now);
  return record.resourceType === 'MedicationStatement' ? statementState(record, now) : administrationState(record);
}

/** Returns whether a prescription is an active plan: the medication may be taken, although no record states it. */
export const isActivePlan = (request: MedicationRequest, now = Date.now()): boolean =>
  medicationCode(request.status) === 'active' &&
  normalCode(request.intent) === 'plan' &&
  !request.doNotPerform &&
  orderState(request, now) === 'planned';

/** Returns whether a record is a draft, plan or proposal of a medication, or a report of an intention to take it. */
export function isPlan(record: MedicationRecord): boolean {
  if (record.resourceType === 'MedicationAdministration') return false;
  const isOfPlan = record.resourceType === 'MedicationRequest' && isProposed(record.intent) && !isReported(record);
  return isOfPlan || ['draft', 'intended'].includes(medicationCode(record.status));
}

/** Returns whether a report is active by its status, although its period has ended. */
export const isActiveButEnded = (statement: MedicationStatement, now = Date.now()): boolean =>
  medicationCode(statement.status) === 'active' && statementState(statement, now) === 'past';

/** Returns the words for a report that is active by its status, although its period has ended. */
export function endedText(words: Words, statement: MedicationStatement): string | undefined {
  const { end } = statement.effectivePeriod ?? {};
  return end && isActiveButEnded(statement)
    ? words.t('source says active; its period ended {date}', { date: shortDate(words, end) })
    : undefined;
}

/** Returns the words for an administration that is in progress by its status, although its period has ended. */
export function overdueText(words: Words, of: MedicationAdministration, now = Date.now()): string | undefined {
  const { end } = of.effectivePeriod ?? {};
  return end && administrationState(of) === 'current' && isBefore(end, now)
    ? words.t('its period ended {date}', { date: shortDate(words, end) })
    : undefined;
}

/** Returns whether a medication was reported and not ordered. */
export function isReported(record: MedicationRecord): boolean {
  if (record.resourceType === 'MedicationStatement') return true;
  return (
    record.resourceType === 'MedicationRequest' &&
    (record.reportedBoolean === true || record.reportedReference !== undefined)
  );
}

/** Returns whether a medication is known only from a history or from the patient. */
export const isReportedOnly = (record: MedicationRecord): boolean =>
  record.resourceType === 'MedicationStatement'
    ? /(?:^|\/)Patient\//.test(record.informationSource?.reference ?? '')
    : isReported(record);

/** Returns whether a service is planned, and not yet ordered. */
export const isPlanned = ({ status, intent }: ServiceRequest): boolean => status === 'draft' || isProposed(intent);

/**
 * Returns the status of a request, as codes separated by commas. A request that is only planned, or must not be carried
 * out, is never called active, although the status of a valid plan is `active` too.
 */
export function requestStatus(request: MedicationRequest | ServiceRequest): string | undefined {
  const { doNotPerform } = request;
  const [status, intent] = [toldStatus(request.status), normalCode(request.intent)];
  const isMedication = request.resourceType === 'MedicationRequest';
  const planned = isMedication ? requestState(request) === 'planned' : isPlanned(request);
  // A proposal is never shown as an order that has ended. Some systems record taken medications as plans.
  const wasProposed = isMedication && ['proposal', 'option'].includes(intent) && !isReported(request);
  const isPlan = isProposed(intent) && (planned || doNotPerform === true || wasProposed);
  const codes = [
    status === 'active' && (planned || doNotPerform) ? undefined : status,
    status === 'draft' ? undefined : isPlan ? intent : planned ? 'planned' : undefined,
    doNotPerform ? (isMedication ? 'do not take' : 'do not perform') : undefined,
  ];
  return [...new Set(codes.filter(Boolean))].join(', ') || undefined;
}

/** Returns the status of a report, in codes. A report whose period has ended is never called only active. */
export function statementStatus(statement: MedicationStatement, now = Date.now()): string | undefined {
  const status = adherenceOf(statement) ?? toldStatus(statement.status);
  const state = requestState(statement, now);
  const isEnded = state === 'past' && !OVER.includes(medicationCode(status));
  const codes = [
    status === 'active' && state !== 'current' ? undefined : status === 'not-taken' ? 'not taken' : status,
    isEnded ? 'ended' : undefined,
    state === 'planned' && status === 'active' ? 'planned' : undefined,
    // STU3 has an element for this, and R4 a status.
    statement.taken === 'unk' && state === 'current' ? 'not known whether taken' : undefined,
    statement.doNotPerform === true && state !== 'untaken' ? 'do not take' : undefined,
  ];
  return [...new Set(codes.filter(Boolean))].join(', ') || undefined;
}

export const administrationStatus = ({ status }: MedicationAdministration): string | undefined =>
  medicationCode(status) === 'not-done' ? 'not administered' : toldStatus(status);
