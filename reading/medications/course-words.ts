//! The course of a medication in words: what tells of it, and when it began and ends.

import { shortDate } from '../fhir/date.ts';
import { capital } from '../fhir/text.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { listed } from '../language/number.ts';
import type { Course, Told } from './course.ts';

const TOLD = {
  ordered: 'ordered',
  reported: 'reported#a medication',
  'handed over': 'handed over',
} as const satisfies Record<Told, PlainMessage>;

/** The kinds of records that tell of a course. */
export const toldText = ({ told, given }: Course): string =>
  capital(
    listed([...told.map((one) => t(TOLD[one])), ...(given > 0 ? [t('given once|given {n} times', { n: given })] : [])]),
  );

/** The start of a course in words. */
export function sinceText({ since, isStartKnown, end, by, ends }: Course): string {
  if (isStartKnown) return shortDate(since);
  const isEnd = end === 'ended' && by === 'dates' && since === ends;
  return isEnd ? t('No start recorded') : t('No start recorded; reported {date}', { date: shortDate(since) });
}

/** The end of a course in words. */
export function untilText({ end, until, by, ends }: Course): string {
  if (end === 'active') return t('No end recorded');
  const date = ends
    ? shortDate(ends)
    : until === undefined
      ? ''
      : shortDate(new Date(until).toISOString().slice(0, 10));
  if (end === 'ended') return date;
  if (by === 'given') return t('No end recorded; last given {date}', { date });
  if (by === 'fill') return t('No end recorded; the last fill lasts until {date}', { date });
  return by === 'supply' ? t('No end recorded; ordered for the time until {date}', { date }) : t('No end recorded');
}
