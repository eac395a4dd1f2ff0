//! A comparison of two visits: reasons, diagnoses, results of the same tests, and medications.

import { isModified } from '../fhir/certainty.ts';
import { concept, concepts, decimals } from '../fhir/text.ts';
import { isOfType, type MeasuredValue, type Observation } from '../fhir/types.ts';
import { printedUnitOf } from '../fhir/units.ts';
import type { Words } from '../language/words.ts';
import { keyOf } from '../results/panels/test-groups.ts';
import { isSameUnit } from '../results/values/convert.ts';
import { quantityOf } from '../results/values/measured-number.ts';
import { value } from '../results/values/reading.ts';
import { type ComparedMedication, comparedMedications, presence } from './compared-medications.ts';
import type { Visit } from './days.ts';
import type { TimelineEvent } from './events.ts';

interface ComparedRow {
  name: string;
  earlier: TimelineEvent | undefined;
  later: TimelineEvent | undefined;
  /** The change from the earlier to the later visit, in words. */
  change: string;
}

interface VisitComparison {
  earlier: Visit;
  later: Visit;
  problems: ComparedRow[];
  results: ComparedRow[];
  medications: ComparedMedication[];
}

/** Returns the latest record of each name among those of a kind. */
function byName(
  records: readonly TimelineEvent[],
  kind: string,
  key: (event: TimelineEvent) => string,
): Map<string, TimelineEvent> {
  const latest = new Map<string, TimelineEvent>();
  for (const event of records) {
    if (event.kind !== kind) continue;
    const known = latest.get(key(event));
    if (!known || known.at <= event.at) latest.set(key(event), event);
  }
  return latest;
}

function rowsOf(
  kind: string,
  { earlier, later }: { earlier: Visit; later: Visit },
  change: (earlier: TimelineEvent | undefined, later: TimelineEvent | undefined) => string,
  key: (event: TimelineEvent) => string = ({ name }) => name,
): ComparedRow[] {
  const [before, after] = [byName(earlier.records, kind, key), byName(later.records, kind, key)];
  const rows = [...new Set([...before.keys(), ...after.keys()])].map((one) => {
    const [a, b] = [before.get(one), after.get(one)];
    return { name: b?.name ?? a?.name ?? '', earlier: a, later: b, change: change(a, b) };
  });
  // Rows with both visits come first.
  const rank = (row: ComparedRow): number => (row.earlier && row.later ? 0 : row.later ? 1 : 2);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

const testKey = ({ resource, name }: TimelineEvent): string =>
  isOfType('Observation', resource) ? keyOf(resource) : name;

/** Compares two visits, given in any order. The earlier visit comes first. */
export function compareVisits(words: Words, one: Visit, other: Visit): VisitComparison {
  const [earlier, later] = one.event.at <= other.event.at ? [one, other] : [other, one];
  const pair = { earlier, later };
  return {
    ...pair,
    problems: rowsOf('Problem', pair, (a, b) => presence(words, a !== undefined, b !== undefined)),
    results: rowsOf('Result', pair, (earlier, later) => resultChange(words, earlier, later), testKey),
    medications: comparedMedications(words, pair),
  };
}

function resultChange(words: Words, earlier: TimelineEvent | undefined, later: TimelineEvent | undefined): string {
  if (!earlier || !later) return presence(words, earlier !== undefined, later !== undefined);
  const [a, b] = [earlier.resource, later.resource];
  if (!isOfType('Observation', a) || !isOfType('Observation', b)) return '';
  return changeBetween(words, a, b) ?? (earlier.value === later.value ? words.t('Same') : words.t('Not comparable'));
}

/** Returns the parts of an observation that have their own number. */
const numbersOf = (o: Observation): MeasuredValue[] => {
  const own = quantityOf(o) !== undefined ? [o] : (o.component ?? []);
  return own.filter((of) => quantityOf(of) !== undefined);
};
const unitOf = (measured: MeasuredValue): string => {
  const of = quantityOf(measured);
  return of?.code ?? of?.unit ?? '';
};
const isOneUnit = (a: MeasuredValue, b: MeasuredValue): boolean =>
  unitOf(a) === unitOf(b) && isSameUnit(quantityOf(a) ?? {}, quantityOf(b) ?? {});
const isExact = (of: MeasuredValue): boolean => !quantityOf(of)?.comparator;

/** Returns the difference of two numbers with a sign: `+1.2`, `−16`, `±0`. */
function difference(words: Words, a: MeasuredValue, b: MeasuredValue): string {
  const by = (quantityOf(b)?.value ?? 0) - (quantityOf(a)?.value ?? 0);
  const size = Math.abs(by).toFixed(Math.min(6, Math.max(decimals(quantityOf(a)), decimals(quantityOf(b)))));
  return Number(size) === 0 ? '±0' : `${by > 0 ? '+' : '−'}${words.decimal(size)}`;
}

/** Returns the change of a value, in numbers of one unit or in words; `undefined` if the values are not comparable. */
export function changeBetween(words: Words, earlier: Observation, later: Observation): string | undefined {
  if (isModified(earlier) || isModified(later)) return undefined;
  const [a, b] = [numbersOf(earlier), numbersOf(later)];
  if (a.length === 0 && b.length === 0) {
    const [said, says] = [value(words, earlier), value(words, later)];
    if (said === undefined || says === undefined) return undefined;
    return said === says ? words.t('Same') : words.t('Changed');
  }
  const pairs = a.flatMap((part) => {
    const other = b.find((one) => b.length === 1 || concept(words, one.code) === concept(words, part.code));
    return other ? [{ part, other }] : [];
  });
  const comparable =
    pairs.length === a.length &&
    a.length === b.length &&
    pairs.every(({ part, other }) => isOneUnit(part, other) && isExact(part) && isExact(other));
  if (!comparable) return undefined;
  const pair = pairs[0] && quantityOf(pairs[0].other);
  const unit = printedUnitOf(words, pair);
  const sameUnit = pairs.every(({ other }) => unitOf(other) === unitOf(pairs[0]?.other ?? other));
  const changes = pairs.map(({ part, other }) => difference(words, part, other));
  if (changes.every((change) => change === '±0')) return words.t('Same');
  return `${changes.join('/')}${sameUnit && unit ? `\u00a0${unit}` : ''}`;
}

/** Returns the reasons of a visit in words: its codes, and the displays of the records to which it refers. */
export function reasonOf(words: Words, { event: { resource } }: Visit): string {
  if (!isOfType('Encounter', resource)) return '';
  const referred = (resource.reasonReference ?? []).flatMap(({ display }) => display || []);
  return [...new Set([concepts(words, resource.reasonCode), ...referred].filter(Boolean))].join(', ');
}
