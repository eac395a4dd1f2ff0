//! Recognizes files that cannot be JSON by their first characters, and names their format.

import { isObject } from '#reading/shape.ts';
import type { FileFault, FileFaultCode } from './file-report.ts';

/** The number of characters that decide the format of a file. */
const HEAD = 1_000;

/**
 * How files of other formats begin. The first match counts. Control characters are written as their symbols, such as ␀,
 * and bytes that are not UTF-8 are characters beyond ASCII.
 */
const BEGINNINGS: readonly [RegExp, FileFaultCode][] = [
  [/^PK(?:␃␄|␅␆|␇␈)/, 'zip'],
  [/^(?:7z\P{ASCII}{2}|Rar!|BZh|\P{ASCII}7zXZ)|^.{257}ustar/su, 'archive'],
  [/^%PDF-/, 'pdf'],
  [/^(?:\P{ASCII}PNG|\P{ASCII}{4}..(?:JFIF|Exif)|GIF8|II\*␀|MM␀\*|RIFF....WEBP)|^.{128}DICM/su, 'image'],
  [/^(?:\{\\rtf|\P{ASCII}{2}␑\u0871␚)/u, 'office'],
  [/␀/, 'binary'],
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'html'],
  [/^\s*<(?:[^>]*>\s*<)*?(?:\w+:)?ClinicalDocument[\s>]/, 'cda'],
  [/^\s*<[\s\S]*?xmlns(?::\w+)?=["']http:\/\/hl7\.org\/fhir["']/, 'fhir-xml'],
  [/^\s*</, 'markup'],
  [/^\s*(?:MSH|FHS|BHS)\|/, 'hl7-v2'],
  [/^\s*(?:shlink:\/|shc:\/)/, 'health-card'],
];

/** Replaces control characters with their symbols. White space stays. */
const withSigns = (text: string): string =>
  text.replace(/(?!\s)\p{Cc}/gu, (one) => String.fromCodePoint(0x2400 + ((one.codePointAt(0) ?? 0) & 0x1f)));

/** Returns whether a text looks like a table: its first two lines have as many fields, with the same separator. */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return [',', ';', '\t', '|'].some((sign) => {
    const fields = first.split(sign).length;
    // A quoted field may contain the separator too.
    return fields > 1 && (second === '' || second.includes('"') || second.split(sign).length === fields);
  });
}

/** Returns the reason why a text with this beginning cannot be a document, or `undefined` if it can be one. */
export function unreadable(text: string): FileFaultCode | undefined {
  const head = withSigns(text.slice(0, HEAD));
  const found = BEGINNINGS.find(([beginning]) => beginning.test(head))?.[1];
  if (found || text.trim() === '' || /[{[]/.test(text)) return found;
  // The engine reports a document that is a JSON string or a number.
  if (/^\s*["\d]/.test(head) && !head.includes('\n') && !isTable(head)) return undefined;
  return isTable(head) ? 'table' : 'text';
}

/** Returns the kind of a JSON object that is not a resource, or `undefined` for any other document. */
export function otherJson(document: unknown): FileFaultCode | undefined {
  if (!isObject(document)) return undefined;
  const has = (name: string): boolean => Object.hasOwn(document, name);
  if (has('resourceType')) return undefined;
  if (has('verifiableCredential')) return 'health-card';
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
