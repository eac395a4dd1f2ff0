//! The years of a timeline with the number of their events: its density.

import type { Day } from '#reading/timeline/days.ts';

export interface YearCount {
  is: 'year';
  year: number;
  count: number;
  /** The part of the largest count, from 0 to 1. */
  share: number;
}
/** A row of the rail: a year, or years in a row without an event. */
export type RailRow = YearCount | { is: 'gap'; from: number; until: number };

/** So many years without an event are one row. */
const GAP = 3;

const yearOf = ({ on }: Day): number => Number(on.slice(0, 4));

/** The years from the first event to the last, newest first. `days` are in that order. */
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

/** The years without an event between two years. */
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

/** Days in a row, all of one year. */
export interface Run {
  days: Day[];
  /** The year, if it begins with these days. */
  year: number | undefined;
  /** The number of events of the days. */
  size: number;
  /** The number of events before them. */
  from: number;
}

/** So many events fill a run. */
const RUN = 160;

/** The days in runs, each of which is skipped as one while it is out of sight. */
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
