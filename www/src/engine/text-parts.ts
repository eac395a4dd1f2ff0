//! Texts of which some parts are written otherwise, and the rest stays as it is.

/** The beginning and the end of a part in its text. */
interface TextPart {
  start: number;
  end: number;
}

/**
 * A text with parts, which come in their order, as `write` has them. A part for which it gives nothing stays. One that
 * begins within a part that was written is passed over.
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
