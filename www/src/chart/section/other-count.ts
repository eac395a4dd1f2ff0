//! The words in the index for a section whose number would mislead: it lists entries that the number does not count.

import { isModified } from '#reading/fhir/certainty.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { type CountMessage, t, words } from '../../language/message.ts';
import type { SectionContent } from './section.ts';

/** Entries of a section that its number does not count. */
export interface OtherEntries {
  n: number;
  says: CountMessage;
  /** True if the words also stand beside a count above 0. */
  isAlways?: boolean;
}

/** Returns the words for the first kind of uncounted entries: beside the count, or instead of a count of 0. */
export function otherCount(count: number, others: readonly OtherEntries[]): Pick<SectionContent, 'otherCount'> {
  const first = others.find(({ n, isAlways }) => n > 0 && (count === 0 || isAlways));
  if (!first) return {};
  const says = t(first.says, { n: first.n });
  return { otherCount: count === 0 ? says : t('{count}, {more}', { count: words().number(count), more: says }) };
}

/** The number of records that are plain facts, with the words for other entries. */
export function counted(
  records: readonly Resource[],
  others: readonly OtherEntries[] = [],
): Pick<SectionContent, 'count' | 'otherCount' | 'records'> {
  const n = records.filter(isModified).length;
  const modified = { n, says: '{n} of changed meaning|{n} of changed meaning', isAlways: true } as const;
  return { count: records.length - n, records, ...otherCount(records.length - n, [modified, ...others]) };
}
