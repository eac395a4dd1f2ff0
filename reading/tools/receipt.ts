//! The facts of a result that its receipt repeats. The main Worker signs them, and a person can check the sentences of
//! an assistant against them.

import { isObject, itemsOf } from '../shape.ts';

/**
 * A fact of a receipt: what was measured or recorded, the value, the unit, the date, and the record with its version.
 * What the tool computed of several records has no record.
 */
export type ReceiptFact = [what: string, value: string | null, unit: string | null, when: string | null, ref?: string];

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** Returns the name of a fact or of a series. A quoted name stays out of receipts. */
const whatOf = ({ what, name, first }: Record<string, unknown>): string =>
  textOf(what) ?? textOf(name) ?? (isObject(first) ? whatOf(first) : '');

/** Returns what was computed of the values of a series. */
function computedOf(series: Record<string, unknown>): ReceiptFact[] {
  const { n, mean, change, usual, outside, unit, periods } = series;
  const by = isObject(change) ? change.by : undefined;
  const counts = [n, outside].map((value): ReceiptFact => [whatOf(series), textOf(value), null, null]);
  const of = (values: unknown[], when: string | null): ReceiptFact[] =>
    values.map((value) => [whatOf(series), textOf(value), textOf(unit), when]);
  const values = of([mean, by, usual], null);
  const ofPeriods = itemsOf(periods)
    .filter(isObject)
    .flatMap(({ lowest, highest, mean, period }) => of([lowest, highest, mean], textOf(period)));
  return [...values, ...counts, ...ofPeriods].filter(([, value]) => value !== null);
}

/** Returns the facts in a part of a result. `series` is the series to which the part belongs. */
function factsIn(part: unknown, series?: Record<string, unknown>): ReceiptFact[] {
  if (Array.isArray(part)) return part.flatMap((one) => factsIn(one, series));
  if (!isObject(part)) return [];
  // Text of the record's authors is no fact, whatever its form.
  const { ref, value, unit, when, born, quoted: _, ...rest } = part;
  if (typeof ref === 'string') {
    // A value of a component is named by its series: the record is named after the whole.
    const what = whatOf(series ?? {}) || whatOf(part);
    return [[what, textOf(value), textOf(unit ?? series?.unit), textOf(when ?? born), ref]];
  }
  if (!Array.isArray(rest.points)) return Object.values(rest).flatMap((one) => factsIn(one, series));
  const { points, ...named } = rest;
  return [...factsIn(Object.values(named), part), ...computedOf(part), ...factsIn(points, part)];
}

/** Returns the facts of a result, the most important first, each once. */
export function receiptFacts(result: object): ReceiptFact[] {
  const facts = factsIn(result).filter(([, value, , when]) => value !== null || when !== null);
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
}
