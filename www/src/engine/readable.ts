//! Files that cannot be documents of JSON, as their first characters tell: each is named for what it is.

import { isObject } from '#reading/shape.ts';
import type { FileFault, FileFaultCode } from './file-report.ts';

/** The characters by which the form of a file is known. */
const HEAD = 1_000;

/**
 * How files of other forms begin. The first form that fits counts. Control characters are the signs for them here, such
 * as ␀, and bytes that are no UTF-8 are characters beyond ASCII.
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

/** A text with the signs for control characters in their places. White space stays. */
const withSigns = (text: string): string =>
  text.replace(/(?!\s)\p{Cc}/gu, (one) => String.fromCodePoint(0x2400 + ((one.codePointAt(0) ?? 0) & 0x1f)));

/** Returns whether lines have fields of a table: each as many, parted by the same sign. */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return [',', ';', '\t', '|'].some((sign) => {
    const fields = first.split(sign).length;
    // A field in quotation marks may have the sign too.
    return fields > 1 && (second === '' || second.includes('"') || second.split(sign).length === fields);
  });
}

/** The reason why a text that begins like this cannot be a document. */
export function unreadable(text: string): FileFaultCode | undefined {
  const head = withSigns(text.slice(0, HEAD));
  const found = BEGINNINGS.find(([beginning]) => beginning.test(head))?.[1];
  if (found || text.trim() === '' || /[{[]/.test(text)) return found;
  // A document in quotation marks, or a number, is told by the engine.
  if (/^\s*["\d]/.test(head) && !head.includes('\n') && !isTable(head)) return undefined;
  return isTable(head) ? 'table' : 'text';
}

/** The name of a document of JSON that is no resource. */
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

/** The chunks of a text. Throws an `UnreadableError` before the rest of a long file is read in vain. */
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
    // What came before the fault is read.
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
