//! The kind and the class of a visit in words.

import type { Words } from '../language/words.ts';
import { CLASSES, classNamed } from './known-names.ts';
import { codingWords, concepts } from './text.ts';
import type { Encounter } from './types.ts';

export function visitClass(words: Words, { class: of }: Encounter): string | undefined {
  if (!of) return undefined;
  const { system = CLASSES, code, display } = of;
  const known = display === undefined || display === code ? classNamed(words, { system, code }) : undefined;
  return known ?? codingWords(words, of);
}

/** Returns the kind of a visit, or else its class. */
export const visitKind = (words: Words, e: Encounter): string =>
  concepts(words, e.type) || (visitClass(words, e) ?? '');
