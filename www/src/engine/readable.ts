//! Recognizes files that cannot be JSON by their first characters.

import { isObject } from '#reading/shape.ts';
import type { FileFault, FileFaultCode } from './file-report.ts';

/** The number of characters that decide the format of a file. */
const HEAD = 1_000;

/** Returns the reason why a text with this beginning cannot be a document, or `undefined` if it can be one. */
export function unreadable(text: string): FileFaultCode | undefined {
  const head = text.slice(0, HEAD);
  if (head.trim() === '') return undefined;
  if (/^PK/.test(head)) return 'zip';
  if (/^\s*</.test(head)) return 'xml';
  return head.includes('\0') || head.startsWith('%PDF-') || !/[{[]/.test(text) ? 'other-form' : undefined;
}

/** Returns the kind of a JSON object that is not a resource, or `undefined` for any other document. */
export function otherJson(document: unknown): FileFaultCode | undefined {
  if (!isObject(document)) return undefined;
  const has = (name: string): boolean => Object.hasOwn(document, name);
  if (has('resourceType')) return undefined;
  // The manifest of a bulk export (<https://hl7.org/fhir/uv/bulkdata/export.html>).
  return has('transactionTime') && has('output') ? 'manifest' : 'other-json';
}

class UnreadableError extends Error {
  readonly code: FileFaultCode;

  constructor(code: FileFaultCode) {
    super(code);
    this.code = code;
  }
}

/** Yields the chunks of a text. Throws an `UnreadableError` early, so that a long file is not read in vain. */
export async function* readable(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let head: string | undefined = '';
  try {
    for await (const chunk of chunks) {
      if (head === undefined) {
        yield chunk;
        continue;
      }
      head += chunk;
      if (head.length < HEAD) continue;
      yield checkedHead(head);
      head = undefined;
    }
  } catch (error) {
    // The text before the error is still yielded.
    if (head && !(error instanceof UnreadableError)) yield checkedHead(head);
    throw error;
  }
  if (head) yield checkedHead(head);
}

function checkedHead(head: string): string {
  const code = unreadable(head);
  if (code) throw new UnreadableError(code);
  return head;
}

export const readFault = (error: unknown): Pick<FileFault, 'code' | 'why'> =>
  error instanceof UnreadableError ? { code: error.code } : { code: 'broken', why: String(error) };
