//! The time of a visit.

import { clock, day, shortDate } from '../fhir/date.ts';
import type { Period } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** Returns `09:00–09:40`, `09:00`, or `until 3 May 2019` for a visit of days; empty if no time is recorded. */
export function visitHours(words: Words, period: Period | undefined): string {
  const { start, end } = period ?? {};
  if (start && end && day(start) !== day(end)) return words.t('until {date}', { date: shortDate(words, end) });
  const [from, until] = [clock(words, start), clock(words, end)];
  if (!from) return start ? '' : until;
  return until && until !== from ? `${from}–${until}` : from;
}
