//! Measured values: in words, against their range, and as points of a trend.

import { concept, concepts, digits, hasCode, plain, quantity } from './text.ts';
import { clockDate, instant, period } from './date.ts';
import { shortName } from './names.ts';
import type { Measured, Observation, Range } from './types.ts';
import { printedUnit } from './units.ts';

export const when = (o: Observation): string | undefined =>
  o.effectiveDateTime ?? o.effectivePeriod?.start ?? o.effectiveInstant ?? o.effectiveTiming?.event?.[0] ?? o.issued;

/** The value, or why there is none. */
export function value(of: Measured): string | undefined {
  if (of.valueQuantity) return quantity(of.valueQuantity);
  if (of.valueCodeableConcept) return concept(of.valueCodeableConcept);
  if (of.valueString !== undefined) return of.valueString;
  if (of.valueBoolean !== undefined) return of.valueBoolean ? 'Yes' : 'No';
  if (of.valueInteger !== undefined) return String(of.valueInteger);
  if (of.valueRange) return range(of.valueRange);
  if (of.valueRatio)
    return [quantity(of.valueRatio.numerator), quantity(of.valueRatio.denominator)].filter(Boolean).join(' : ');
  if (of.valueDateTime) return clockDate(of.valueDateTime);
  if (of.valuePeriod) return period(of.valuePeriod);
  return of.valueTime;
}

export const absent = (of: Measured): string | undefined => {
  const reason = concept(of.dataAbsentReason);
  return reason ? `Not available: ${plain(reason).toLowerCase()}` : undefined;
};

/** An observation in one line; a panel's parts, where it has them (`148/92 mmHg`). */
export function reading(o: Observation): string {
  const own = value(o);
  if (own !== undefined) return own;
  const parts = o.component ?? [];
  const pressure = ['8480-6', '8462-4'].map((code) => parts.find((part) => hasCode(part.code, code)));
  if (pressure.some(Boolean)) {
    const halves = pressure.map((part) => digits(part?.valueQuantity) ?? '—');
    const measured = pressure.find((part) => part?.valueQuantity)?.valueQuantity;
    const unit = printedUnit(measured?.unit ?? measured?.code ?? '');
    const reasons = pressure.map((part) => part && absent(part)).filter(Boolean);
    if (unit) return `${halves.join('/')}\u00a0${unit}`;
    if (reasons.length > 0) return reasons[0] ?? '';
  }
  const said = parts.map((part) =>
    [shortName(concept(part.code) ?? '').main, value(part) ?? absent(part)].filter(Boolean).join(': '),
  );
  return said.join('; ') || absent(o) || (o.hasMember?.length ? 'See its parts' : 'No value');
}

export function range(of: Range | undefined): string | undefined {
  if (!of) return undefined;
  const { low, high } = of;
  const unit = printedUnit(high?.unit ?? low?.unit ?? high?.code ?? low?.code ?? '');
  const tail = unit === '' || unit === '%' ? unit : `\u00a0${unit}`;
  if (low?.value !== undefined && high?.value !== undefined) return `${digits(low)}–${digits(high)}${tail}`;
  if (high?.value !== undefined) return `≤\u00a0${digits(high)}${tail}`;
  if (low?.value !== undefined) return `≥\u00a0${digits(low)}${tail}`;
  return of.text;
}

export type Flag = 'high' | 'low' | 'far-high' | 'far-low' | 'critical-high' | 'critical-low' | 'abnormal';

/**
 * What the laboratory said of the value (v3-ObservationInterpretation). Where it said nothing, its own range decides; where
 * there is none, nobody does. Its range also tells how far: see `beyond`.
 */
export function flag(of: Measured): Flag | undefined {
  const said = (of.interpretation ?? []).flatMap(({ coding }) => coding ?? []).map(({ code }) => code);
  if (said.includes('HH')) return 'critical-high';
  if (said.includes('LL')) return 'critical-low';
  if (said.includes('HU')) return 'far-high';
  if (said.includes('LU')) return 'far-low';
  const out = beyond(of);
  if (said.includes('H')) return out === 'far-high' ? out : 'high';
  if (said.includes('L')) return out === 'far-low' ? out : 'low';
  if (said.some((code) => ['A', 'AA', 'POS', 'R'].includes(code ?? ''))) return 'abnormal';
  return said.length > 0 ? undefined : out;
}

/**
 * Outside the range of its own unit. Far means by more than twice the width of the range, or by more than a factor of 1.5,
 * whichever comes first: a distance, and no judgement of what it means for the patient.
 */
