//! Slices of a timeline: it is drawn a number of events at a time, so that no slice keeps the page from answering.

import { type Day, sizeOf } from '#reading/timeline/days.ts';
import type { TimelineEvent } from '#reading/timeline/events.ts';

/** The number of events of a slice. */
export const SLICE = 40;

/** The number of events that are drawn after the next slice. A slice takes in the rest of a day that is short. */
export function nextSlice(days: readonly Day[], drawn: number): number {
  const until = drawn + SLICE;
  if (until >= sizeOf(days)) return sizeOf(days);
  const day = days[lastBefore(days, until)];
  const end = day ? day.from + day.size : until;
  return end - until <= SLICE / 2 ? end : until;
}

/** A day or a run of days: the number of its events, and of those before it. */
type Stretch = Pick<Day, 'from' | 'size'>;

/** The index of the last stretch that begins before an event of that number. */
function lastBefore(all: readonly Stretch[], event: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.from ?? 0) < event) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The days or runs of which something is drawn. */
export const drawnIn = <T extends Stretch>(all: readonly T[], drawn: number): T[] =>
  drawn <= 0 ? [] : all.slice(0, lastBefore(all, drawn) + 1);

/** The number of events of a day or a run that are drawn. */
export const drawnOf = ({ from, size }: Stretch, drawn: number): number => Math.max(0, Math.min(drawn - from, size));

interface DrawnDay {
  /** For each visit that is drawn, the number of its records that are. */
  visits: number[];
  /** The numbers of records and of results without a visit that are drawn. */
  records: number;
  results: number;
}

/** The parts of a day that its first events make. Visits come first, each before its records. */
export function partsOf({ visits, records, results }: Day, drawn: number): DrawnDay {
  let left = drawn;
  const take = (most: number): number => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const heads: number[] = [];
  for (const visit of visits) if (take(1) === 1) heads.push(take(visit.records.length));
  return { visits: heads, records: take(records.length), results: take(results.length) };
}

/** A list in parts of one slice each, so that what is drawn of it already is not drawn again. */
export const partsOfList = (list: readonly TimelineEvent[], drawn: number): { from: number; until: number }[] =>
  Array.from({ length: Math.ceil(Math.min(drawn, list.length) / SLICE) }, (_, i) => ({
    from: i * SLICE,
    until: Math.min((i + 1) * SLICE, drawn, list.length),
  }));
