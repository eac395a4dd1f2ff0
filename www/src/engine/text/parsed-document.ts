//! The parsing of documents, up to a length.

/** The longest document that is parsed here, in characters. A longer one would fill the memory. */
export const MAX_LENGTH = 100_000_000;

/** Parses a document. Returns `undefined` if it is not JSON, or too long. */
export function parsedDocument(text: string): unknown {
  if (text.length > MAX_LENGTH || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
