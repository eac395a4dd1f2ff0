//! The latest results that are outside their range, from all kinds of observations.

import { instant, newest } from '../fhir/date.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { type Flag, flag, judgements } from './flags/flag.ts';
import { gravityOf, NO_GRAVITY, type UsualRange, usualRanges } from './flags/usual-range.ts';
import { isOfOther } from './names/told-apart.ts';
import { groupsOf, type TestGroup } from './panels/test-groups.ts';
import { value, when } from './values/reading.ts';

interface AbnormalResult {
  group: TestGroup;
  /** The latest result, or the number of a blood pressure, with the flag. */
  reading: Observation;
  /** `undefined` if the record has no flag: its mark is a finding, or a source of usual ranges makes it urgent. */
  flag: Flag | undefined;
  usual: UsualRange[];
  gravity: number;
}

/** Returns the tests whose results are the patient's: not those about a donor or a fetus. */
const ownGroups = (words: Words, observations: readonly Observation[]): TestGroup[] =>
  groupsOf(words, observations).filter(({ latest }) => !isOfOther(latest));

/**
 * Returns the tests whose latest result has a flag, or is marked as a finding. Critical ones are first, then those far
 * outside the range, then by date, newest first. A vital sign without a flag is included if it is urgent.
 */
export function abnormalResults(words: Words, observations: readonly Observation[]): AbnormalResult[] {
  const found = ownGroups(words, observations).flatMap((group) =>
    group.readings.flatMap((reading): AbnormalResult[] => {
      if (isEnteredInError(reading)) return [];
      const flagged = flag(reading);
      const usual = flagged ? [] : usualRanges(words, reading);
      const gravity = gravityOf(words, reading);
      return gravity < NO_GRAVITY ? [{ group, reading, flag: flagged, usual, gravity }] : [];
    }),
  );
  const at = ({ reading }: AbnormalResult): number => instant(when(reading)) ?? 0;
  return found.sort((a, b) => a.gravity - b.gravity || at(b) - at(a));
}

/** Returns whether nothing shows that a result is normal or abnormal: no mark, and no range that fits. */
const isUnjudged = (o: Observation): boolean =>
  !isEnteredInError(o) &&
  (value(ENGLISH, o) ?? '') !== '' &&
  judgements(o).every(({ judgement }) => judgement.flag === undefined && !judgement.isNormal && !judgement.isMarked);

/** Returns whether a result is normal only by the word of the laboratory, without a range. */
const isCalledNormal = (o: Observation): boolean =>
  !isEnteredInError(o) && judgements(o).every(({ judgement }) => judgement.isNormal && judgement.range === undefined);

/** Returns the tests whose latest results all satisfy a condition. */
const testsOf = (words: Words, observations: readonly Observation[], is: (o: Observation) => boolean): TestGroup[] =>
  ownGroups(words, observations).filter(({ readings }) => readings.length > 0 && readings.every(is));

/** Returns the tests whose latest results have a value, and neither a mark nor a range that fits; the newest first. */
export const unjudgedTests = (words: Words, observations: readonly Observation[]): TestGroup[] =>
  newest(testsOf(words, observations, isUnjudged), ({ latest }) => when(latest));

/** Returns the number of tests whose latest results are normal only by the word of the laboratory. */
export const labNormalCount = (words: Words, observations: readonly Observation[]): number =>
  testsOf(words, observations, isCalledNormal).length;

/** Returns the words for tests that are called normal without a range; `undefined` if there are none. */
export const calledNormalText = (words: Words, count: number): string | undefined =>
  count > 0
    ? words.t('{n} test is called normal without a range.|{n} tests are called normal without a range.', { n: count })
    : undefined;

/** Returns the words for tests that are not judged; `undefined` if there are none. */
export const unjudgedText = (words: Words, count: number): string | undefined =>
  count > 0
    ? words.t('{n} test has no mark and no range: not judged.|{n} tests have no mark and no range: not judged.', {
        n: count,
      })
    : undefined;

/** Returns the words for a tile without an abnormal result, by whether there are other observations, or reports. */
export function nothingAbnormal(
  words: Words,
  results: readonly Observation[],
  hasOthers = false,
  hasReports = false,
): string {
  if (results.length === 0 && hasReports)
    return words.t('No single laboratory result is recorded: the reports may have some.');
  if (results.length === 0 && hasOthers)
    return words.t('No laboratory result is recorded, and no other one is marked as abnormal.');
  if (results.length === 0) return words.t('No result is recorded.');
  const [count, all] = [unjudgedTests(words, results).length, ownGroups(words, results).length];
  return [
    count < all || all === 0 ? words.t('No latest result is marked as abnormal.') : '',
    unjudgedText(words, count) ?? '',
  ]
    .filter(Boolean)
    .join(' ');
}
