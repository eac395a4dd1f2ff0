//! The manifest of a complete export (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html#response---complete-status>).

import { boolean, list, number, object, type ShapeValue, string } from '#reading/shape.ts';

const item = object({ url: string }, { type: string, count: number });
export const manifest = object(
  { transactionTime: string, requiresAccessToken: boolean, output: list(item), error: list(item) },
  { request: string, deleted: list(item) },
);
export type Manifest = ShapeValue<typeof manifest>;

/** The content of a file: resources, deletions, or notes about records that are left out. */
type FileKind = 'output' | 'deleted' | 'error';

export interface ExportFile {
  kind: FileKind;
  /** The type of its lines. */
  type: string;
  url: string;
  /** The number of its lines, if the server says it. */
  count: number | undefined;
  /** The number of the file among those of its type, from 1. */
  part: number;
  /** The name under which the file is saved and opened here. */
  name: string;
}

/** Returns the files of a manifest in the order in which they are shown and opened: resources, deletions, errors. */
export function filesOf({ output, deleted = [], error }: Manifest): ExportFile[] {
  const seen = new Map<string, number>();
  const named = (kind: FileKind, fallback: string) => (one: ShapeValue<typeof item>) => {
    const type = one.type ?? fallback;
    const part = (seen.get(type) ?? 0) + 1;
    seen.set(type, part);
    return { kind, type, url: one.url, count: one.count, part, name: `${type}-${part}.ndjson` };
  };
  return [
    ...output.map(named('output', 'Resource')),
    ...deleted.map(named('deleted', 'Bundle')),
    ...error.map(named('error', 'OperationOutcome')),
  ];
}

/** Returns the sum of the counts of files; `undefined` if a file has no count. */
export function sumOf(files: readonly ExportFile[]): number | undefined {
  let sum = 0;
  for (const { count } of files) {
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}

/** Returns whether all addresses are of one origin. A token is sent to no other origin. */
export const isOfOrigin = (files: readonly { url: string }[], origin: string): boolean =>
  files.every(({ url }) => URL.parse(url)?.origin === origin);

/** Returns whether the lines of a file are resources or deletions, and not notes. */
export const isOfRecords = ({ kind }: ExportFile): boolean => kind !== 'error';

/** Returns the number of lines of a file. The last line counts with or without a line break. */
export const linesOf = (text: string): number => text.split('\n').filter(Boolean).length;
