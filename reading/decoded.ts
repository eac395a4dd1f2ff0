//! Percent-encoding (RFC 3986).

/** Returns the text without percent-encoding, or unchanged if the encoding is damaged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
