//! The years of a timeline with the numbers of their events.

import type { Day } from '#reading/timeline/days.ts';

export interface YearCount {
  is: 'year';
  year: number;
  count: number;
  /** The ratio to the largest count, from 0 to 1. */
  share: number;
}
/** A row of the rail of years: a year, or consecutive years without an event. */
export type RailRow = YearCount | { is: 'gap'; from: number; until: number };

/** The number of consecutive years without an event from which they share one row. */
const GAP = 3;

const yearOf = ({ on }: Day): number => Number(on.slice(0, 4));

/** Returns the years from the last event to the first. `days` are newest first too. */
export function railOf(days: readonly Day[]): RailRow[] {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(yearOf(day), (counts.get(yearOf(day)) ?? 0) + day.size);
  const most = Math.max(...counts.values());
  let last: number | undefined;
  return [...counts].flatMap(([year, count]) => {
    const empty = last === undefined ? [] : between(year, last);
    last = year;
    return [...empty, { is: 'year' as const, year, count, share: count / most }];
  });
}

/** Returns the rows for the years between two years with events. */
function between(from: number, until: number): RailRow[] {
  const missing = until - from - 1;
  if (missing >= GAP) return [{ is: 'gap', from: from + 1, until: until - 1 }];
  return Array.from({ length: Math.max(0, missing) }, (_, i) => ({
    is: 'year' as const,
    year: until - 1 - i,
    count: 0,
    share: 0,
  }));
}

/** Consecutive days of one year. */
export interface Run {
  days: Day[];
  /** The year, if this is its first run. */
  year: number | undefined;
  /** The number of events of the days. */
  size: number;
  /** The number of events before them. */
  from: number;
}

/** The most events in a run of several days. */
const RUN = 160;

/** Returns the days in runs. The browser skips the layout of each run while it is out of sight. */
export function runsOf(days: readonly Day[]): Run[] {
  const runs: Run[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    const [before] = last?.days ?? [];
    const isNewYear = !before || yearOf(before) !== yearOf(day);
    if (last && !isNewYear && last.size + day.size <= RUN) {
      last.days.push(day);
      last.size += day.size;
    } else {
      runs.push({ days: [day], year: isNewYear ? yearOf(day) : undefined, size: day.size, from: day.from });
    }
  }
  return runs;
}
