//! The age at a measurement, by the calendar; `undefined` if a date is not exact or is before the birth.

import { DAY, instant, year } from '../fhir/date.ts';
import type { Words } from '../language/words.ts';

const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}/;

/** Returns the day of an exact date as written, in milliseconds since 1970. */
const dayOf = (text: string | undefined): number | undefined =>
  text && WHOLE_DAY.test(text) ? instant(text.slice(0, 10)) : undefined;

export function ageInDays(birth: string | undefined, on: string | undefined): number | undefined {
  const [from, to] = [dayOf(birth), dayOf(on)];
  return from === undefined || to === undefined || to < from ? undefined : Math.round((to - from) / DAY);
}

export function ageInMonths(birth: string | undefined, on: string | undefined): number | undefined {
  if (ageInDays(birth, on) === undefined) return undefined;
  const [[y0 = 0, m0 = 0, d0 = 0] = [], [y1 = 0, m1 = 0, d1 = 0] = []] = [birth, on].map((text) =>
    (text ?? '').slice(0, 10).split('-').map(Number),
  );
  return (y1 - y0) * 12 + m1 - m0 - (d1 < d0 ? 1 : 0);
}

/** Returns whether a person was at least 18. A year of birth may be enough to determine this. */
export function isAdult(birth: string | undefined, on: string | undefined): boolean {
  const months = ageInMonths(birth, on);
  if (months !== undefined) return months >= 18 * 12;
  const [from, to] = [Number(year(birth)), Number(year(on))];
  return from > 0 && to - from > 18;
}

/** Returns an age in the form for children: `12 days`, `7 mo`, `8 y 2 mo`. */
export function childAge(words: Words, birth: string | undefined, on: string | undefined): string {
  const [days, months] = [ageInDays(birth, on), ageInMonths(birth, on)];
  if (days === undefined || months === undefined) return '';
  if (months < 1) return days === 0 ? words.t('birth') : words.t('{n} day|{n} days', { n: days });
  if (months < 24) return words.t('{n}\u00a0mo', { n: months });
  const rest = months % 12;
  const years = words.t('{n}\u00a0y', { n: Math.floor(months / 12) });
  return rest ? `${years} ${words.t('{n}\u00a0mo', { n: rest })}` : years;
}
