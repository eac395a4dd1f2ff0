//! The change of a test between its two latest results.

import { overlap, shortDate } from '../../fhir/date.ts';
import { decimals } from '../../fhir/text.ts';
import type { Message, Words } from '../../language/words.ts';
import { notesOf } from '../flags/observation-text.ts';
import { quantityOf } from '../values/measured-number.ts';
import type { TestGroup } from './test-groups.ts';

export interface Change {
  way: 'up' | 'down' | 'unchanged';
  /** The size of the change, with the digits of the results, without a sign and a unit. */
  by: string;
  unit: string;
  /** The date of the earlier result, as written. */
  since: string;
  /** The notes on the earlier result; `undefined` without any. */
  notes?: string[];
}

/**
 * Compares the two latest results. Returns `undefined` if the latest is not a number, if the previous one has another
 * unit, if one of them is only a bound (`< 5`), or if their dates leave their order open.
 */
export function changeOf(words: Words, { series, latest }: TestGroup): Change | undefined {
  const one = series.find(({ points }) => points.at(-1)?.source === latest);
  const [before, last] = one?.points.slice(-2) ?? [];
  if (!one || !before || !last || overlap(before.on, last.on)) return undefined;
  if (before.convertedText !== undefined || last.convertedText !== undefined) return undefined;
  const [from, to] = [quantityOf(before.source), quantityOf(last.source)];
  if (!from || !to || from.comparator || to.comparator) return undefined;
  const shown = Math.max(decimals(from), decimals(to));
  const by = Math.abs(last.value - before.value).toFixed(Math.min(shown, 20));
  const isSame = Number(by) === 0;
  const notes = notesOf(before.source);
  return {
    way: isSame ? 'unchanged' : last.value > before.value ? 'up' : 'down',
    by: words.decimal(by),
    unit: one.unit,
    since: before.on,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** The sign of each direction: a change is recognizable by its shape and its words, and not only by colour. */
export const CHANGE_SIGNS: Record<Change['way'], string> = { up: '↑', down: '↓', unchanged: '=' };

const CHANGE_WORDS = {
  up: 'up {by} since {date}',
  down: 'down {by} since {date}',
  unchanged: 'unchanged since {date}',
} as const satisfies Record<Change['way'], Message>;

export const changeText = (words: Words, { way, by, since }: Change): string =>
  words.t(CHANGE_WORDS[way], { by, date: shortDate(words, since) });
