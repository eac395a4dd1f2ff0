//! The mark of a record that names no patient in its file, and was placed with the patient to whom other records of its
//! Bundle lead. It is a tag of the record itself, so that it goes wherever the record goes, also into what is taken
//! along.

import { own } from '../own.ts';
import { isObject } from '../shape.ts';

/** What led to the patient: the document that lists a record, its visit, or the report that it is a part of. */
export type Placing = 'document' | 'visit' | 'report';

/** The codes of the tags, without a system: no code system has such codes. */
const CODES = {
  document: 'patient-of-document',
  visit: 'patient-of-visit',
  report: 'patient-of-report',
} as const satisfies Record<Placing, string>;

const WAYS: Readonly<Record<string, Placing>> = {
  [CODES.document]: 'document',
  [CODES.visit]: 'visit',
  [CODES.report]: 'report',
};

/** The tag of a record that was placed. */
export const placedTag = (by: Placing): { code: string } => ({ code: CODES[by] });

/** What a tag says that led to the patient; nothing for other tags. */
export const placedBy = (tag: unknown): Placing | undefined =>
  isObject(tag) && typeof tag.code === 'string' && !tag.system ? own(WAYS, tag.code) : undefined;

/** What led to the patient of a record that was placed; nothing for others. */
export function placingOf(resource: object): Placing | undefined {
  const meta = 'meta' in resource ? resource.meta : undefined;
  const tags: unknown = isObject(meta) ? meta.tag : undefined;
  return Array.isArray(tags) ? tags.flatMap((tag) => placedBy(tag) ?? [])[0] : undefined;
}
