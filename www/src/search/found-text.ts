//! The number of matches of an answer in words. A page of many is not the whole.

import { bundle } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { isShaped } from '../shape.ts';
import { idsOf } from './compare.ts';

/** The address of the page that follows an answer. */
export const nextPageOf = (body: unknown): string | undefined =>
  isShaped(bundle, body) ? body.link?.find(({ relation }) => relation === 'next')?.url : undefined;

/** The matches of an answer: all of them, those of its total, or those of a page that others follow. */
export function foundText(body: unknown): string {
  const { matches, total } = idsOf(body);
  const n = matches.length;
  if (total !== undefined && total > n) return t('{found} of {n} match|{found} of {n} matches', { found: n, n: total });
  if (nextPageOf(body) !== undefined)
    return t('{n} match on this page, more follow|{n} matches on this page, more follow', { n });
  return t('{n} match|{n} matches', { n });
}