function beyond(of: Measured): Flag | undefined {
  const limits = of.referenceRange?.[0];
  const measured = of.valueQuantity;
  if (measured?.value === undefined || !limits) return undefined;
  const comparable = (other: { unit?: string; code?: string } | undefined): boolean =>
    !other?.code || !measured.code || other.code === measured.code;
  const edge = (other: { value?: number; code?: string } | undefined): number | undefined =>
    comparable(other) ? other?.value : undefined;
  const [low, high] = [edge(limits.low), edge(limits.high)];
  const width = low === undefined || high === undefined ? Infinity : high - low;
  // As decimals are meant: 8.4 is 1.5 times 5.6, and not more.
  const least = (by: number): number => Math.min(2 * width, by > 0 ? by : Infinity) * (1 + 1e-9);
  if (high !== undefined && measured.value > high) return measured.value - high > least(high / 2) ? 'far-high' : 'high';
  if (low !== undefined && measured.value < low) return low - measured.value > least(low / 3) ? 'far-low' : 'low';
  return undefined;
}

/** Flags are told by sign and word, never by colour alone. */
export const FLAGS: Record<Flag, { sign: string; says: string }> = {
  high: { sign: '▲', says: 'High' },
  low: { sign: '▼', says: 'Low' },
  'far-high': { sign: '▲▲', says: 'Far above' },
  'far-low': { sign: '▼▼', says: 'Far below' },
  'critical-high': { sign: '▲▲', says: 'Critically high' },
  'critical-low': { sign: '▼▼', says: 'Critically low' },
  abnormal: { sign: '◆', says: 'Abnormal' },
};

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
  latest: Observation;
  all: Observation[];
}

/** One series for each code and unit: values in different units never share an axis. Newest last. */
export function seriesOf(observations: readonly Observation[]): Series[] {
  const groups = new Map<string, { name: string; all: [Observation, Measured][] }>();
  const add = (key: string, name: string, o: Observation, measured: Measured): void => {
    const group = groups.get(key) ?? { name, all: [] };
    group.all.push([o, measured]);
    groups.set(key, group);
  };
  const keyOf = (measured: Measured): string =>
    `${measured.code?.coding?.[0]?.code ?? concept(measured.code) ?? '?'} ${measured.valueQuantity?.unit ?? measured.valueQuantity?.code ?? ''}`;
  const nameOf = (measured: Measured): string => shortName(concept(measured.code) ?? 'Unnamed').main;
  for (const o of observations) {
    const parts = (o.component ?? []).filter(({ valueQuantity }) => valueQuantity?.value !== undefined);
    if (o.valueQuantity?.value === undefined && parts.length > 0) {
      for (const part of parts) add(keyOf(part), nameOf(part), o, part);
    } else add(keyOf(o), nameOf(o), o, o);
  }
  return [...groups].map(([key, { name, all }]) => {
    const sorted = [...all].sort(([a], [b]) => (instant(when(a)) ?? 0) - (instant(when(b)) ?? 0));
    const points = sorted.flatMap(([source, of]): Point[] => {
      const at = instant(when(source));
      const number = of.valueQuantity?.value;
      if (at === undefined || number === undefined || source.status === 'entered-in-error') return [];
      return [
        { at, on: when(source) ?? '', value: number, text: quantity(of.valueQuantity) ?? '', flag: flag(of), source },
      ];
    });
    const [latest, measured] = sorted.at(-1) as [Observation, Measured];
    const limits = measured.referenceRange?.[0];
    const unit = measured.valueQuantity?.unit ?? measured.valueQuantity?.code ?? '';
    return {
      key,
      name,
      unit: printedUnit(unit),
      points,
      latest,
      all: sorted.map(([o]) => o),
      low: unit ? limits?.low?.value : undefined,
      high: unit ? limits?.high?.value : undefined,
      limits: unit ? limits : undefined,
    };
  });
}

/** A trend in one sentence, for who cannot see it. */
export function summary({ name, points, limits }: Series): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return `${name}: no numbers.`;
  const said = range(limits);
  const against = said ? ` Reference range ${said}.` : '';
  const flagged = points.filter((point) => point.flag).length;
  const out = flagged ? ` ${flagged} of ${points.length} outside the range.` : '';
  const span = points.length === 1 ? clockDate(last.on) : `${first.on.slice(0, 4)} to ${last.on.slice(0, 4)}`;
  return `${name}: ${points.length} ${points.length === 1 ? 'result' : 'results'}, ${span}. Latest ${last.text}${last.flag ? `, ${FLAGS[last.flag].says.toLowerCase()}` : ''}.${against}${out}`;
}

export const isPanel = (o: Observation): boolean => (o.hasMember?.length ?? 0) > 0;
export const categoryCodes = (o: Observation): string[] =>
  (o.category ?? []).flatMap(({ coding }) => coding ?? []).flatMap(({ code }) => code ?? []);
export const interpretations = (o: Measured): string => concepts(o.interpretation);
