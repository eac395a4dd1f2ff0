//! The number of matches of an answer in words. A page is distinguished from a complete answer.

import { anything, isObject, isShaped, object, oneOf } from '#reading/shape.ts';
import { t } from '../language/message.ts';
import { idsOf } from './compare.ts';

const bundle = object({ resourceType: oneOf('Bundle') }, { link: anything });

/** Returns the address of the page that follows an answer. Links of another form are ignored. */
export function nextPageOf(body: unknown): string | undefined {
  const links = isShaped(bundle, body) ? body.link : undefined;
  const next = (Array.isArray(links) ? links : []).filter(isObject).find(({ relation }) => relation === 'next');
  return typeof next?.url === 'string' && next.url !== '' ? next.url : undefined;
}

/** Returns the number of matches in words: all of them, those of the total, or those of a page with further pages. */
export function foundText(body: unknown): string {
  const { matches, total } = idsOf(body);
  const n = matches.length;
  if (total !== undefined && total > n) return t('{found} of {n} match|{found} of {n} matches', { found: n, n: total });
  if (nextPageOf(body) !== undefined)
    return t('{n} match on this page, more follow|{n} matches on this page, more follow', { n });
  return t('{n} match|{n} matches', { n });
}
