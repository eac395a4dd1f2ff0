//! The age of a document in words.

import { DAY, instant } from '../fhir/date.ts';
import type { Words } from '../language/words.ts';

/** The age of a document is not shown up to this number of days. */
const RECENT = 30;

/** Returns the age of a text with this date, if it is more than 30 days. */
export function ageWords(words: Words, date: string | undefined, now: number): string {
  const at = instant(date);
  const days = at === undefined ? 0 : Math.floor((now - at) / DAY);
  if (days <= RECENT) return '';
  if (days < 60) return words.t('{n} day ago|{n} days ago', { n: days });
  const months = Math.floor(days / 30.4375);
  if (months < 24) return words.t('{n} month ago|{n} months ago', { n: months });
  return words.t('{n} year ago|{n} years ago', { n: Math.floor(days / 365.25) });
}
