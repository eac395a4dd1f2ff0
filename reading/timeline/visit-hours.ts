//! The time that a visit took.

import { clock, day, shortDate } from '../fhir/date.ts';
import type { Period } from '../fhir/types.ts';
import { t } from '../language/message.ts';

/** `09:00–09:40`, `09:00`, or `until 3 May 2019` for a visit of days. Nothing where no time is written. */
export function visitHours(period: Period | undefined): string {
  const { start, end } = period ?? {};
  if (start && end && day(start) !== day(end)) return t('until {date}', { date: shortDate(end) });
  const [from, until] = [clock(start), clock(end)];
  if (!from) return start ? '' : until;
  return until && until !== from ? `${from}–${until}` : from;
}
