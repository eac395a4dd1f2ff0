//! Observations grouped by their test.

import { newest, overlap } from '../../fhir/date.ts';
import { isCancelled, normalCode } from '../../fhir/status-code.ts';
import { concept, isEnteredInError, testCode } from '../../fhir/text.ts';
import { isOfType, type Observation, type Resource } from '../../fhir/types.ts';
import { isLoinc, isOfLoinc, vitalCodeMeant } from '../../fhir/vital-codes.ts';
import { kept, keptWhile } from '../../kept.ts';
import type { Words } from '../../language/words.ts';
import { gravityOf } from '../flags/usual-range.ts';
import { shortName } from '../names/names.ts';
import { sideAndTime } from '../names/said-in-name.ts';
import { apartKey, apartKeyBeyondName, toldApart } from '../names/told-apart.ts';
import { type Series, seriesOf } from '../trends/series.ts';
import { hasValue, when } from '../values/reading.ts';
import { subjectOf } from '../values/subject.ts';
import { PRESSURE, vitalsIn } from '../values/vital-parts.ts';
import { withIsolate } from './isolate.ts';
import { bySystolic, isPressure, latestPressures } from './pressure.ts';

/**
 * Returns the key of a name: its LOINC code, or else that of its vital sign. A length and a height are two tests,
 * although both have the code of a height, and so are the responses of two organisms to one drug.
 */
export const nameKeyOf = (o: Observation): string => {
  const { code, id } = o;
  const key = (isOfLoinc(code) ? undefined : vitalCodeMeant(code)) ?? testCode(code) ?? (code?.text?.trim() || id);
  return withIsolate(o, key);
};

/** Returns a key with a text that tells the result apart, which may be empty. */
const joinedKey = (key: string, apart: string): string => [key, apart].filter(Boolean).join('; ');

/** Returns a key of what tells a result apart, with what its name says. Both arms of a blood pressure are one test. */
const withName = (o: Observation, apart: string): string => (isPressure(o) ? apart : joinedKey(sideAndTime(o), apart));

/** Returns the key of the test of an observation, which is that of its name and of what tells it apart. */
export const keyOf = kept((o: Observation): string => joinedKey(nameKeyOf(o), withName(o, apartKey(o))));

export interface TestGroup {
  key: string;
  name: string;
  /** The text that distinguishes the test from others with the same short name: the rest of its name, or its code. */
  apart: string | undefined;
  /** Newest first. */
  list: Observation[];
  /** The latest that says something and was not entered in error or cancelled, if there is one. See `gravestFirst`. */
  latest: Observation;
  /** The latest readings. A blood pressure whose numbers were recorded separately may be two. */
  readings: Observation[];
  readonly series: Series[];
}

/** Orders results of one time: those with a value first, and what is corrected before what is not final. */
const byValue = (a: Observation, b: Observation): number =>
  Number(hasValue(b)) - Number(hasValue(a)) || statusRank(a) - statusRank(b);
function statusRank({ status }: Observation): number {
  const at = ['corrected', 'amended', 'final'].indexOf(normalCode(status ?? 'final'));
  return at < 0 ? 3 : at;
}

/**
 * Groups observations by their test. Blood pressures are one test, in any form. The groups of a list are cached:
 * callers must not change the list or the groups.
 */
export const groupsOf = (words: Words, observations: readonly Observation[]): TestGroup[] =>
  groupsIn(words)(observations);
const groupsIn = kept((words: Words) =>
  keptWhile(
    ([first]: readonly Observation[]) => [first && subjectOf(first)],
    (observations) => grouped(words, observations),
  ),
);

function codeText(words: Words, { code }: Observation): string {
  const codings = code?.coding ?? [];
  const loinc = codings.find((one) => one.code && isLoinc(one.system))?.code;
  const [any] = codings.flatMap((one) => one.code ?? []);
  return loinc ? `LOINC ${loinc}` : any ? words.t('code {code}', { code: any }) : words.t('without a code');
}

/** Adds to tests with the same short name the rest of their names, if each has another, or else their codes. */
function tellApart(words: Words, groups: TestGroup[]): void {
  const named = groups.map((group) => ({ group, ...shortName(words, group.name) }));
  for (const same of Map.groupBy(named, ({ main }) => main.toLowerCase()).values()) {
    // Tests of one code are told apart by what they are about, their specimen, and the like.
    if (new Set(same.map(({ group }) => nameKeyOfGroup(group))).size < 2) continue;
    for (const { group, rest } of same) {
      const isOnly = rest !== '' && same.filter((other) => other.rest === rest).length === 1;
      group.apart = isOnly ? rest : codeText(words, group.latest);
    }
  }
}

/** Returns the key of the group of an observation. It is cached, since several lists have the observation. */
const groupKeyOf = kept((o: Observation): string => joinedKey(groupNameKeyOf(o), withName(o, apartKey(o))));

