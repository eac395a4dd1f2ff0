//! The parsing of documents, up to a length.

/** The longest document that is parsed here, in characters: one that is longer would fill the memory. */
export const MAX_LENGTH = 100_000_000;

/** Parses a document; nothing where it is no JSON, or too long. */
export function parsedDocument(text: string): unknown {
  if (text.length > MAX_LENGTH || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
