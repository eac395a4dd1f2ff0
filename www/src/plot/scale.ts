//! The maths of a plot: its scale and the marks of its axes. Lengths are in units of the picture. Times are in
//! milliseconds since 1970.

import { DAY } from '#reading/fhir/date.ts';
import type { Series } from '#reading/results/trends/series.ts';
import { words } from '../language/language.ts';

/** The margins of the picture, for the labels of its axes. */
export const LEFT = 46;
export const RIGHT = 34;
export const TOP = 20;
export const BOTTOM = 26;
/** A year in milliseconds. */
export const YEAR = 365.25 * DAY;

/** The mapping of times and values to a picture of `width` and `height`. */
export interface Scale {
  x(at: number): number;
  y(value: number): number;
  ticks: number[];
  months: { at: number; label: string }[];
  width: number;
  height: number;
}

/** Returns the least and the greatest of some numbers. There may be too many for the arguments of `Math.min`. */
export const extent = (values: readonly number[]): [least: number, most: number] =>
  values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );

/** The ends of an axis. */
type Range = readonly [from: number, until: number];

/** Returns the mapping of two axes to a picture of `width` and `height`. */
export const mapping = (
  [from, until]: Range,
  [least, most]: Range,
  { width, height }: { width: number; height: number },
): { x(at: number): number; y(value: number): number } => ({
  x: (at) => LEFT + ((at - from) / (until - from)) * (width - LEFT - RIGHT),
  y: (value) => TOP + (1 - (value - least) / (most - least)) * (height - TOP - BOTTOM),
});

/** Returns the marks of the value axis: multiples of 1, 2 or 5 times a power of ten. */
export function steps(from: number, until: number, wanted: number): number[] {
  const rough = (until - from) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const first = Math.ceil(from / step) * step;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: Math.floor((until - first) / step + 1e-9) + 1 }, (_, i) =>
    Number((first + i * step).toFixed(digits)),
  );
}

/** Returns the marks of the time axis: years, months or days. `wanted` is about the greatest number of marks. */
export function times(from: number, until: number, wanted: number): { at: number; label: string }[] {
  const span = until - from;
  const [first, last] = [new Date(from).getUTCFullYear(), new Date(until).getUTCFullYear()];
  if (span > 1.6 * YEAR) {
    const every = Math.max(1, Math.ceil((last - first + 1) / wanted));
    return Array.from({ length: last - first + 2 }, (_, i) => first + i)
      .filter((year) => (year - first) % every === 0)
      .map((year) => ({ at: Date.UTC(year, 0, 1), label: String(year) }))
      .filter(({ at }) => at >= from && at <= until);
  }
  if (span < 60 * DAY) {
    const every = Math.max(1, Math.ceil(span / DAY / wanted));
    const start = Math.ceil(from / DAY) * DAY;
    return Array.from({ length: Math.floor(span / DAY / every) + 1 }, (_, i) => start + i * every * DAY)
      .filter((at) => at <= until)
      .map((at) => ({
        at,
        label: new Date(at).toLocaleDateString(words().locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      }));
  }
  const months = (last - first) * 12 + 12;
  const every = Math.max(1, Math.ceil(span / (YEAR / 12) / wanted));
  return Array.from({ length: months + 1 }, (_, i) => i)
    .filter((i) => i % every === 0)
    .map((i) => Date.UTC(first, i, 1))
    .filter((at) => at >= from && at <= until)
    .map((at) => ({
      at,
      label: new Date(at).toLocaleDateString(words().locale, { month: 'short', year: '2-digit', timeZone: 'UTC' }),
    }));
}

/** Returns the scale of a picture that holds all points and ranges of some series. */
export function scaleOf(series: Series[], width: number, height: number): Scale {
  const points = series.flatMap((one) => one.points);
  const values = [...points.map(({ value }) => value), ...series.flatMap(({ low, high }) => [low, high])].filter(
    (value) => value !== undefined,
  );
  let [least, most] = extent(values);
  if (least === most) [least, most] = [least - 1, most + 1];
  const air = (most - least) * 0.08;
  // The scale begins at zero if that takes little room.
  [least, most] = [least >= 0 && least < (most - least) * 0.4 ? 0 : least - air, most + air];
  let [from, until] = extent(points.map(({ at }) => at));
  if (from === until) [from, until] = [from - 15 * DAY, until + 15 * DAY];
  const wide = (until - from) * 0.015;
  [from, until] = [from - wide, until + wide];
  return {
    ...mapping([from, until], [least, most], { width, height }),
    ticks: steps(least, most, height < 200 ? 3 : 5),
    months: times(from, until, width < 500 ? 4 : 9),
    width,
    height,
  };
}
