//! Replaces parts of a text and leaves the rest unchanged.

/** The start and end offsets of a part in its text. */
interface TextPart {
  start: number;
  end: number;
}

/**
 * Replaces parts of a text, given in order, by the results of `write`. If `write` returns `undefined`, the part stays.
 * A part that begins within a replaced part is skipped.
 */
export function withParts<Part extends TextPart>(
  text: string,
  parts: Iterable<Part>,
  write: (part: Part) => string | undefined,
): string {
  let [written, from] = ['', 0];
  for (const part of parts) {
    const made = part.start < from ? undefined : write(part);
    if (made === undefined) continue;
    written += text.slice(from, part.start) + made;
    from = part.end;
  }
  return written + text.slice(from);
}
