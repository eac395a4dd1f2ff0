//! The medications that records reference, if a search did not include them: not every index follows that reference,
//! and a server may refuse a search with that include.

import { identifierToken, identifierTokens } from '#reading/medications/medication.ts';
import { isShaped, object, partial, string } from '#reading/shape.ts';
import { inParts } from '../scheduling.ts';
import { BASE } from '../smart/server.ts';
import type { SearchResult } from './source.ts';

const referring = object(
  { resourceType: string },
  { medicationReference: partial({ reference: string, identifier: partial({ system: string, value: string }) }) },
);

/** Returns the id, or else the identifier, of the medication to which a record refers. */
function keyOf(record: unknown): string | undefined {
  const { reference = '', identifier } = (isShaped(referring, record) && record.medicationReference) || {};
  return reference === '' && identifier?.value ? identifierToken(identifier) : idIn(reference);
}

/** Returns the id in a reference to a Medication of the same source, with or without a version. */
function idIn(reference: string): string | undefined {
  const relative = reference.startsWith(`${BASE}/`) ? reference.slice(BASE.length + 1) : reference;
  return /^Medication\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(relative)?.[1];
}

/** Returns the ids and identifiers of the medications that matches refer to and the answer does not include. */
export function missingMedications({ matches, included }: Pick<SearchResult, 'matches' | 'included'>): string[] {
  const medications = included.filter(({ resourceType }) => resourceType === 'Medication');
  const known = new Set(medications.flatMap((one) => [one.id, ...identifierTokens(one)]));
  return [...new Set(matches.flatMap((one) => keyOf(one) ?? []))].filter((key) => !known.has(key));
}

/** The number of medications in one search. */
const AT_ONCE = 50;

export const medicationQueries = (keys: readonly string[]): string[] =>
  Object.entries(Object.groupBy(keys, (key) => (key.includes('|') ? 'identifier' : '_id'))).flatMap(([by, all = []]) =>
    inParts(all.map(encodeURIComponent), AT_ONCE).map((part) => `Medication?${by}=${part.join(',')}&_count=${AT_ONCE}`),
  );
