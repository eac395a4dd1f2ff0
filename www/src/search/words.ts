//! The search for words in texts, by the beginnings of words.

import { own } from '#reading/own.ts';

const LETTER = /[\p{L}\p{N}]/u;

/** Returns the position of a word in a text that begins with another word, or -1. Both are in lower case. */
export function wordAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !LETTER.test(word.charAt(0)) || !LETTER.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

/** Synonyms for names in the guides and the reference. */
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

/** Returns a word in lower case, with its synonyms, and the singular of a plural. */
export function wordsFor(word: string): string[] {
  const singular = word.length > SHORTEST_PLURAL && word.endsWith('s') ? [word.slice(0, -1)] : [];
  const forms = [word, ...singular];
  return [...forms, ...forms.flatMap((one) => own(SYNONYMS, one) ?? [])];
}

/** Only words with more letters than this are treated as plurals. */
const SHORTEST_PLURAL = 3;

/** Returns the position of the first of some words in a text, or -1 if it has none of them. */
export const firstAt = (text: string, words: readonly string[]): number =>
  words.map((word) => wordAt(text, word)).find((at) => at >= 0) ?? -1;
