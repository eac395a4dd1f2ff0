//! The bytes of documents: their base64, their kind, and their text in its original charset.

import { decoded } from '../decoded.ts';
import { own } from '../own.ts';

/** Returns base64 in its usual alphabet, without line breaks and without the prefix of a `data:` address. */
export const standardBase64 = (data: string): string =>
  data
    .replace(/^\s*data:[^,]{0,200};base64,/i, '')
    .replace(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');

export const base64Of = (bytes: Uint8Array): string => btoa(latinOf(bytes));

/** Returns the bytes of base64 (<https://hl7.org/fhir/R4/datatypes.html#base64Binary>). Throws if it is invalid. */
export const bytesOf = (data: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(standardBase64(data)), (letter) => letter.charCodeAt(0));

/** Returns the base64 and the media type of a `data:` address (RFC 2397); `undefined` for another address. */
export function dataIn(url: string | undefined): { data: string; contentType: string } | undefined {
  const [, contentType, isBase64, body] = /^data:([^,]*?)(;base64)?,([\s\S]*)$/i.exec(url ?? '') ?? [];
  if (contentType === undefined || body === undefined) return undefined;
  if (isBase64) return { data: decoded(body), contentType };
  return { data: base64Of(new TextEncoder().encode(decoded(body))), contentType };
}

/** Other names of media types that systems use. */
const NAMES: Readonly<Record<string, string>> = {
  'application/acrobat': 'application/pdf',
  'application/x-pdf': 'application/pdf',
  'application/x-rtf': 'text/rtf',
  'application/rtf': 'text/rtf',
  'text/richtext': 'text/rtf',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/tif': 'image/tiff',
  'image/dicom': 'application/dicom',
  'application/x-gzip': 'application/gzip',
  'application/x-zip-compressed': 'application/zip',
  'text/xhtml': 'application/xhtml+xml',
  'text/json': 'application/json',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  rtf: 'text/rtf',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
};

/** Returns the usual name of the media type, without parameters. */
export function kindOf({ contentType = '' }: { contentType?: string }): string {
  const kind = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return own(NAMES, kind) ?? kind;
}

/** The first bytes of kinds of files that are not text. */
const BEGINNINGS: readonly (readonly [kind: string, beginning: string])[] = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF8'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['text/rtf', '{\\rtf'],
  ['application/zip', 'PK\u0003\u0004'],
  ['application/gzip', '\u001f\u008b'],
  ['application/msword', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
];

const latinOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Returns the beginning of a text, decoded by its byte order mark or else letter by letter. */
function beginningOf(bytes: Uint8Array): string {
  const first = bytes.subarray(0, 2048);
  const marked = decoder(markOf(bytes));
  return marked ? marked.decode(first) : latinOf(first);
}

/** Returns whether bytes are text: they have none of the control characters that text does not contain. */
export function isTextual(bytes: Uint8Array, contentType = ''): boolean {
  const first = textOf(bytes.subarray(0, 2048), contentType).text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return first !== '' && !/[\0-\u0008\u000e-\u001a\u001c-\u001f]/.test(first);
}

/** Returns the kind of a file by its first bytes; `undefined` if they identify none. */
export function kindByBytes(bytes: Uint8Array): string | undefined {
  const first = latinOf(bytes.subarray(0, 1024));
  if (first.startsWith('RIFF') && first.slice(8, 12) === 'WEBP') return 'image/webp';
  if (first.slice(128, 132) === 'DICM') return 'application/dicom';
  const known = BEGINNINGS.find(([, beginning]) => first.startsWith(beginning));
  if (known) return known[0];
  const text = beginningOf(bytes).replace(/^(?:\u00ef\u00bb\u00bf|\ufeff)?\s*/, '');
  if (/^(?:<\?xml[^>]*\?>\s*)?(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*)*<(?:\w+:)?ClinicalDocument[\s>]/.test(text))
    return 'application/xml';
  return /^(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html)[\s>]/i.test(text)
    ? 'text/html'
    : undefined;
}

export interface DocumentText {
  text: string;
  /** The label of the charset by which the text was decoded. */
  charset: string;
  /** True if no declaration names the charset by which the text was decoded, or a declaration names another. */
  isGuessed: boolean;
}

/** Returns the charset of a byte order mark. */
function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  return undefined;
}

/** Returns the charset that a document declares: by an XML declaration or a `meta` element of HTML. */
function charsetIn(bytes: Uint8Array): string | undefined {
  const first = latinOf(bytes.subarray(0, 1024));
  return (
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(first)?.[1] ??
    /<meta[^>]*\scharset=["']?([\w.:-]+)/i.exec(first)?.[1]
  );
}

/** Returns a decoder of a charset; `undefined` for an unknown charset. */
export function decoder(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Returns the text of bytes in UTF-8; `undefined` if they are not UTF-8. */
function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns whether bytes have a letter that UTF-8 encodes as several bytes. */
const isBeyondAscii = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f);

/**
 * Returns the text of a document. The charset is that of the byte order mark, of the media type, of the declaration in
 * the document, or UTF-8. Bytes that are not UTF-8 are decoded as windows-1252, in which every byte is a letter. Bytes
 * with letters in UTF-8 are decoded as UTF-8 even if their declared charset is Latin. Both results are guesses.
 */
export function textOf(bytes: Uint8Array, contentType = ''): DocumentText {
  const named = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
  const said = decoder(markOf(bytes)) ?? decoder(named) ?? decoder(charsetIn(bytes));
  const utf8 = said === undefined || isOneByte(said.encoding) || said.encoding === 'utf-8' ? asUtf8(bytes) : undefined;
  const isMislabelled = said !== undefined && isOneByte(said.encoding) && utf8 !== undefined && isBeyondAscii(bytes);
  if (said && !isMislabelled && (said.encoding !== 'utf-8' || utf8 !== undefined))
    return { text: said.decode(bytes), charset: said.encoding, isGuessed: false };
  if (utf8 !== undefined) return { text: utf8, charset: 'utf-8', isGuessed: isMislabelled };
  const guess = new TextDecoder('windows-1252');
  return { text: guess.decode(bytes), charset: guess.encoding, isGuessed: true };
}

/** Returns whether a charset encodes each Latin letter as one byte. */
const isOneByte = (charset: string): boolean => /^(?:windows-125[02]|iso-8859-(?:2|15)|macintosh)$/.test(charset);
