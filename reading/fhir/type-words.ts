//! Types of resources in words, for people. The English ones are those of the name. The words of other languages are in
//! `src/fhir/tables/type-words/`, and the program that draws or answers adds them to the catalogue.

import type { Words } from '../language/words.ts';

/** The name of a type in English words, which are translated where they are drawn: `Medication request`. */
export const typeKind = (type: string): string =>
  type === 'Binary' ? 'Binary file' : type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of a type in words. */
export const typeWords = (words: Words, type: string): string => words.translated(typeKind(type));
