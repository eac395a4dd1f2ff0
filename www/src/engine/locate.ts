//! The places of records in files, looked for when somebody asks for them: they are not kept.

import { documentsOf, lineOf, parsedDocument, resourcesIn } from './documents.ts';
import type { NamedFile } from './file-report.ts';
import { textOf } from './file-text.ts';
import { withLegalIds } from './ids.ts';
import { piecesOf } from './pieces.ts';
import { readable } from './readable.ts';
import type { RecordPlace } from './types.ts';

/** The characters of a piece. */
const PIECE = 4_000_000;

/** The first place of each of these records, as far as they are found. */
export async function locate(files: readonly NamedFile[], addresses: readonly string[]): Promise<RecordPlace[]> {
  const wanted = new Set(addresses);
  const found: RecordPlace[] = [];
  for (const { name, file } of files) {
    if (wanted.size === 0) break;
    try {
      for await (const piece of piecesOf(readable(textOf(file, () => undefined)), PIECE)) {
        for (const document of documentsOf(piece)) {
          const { text } = withLegalIds(document.text);
          for (const one of resourcesIn(parsedDocument(text))) {
            const address = `${one.type}/${one.id}`;
            if (!wanted.delete(address)) continue;
            const place = one.place ? { place: one.place } : {};
            found.push({ address, file: name, line: lineOf({ ...document, text }, one), ...place });
          }
        }
        if (wanted.size === 0) break;
      }
    } catch {
      // The fault of a file that cannot be read to its end was told when it was loaded.
    }
  }
  return found;
}
