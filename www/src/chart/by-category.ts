//! Observations at a server that refuses a search without a category, or with several: each category is asked for by
//! itself, and what stays unknown is said. Epic, for one, takes no search for observations without `category` or
//! `code`.

import { t, words } from '../language/message.ts';
import { joinedResult } from '../source/joined-result.ts';
import { ExchangeError, type SearchResult } from '../source/source.ts';
import { OTHER_OBSERVATIONS, searchesApart } from './observation-searches.ts';

/** The number of searches under way at a time. */
const AT_ONCE = 3;

/** The statuses by which servers refuse the form of a search, or one that goes beyond the categories of a scope. */
const REFUSALS = [400, 403, 405, 422, 501];

/** Returns whether a server refused a search, and did not merely fail. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ExchangeError && REFUSALS.includes(error.exchange.status);

/** Returns whether an answer has nothing but the errors of the server: a refusal with the status 200. */
export const isRefusal = ({ matches, errors }: SearchResult): boolean => matches.length === 0 && errors.length > 0;

/**
 * The observations of a search that a server refused, each of its categories asked for by itself. Nothing for another
 * search, or where none of them was answered.
 */
export async function askedByCategory(
  refused: string,
  ask: (query: string) => Promise<SearchResult | undefined>,
): Promise<SearchResult | undefined> {
  const queue = [...searchesApart(refused)];
  const failed: string[] = [];
  const found: SearchResult[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const answer = await ask(next.query).catch(() => undefined);
      if (answer && !isRefusal(answer)) found.push(answer);
      else failed.push(next.category);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (found.length === 0) return undefined;
  const all = joinedResult(found);
  const matches = [...new Map(all.matches.map((one) => [one.id, one])).values()];
  const says = (): string[] => [
    ...(refused === OTHER_OBSERVATIONS
      ? [t('This server gives out observations by category alone: those without one could not be asked for.')]
      : []),
    ...(failed.length > 0
      ? [t('It gave none of these categories: {categories}.', { categories: words().listed(failed.sort()) })]
      : []),
    ...(all.unread ? [all.unread()] : []),
  ];
  return says().length > 0 ? { ...all, matches, unread: () => says().join(' ') } : { ...all, matches };
}
