//! The history of searches, stored on this device: queries with their place, status and numbers, never an answer.

import { signal } from '@preact/signals-core';
import { anything, isShaped, list, number, object, oneOf, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import type { Exchange } from '../http/exchange.ts';
import { countsOnly, idsOf } from './compare.ts';

const KEY = 'edgechart.searches';
/** The most searches that are stored. */
export const MAX_SEARCHES = 50;
/** The longest query that is stored, in characters. */
const MAX_LENGTH = 4_000;

const pastSearch = object(
  { query: string, where: oneOf('edge', 'local'), at: string, status: number, ms: number },
  { matches: number, total: number, rowsRead: number },
);
export type PastSearch = ShapeValue<typeof pastSearch>;

export function pastSearchOf(query: string, { where, at, status, body, rowsRead }: Exchange, ms: number): PastSearch {
  const { matches, total } = idsOf(body);
  const answered = status === 200;
  return {
    query,
    where,
    at: at.toISOString(),
    status,
    ms,
    ...(answered && !countsOnly(query) ? { matches: matches.length } : {}),
    ...(answered && total !== undefined ? { total } : {}),
    ...(rowsRead === undefined ? {} : { rowsRead }),
  };
}

/** Adds a search to the front. An earlier search with the same query and place moves there, with its new numbers. */
export function withSearch(history: PastSearch[], one: PastSearch): PastSearch[] {
  if (one.query.length > MAX_LENGTH) return history;
  const others = history.filter(({ query, where }) => query !== one.query || where !== one.where);
  return [one, ...others].slice(0, MAX_SEARCHES);
}

/** Returns the history in a stored text. Entries of another shape are left out. */
export function historyIn(text: string | null): PastSearch[] {
  const stored = parsedAs(list(anything), text) ?? [];
  return stored.filter((one) => isShaped(pastSearch, one)).slice(0, MAX_SEARCHES);
}

function storedHistory(): PastSearch[] {
  try {
    return historyIn(localStorage.getItem(KEY));
  } catch {
    return [];
  }
}

/** The searches of this device, newest first. */
export const pastSearches = signal<PastSearch[]>(storedHistory());

// Follows changes by other tabs. Outside a page there is no such event.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key === KEY || key === null) pastSearches.value = historyIn(newValue);
});

/** Adds a search to the history, after reading the additions of other tabs. */
export function keepSearch(one: PastSearch): void {
  try {
    const next = withSearch(historyIn(localStorage.getItem(KEY)), one);
    localStorage.setItem(KEY, JSON.stringify(next));
    pastSearches.value = next;
  } catch {
    // Without storage, the history lasts as long as the page.
    pastSearches.value = withSearch(pastSearches.value, one);
  }
}

/** Deletes the history, here and in other tabs. */
export function forgetHistory(): void {
  pastSearches.value = [];
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Without storage there is nothing more to delete.
  }
}
