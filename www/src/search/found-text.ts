//! The number of matches of an answer in words. A page of many is not the whole.

import { anything, isObject, isShaped, object, oneOf } from '#reading/shape.ts';
import { t } from '../language/message.ts';
import { idsOf } from './compare.ts';

const bundle = object({ resourceType: oneOf('Bundle') }, { link: anything });

/** The address of the page that follows an answer. Links of another form are none. */
export function nextPageOf(body: unknown): string | undefined {
  const links = isShaped(bundle, body) ? body.link : undefined;
  const next = (Array.isArray(links) ? links : []).filter(isObject).find(({ relation }) => relation === 'next');
  return typeof next?.url === 'string' && next.url !== '' ? next.url : undefined;
}

/** The matches of an answer: all of them, those of its total, or those of a page that others follow. */
export function foundText(body: unknown): string {
  const { matches, total } = idsOf(body);
  const n = matches.length;
  if (total !== undefined && total > n) return t('{found} of {n} match|{found} of {n} matches', { found: n, n: total });
  if (nextPageOf(body) !== undefined)
    return t('{n} match on this page, more follow|{n} matches on this page, more follow', { n });
  return t('{n} match|{n} matches', { n });
}
