//! The properties of the measured person on which reference ranges depend: sex and age.

import { instant, year } from '../../fhir/date.ts';
import { factsOf, type Subject, withFacts } from '../../fhir/facts.ts';
import { timeUnit } from '../../fhir/time-units.ts';
import type { Observation, Quantity, Range } from '../../fhir/types.ts';
import { ageInDays } from '../../people/age.ts';

/** Returns the subject of an observation; `undefined` if it is unknown. */
export const subjectOf = (observation: object): Subject | undefined => factsOf(observation).subject?.();

/** Returns an observation that was derived from another one, with the same subject. */
export const ofSameSubject = (source: Observation, one: Observation): Observation =>
  withFacts(one, { subject: () => subjectOf(source), panel: factsOf(source).panel });

/** Returns an observation without its overall judgement, and without the reason for an absent value. */
export const withoutJudgement = ({
  interpretation: _said,
  referenceRange: _range,
  dataAbsentReason: _reason,
  ...rest
}: Observation): Observation => rest;

const YEAR = 365.25;
const DAYS: Readonly<Record<string, number>> = {
  a: YEAR,
  mo: YEAR / 12,
  wk: 7,
  d: 1,
  h: 1 / 24,
  min: 1 / 1440,
};

/** Returns an age in days; `undefined` if the unit is not a unit of time. */
function inDays({ value, unit, code }: Quantity): number | undefined {
  const days = DAYS[timeUnit(code) ?? timeUnit(unit) ?? ''];
  return value === undefined || days === undefined ? undefined : value * days;
}

/** Returns the days between which an age is, the second one excluded. For only a year of birth, the span is wide. */
function ageSpan(birth: string | undefined, on: string | undefined): [number, number] | undefined {
  const exact = ageInDays(birth, on);
  if (exact !== undefined) return [exact, exact];
  const [from, to] = [Number(year(birth)), Number(year(on))];
  if (!(from > 0) || !(to > 0) || to < from || instant(birth) === undefined) return undefined;
  return [(to - from - 1) * YEAR, (to - from + 1) * YEAR];
}

/**
 * Returns whether an age is within a range of ages, both ends included: 18 to 65 years last until the day before 66.
 * Returns `undefined` if this is unknown.
 */
export function isAgeIn(range: Range, birth: string | undefined, on: string | undefined): boolean | undefined {
  const span = ageSpan(birth, on);
  const [low, high] = [range.low, range.high].map((end) => end && inDays(end));
  const isRead =
    (range.low === undefined) === (low === undefined) && (range.high === undefined) === (high === undefined);
  if (!span || !isRead || (low === undefined && high === undefined)) return undefined;
  // Ages are in whole units: a person of 65 years and a month is 65.
  const one = range.high ? (inDays({ ...range.high, value: 1 }) ?? 0) : 0;
  const until = high === undefined ? Infinity : high + (Number.isInteger(range.high?.value) ? one : 0);
  const since = low ?? 0;
  // A year has 365 or 366 days, a month 28 to 31.
  const air = range.low && (inDays({ ...range.low, value: 1 }) ?? 0) > 28 ? 1 : 0;
  if (span[0] >= since - air && span[1] < until) return true;
  return span[1] < since - air || span[0] >= until ? false : undefined;
}
