//! Words as they are looked for in texts: from their beginnings.

import { own } from '#reading/own.ts';

const LETTER = /[\p{L}\p{N}]/u;

/** The place where a word of a text begins with another one; -1 where none does. Both are in small letters. */
export function wordAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !LETTER.test(word.charAt(0)) || !LETTER.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

/** Other words for what the guides and the reference name. */
const SYNONYMS: Record<string, string[]> = {
  pagination: ['paging'],
  paginate: ['paging'],
  paginación: ['paging'],
  rights: ['permission'],
  authorization: ['permission'],
  authentication: ['sign-in'],
  login: ['sign-in'],
  bulk: ['export'],
  exportar: ['export'],
  total: ['count'],
  errores: ['error'],
  permiso: ['permission', 'scope'],
  rate: ['limit', 'throttled'],
  limit: ['throttled'],
  límite: ['limit', 'throttled'],
  quota: ['limit', 'throttled'],
  throttling: ['limit', 'throttled'],
  página: ['paging'],
  contar: ['count'],
  inclusión: ['include'],
  incluir: ['include'],
  búsqueda: ['search'],
};

/** A word in small letters, with other words for the same. A plural stands for its singular too. */
export function wordsFor(word: string): string[] {
  const singular = word.length > SHORTEST_PLURAL && word.endsWith('s') ? [word.slice(0, -1)] : [];
  const forms = [word, ...singular];
  return [...forms, ...forms.flatMap((one) => own(SYNONYMS, one) ?? [])];
}

/** The letters of a word that is taken for a plural are more than these. */
const SHORTEST_PLURAL = 3;

/** The place of the first of some words in a text; -1 where it has none. */
export const firstAt = (text: string, words: readonly string[]): number =>
  words.map((word) => wordAt(text, word)).find((at) => at >= 0) ?? -1;
