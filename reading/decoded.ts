//! Percent-encoding (RFC 3986).

/** Text without percent-encoding; as it is where the encoding is damaged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
