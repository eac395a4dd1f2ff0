//! Observations from a server that refuses a search without a category, or with several. Each category is searched for
//! separately, and the result says what stays unknown. Epic, for example, requires `category` or `code` in searches for
//! observations.

import { withoutEmpty } from '#reading/joined.ts';
import { t, words } from '../../language/message.ts';
import { fewAtOnce } from '../../scheduling.ts';
import { joinedResult } from '../../source/joined-result.ts';
import { ExchangeError, type SearchResult } from '../../source/source.ts';
import { OTHER_OBSERVATIONS, searchesApart } from './observation-searches.ts';

/** The statuses with which servers refuse the form of a search, or a search beyond the categories of a scope. */
const REFUSALS = [400, 403, 405, 422, 501];

/** Returns whether an error is the refusal of a search, not a failure of the server. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ExchangeError && REFUSALS.includes(error.exchange.status);

/** Returns whether an answer has only errors of the server: a refusal with the status 200. */
export const isRefusal = ({ matches, errors }: SearchResult): boolean => matches.length === 0 && errors.length > 0;

/**
 * Repeats a refused search for observations with one search for each of its categories. Returns nothing if the search
 * has no such categories, or if the server answered none of the searches.
 */
export async function askedByCategory(
  refused: string,
  ask: (query: string) => Promise<SearchResult | undefined>,
): Promise<SearchResult | undefined> {
  const failed: string[] = [];
  const found: SearchResult[] = [];
  await fewAtOnce(searchesApart(refused), async ({ category, query }) => {
    const answer = await ask(query).catch(() => undefined);
    if (answer && !isRefusal(answer)) found.push(answer);
    else failed.push(category);
  });
  if (found.length === 0) return undefined;
  const all = joinedResult(found);
  const matches = [...new Map(all.matches.map((one) => [one.id, one])).values()];
  const says = (): string[] =>
    withoutEmpty(
      refused === OTHER_OBSERVATIONS &&
        t('This server gives out observations by category alone: those without one could not be asked for.'),
      failed.length > 0 &&
        t('It gave none of these categories: {categories}.', { categories: words().listed(failed.sort()) }),
      all.unread?.(),
    );
  return says().length > 0 ? { ...all, matches, unread: () => says().join(' ') } : { ...all, matches };
}
