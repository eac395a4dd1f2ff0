//! The bytes of documents: base64, the kind that they are of, and their text in the charset that they were written in.

/** Base64 without line breaks, and in its usual alphabet. */
export const standardBase64 = (data: string): string =>
  data.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');

/** The bytes of base64 (<https://hl7.org/fhir/R4/datatypes.html#base64Binary>). Throws where it is none. */
export const bytesOf = (data: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(standardBase64(data)), (letter) => letter.charCodeAt(0));

/** The media type, without parameters. */
export const kindOf = ({ contentType = '' }: { contentType?: string }): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** The first bytes of kinds of files. */
const BEGINNINGS: readonly (readonly [kind: string, beginning: string])[] = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF8'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['text/rtf', '{\\rtf'],
  ['application/zip', 'PK\u0003\u0004'],
];

/** The kind of a file by its first bytes; nothing where they tell none. */
export function kindByBytes(bytes: Uint8Array): string | undefined {
  const first = Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join('');
  if (first.startsWith('RIFF') && first.slice(8, 12) === 'WEBP') return 'image/webp';
  const known = BEGINNINGS.find(([, beginning]) => first.startsWith(beginning));
  if (known) return known[0];
  const text = first.replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  if (/^(?:<\?xml[^>]*\?>\s*)?(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*)*<(?:\w+:)?ClinicalDocument[\s>]/.test(text))
    return 'application/xml';
  return /^<(?:!doctype html|html)[\s>]/i.test(text) ? 'text/html' : undefined;
}

export interface DocumentText {
  text: string;
  /** The charset by which it was read, as its label. */
  charset: string;
  /** True if nothing says the charset, and the bytes are none of UTF-8. */
  isGuessed: boolean;
}

/** The charset that a document says itself: by a byte order mark, an XML declaration or a `meta` of HTML. */
function charsetIn(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const first = Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join('');
  return (
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(first)?.[1] ??
    /<meta[^>]*\scharset=["']?([\w.:-]+)/i.exec(first)?.[1]
  );
}

function decoder(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * The text of a document. Its charset is that of its media type, or the one that it says itself, or UTF-8; bytes that
 * are none of UTF-8 are read as windows-1252, in which every byte is a letter.
 */
export function textOf(bytes: Uint8Array, contentType = ''): DocumentText {
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const said = decoder(named) ?? decoder(charsetIn(bytes));
  if (said) return { text: said.decode(bytes), charset: said.encoding, isGuessed: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8', isGuessed: false };
  } catch {
    const guess = new TextDecoder('windows-1252');
    return { text: guess.decode(bytes), charset: guess.encoding, isGuessed: true };
  }
}
