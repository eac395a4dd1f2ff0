//! A search for records of many types: one search for each type, with the results joined.

import { searchOf } from '#reading/fhir/other-types.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { joined, joinedBy, withoutEmpty } from '#reading/joined.ts';
import { engine } from '../../engine/client.ts';
import { errorText } from '../../error-text.ts';
import { t, words } from '../../language/message.ts';
import { fewAtOnce } from '../../scheduling.ts';
import { isAskedFor } from '../../smart/scopes.ts';
import { planOf } from '../../source/abilities.ts';
import { joinedResult } from '../../source/joined-result.ts';
import { allPages, type SearchResult, type Source } from '../../source/source.ts';
import type { WhyWithheld } from '../../source/withheld.ts';

/** The most types that are named in a sentence. */
const MAX = 6;

export const namedTypes = (types: readonly string[]): string =>
  words().listed([
    ...types.slice(0, MAX).map((type) => typeWords(words(), type)),
    ...withoutEmpty(types.length > MAX && t('{n} further type|{n} further types', { n: types.length - MAX })),
  ]);

/** Returns whether the app requested a scope for a type. If it did not, nobody declined the type. */
export const wasRequested = ({ requested }: Source, type: string): boolean =>
  requested === undefined || isAskedFor(type, requested);

/**
 * Returns the records of some types. In the result, `unread` says what failed, `ungranted` what was not granted, and
 * `unasked` what the app did not request. `heldTypes` says how many records of each type there are, if known: types
 * without records are skipped. `pages` makes a search, or returns its known answer.
 */
export async function searchTypes(
  source: Source,
  patient: string,
  types: readonly string[],
  whyWithheld: WhyWithheld,
  heldTypes: (source: Source) => Promise<Record<string, number> | undefined> = async ({ name }) =>
    name === 'session' ? undefined : (await engine('counts', name)).value,
  pages: (query: string) => Promise<SearchResult> = (query) => allPages(source, query),
): Promise<SearchResult> {
  const [withheld, unasked, failed]: [string[], string[], string[]] = [[], [], []];
  const whys = new Set<string>();
  const open: string[] = [];
  for (const type of types) {
    if (await whyWithheld(type, 'search')) (wasRequested(source, type) ? withheld : unasked).push(type);
    else open.push(type);
  }
  const abilities = open.length > 0 ? await source.abilities?.() : undefined;
  const isSilent = open.length > 0 && source.abilities !== undefined && abilities === undefined;
  const held = open.length > 0 ? await heldTypes(source) : undefined;
  const asked = isSilent ? [] : open.filter((type) => held === undefined || (held[type] ?? 0) > 0);
  const found: SearchResult[] = [];
  await fewAtOnce(asked, async (type) => {
    const plan = planOf(searchOf(type).replaceAll('{patient}', patient), abilities);
    if (plan.is === 'impossible') return;
    try {
      found.push(await pages(plan.query));
    } catch (error) {
      failed.push(type);
      whys.add(errorText(error));
    }
  });
  const all = joinedResult(found);
  const unread = (): string =>
    joinedBy(
      ' ',
      failed.length > 0 &&
        t('{types} could not be loaded: {why}.', { types: namedTypes(failed), why: joined(...whys) }),
      isSilent && t('This server does not say which records it has, so other types were not asked for.'),
      all.unread?.(),
    );
  return {
    ...all,
    ...(withheld.length > 0 && {
      ungranted: () => t('Not granted, and not shown here: {sections}.', { sections: namedTypes(withheld) }),
    }),
    ...(unasked.length > 0 && { unasked }),
    ...(unread() !== '' && { unread }),
  };
}
