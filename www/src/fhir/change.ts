//! The change of a measured value since the one before it.

import type { Series } from './series.ts';
import { digits } from './text.ts';

export interface Change {
  way: 'up' | 'down' | 'same';
  /** The difference to the earlier value, without its sign. */
  by: number;
  /** The earlier value as it was written, and its date. */
  before: string;
  on: string;
}

/** The decimals of a number as it was written. */
const decimals = (written: string | undefined): number => /\.(\d+)$/.exec(written ?? '')?.[1]?.length ?? 0;

/** Compares the last two points of a series. Nothing where there are less than two, or they are of one moment. */
export function changeOf({ points }: Series): Change | undefined {
  const [before, last] = points.slice(-2);
  if (!before || !last || before.at === last.at) return undefined;
  const places = Math.max(...[before, last].map(({ source }) => decimals(digits(source.valueQuantity))));
  const by = Number(Math.abs(last.value - before.value).toFixed(places || 2));
  const way = by === 0 ? 'same' : last.value > before.value ? 'up' : 'down';
  return { way, by, before: before.text, on: before.on };
}

/** The sign and the words of each way: a change is never told by its sign alone. */
export const WAYS: Record<Change['way'], { sign: string; says: string }> = {
  up: { sign: '↑', says: 'up' },
  down: { sign: '↓', says: 'down' },
  same: { sign: '→', says: 'unchanged' },
};
