//! The bytes of documents: base64, the kind that they are of, and their text in the charset that they were written in.

import { decoded } from '../decoded.ts';
import { own } from '../own.ts';

/** Base64 without line breaks, without the head of a `data:` address, and in its usual alphabet. */
export const standardBase64 = (data: string): string =>
  data
    .replace(/^\s*data:[^,]{0,200};base64,/i, '')
    .replace(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');

/** Bytes as base64. */
export const base64Of = (bytes: Uint8Array): string => btoa(latinOf(bytes));

/** The bytes of base64 (<https://hl7.org/fhir/R4/datatypes.html#base64Binary>). Throws where it is none. */
export const bytesOf = (data: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(standardBase64(data)), (letter) => letter.charCodeAt(0));

/** The base64 and the media type of a `data:` address (RFC 2397); nothing for another address. */
export function dataIn(url: string | undefined): { data: string; contentType: string } | undefined {
  const [, contentType, isBase64, body] = /^data:([^,]*?)(;base64)?,([\s\S]*)$/i.exec(url ?? '') ?? [];
  if (contentType === undefined || body === undefined) return undefined;
  if (isBase64) return { data: decoded(body), contentType };
  return { data: base64Of(new TextEncoder().encode(decoded(body))), contentType };
}

/** Other names of media types, as systems write them. */
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

/** The media type, without parameters and by its usual name. */
export function kindOf({ contentType = '' }: { contentType?: string }): string {
  const kind = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return own(NAMES, kind) ?? kind;
}

/** The first bytes of kinds of files that are no text. */
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

/** The beginning of a text by its byte order mark, else letter by letter. */
function beginningOf(bytes: Uint8Array): string {
  const first = bytes.subarray(0, 2048);
  const marked = decoder(markOf(bytes));
  return marked ? marked.decode(first) : latinOf(first);
}

/** Returns whether bytes are those of a text: without the control characters that no text has. */
export function isTextual(bytes: Uint8Array, contentType = ''): boolean {
  const first = textOf(bytes.subarray(0, 2048), contentType).text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return first !== '' && !/[\0-\u0008\u000e-\u001a\u001c-\u001f]/.test(first);
}

/** The kind of a file by its first bytes; nothing where they tell none. */
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
  /** The charset by which it was read, as its label. */
  charset: string;
  /** True if nothing says the charset by which it was read, or another one. */
  isGuessed: boolean;
}

/** The charset that a byte order mark says. */
function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  return undefined;
}

/** The charset that a document says itself: by an XML declaration or a `meta` of HTML. */
function charsetIn(bytes: Uint8Array): string | undefined {
  const first = latinOf(bytes.subarray(0, 1024));
  return (
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(first)?.[1] ??
    /<meta[^>]*\scharset=["']?([\w.:-]+)/i.exec(first)?.[1]
  );
}

/** A decoder of a charset; nothing for one that is not known. */
export function decoder(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** The text of bytes in UTF-8; nothing where they are none. */
function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns whether bytes have a letter that is written as several bytes in UTF-8. */
const isBeyondAscii = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f);

/**
 * The text of a document. Its charset is that of its byte order mark, of its media type, or the one it says itself,
 * or UTF-8. Bytes that are none of UTF-8 are read as windows-1252, in which every byte is a letter, and bytes that are
 * letters in UTF-8 as such, where they are said to be of Latin letters: both are a guess.
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

/** Returns whether a charset has one byte for each letter, of Latin ones. */
const isOneByte = (charset: string): boolean => /^(?:windows-125[02]|iso-8859-(?:2|15)|macintosh)$/.test(charset);
