//! The documents of a piece of a file, each parsed at most once.

import { parsedDocument } from '../text/parsed-document.ts';
import type { Piece } from '../text/pieces.ts';
import { documentsOf, lineOf, type PlacedResource, resourcesIn } from './documents.ts';

/** A resource and a function that finds its line. */
interface LinedResource {
  placed: PlacedResource;
  lineAt: () => number;
}

export class ParsedPiece {
  readonly #piece: Piece;
  readonly #documents: ReturnType<typeof documentsOf>;
  readonly #parsed = new Map<number, unknown>();
  /** The resources of documents by their places. */
  readonly #placed = new Map<number, ReadonlyMap<string, PlacedResource>>();

  constructor(piece: Piece) {
    this.#piece = piece;
    this.#documents = documentsOf(piece);
  }

  #parsedAt(i: number): unknown {
    if (this.#parsed.has(i)) return this.#parsed.get(i);
    const parsed = parsedDocument(this.#documents[i]?.text ?? '');
    this.#parsed.set(i, parsed);
    return parsed;
  }

  /** Returns whether one of the documents passes a test. */
  some(test: (document: unknown) => boolean): boolean {
    return this.#documents.some((_, i) => test(this.#parsedAt(i)));
  }

  textAt(line: number | undefined): string {
    return this.#documents[this.#numberAt(line)]?.text ?? '';
  }

  #numberAt(line = 1): number {
    return this.#piece.byLine ? line - 1 - this.#piece.before : 0;
  }

  documentAt(line?: number): unknown {
    return this.#parsedAt(this.#numberAt(line));
  }

  /** Returns the resource at a line of the file and a place in its document. */
  at({ line, place = '' }: { line?: number; place?: string }): PlacedResource | undefined {
    const i = this.#numberAt(line);
    const placed = this.#placed.get(i) ?? byPlace(this.#parsedAt(i));
    this.#placed.set(i, placed);
    return placed.get(place);
  }

  /** Yields all documents with their first lines and resources, and releases each parsed document. */
  *all(): Generator<{ document: unknown; line: number; resources: Iterable<LinedResource> }, void> {
    for (const [i, document] of this.#documents.entries()) {
      const parsed = this.#parsedAt(i);
      this.#parsed.delete(i);
      this.#placed.delete(i);
      const lined = function* (): Generator<LinedResource, void> {
        for (const one of resourcesIn(parsed)) yield { placed: one, lineAt: () => lineOf(document, one) };
      };
      yield { document: parsed, line: document.before + 1, resources: lined() };
    }
  }
}

const byPlace = (document: unknown): ReadonlyMap<string, PlacedResource> =>
  new Map([...resourcesIn(document)].map((one) => [one.place, one]));
