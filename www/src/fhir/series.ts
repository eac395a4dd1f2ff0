//! Measured values over time, as series of points.

import { t } from '../language/message.ts';
import { clockDate, instant, year } from './date.ts';
import { FLAGS, type Flag, flag } from './flag.ts';
import { shortName } from './names.ts';
import { range, when } from './reading.ts';
import { concept, quantity } from './text.ts';
import type { Measured, Observation, Range } from './types.ts';
import { printedUnit } from './units.ts';

/** A value at a moment, in milliseconds since 1970. */
export interface Point {
  at: number;
  on: string;
  value: number;
  text: string;
  flag: Flag | undefined;
  source: Observation;
}
export interface Series {
  key: string;
  name: string;
  unit: string;
  points: Point[];
  /** The range that goes with the latest value. */
  low: number | undefined;
  high: number | undefined;
  limits: Range | undefined;
}

/** A measured value with the observation that it is, or is a component of. */
interface Value {
  of: Measured;
  source: Observation;
}

const unitOf = ({ valueQuantity: of }: Measured): string => of?.unit ?? of?.code ?? '';
const keyOf = (of: Measured): string => `${of.code?.coding?.[0]?.code ?? concept(of.code) ?? '?'} ${unitOf(of)}`;
const nameOf = (of: Measured): string => shortName(concept(of.code) ?? t('Unnamed')).main;

/** The values of an observation: its components' numbers where it has no number of its own. */
function valuesOf(source: Observation): Value[] {
  const parts = (source.component ?? []).filter(({ valueQuantity }) => valueQuantity?.value !== undefined);
  const hasOwn = source.valueQuantity?.value !== undefined || parts.length === 0;
  return (hasOwn ? [source] : parts).map((of) => ({ of, source }));
}

/**
 * Makes one series for each code and unit: values in different units never share an axis. Points are in order of time.
 */
export function seriesOf(observations: readonly Observation[]): Series[] {
  const groups = Map.groupBy(observations.flatMap(valuesOf), ({ of }) => keyOf(of));
  return [...groups].flatMap(([key, values]) => {
    const sorted = values.toSorted((a, b) => (instant(when(a.source)) ?? 0) - (instant(when(b.source)) ?? 0));
    const [first, latest] = [values[0], sorted.at(-1)];
    if (!first || !latest) return [];
    const unit = unitOf(latest.of);
    const limits = unit ? latest.of.referenceRange?.[0] : undefined;
    return [
      {
        key,
        name: nameOf(first.of),
        unit: printedUnit(unit),
        points: sorted.flatMap(pointOf),
        low: limits?.low?.value,
        high: limits?.high?.value,
        limits,
      },
    ];
  });
}

/** The point of a value; none without a date or a number, or where it was entered in error. */
function pointOf({ of, source }: Value): Point[] {
  const on = when(source);
  const at = instant(on);
  const value = of.valueQuantity?.value;
  if (on === undefined || at === undefined || value === undefined || source.status === 'entered-in-error') return [];
  return [{ at, on, value, text: quantity(of.valueQuantity) ?? '', flag: flag(of), source }];
}

/** A trend in one sentence, for those who cannot see it. */
export function summary({ name, points, limits }: Series): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return t('{name}: no numbers.', { name });
  const n = points.length;
  const span = n === 1 ? clockDate(last.on) : t('{from} to {until}', { from: year(first.on), until: year(last.on) });
  const inWords = range(limits);
  const flagged = points.filter((point) => point.flag).length;
  return [
    t('{name}: {n} result, {span}.|{name}: {n} results, {span}.', { name, n, span }),
    last.flag
      ? t('Latest {value}, {flag}.', { value: last.text, flag: t(FLAGS[last.flag].says).toLowerCase() })
      : t('Latest {value}.', { value: last.text }),
    inWords ? t('Reference range {range}.', { range: inWords }) : '',
    flagged ? t('{flagged} of {all} outside the range.', { flagged, all: n }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
