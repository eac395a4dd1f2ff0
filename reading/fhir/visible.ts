//! Letters that nobody sees, which may hide words from people or change the order in which they read them.

/** Controls but line breaks, bidirectional marks, zero-width letters, and tags. */
export const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Returns a text without letters that nobody sees. */
export const visible = (text: string): string =>
  text.toWellFormed().replace(HIDDEN, (letter) => (letter === '\n' || letter === '\t' ? letter : ''));
