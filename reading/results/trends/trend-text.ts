//! The words of a trend.

import { modifierText } from '../../fhir/certainty.ts';
import { clockDate, DAY } from '../../fhir/date.ts';
import { digits, isEnteredInError, plain } from '../../fhir/text.ts';
import type { Observation } from '../../fhir/types.ts';
import { printedUnitOf } from '../../fhir/units.ts';
import { plainDecimal } from '../../language/decimal.ts';
import type { Words } from '../../language/words.ts';
import { FLAGS, flag, judgedPart } from '../flags/flag.ts';
import { notesOf, rangesOf } from '../flags/observation-text.ts';
import { nameOfValue } from '../names/names.ts';
import { toldApart } from '../names/told-apart.ts';
import { quantityOf } from '../values/measured-number.ts';
import { reading, when } from '../values/reading.ts';
import { reportStatus } from '../values/report-status.ts';
import { measuredIn, type Point, type Series } from './series.ts';

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

/** A number, or a bound. */
const NUMBER = /^(?:[<>]=?)?-?\d[\d.]*$/;

/** Returns a cell of CSV. Text that a program would calculate as a formula follows an apostrophe. */
function cell(text: string): string {
  if (text === '' || NUMBER.test(text)) return text;
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}

/**
 * Returns all results of a test as CSV (RFC 4180), each as recorded. Last is what tells it from other results of its
 * name, such as whom it is about.
 */
export function resultsCsv(words: Words, results: readonly Observation[]): string {
  const lines = results.flatMap((source) => {
    const isError = isEnteredInError(source);
    const [ranges, status] = [rangesOf(words, source).join('; '), isError ? 'entered-in-error' : source.status];
    const told = [...toldApart(words, source), modifierText(words, source) ?? []].flat();
    return measuredIn(source).map((of) => {
      const number = quantityOf(of);
      const value = number ? `${number.comparator ?? ''}${digits(number) ?? ''}` : reading(words, source);
      const mark = isError ? undefined : of === source ? flag(source) : judgedPart(of, source).flag;
      const about = [nameOfValue(words, of), value, printedUnitOf(words, number), mark ?? '', ranges];
      return [when(source) ?? '', ...about, plain(words, status), source.id, ...told].map(cell).join(',');
    });
  });
  return ['date,name,value,unit,flag,range,status,id', ...lines].join('\r\n');
}
