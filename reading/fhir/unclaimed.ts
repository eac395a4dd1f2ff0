//! The mark of a record that names no patient and is shown in the chart of the one patient of its files. It is a tag of
//! the record itself, so that it goes wherever the record goes, also into what is taken along.

import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';
import type { Resource } from './types.ts';

/** The tag, without a system: no code system has such a code. */
export const UNCLAIMED = { code: 'names-no-patient' } as const;

/** Returns whether a record was given its patient here. */
export function isUnclaimed({ meta }: Pick<Resource, 'meta'>): boolean {
  const tags: unknown = isObject(meta) && 'tag' in meta ? meta.tag : undefined;
  return Array.isArray(tags) && tags.some((tag) => isObject(tag) && tag.code === UNCLAIMED.code && !tag.system);
}

/** The words that must stand beside such a record; nothing for others. */
export const unclaimedText = (words: Words, resource: Pick<Resource, 'meta'>): string | undefined =>
  isUnclaimed(resource) ? words.t('names no patient') : undefined;
