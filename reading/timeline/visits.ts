//! Visits: their names, their diagnoses, and the latest one.

import { instant, newest, period, periodDate, shortDate } from '../fhir/date.ts';
import { isCancelled, normalCode } from '../fhir/status-code.ts';
import { concept, hasCode, reference, references } from '../fhir/text.ts';
import type { Concept, Encounter } from '../fhir/types.ts';
import { visitClass, visitKind } from '../fhir/visit-kind.ts';
import type { Words } from '../language/words.ts';
import { type KnownRecords, referredTo } from '../records/reasons.ts';

/** Returns the name of a visit: its kind, or where it took place. */
export const visitName = (words: Words, e: Encounter): string => visitKind(words, e) || words.t('Visit');

const otherClass = (words: Words, e: Encounter): string | undefined => {
  const named = visitClass(words, e);
  return named === visitName(words, e) ? undefined : named;
};

/** Returns the class of a visit, the organization, and the people, in a line. */
export function placeAndPeople(words: Words, e: Encounter): string {
  const people = (e.participant ?? []).flatMap(({ individual }) => individual ?? []);
  const all = [otherClass(words, e), reference(words, e.serviceProvider), references(words, people)];
  return all.filter(Boolean).join(' · ');
}

/** Returns the visits, the latest first. */
export const visitsByTime = (all: readonly Encounter[]): Encounter[] => newest(all, (e) => periodDate(e.period));

/** Roles of a diagnosis that need no words if all diagnoses of a visit have the same. */
const USUAL_ROLES = ['DD', 'CC', 'billing'];

/**
 * Returns the diagnoses of a visit, those of the discharge first. Each has the words for its uncertainty, and its role
 * if the roles differ or it is an unusual one.
 */
export function diagnosesOf(words: Words, visit: Encounter, known: KnownRecords): string {
  const { diagnosis = [] } = visit;
  const roles = diagnosis.map(({ use }) => concept(words, use));
  const isDischarge = ({ use }: { use?: Concept }): boolean => hasCode(use, 'DD');
  return diagnosis
    .toSorted((a, b) => Number(isDischarge(b)) - Number(isDischarge(a)))
    .flatMap(({ condition, use }) => {
      const name = condition && (referredTo(words, condition, known, visit) ?? reference(words, condition));
      const isPlain = new Set(roles).size === 1 && !use?.text && hasCode(use, ...USUAL_ROLES);
      const role = isPlain ? undefined : concept(words, use);
      return name && role ? `${name} (${role})` : (name ?? []);
    })
    .join(', ');
}

/** Statuses of visits that did not take place, or have not begun. */
const NOT_HELD = ['planned', 'entered-in-error'];
const UNDER_WAY = ['arrived', 'triaged', 'in-progress', 'onleave'];

export const isUnderWay = ({ status }: Encounter): boolean => UNDER_WAY.includes(status ?? '');

/**
 * Returns the latest visit that took place or has begun. A visit without a date counts only if none has a date. An
 * unknown status counts as held, since its words are shown.
 */
export function lastVisit(all: readonly Encounter[], now: number): Encounter | undefined {
  const held = all.filter(({ status }) => !NOT_HELD.includes(normalCode(status)) && !isCancelled(status));
  const begun = held.filter((e) => (instant(periodDate(e.period)) ?? Number.NEGATIVE_INFINITY) <= now);
  return visitsByTime(begun)[0];
}

/** Returns the time of a visit. For a finished visit without an end, only its first day is known. */
export function visitTime(words: Words, visit: Encounter): string {
  const { period: time } = visit;
  return isUnderWay(visit) || time?.end ? period(words, time) : shortDate(words, time?.start);
}
