//! The scale of a growth chart, and the places of the names of its curves. Lengths are in units of the picture.

import type { Curve } from '#reading/growth/standards.ts';
import { t } from '../language/message.ts';
import { extent, mapping, steps } from '../plot/scale.ts';

interface GrowthScale {
  x(months: number): number;
  y(value: number): number;
  ticks: number[];
  /** Marks of the age axis, in months. */
  ages: { at: number; label: string }[];
  width: number;
  height: number;
}

/** The end of a chart's age axis, in months: a young child needs no chart to twenty years. */
export function endOfChart(until: number, oldest: number): number {
  if (until <= 24) return until;
  return Math.min(until, Math.max(96, Math.ceil((oldest + 24) / 12) * 12));
}

/** The scale that holds curves and values. */
export function growthScale(
  curves: Curve[],
  values: number[],
  { from, until, width, height }: { from: number; until: number; width: number; height: number },
): GrowthScale {
  const all = [...curves.flatMap(({ points }) => points.map(({ value }) => value)), ...values];
  const [low, high] = extent(all);
  const air = (high - low) * 0.04;
  const [least, most] = [Math.max(0, low - air), high + air];
  const span = until - from;
  const every = span <= 24 ? (width < 500 ? 6 : 3) : 12 * Math.ceil(span / 12 / (width < 500 ? 6 : 18));
  const marks = Array.from({ length: Math.floor(span / every) + 1 }, (_, i) => from + i * every);
  return {
    ...mapping([from, until], [least, most], { width, height }),
    ticks: steps(least, most, 6),
    ages: marks.map((months) => ({
      at: months,
      label: span <= 24 ? t('{n}\u00a0mo', { n: months }) : t('{n}\u00a0y', { n: months / 12 }),
    })),
    width,
    height,
  };
}

/** The order in which curves get their names where not all have room. */
const IMPORTANCE = [50, 3, 97, 10, 15, 90, 85, 25, 75];
/** The least distance between two names. */
const ROOM = 12;

/** The curves whose names have room at their ends, each with its height there. */
export function namedCurves(curves: Curve[], y: (value: number) => number): { percentile: number; y: number }[] {
  const ends = curves.flatMap(({ percentile, points }) => {
    const last = points.at(-1);
    return last ? [{ percentile, y: y(last.value) }] : [];
  });
  const named: { percentile: number; y: number }[] = [];
  for (const percentile of IMPORTANCE) {
    const end = ends.find((one) => one.percentile === percentile);
    if (end && named.every((one) => Math.abs(one.y - end.y) >= ROOM)) named.push(end);
  }
  return named;
}
