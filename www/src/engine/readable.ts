//! Files that cannot be documents of JSON, as their first characters tell.

import type { FileFault, FileFaultCode } from './file-report.ts';

/** The reason why a text that begins like this cannot be a document. */
export function unreadable(text: string): FileFaultCode | undefined {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith('PK\u0003\u0004')) return 'zip';
  if (start.includes('\u0000')) return 'binary';
  if (start.startsWith('<')) return 'markup';
  return undefined;
}

class UnreadableError extends Error {
  readonly code: FileFaultCode;

  constructor(code: FileFaultCode) {
    super(code);
    this.code = code;
  }
}

/** The chunks of a text. Throws an `UnreadableError` before the rest of a long file is read in vain. */
export async function* readable(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const code = isFirst ? unreadable(chunk) : undefined;
    if (code) throw new UnreadableError(code);
    isFirst = false;
    yield chunk;
  }
}

export const readFault = (error: unknown): Pick<FileFault, 'code' | 'why'> =>
  error instanceof UnreadableError ? { code: error.code } : { code: 'broken', why: String(error) };
