//! The search in the reference: over types, their parameters, operations and errors.

import { t } from '../../../language/message.ts';
import { firstAt, wordsFor } from '../../../search/words.ts';
import { guideUrl } from '../guide-address.ts';
import { plainText } from './described.ts';
import { FHIR_ERRORS, OAUTH_ERRORS } from './errors.ts';
import { groupOf } from './groups.ts';
import type { Api } from './openapi.ts';

export const referenceUrl = (part: string): string => `/#/reference/${encodeURIComponent(part)}`;
/** The part of the reference that is the page of errors. */
export const ERRORS = 'errors';

export interface ReferenceHit {
  href: string;
  title: string;
  says: string;
}

interface Entry extends ReferenceHit {
  /** The text that is searched, in lower case. */
  text: string;
  /** The last part of the name, from its first letter on, in lower case. It decides the order of hits. */
  name: string;
}

/** Returns a name from its first letter on, in lower case: `count` of `_count`, `export` of `/fhir/r4/$export`. */
const fromFirstLetter = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^[^\p{L}\p{N}]+/u, '');

/** `more` is searched beside what the entry shows. */
const entry = (href: string, name: string, title: string, says: string, more = ''): Entry => ({
  href,
  title,
  says,
  name: fromFirstLetter(name),
  text: `${title} ${title.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')} ${says} ${more}`.toLowerCase(),
});

/** Returns everything that can be found. Its descriptions are in English, as those of the interface are. */
export function entriesOf({ types, operations, holds }: Api): Entry[] {
  const ofTypes = types.map((type) => {
    const group = groupOf(type);
    return entry(referenceUrl(type), type, type, `${group}. ${holds.get(type) ?? ''}`, t(group));
  });
  const ofOperations = operations
    .filter(({ type, path }) => !type || path.includes('$') || path.endsWith('*'))
    .map(({ id, method, path, summary }) =>
      entry(referenceUrl(id), path, `${method.toUpperCase()} ${path}`, plainText(summary)),
    );
  const ofParameters = operations
    .filter(({ type, path, method }) => type && method === 'get' && path.endsWith(`/${type}`))
    .flatMap(({ type = '', parameters }) =>
      parameters
        .filter(({ place, name }) => place === 'query' && !name.startsWith('_'))
        .map(({ name, description }) => entry(referenceUrl(type), name, `${type}?${name}`, plainText(description))),
    );
  const [oneType] = types;
  const ofEveryType = operations
    .filter(({ type, path, method }) => type === oneType && method === 'get' && path.endsWith(`/${type}`))
    .flatMap(({ type = '', parameters }) =>
      parameters
        .filter(({ place, name }) => place === 'query' && name.startsWith('_'))
        .map(({ name, description }) =>
          entry(referenceUrl(type), name, name, `Every type has it. ${plainText(description)}`),
        ),
    );
  const paging = entry(guideUrl('paging'), 'paging', t('Paging and counts'), 'A guide');
  const ofErrors = [...FHIR_ERRORS, ...OAUTH_ERRORS].map(({ status, code, cause }) =>
    entry(referenceUrl(ERRORS), code, `${status} ${code}`, plainText(cause)),
  );
  const errors = entry(referenceUrl(ERRORS), 'errors', t('Errors'), 'Every error, with its cause and what to do');
  return [...ofTypes, ...ofOperations, paging, errors, ...ofEveryType, ...ofErrors, ...ofParameters];
}

/** Returns the entries that have all words. Entries whose names begin with the first word come first. */
export function find(entries: readonly Entry[], query: string): ReferenceHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const first = fromFirstLetter(words[0] ?? '');
  const rank = ({ name }: Entry): number => (first === '' ? 2 : name === first ? 0 : name.startsWith(first) ? 1 : 2);
  const wanted = words.map(wordsFor);
  return entries.filter(({ text }) => wanted.every((any) => firstAt(text, any) >= 0)).sort((a, b) => rank(a) - rank(b));
}
