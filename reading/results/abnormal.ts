//! The latest results that are outside their range, of all kinds of observations.

import { instant } from '../fhir/date.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { type Flag, flag, judgements } from './flag.ts';
import { GRAVITY } from './flag-signs.ts';
import { value, when } from './reading.ts';
import { groupsOf, type TestGroup } from './test-groups.ts';
import { type UsualRange, usualRanges } from './usual-range.ts';

interface AbnormalResult {
  group: TestGroup;
  /** The latest result, or the number of a blood pressure, that has the flag. */
  reading: Observation;
  /** Nothing where the record has none, and the value is urgent by a source of usual ranges. */
  flag: Flag | undefined;
  usual: UsualRange[];
}

/** The gravity of a result. What is urgent is critical. */
const gravity = ({ flag: of }: AbnormalResult): number => (of ? GRAVITY[of] : 0);

/**
 * The tests whose latest result has a flag. Critical ones come first, then those far outside the range, then by date,
 * newest first. A vital sign without a flag of the record is among them where it is urgent.
 */
export function abnormalResults(words: Words, observations: readonly Observation[]): AbnormalResult[] {
  const found = groupsOf(words, observations).flatMap((group) =>
    group.readings.flatMap((reading): AbnormalResult[] => {
      if (isEnteredInError(reading)) return [];
      const flagged = flag(reading);
      const usual = flagged ? [] : usualRanges(words, reading);
      return flagged || usual.some(({ urgent }) => urgent) ? [{ group, reading, flag: flagged, usual }] : [];
    }),
  );
  const at = ({ reading }: AbnormalResult): number => instant(when(reading)) ?? 0;
  return found.sort((a, b) => gravity(a) - gravity(b) || at(b) - at(a));
}

/** Returns whether nothing says of a result that it is normal or not: no mark, and no range that fits. */
const isUnjudged = (o: Observation): boolean =>
  !isEnteredInError(o) &&
  (value(ENGLISH, o) ?? '') !== '' &&
  judgements(o).every(({ judgement }) => judgement.flag === undefined && !judgement.isNormal);

/** Returns whether the laboratory alone calls a result normal: no range is given with it. */
const isCalledNormal = (o: Observation): boolean =>
  !isEnteredInError(o) && judgements(o).every(({ judgement }) => judgement.isNormal && judgement.range === undefined);

/** The number of tests whose latest results are all of a kind. */
const testsOf = (words: Words, observations: readonly Observation[], is: (o: Observation) => boolean): number =>
  groupsOf(words, observations).filter(({ readings }) => readings.length > 0 && readings.every(is)).length;

/** The number of tests whose latest results have a value, and neither a mark nor a range that fits. */
export const unjudgedTests = (words: Words, observations: readonly Observation[]): number =>
  testsOf(words, observations, isUnjudged);

/** The number of tests whose latest results are called normal by the laboratory alone. */
export const labNormalCount = (words: Words, observations: readonly Observation[]): number =>
  testsOf(words, observations, isCalledNormal);

/** Words on tests that are called normal without a range. Nothing where there are none. */
export const calledNormalText = (words: Words, count: number): string | undefined =>
  count > 0
    ? words.t('{n} test is called normal without a range.|{n} tests are called normal without a range.', { n: count })
    : undefined;

/** Words on tests that nothing judges. Nothing where there are none. */
export const unjudgedText = (words: Words, count: number): string | undefined =>
  count > 0
    ? words.t('{n} test has no mark and no range: not judged.|{n} tests have no mark and no range: not judged.', {
        n: count,
      })
    : undefined;

/** Words for a tile without an abnormal result. */
export function nothingAbnormal(words: Words, results: readonly Observation[]): string {
  if (results.length === 0) return words.t('No result is recorded.');
  const count = unjudgedTests(words, results);
  return [
    count < groupsOf(words, results).length ? words.t('No latest result is marked as abnormal.') : '',
    unjudgedText(words, count) ?? '',
  ]
    .filter(Boolean)
    .join(' ');
}
