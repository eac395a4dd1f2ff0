//! What reference ranges depend on besides the value: the sex and the age of the person who was measured.

import { instant, year } from '../fhir/date.ts';
import { factsOf, type Subject, withFacts } from '../fhir/facts.ts';
import type { Observation, Quantity, Range } from '../fhir/types.ts';
import { ageInDays } from '../people/age.ts';

/** The person whom an observation is of; nothing where nobody has said it. */
export const subjectOf = (observation: object): Subject | undefined => factsOf(observation).subject?.();

/** An observation that was made from another one, of whose person it is. */
export const ofSameSubject = (source: Observation, one: Observation): Observation =>
  withFacts(one, { subject: () => subjectOf(source) });

/** An observation without its judgement as a whole, and without the reason for a value that is absent. */
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
const WORDS: readonly [RegExp, keyof typeof DAYS][] = [
  [/^(a|y|j|yo|y\/o|yrs?|years?|years? old|años?|jahre?|jaar|ans?|anni)$/i, 'a'],
  [/^(mo|mos|mths?|months?|mes(es)?|monate?)$/i, 'mo'],
  [/^(wk|wks|weeks?)$/i, 'wk'],
  [/^(d|days?)$/i, 'd'],
  [/^(h|hrs?|hours?)$/i, 'h'],
];

/** An age in days; nothing for a unit that is none of time. */
function inDays({ value, unit, code }: Quantity): number | undefined {
  const name = [code, unit].flatMap((one) => WORDS.find(([word]) => word.test(one ?? ''))?.[1] ?? []).at(0);
  const days = DAYS[name ?? ''];
  return value === undefined || days === undefined ? undefined : value * days;
}

/** The days between which an age lies, the second not among them; of a year of birth alone the span is wide. */
function ageSpan(birth: string | undefined, on: string | undefined): [number, number] | undefined {
  const exact = ageInDays(birth, on);
  if (exact !== undefined) return [exact, exact];
  const [from, to] = [Number(year(birth)), Number(year(on))];
  if (!(from > 0) || !(to > 0) || to < from || instant(birth) === undefined) return undefined;
  return [(to - from - 1) * YEAR, (to - from + 1) * YEAR];
}

/**
 * Whether an age is within a range of ages, both ends included: `years` of 18 to 65 hold until the day before 66.
 * Nothing where it cannot be told.
 */
export function isAgeIn(range: Range, birth: string | undefined, on: string | undefined): boolean | undefined {
  const span = ageSpan(birth, on);
  const [low, high] = [range.low, range.high].map((end) => end && inDays(end));
  const isRead =
    (range.low === undefined) === (low === undefined) && (range.high === undefined) === (high === undefined);
  if (!span || !isRead || (low === undefined && high === undefined)) return undefined;
  // An age is said in whole units: somebody of 65 years and a month is 65.
  const one = range.high ? (inDays({ ...range.high, value: 1 }) ?? 0) : 0;
  const until = high === undefined ? Infinity : high + (Number.isInteger(range.high?.value) ? one : 0);
  const since = low ?? 0;
  // A year has 365 days or 366, a month 28 to 31.
  const air = range.low && (inDays({ ...range.low, value: 1 }) ?? 0) > 28 ? 1 : 0;
  if (span[0] >= since - air && span[1] < until) return true;
  return span[1] < since - air || span[0] >= until ? false : undefined;
}
