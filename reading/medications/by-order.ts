//! Records by the medication orders that they name.

import type { Reference } from '../fhir/types.ts';

const REQUEST = /(?:^|\/)MedicationRequest\/([^/]+)(?:\/_history\/[^/]+)?$/;

/** Returns the ids of the orders among some references. */
export const requestIds = (references: readonly Reference[] | undefined): string[] =>
  (references ?? []).flatMap(({ reference }) => REQUEST.exec(reference ?? '')?.[1] ?? []);

export function byKey<T>(items: readonly T[], keys: (item: T) => string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keys(item))) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}
