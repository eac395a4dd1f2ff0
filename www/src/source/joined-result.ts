//! The combination of several searches.

import type { SearchResult } from './source.ts';

/** Returns the results of several searches as one. Sentences about omissions are not repeated. */
export function joinedResult(all: readonly SearchResult[]): SearchResult {
  const mended = all.flatMap((one) => one.mended ?? []);
  const ofOthers = all.reduce((sum, one) => sum + (one.ofOthers ?? 0), 0);
  const unread = all.flatMap((one) => one.unread ?? []);
  return {
    matches: all.flatMap((one) => one.matches),
    included: all.flatMap((one) => one.included),
    malformed: all.flatMap((one) => one.malformed),
    older: all.reduce((sum, one) => sum + one.older, 0),
    errors: [...new Set(all.flatMap((one) => one.errors))],
    exchanges: all.flatMap((one) => one.exchanges),
    missing: () => [...new Set(all.flatMap((one) => one.missing?.() ?? []))],
    ...(mended.length > 0 ? { mended } : {}),
    ...(ofOthers > 0 ? { ofOthers } : {}),
    ...(unread.length > 0 ? { unread: () => [...new Set(unread.map((says) => says()))].join(' ') } : {}),
  };
}
