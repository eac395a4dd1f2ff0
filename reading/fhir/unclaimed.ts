//! The mark of a record that names no patient and is shown in the chart of the only patient of its files. It is a tag
//! in the record itself, so that copies and saved charts keep it.

import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';
import type { Resource } from './types.ts';

/** The tag, without a system: no code system has such a code. */
export const UNCLAIMED = { code: 'names-no-patient' } as const;

/** Returns whether the app assigned a patient to a record. */
export function isUnclaimed({ meta }: Pick<Resource, 'meta'>): boolean {
  const tags: unknown = isObject(meta) && 'tag' in meta ? meta.tag : undefined;
  return Array.isArray(tags) && tags.some((tag) => isObject(tag) && tag.code === UNCLAIMED.code && !tag.system);
}

/** Returns the words that must accompany such a record; `undefined` for other records. */
export const unclaimedText = (words: Words, resource: Pick<Resource, 'meta'>): string | undefined =>
  isUnclaimed(resource) ? words.t('names no patient') : undefined;
