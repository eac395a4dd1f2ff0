//! The latest vital signs of an overview: for each, the newest one that has a value, in any form and with any code.

import { instant } from '../fhir/date.ts';
import { isCancelled } from '../fhir/status-code.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { vitalCodes } from '../fhir/vital-codes.ts';
import { kept } from '../kept.ts';
import type { Words } from '../language/words.ts';
import { isOfOther } from './names/told-apart.ts';
import { groupsOf, nameKeyOfGroup, type TestGroup } from './panels/test-groups.ts';
import { hasValue, when } from './values/reading.ts';
import { PRESSURE } from './values/vital-parts.ts';

/** A vital sign for display: a reading, and its test. */
export interface Sign {
  reading: Observation;
  group: TestGroup;
}

/** The codes of each sign: blood pressure, pulse, oxygen, breathing, temperature, weight, body mass. */
const SIGNS: readonly (readonly string[])[] = [
  [PRESSURE, '55284-4', '35094-2', '96607-7', '75367002'],
  ['8867-4', '8889-8', '40443-4', '364075005'],
  ['59408-5', '2708-6', '431314004'],
  ['9279-1', '86290005'],
  ['8310-5', '8331-1', '8332-9', '8333-7', '8328-7', '8329-5', '75539-7', '76011-6', '386725007'],
  ['29463-7', '3141-9', '27113001'],
  ['39156-5', '60621009'],
];

const timeOf = (o: Observation): number => instant(when(o)) ?? Number.NEGATIVE_INFINITY;

/** The codes that the observations of a group have or mean. All vital signs are looked up in them. */
const codesIn = kept(({ list }: TestGroup) => new Set(list.flatMap(({ code }) => vitalCodes(code))));

const isOf = (group: TestGroup, codes: readonly string[]): boolean =>
  codes.some((code) => code === nameKeyOfGroup(group) || codesIn(group).has(code));

/** Returns the newest readings of a test that have a value. */
export function readingsOf(group: TestGroup): Observation[] {
  const own = group.readings.filter((o) => hasValue(o) && !isEnteredInError(o));
  if (own.length > 0) return own;
  const older = group.list.find((o) => hasValue(o) && !isEnteredInError(o) && !isCancelled(o.status));
  return older ? [older] : [];
}

/**
 * Returns the latest vital signs: the usual ones, or else all others. A newer reading precedes one with the usual code.
 * A reading about somebody or something else, such as a fetus, is none of them.
 */
export function latestSigns(words: Words, observations: readonly Observation[]): Sign[] {
  const groups = groupsOf(words, observations).filter(({ latest }) => !isOfOther(latest));
  const usual = SIGNS.flatMap((codes) => {
    const candidates = groups
      .filter((group) => isOf(group, codes))
      .flatMap((group) => {
        const readings = readingsOf(group);
        return readings.length > 0 ? [{ group, readings, at: Math.max(...readings.map(timeOf)) }] : [];
      });
    // At the same time, the reading with the earlier code in the list precedes.
    const rank = (group: TestGroup): number => {
      const at = codes.indexOf(nameKeyOfGroup(group));
      return at < 0 ? codes.length : at;
    };
    const sorted = candidates.sort((a, b) => (a.at === b.at ? rank(a.group) - rank(b.group) : b.at > a.at ? 1 : -1));
    const [best] = sorted;
    // The pressures of both arms, which were measured at the same time, are two readings.
    const alike = sorted.filter(
      ({ at, group }) => at === best?.at && nameKeyOfGroup(group) === nameKeyOfGroup(best.group),
    );
    return alike.flatMap(({ readings, group }) => readings.map((reading) => ({ reading, group })));
  });
  if (usual.length > 0) return usual;
  return groups
    .flatMap((group) => readingsOf(group).map((reading) => ({ reading, group })))
    .sort((a, b) => timeOf(b.reading) - timeOf(a.reading));
}
