//! The administrations of a drug as a course with their times.

import { DAY, instant } from '../fhir/date.ts';
import { administrationStatus } from '../fhir/request-state.ts';
import { medicationCode } from '../fhir/status-code.ts';
import { isEnteredInError, plain } from '../fhir/text.ts';
import type { MedicationAdministration } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import type { Course, Span } from './course.ts';

/** Administrations within this time of each other are continuous, including weekly ones. */
const BREAK = 8 * DAY;

/** Returns whether a record shows that a medication was given. */
export const isGiven = (one: MedicationAdministration): boolean =>
  !isEnteredInError(one) && medicationCode(one.status) !== 'not-done';

/** Returns the time of an administration; `undefined` if the record has none. */
function spanOf({ effectiveDateTime, effectivePeriod }: MedicationAdministration): Span | undefined {
  const [start, end] = [instant(effectivePeriod?.start), instant(effectivePeriod?.end)];
  const from = start ?? instant(effectiveDateTime) ?? end;
  return from === undefined ? undefined : { from, until: Math.max(from, end ?? from) };
}

const startOf = ({ effectiveDateTime, effectivePeriod }: MedicationAdministration): string =>
  [effectivePeriod?.start, effectiveDateTime, effectivePeriod?.end].find((one) => instant(one) !== undefined) ?? '';

/** Returns the course of the administrations of one drug from the first one; `undefined` if none has a time. */
export function givenCourse(words: Words, all: readonly MedicationAdministration[], name: string): Course | undefined {
  const timed = all
    .flatMap((one) => {
      const span = spanOf(one);
      return span ? [{ one, span }] : [];
    })
    .toSorted((a, b) => a.span.from - b.span.from);
  const [first, last] = [timed[0], timed.at(-1)];
  if (!first || !last) return undefined;
  const spans: Span[] = [];
  for (const { span } of timed) {
    const before = spans.at(-1);
    if (before && span.from - before.until <= BREAK) before.until = Math.max(before.until, span.until);
    else spans.push({ ...span });
  }
  const runs = timed.some(({ one }) => medicationCode(one.status) === 'in-progress');
  return {
    name,
    resource: last.one,
    from: first.span.from,
    since: startOf(first.one),
    isStartKnown: true,
    end: runs ? 'active' : 'unknown',
    until: runs ? undefined : spans.at(-1)?.until,
    by: runs ? undefined : 'given',
    status: plain(words, administrationStatus(last.one)),
    sources: [],
    givenCount: timed.length,
    spans,
  };
}
