//! Letters that nobody sees, which may hide words from people or change the order in which they read them.

/** Controls but line breaks, bidirectional marks, zero-width letters, and tags. */
export const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** A text in which nobody sees a letter. */
export const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+$/u;

/** Marks, embeddings, overrides and isolates of directions (<https://www.unicode.org/reports/tr9/>). */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text for a place in a sentence: without letters that change the order of the words around it. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '');

/** Returns a text without letters that nobody sees. */
export const visible = (text: string): string =>
  text.toWellFormed().replace(HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : ''));
