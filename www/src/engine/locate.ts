//! Finds the places of records in files on request. The places are not stored.

import { lineOf, resourcesIn } from './documents/documents.ts';
import { fileDocuments, type Rewrite } from './load/file-documents.ts';
import type { NamedFile } from './load/file-report.ts';
import { parsedDocument } from './text/parsed-document.ts';
import type { RecordPlace } from './types.ts';

/** Returns the first place of each record that is found. `rewrites` are those of the load. */
export async function locate(
  files: readonly NamedFile[],
  addresses: readonly string[],
  rewrites: readonly Rewrite[] = [],
): Promise<RecordPlace[]> {
  const wanted = new Set(addresses);
  const found: RecordPlace[] = [];
  for await (const { file, document } of fileDocuments(files, rewrites)) {
    for (const one of resourcesIn(parsedDocument(document.text))) {
      const address = `${one.type}/${one.id}`;
      if (!wanted.delete(address)) continue;
      found.push({ address, file, line: lineOf(document, one), ...(one.place ? { place: one.place } : {}) });
    }
    if (wanted.size === 0) break;
  }
  return found;
}
