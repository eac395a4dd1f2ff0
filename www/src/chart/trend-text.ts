//! The words of a trend.

import { clockDate } from '../fhir/date.ts';
import { FLAGS } from '../fhir/flag.ts';
import type { Point, Series } from '../fhir/series.ts';
import { plural } from '../fhir/text.ts';
/** The points of a moment, of every series. */
export const pointsAt = (series: Series[], at: number): Point[] =>
  series.flatMap(({ points }) => points.filter((point) => point.at === at));

/** The values of a moment, in words. */
export function momentText(series: Series[], at: number): string {
  const points = pointsAt(series, at);
  const numbers = points
    .map((point) => `${point.text}${point.flag ? ` (${FLAGS[point.flag].says.toLowerCase()})` : ''}`)
    .join(' and ');
  return `${numbers}, ${clockDate(points[0]?.on)}`;
}

/** The change between two moments, with its digits, and the time between them. */
export function changeText(series: Series[], at: number, pinned: number): string {
  const parts = series.flatMap((one) => {
    const [a, b] = [one.points.find((p) => p.at === pinned), one.points.find((p) => p.at === at)];
    if (!a || !b) return [];
    const digits = Math.max(...[a.value, b.value].map((v) => (String(v).split('.')[1] ?? '').length));
    const change = b.value - a.value;
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
    const space = one.unit === '%' ? '' : '\u00a0';
    return [`${sign}${Math.abs(change).toFixed(digits)}${space}${one.unit}`];
  });
  return `${parts.join(' and ')} in ${span(Math.abs(at - pinned))}`;
}

/** A time in years, months or days, whichever says it best. */
function span(milliseconds: number): string {
  const days = Math.round(milliseconds / 86_400_000);
  if (days > 700) return `${(days / 365.25).toFixed(1)} years`;
  return days > 60 ? `${Math.round(days / 30.44)} months` : plural(days, 'day');
}

/** The points of some series as CSV (RFC 4180). */
export function seriesCsv(series: Series[]): string {
  const lines = series.flatMap(({ points, unit }) =>
    points.map(({ on, value, flag, source }) => [on, value, `"${unit}"`, flag ?? '', source.id].join(',')),
  );
  return ['date,value,unit,flag,id', ...lines].join('\r\n');
}
