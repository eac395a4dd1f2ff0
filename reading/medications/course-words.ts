//! The course of a medication in words: its sources, its start and its end.

import { isoDay, shortDate } from '../fhir/date.ts';
import { capital } from '../fhir/text.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import type { Course, CourseSource } from './course.ts';

const SOURCE_WORDS = {
  ordered: 'ordered',
  reported: 'reported#a medication',
  dispensed: 'filled',
} as const satisfies Record<CourseSource, PlainMessage>;

/** Returns the kinds of records from which a course is known. */
export const courseSourcesText = (words: Words, { sources, givenCount }: Course): string =>
  capital(
    words.listed([
      ...sources.map((one) => words.t(SOURCE_WORDS[one])),
      ...(givenCount > 0 ? [words.t('given once|given {n} times', { n: givenCount })] : []),
    ]),
  );

/** Returns the start of a course in words. */
export function sinceText(words: Words, { since, isStartKnown, end, by, ends }: Course): string {
  if (isStartKnown) return shortDate(words, since);
  const isEnd = end === 'ended' && by === 'dates' && since === ends;
  return isEnd
    ? words.t('No start recorded')
    : words.t('No start recorded; reported {date}', { date: shortDate(words, since) });
}

/** Returns the end of a course in words. */
export function untilText(words: Words, { end, until, by, ends }: Course): string {
  if (end === 'active') return words.t('No end recorded');
  const date = ends ? shortDate(words, ends) : until === undefined ? '' : shortDate(words, isoDay(until));
  if (end === 'ended') return date;
  if (by === 'given') return words.t('No end recorded; last given {date}', { date });
  if (by === 'dispense') return words.t('No end recorded; the last fill lasts until {date}', { date });
  return by === 'supply'
    ? words.t('No end recorded; ordered for the time until {date}', { date })
    : words.t('No end recorded');
}
