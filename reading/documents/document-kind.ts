//! The kind as which a document is shown: its media type, unless it has none or its bytes are of another kind.

import { own } from '../own.ts';
import { isTextual, kindByBytes, kindOf, textOf } from './document-text.ts';

export const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
export const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
export const MARKUP = /^(?:(?:text|application)\/xml|(?!application\/xhtml|image\/).*\+xml)$/;
/** All other text types. */
const TEXT = /^(?:text\/(?!html$|rtf$|xml$).+|application\/(?:json|x-ndjson)|.*\+json)$/;
/** Kinds with their own names whose files are ZIP archives or files of old versions of Office. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip': /officedocument|opendocument|epub|java-archive|\+zip$|^application\/vnd\./,
  'application/msword': /^application\/(?:vnd\.|ms|x-ms)/,
};

export interface DocumentKind {
  /** The media type as which a document is shown; empty if it cannot be determined. */
  kind: string;
  /** The media type in the record, if the bytes are of another type. */
  saidKind?: string;
}

/** Returns the kind of bytes without a known signature: text, or an empty string. */
function kindOfOthers(bytes: Uint8Array, contentType: string): string {
  if (!isTextual(bytes, contentType)) return '';
  return /^\s*<\?xml/.test(textOf(bytes.subarray(0, 200), contentType).text) ? 'application/xml' : 'text/plain';
}

/** Returns whether a media type is a text that is shown as written. */
export const isWritten = (kind: string): boolean => TEXT.test(kind) || MARKUP.test(kind) || PAGE.test(kind);

/** Returns whether files of a kind are recognized by their first bytes. */
const isTold = (kind: string): boolean =>
  PICTURE.test(kind) || /^(?:application\/(?:pdf|gzip|zip|dicom)|image\/tiff|text\/rtf)$/.test(kind);

/** Returns the kind of a document: the kind in its record, unless there is none or the bytes are of another kind. */
export function documentKind(bytes: Uint8Array, contentType: string): DocumentKind {
  const said = kindOf({ contentType });
  const found = kindByBytes(bytes);
  if (bytes.length === 0) return { kind: said };
  if (/^(?:|(?:application|binary)\/octet-stream|application\/(?:x-)?(?:unknown|binary))$/.test(said))
    return { kind: found ?? kindOfOthers(bytes, contentType) };
  const other = { saidKind: said };
  if (found === undefined) {
    const isOther = isTold(said) || (isWritten(said) && !isTextual(bytes, contentType));
    return isOther ? { ...other, kind: kindOfOthers(bytes, contentType) } : { kind: said };
  }
  const isSame =
    found === said ||
    own(CONTAINERS, found)?.test(said) ||
    (MARKUP.test(found) && MARKUP.test(said)) ||
    (PAGE.test(found) && PAGE.test(said));
  // A page in XHTML is XML too.
  if (PAGE.test(found) && MARKUP.test(said)) return { kind: found };
  return isSame ? { kind: said } : { ...other, kind: found };
}
