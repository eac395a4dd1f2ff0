//! The medications that records reference, if a search did not include them: not every index follows that reference,
//! and a server may refuse a search with that include.

import { isShaped, object, partial, string } from '#reading/shape.ts';
import { BASE } from '../smart/server.ts';
import type { SearchResult } from './source.ts';

const referring = object({ resourceType: string }, { medicationReference: partial({ reference: string }) });

const referenceOf = (record: unknown): string =>
  (isShaped(referring, record) && record.medicationReference?.reference) || '';

/** Returns the id in a reference to a Medication of the same source, with or without a version. */
function idIn(reference: string): string | undefined {
  const relative = reference.startsWith(`${BASE}/`) ? reference.slice(BASE.length + 1) : reference;
  return /^Medication\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(relative)?.[1];
}

/** Returns the ids of the medications that the matches of a search reference and that the answer does not include. */
export function missingMedications({ matches, included }: Pick<SearchResult, 'matches' | 'included'>): string[] {
  const known = new Set(included.flatMap(({ resourceType, id }) => (resourceType === 'Medication' ? [id] : [])));
  const referred = matches.flatMap((one) => idIn(referenceOf(one)) ?? []);
  return [...new Set(referred)].filter((id) => !known.has(id));
}

/** The number of medications in one search. */
const AT_ONCE = 50;

/** Returns the searches for medications by their ids. */
export const medicationQueries = (ids: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => {
    const part = ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE);
    return `Medication?_id=${part.join(',')}&_count=${AT_ONCE}`;
  });