/** Returns the keys of the tests of an observation. Observations whose keys are known are grouped in less time. */
export const testKeysOf = (o: Observation): string[] => vitalsIn(o).map(groupKeyOf);

/** Returns the key of the name of an observation, which is one for blood pressures in any form. */
const groupNameKeyOf = (o: Observation): string => (isPressure(o) ? PRESSURE : nameKeyOf(o));

/**
 * Returns observations by the key of their test. A LOINC code says the kind of specimen, so results of a code without a
 * specimen are of the test of those with one, unless there are several specimens.
 */
function byTest(observations: readonly Observation[]): Map<string, Observation[]> {
  const tests = Map.groupBy(observations, groupKeyOf);
  const alike = Map.groupBy(tests, ([key, [first]]) =>
    first && isOfLoinc(first.code) ? joinedKey(groupNameKeyOf(first), withName(first, apartKeyBeyondName(first))) : key,
  );
  return new Map(
    [...alike].flatMap(([key, those]) =>
      those.length === 2 && tests.has(key) ? [[key, those.flatMap(([, list]) => list)]] : those,
    ),
  );
}

/** Returns what tells a test from others of its short name: the rest of its name, its code, and its circumstances. */
export const apartTexts = (words: Words, { name, apart, latest }: TestGroup): string[] => [
  ...new Set([shortName(words, name).rest, apart, ...toldApart(words, latest)].flatMap((text) => text || [])),
];

/** Returns the key of the name of a group, which several groups may share. */
export const nameKeyOfGroup = ({ latest }: TestGroup): string => groupNameKeyOf(latest);

/** Returns whether a result has a value, or something else that is read in its place. */
const saysSomething = (o: Observation): boolean =>
  hasValue(o) || [o.interpretation, o.hasMember, o.note].some((all) => all?.length);

/** Returns results, newest first; before them the gravest of those whose order to the newest with a value is open. */
function gravestFirst(words: Words, newestFirst: readonly Observation[]): readonly Observation[] {
  const first = newestFirst.find(saysSomething);
  if (!first) return newestFirst;
  const alike = newestFirst.filter((o) => overlap(when(o), when(first)) && saysSomething(o));
  const gravity = new Map(alike.length > 1 ? alike.map((o) => [o, gravityOf(words, o)]) : []);
  const sorted = alike.toSorted((a, b) => (gravity.get(a) ?? 0) - (gravity.get(b) ?? 0));
  return [...new Set([...sorted, ...newestFirst])];
}

function grouped(words: Words, observations: readonly Observation[]): TestGroup[] {
  const groups = byTest(observations.flatMap(vitalsIn));
  const made = [...groups].flatMap(([key, all]): TestGroup[] => {
    // The key of a blood pressure is of no other test.
    const isOfPressure = all[0] !== undefined && isPressure(all[0]);
    // At the same time, results with a value precede others, and a systolic pressure precedes a diastolic one.
    const list = newest(all.toSorted(isOfPressure ? bySystolic : byValue), when);
    const valid = list.filter((o) => !isEnteredInError(o));
    const done = valid.filter(({ status }) => !isCancelled(status));
    const ordered = gravestFirst(words, [done, valid, list].find(({ length }) => length > 0) ?? []);
    const [latest] = ordered;
    if (!latest) return [];
    const isMixed = isOfPressure && new Set(list.map(keyOf)).size > 1;
    const name = isMixed
      ? words.t('Blood pressure')
      : withIsolate(latest, concept(words, list[0]?.code) ?? words.t('Unnamed'));
    const readings = isOfPressure && done.length > 0 ? latestPressures(words, ordered) : [latest];
    return [
      withSeries({ key, name, apart: undefined, list, latest, readings }, () =>
        seriesOf(words, valid.length > 0 ? ordered.toReversed() : []),
      ),
    ];
  });
  tellApart(words, made);
  return made;
}

/** Returns a group whose series are made on first use, since most tests are first shown without a picture. */
function withSeries(group: Omit<TestGroup, 'series'>, make: () => Series[]): TestGroup {
  let made: Series[] | undefined;
  return {
    ...group,
    get series() {
      made ??= make();
      return made;
    },
  };
}

export const withKey = (group: TestGroup, key: string): TestGroup => {
  const { name, apart, list, latest, readings } = group;
  return withSeries({ key, name, apart, list, latest, readings }, () => group.series);
};

/** Returns the observations among the records of an answer, as a cached list that callers must not change. */
export const observationsIn = kept((resources: readonly Resource[]): Observation[] =>
  resources.filter((one): one is Observation => isOfType('Observation', one)),
);

/** Returns the name of a reading: the name of its test, or of the number of a blood pressure. */
export const readingName = (words: Words, o: Observation, { name, readings }: TestGroup): string =>
  shortName(words, readings.length > 1 || !readings.includes(o) ? (concept(words, o.code) ?? name) : name).main;
