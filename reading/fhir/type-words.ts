//! Types of resources in words. The English words come from the name. The words of other languages are in
//! `src/fhir/tables/type-words/`.

import type { Words } from '../language/words.ts';

/** Returns the name of a type in English words, which are translated for display: `Medication request`. */
export const typeKind = (type: string): string =>
  type === 'Binary' ? 'Binary file' : type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const typeWords = (words: Words, type: string): string => words.translated(typeKind(type));
