//! The previous result of a test, if it and the latest result are different words: `positive` before `negative`.

import { overlap, shortDate } from '../../fhir/date.ts';
import { isCancelled } from '../../fhir/status-code.ts';
import { isEnteredInError } from '../../fhir/text.ts';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { value, when } from './reading.ts';

/** Returns the words of a result that is not a number; `undefined` for others. */
const wordsOf = (o: Observation): string | undefined =>
  o.valueCodeableConcept || o.valueString !== undefined || o.valueBoolean !== undefined
    ? value(ENGLISH, o)?.trim() || undefined
    : undefined;

/**
 * Returns the previous result of a test, newest first, if it and the latest are different words. Results without
 * a date, of the same time, cancelled, or entered in error are not compared.
 */
export function earlierQuality(list: readonly Observation[]): Observation | undefined {
  const valid = list.filter((o) => !isEnteredInError(o) && !isCancelled(o.status) && when(o) !== undefined);
  const [latest, before] = valid;
  if (!latest || !before || latest !== list[0] || overlap(when(latest), when(before))) return undefined;
  const [now, then] = [wordsOf(latest), wordsOf(before)];
  return now && then && now.toLowerCase() !== then.toLowerCase() ? before : undefined;
}

export const earlierResultText = (words: Words, before: Observation | undefined): string | undefined =>
  before && words.t('before: {value} ({date})', { value: wordsOf(before) ?? '', date: shortDate(words, when(before)) });
