//! The words of a trend.

import { modifierText } from '../../fhir/certainty.ts';
import { clockDate, DAY } from '../../fhir/date.ts';
import { digits, plain } from '../../fhir/text.ts';
import { printedUnitOf } from '../../fhir/units.ts';
import { plainDecimal } from '../../language/decimal.ts';
import type { Words } from '../../language/words.ts';
import { FLAGS } from '../flags/flag.ts';
import { notesOf } from '../flags/observation-text.ts';
import { toldApart } from '../names/told-apart.ts';
import { reportStatus } from '../values/report-status.ts';
import type { Point, Series } from './series.ts';

/** Returns the points of every series at a moment. */
export const pointsAt = (series: Series[], at: number): Point[] =>
  series.flatMap(({ points }) => points.filter((point) => point.at === at));

/** Returns the notes on a point: its value in the drawn unit, why it is no plain final result, and its own notes. */
export const pointNotes = (words: Words, { convertedText, isPreliminary, source }: Point): string[] =>
  [
    convertedText,
    isPreliminary ? plain(words, 'preliminary') : reportStatus(words, source)?.toLowerCase(),
    modifierText(words, source),
    ...notesOf(source),
  ].filter((note) => note !== undefined);

/** Returns the values at a moment, in words. */
export function momentText(words: Words, series: Series[], at: number): string {
  const points = pointsAt(series, at);
  const values = points.map((point) => {
    const about = [...pointNotes(words, point), point.flag && words.t(FLAGS[point.flag].says).toLowerCase()].filter(
      Boolean,
    );
    return about.length > 0 ? `${point.text} (${about.join(', ')})` : point.text;
  });
  return `${joined(words, values)}, ${clockDate(words, points[0]?.on)}`;
}

const joined = (words: Words, parts: string[]): string =>
  parts.reduce((before, next) => (before ? words.t('{before} and {next}', { before, next }) : next), '');

/** Returns the change between two moments, with its digits, and the time between them. */
export function changeText(words: Words, series: Series[], at: number, pinned: number): string {
  const parts = series.flatMap((one) => {
    const [a, b] = [one.points.find((p) => p.at === pinned), one.points.find((p) => p.at === at)];
    if (!a || !b) return [];
    const digits = Math.max(...[a.value, b.value].map((v) => (plainDecimal(String(v)).split('.')[1] ?? '').length));
    const change = b.value - a.value;
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
    const space = one.unit === '%' ? '' : '\u00a0';
    return [`${sign}${words.decimal(Math.abs(change).toFixed(digits))}${space}${one.unit}`];
  });
  return words.t('{change} in {time}', { change: joined(words, parts), time: span(words, Math.abs(at - pinned)) });
}

/** Returns a duration in years, months or days, whichever is clearest. */
function span(words: Words, milliseconds: number): string {
  const days = Math.round(milliseconds / DAY);
  if (days > 700) return words.t('{years} years', { years: words.decimal((days / 365.25).toFixed(1)) });
  return days > 60
    ? words.t('{n} month|{n} months', { n: Math.round(days / 30.44) })
    : words.t('{n} day|{n} days', { n: days });
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Returns the points of some series as CSV (RFC 4180), each as recorded. Last is what tells it from other results of
 * its name, such as whom it is about.
 */
export function seriesCsv(words: Words, series: Series[]): string {
  const lines = series.flatMap(({ points }) =>
    points.map(({ on, recorded, flag, source }) => {
      const value = `${recorded.comparator ?? ''}${digits(recorded) ?? ''}`;
      const told = toldApart(words, source).map(quoted);
      return [on, value, quoted(printedUnitOf(words, recorded)), flag ?? '', source.id, ...told].join(',');
    }),
  );
  return ['date,value,unit,flag,id', ...lines].join('\r\n');
}
