//! Measured values over time, as series of points.

import { isCounted } from '../../fhir/certainty.ts';
import { clockDate, instant, year } from '../../fhir/date.ts';
import { normalCode } from '../../fhir/status-code.ts';
import { concept, quantity, testCode } from '../../fhir/text.ts';
import type { MeasuredValue, Observation, Quantity, Range } from '../../fhir/types.ts';
import { printedUnitOf } from '../../fhir/units.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { FLAGS, type Flag, judgedPart } from '../flags/flag.ts';
import { nameOfValue } from '../names/names.ts';
import { converted } from '../values/convert.ts';
import { quantityOf } from '../values/measured-number.ts';
import { range, when } from '../values/reading.ts';

/** A value at a moment, in milliseconds since 1970. For most points, only the place in a picture is used. */
export interface Point {
  at: number;
  on: string;
  /** The number in the unit of the series. */
  value: number;
  /** The value as it was recorded, with its unit. */
  readonly text: string;
  /** The value in the unit of the series, if it was recorded in another one. */
  convertedText?: string | undefined;
  /** True if the value is only a bound, such as `< 5`. */
  isBound: boolean;
  isPreliminary: boolean;
  readonly flag: Flag | undefined;
  /** The quantity as recorded. */
  recorded: Quantity;
  source: Observation;
}
export interface Series {
  key: string;
  name: string;
  unit: string;
  points: Point[];
  /** The range of the latest value, in the unit of the series. */
  low: number | undefined;
  high: number | undefined;
  limits: Range | undefined;
}

/** A measured value with its observation, or with the observation of which it is a component. */
interface Value {
  of: MeasuredValue;
  source: Observation;
  /** In milliseconds since 1970; `undefined` without a date. */
  at: number | undefined;
}

/** Returns the code or the name of what was measured. */
export const testOf = (of: MeasuredValue): string => testCode(of.code) ?? concept(ENGLISH, of.code) ?? '?';

/** Returns the parts of an observation with the values: itself, or else its components with a number. */
export function measuredIn(source: Observation): MeasuredValue[] {
  const parts = (source.component ?? []).filter((part) => quantityOf(part) !== undefined);
  return quantityOf(source) !== undefined || parts.length === 0 ? [source] : parts;
}

function valuesOf(source: Observation): Value[] {
  const at = instant(when(source));
  return measuredIn(source).map((of) => ({ of, source, at }));
}

const inUnit = ({ of }: Value, unit: Quantity): number | undefined => {
  const number = quantityOf(of);
  return number?.value === undefined ? undefined : converted(number.value, number, unit, of.code);
};

/** Returns whether a number has a unit, printed or as a code. Numbers with and without a unit never share an axis. */
const isWithUnit = (of: Quantity | undefined): boolean => Boolean(of?.unit || of?.code);

/**
 * Returns a series for each test. Values in other units are converted to the unit of the latest value; those that
 * cannot be form a separate series, since values in different units never share an axis. Points are in order of time.
 */
export function seriesOf(words: Words, observations: readonly Observation[]): Series[] {
  const groups = Map.groupBy(observations.flatMap(valuesOf), ({ of }) => testOf(of));
  return [...groups].flatMap(([test, values]) => {
    const made: Series[] = [];
    let rest = values.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
    while (rest.length > 0) {
      const unit = unitIn(rest);
      const isIn = (value: Value): boolean => {
        const of = quantityOf(value.of);
        if (of === undefined) return true;
        return isWithUnit(of) === isWithUnit(unit) && inUnit(value, unit) !== undefined;
      };
      const own = rest.filter(isIn);
      made.push(seriesIn(words, `${test} ${unit.unit ?? unit.code ?? ''}`, own, unit));
      rest = rest.filter((value) => !isIn(value));
    }
    return made;
  });
}

const unitIn = (values: Value[]): Quantity => values.flatMap(({ of }) => quantityOf(of) ?? []).at(-1) ?? {};

