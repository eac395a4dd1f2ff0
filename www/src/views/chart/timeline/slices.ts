//! Slices of a timeline. It is drawn slice by slice, so that the page stays responsive.

import { type Day, sizeOf } from '#reading/timeline/days.ts';
import type { TimelineEvent } from '#reading/timeline/events.ts';

/** The number of events in a slice. */
export const SLICE = 40;

/** Returns the number of events drawn after the next slice. A slice includes the rest of a day if that is short. */
export function nextSlice(days: readonly Day[], drawn: number): number {
  const until = drawn + SLICE;
  if (until >= sizeOf(days)) return sizeOf(days);
  const day = days[lastBefore(days, until)];
  const end = day ? day.from + day.size : until;
  return end - until <= SLICE / 2 ? end : until;
}

/** A day or a run of days. `size` is the number of its events, `from` the number of events before it. */
type Stretch = Pick<Day, 'from' | 'size'>;

/** Returns the index of the last stretch that begins before the event with the number `event`. */
function lastBefore(all: readonly Stretch[], event: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.from ?? 0) < event) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the days or runs that are drawn at least in part. */
export const drawnIn = <T extends Stretch>(all: readonly T[], drawn: number): T[] =>
  drawn <= 0 ? [] : all.slice(0, lastBefore(all, drawn) + 1);

/** Returns the number of drawn events of a day or a run. */
export const drawnOf = ({ from, size }: Stretch, drawn: number): number => Math.max(0, Math.min(drawn - from, size));

interface DrawnDay {
  /** For each drawn visit, the number of its drawn records. */
  visits: number[];
  /** The numbers of drawn records and results without a visit. */
  records: number;
  results: number;
}

/** Returns the parts of a day that its first `drawn` events make up. Visits come first, each before its records. */
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

/** Returns the drawn part of a list in parts of one slice each, so that earlier parts are not drawn again. */
export const partsOfList = (list: readonly TimelineEvent[], drawn: number): { from: number; until: number }[] =>
  Array.from({ length: Math.ceil(Math.min(drawn, list.length) / SLICE) }, (_, i) => ({
    from: i * SLICE,
    until: Math.min((i + 1) * SLICE, drawn, list.length),
  }));
