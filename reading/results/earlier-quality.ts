//! The result before the latest where they are words, and not the same: `positive` before `negative`.

import { shortDate } from '../fhir/date.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { value, when } from './reading.ts';

/** The words of a result that is no number; nothing for others. */
const wordsOf = (o: Observation): string | undefined =>
  o.valueCodeableConcept || o.valueString !== undefined || o.valueBoolean !== undefined
    ? value(ENGLISH, o)?.trim() || undefined
    : undefined;

/**
 * The result before the latest of a test, newest first, where both are words and say something else. Results without a
 * date, of the same time, cancelled, or entered in error are not compared.
 */
export function earlierQuality(list: readonly Observation[]): Observation | undefined {
  const valid = list.filter((o) => !isEnteredInError(o) && o.status !== 'cancelled' && when(o) !== undefined);
  const [latest, before] = valid;
  if (!latest || !before || latest !== list[0] || when(latest) === when(before)) return undefined;
  const [now, then] = [wordsOf(latest), wordsOf(before)];
  return now && then && now.toLowerCase() !== then.toLowerCase() ? before : undefined;
}

/** The earlier result in words, with its date. */
export const earlierResultText = (words: Words, before: Observation | undefined): string | undefined =>
  before && words.t('before: {value} ({date})', { value: wordsOf(before) ?? '', date: shortDate(words, when(before)) });
