//! The documents of a piece of a file, each parsed at most once.

import { documentsOf, lineOf, type PlacedResource, parsedDocument, resourceAt, resourcesIn } from './documents.ts';
import { IdSpaces } from './id-spaces.ts';
import type { Piece } from './pieces.ts';

/** A resource with its line, and its space: a Bundle, or the file. */
export type LinedResource = PlacedResource & { line: number; space: string };

export class ParsedPiece {
  readonly #piece: Piece;
  readonly #documents: ReturnType<typeof documentsOf>;
  readonly #parsed = new Map<number, unknown>();

  constructor(piece: Piece) {
    this.#piece = piece;
    this.#documents = documentsOf(piece);
  }

  #parsedAt(i: number): unknown {
    const known = this.#parsed.get(i);
    if (known !== undefined) return known;
    const parsed = parsedDocument(this.#documents[i]?.text ?? '');
    this.#parsed.set(i, parsed);
    return parsed;
  }

  textAt(line: number | undefined): string {
    return this.#documents[this.#piece.byLine ? (line ?? 1) - 1 - this.#piece.before : 0]?.text ?? '';
  }

  documentAt(line = 1): unknown {
    return this.#parsedAt(this.#piece.byLine ? line - 1 - this.#piece.before : 0);
  }

  /** The resource at a line of the file and a place in its document. */
  at({ line, place = '' }: { line?: number; place?: string }): PlacedResource | undefined {
    return resourceAt(this.documentAt(line), place);
  }

  /** All documents with their first lines and their resources. What was parsed is let go. */
  *all(file: string): Generator<{ document: unknown; line: number; resources: Iterable<LinedResource> }, void> {
    for (const [i, document] of this.#documents.entries()) {
      const parsed = this.#parsedAt(i);
      this.#parsed.delete(i);
      const lined = function* (): Generator<LinedResource, void> {
        for (const one of resourcesIn(parsed)) {
          yield { ...one, line: lineOf(document, one), space: IdSpaces.nameOf(file, document, one) };
        }
      };
      yield { document: parsed, line: document.before + 1, resources: lined() };
    }
  }
}
