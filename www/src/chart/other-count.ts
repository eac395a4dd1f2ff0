//! The words of the contents for a section whose number would mislead: what it lists is none of what is counted, or
//! more than that.

import { t, words } from '../language/message.ts';
import type { SectionContent } from './section.ts';

/** Entries of a section that its number does not count. */
export interface OtherEntries {
  n: number;
  /** The words for them, with their number. */
  says: string;
  /** True if they are told beside a number too. */
  isAlways?: boolean;
}

/** The first kind of entries that a number does not count, in its place where it is 0. */
export function otherCount(count: number, others: readonly OtherEntries[]): Pick<SectionContent, 'otherCount'> {
  const first = others.find(({ n, isAlways }) => n > 0 && (count === 0 || isAlways));
  if (!first) return {};
  const { says } = first;
  return { otherCount: count === 0 ? says : t('{count}, {more}', { count: words().number(count), more: says }) };
}