function seriesIn(words: Words, key: string, values: Value[], unit: Quantity): Series {
  const latest = values.findLast(({ of }) => quantityOf(of) !== undefined) ?? values.at(-1);
  const limits = latest && isWithUnit(unit) ? limitsIn(latest, unit) : undefined;
  return {
    key,
    name: latest ? nameOfValue(words, latest.of) : words.t('Unnamed'),
    unit: printedUnitOf(words, unit),
    points: values.flatMap((value) => pointOf(words, value, unit)),
    low: limits?.low?.value,
    high: limits?.high?.value,
    limits,
  };
}

/** Returns the range by which a value is judged, in a unit. */
function limitsIn({ of, source }: Value, unit: Quantity): Range | undefined {
  const { range: chosen } = judgedPart(of, source);
  if (!chosen) return undefined;
  const named = [chosen.low, chosen.high].find((end) => end && isWithUnit(end));
  const end = (one: Quantity | undefined): Quantity | undefined => {
    const value =
      one?.value === undefined ? undefined : converted(one.value, isWithUnit(one) ? one : (named ?? {}), unit);
    // A value that needs no conversion stays as written.
    if (value === undefined || value === one?.value) return one;
    return { value, ...(unit.unit ? { unit: unit.unit } : {}), ...(unit.code ? { code: unit.code } : {}) };
  };
  const [low, high] = [end(chosen.low), end(chosen.high)];
  return { ...(low ? { low } : {}), ...(high ? { high } : {}), ...(chosen.text ? { text: chosen.text } : {}) };
}

/** Returns a converted number without useless digits. */
const rounded = (value: number): number => Number(value.toPrecision(4));

/** Returns the point of a value; none without a date or a number, or if it is in error, cancelled or modified. */
function pointOf(words: Words, one: Value, unit: Quantity): Point[] {
  const { of, source, at } = one;
  const on = when(source);
  const recorded = quantityOf(of);
  const value = inUnit(one, unit);
  if (on === undefined || at === undefined || value === undefined || !recorded) return [];
  if (!isCounted(source)) return [];
  const isOther = value !== recorded.value;
  const shown = isOther ? rounded(value) : value;
  return [
    {
      at,
      on,
      value: shown,
      get text() {
        return quantity(words, recorded) ?? '';
      },
      ...(isOther ? { convertedText: quantity(words, { ...unitNames(unit), value: shown }) } : {}),
      isBound: Boolean(recorded.comparator),
      isPreliminary: ['preliminary', 'registered'].includes(normalCode(source.status)),
      get flag() {
        return judgedPart(of, source).flag;
      },
      recorded,
      source,
    },
  ];
}

const unitNames = ({ unit, code }: Quantity): Quantity => ({ ...(unit ? { unit } : {}), ...(code ? { code } : {}) });

/** Returns a trend in one sentence, for people who cannot see it. */
export function summary(words: Words, { name, points, limits }: Series): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return words.t('{name}: no numbers.', { name });
  const n = points.length;
  const span =
    n === 1 ? clockDate(words, last.on) : words.t('{from} to {until}', { from: year(first.on), until: year(last.on) });
  const inWords = range(words, limits);
  const flagged = points.filter((point) => point.flag).length;
  const bounds = points.filter(({ isBound }) => isBound).length;
  const preliminary = points.filter(({ isPreliminary }) => isPreliminary).length;
  return [
    words.t('{name}: {n} result, {span}.|{name}: {n} results, {span}.', { name, n, span }),
    last.flag
      ? words.t('Latest {value}, {flag}.', { value: last.text, flag: words.t(FLAGS[last.flag].says).toLowerCase() })
      : words.t('Latest {value}.', { value: last.text }),
    inWords ? words.t('Reference range {range}.', { range: inWords }) : '',
    flagged ? words.t('{flagged} of {all} outside the range.', { flagged, all: n }) : '',
    bounds ? words.t('{n} is only a bound.|{n} are only bounds.', { n: bounds }) : '',
    preliminary ? words.t('{n} is preliminary.|{n} are preliminary.', { n: preliminary }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
