//! The years of a timeline with the numbers of their events.

import type { Day } from '#reading/timeline/days.ts';

export interface YearCount {
  year: number;
  count: number;
  /** The ratio to the largest count, from 0 to 1. */
  share: number;
}

const yearOf = ({ on }: Day): number => Number(on.slice(0, 4));

/** Returns the years with events, from the last to the first. `days` are newest first too. */
export function yearsOf(days: readonly Day[]): YearCount[] {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(yearOf(day), (counts.get(yearOf(day)) ?? 0) + day.size);
  const most = Math.max(...counts.values());
  return [...counts].map(([year, count]) => ({ year, count, share: count / most }));
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
