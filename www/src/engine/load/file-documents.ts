//! The pieces and documents of files. A load reads them again if one pass is not enough.

import { mayContainPatient, withOwnPatients } from '../documents/contained-patients.ts';
import { documentsOf, type TextDocument } from '../documents/documents.ts';
import { mayRequest, withPlainRequests } from '../documents/entry-requests.ts';
import { hasOddId, type ReplacedId, withLegalIds } from '../documents/ids.ts';
import { ParsedPiece } from '../documents/parsed-piece.ts';
import * as r4 from '../documents/read-as-r4.ts';
import { textOf } from '../text/file-text.ts';
import { type Piece, piecesOf, repairedPiece } from '../text/pieces.ts';
import { mayBeWrapped } from '../text/wrapped.ts';
import type { NamedFile } from './file-report.ts';
import { readable } from './readable.ts';

/** The minimum size of a piece in characters: a few thousand resources, which take a fraction of a second. */
const PIECE = 4_000_000;

/** Returns a changed text for a document of a file, for example with other ids. */
export type Rewrite = (file: string, document: TextDocument) => string;

/** A document as the engine takes it. */
interface EngineDocument {
  document: TextDocument;
  /** The document as it is in its file. */
  given: TextDocument;
  replaced: ReplacedId[];
  /** The resources of other versions of FHIR. */
  changed: r4.ConvertedResource[];
}

/** Returns whether a text may have anything that the engine needs in another form. */
const isUnusual = (text: string): boolean =>
  hasOddId(text) || mayBeWrapped(text) || mayRequest(text) || mayContainPatient(text) || r4.mayNameOther(text);

/**
 * Yields the documents of a piece, with ids, deletions and patients as FHIR defines them, and then with rewrites.
 * `isOther` says whether the piece has records of other versions of FHIR.
 */
function* engineDocuments(
  file: string,
  piece: Piece,
  rewrites: readonly Rewrite[],
  isOther: boolean,
): Generator<EngineDocument, void> {
  const documents = documentsOf(piece);
  // A line of NDJSON may name the patient of a device on another line.
  const wearers = isOther ? r4.wearersIn(documents.map(({ text }) => text)) : undefined;
  for (const given of documents) {
    const plain = withPlainRequests(given.text);
    const { text: ofR4, changed } = wearers
      ? r4.withR4(plain, wearers)
      : { text: r4.withTypesOfR4(plain), changed: [] };
    const { text, replaced } = withLegalIds(withOwnPatients({ ...given, text: ofR4 }, file));
    const written = rewrites.reduce((made, rewrite) => rewrite(file, { ...given, text: made }), text);
    yield { document: { ...given, text: written }, given, replaced, changed };
  }
}

/** Returns a piece of a file as the engine takes it. `onReplaced` receives the ids that were replaced in a document. */
export function enginePiece(
  file: string,
  piece: Piece,
  rewrites: readonly Rewrite[],
  parsed: ParsedPiece,
  onWritten: (document: Pick<EngineDocument, 'given' | 'replaced' | 'changed'>) => void,
): Piece {
  const isOther = parsed.some(r4.hasOtherVersion);
  if (rewrites.length === 0 && !isOther && !isUnusual(piece.text)) return piece;
  const texts: string[] = [];
  for (const written of engineDocuments(file, piece, rewrites, isOther)) {
    onWritten(written);
    texts.push(written.document.text);
  }
  return { ...piece, text: texts.join('\n') };
}

/** Yields the pieces of a file. Throws if the file cannot be read to its end. */
export const filePieces = (
  file: Blob,
  onBytes: (count: number) => void,
  onGuess?: () => void,
): AsyncGenerator<Piece, void> => repairedPieces(piecesOf(readable(textOf(file, onBytes, onGuess)), PIECE));

async function* repairedPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  for await (const piece of pieces) yield repairedPiece(piece);
}

/**
 * Yields the documents of files as the engine takes them, after all rewrites. If a file cannot be read to its end, the
 * next file follows.
 */
export async function* fileDocuments(
  files: readonly NamedFile[],
  rewrites: readonly Rewrite[],
): AsyncGenerator<{ file: string; document: TextDocument }, void> {
  for (const { name, file } of files) {
    try {
      for await (const piece of filePieces(file, () => undefined)) {
        const isOther = new ParsedPiece(piece).some(r4.hasOtherVersion);
        for (const { document } of engineDocuments(name, piece, rewrites, isOther)) yield { file: name, document };
      }
    } catch {
      // The load reports the fault of the file.
    }
  }
}
