//! The documents of files, read again where a load needs more than one reading.

import { mayContainPatient, withOwnPatients } from './contained-patients.ts';
import { mayDelete, withPlainDeletions } from './deletions.ts';
import { documentsOf, type TextDocument } from './documents.ts';
import type { NamedFile } from './file-report.ts';
import { textOf } from './file-text.ts';
import { withLegalIds } from './ids.ts';
import { type Piece, piecesOf, repairedPiece } from './pieces.ts';
import { readable } from './readable.ts';

/** The characters of a piece: some thousand resources, which take a fraction of a second. */
const PIECE = 4_000_000;

/** Writes a document of a file otherwise, such as with other ids. */
export type Rewrite = (file: string, document: TextDocument) => string;

/** A document with what several rewrites make of it, one after the other. */
export function rewritten(rewrites: readonly Rewrite[], file: string, document: TextDocument): TextDocument {
  let { text } = document;
  for (const rewrite of rewrites) text = rewrite(file, { ...document, text });
  return { ...document, text };
}

/** Returns whether a text may have what is written otherwise for the engine, besides ids. */
export const isUnusual = (text: string): boolean => mayDelete(text) || mayContainPatient(text);

/** A document with its deletions and its contained patients as the engine takes them. */
export const plainText = (text: string): string => withOwnPatients(withPlainDeletions(text));

/** The pieces of a file. Throws where it cannot be read to its end. */
export const filePieces = (
  file: Blob,
  onBytes: (count: number) => void,
  onGuess?: () => void,
): AsyncGenerator<Piece, void> => repairedPieces(piecesOf(readable(textOf(file, onBytes, onGuess)), PIECE));

async function* repairedPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  for await (const piece of pieces) yield repairedPiece(piece);
}

/**
 * The documents of files, with ids and deletions as FHIR has them, and then as rewrites make them. A file that cannot
 * be read to its end ends there.
 */
export async function* fileDocuments(
  files: readonly NamedFile[],
  rewrites: readonly Rewrite[],
): AsyncGenerator<{ file: string; document: TextDocument }, void> {
  for (const { name, file } of files) {
    try {
      for await (const piece of filePieces(file, () => undefined)) {
        for (const document of documentsOf(piece)) {
          const { text } = withLegalIds(plainText(document.text));
          yield { file: name, document: rewritten(rewrites, name, { ...document, text }) };
        }
      }
    } catch {
      // The fault of the file is told by the load.
    }
  }
}
