//! The text of a file as a stream: unpacked where it is gzip, decoded by its byte order mark, or by the zeros of
//! UTF-16; else as UTF-8.

import { bytesOf, chunksOf, isGzip, unpacked } from './gzip.ts';

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

function encodingOf(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  // JSON begins with a character of ASCII, whose other byte is 0.
  const [first, second] = bytes;
  if (first === 0x7b || first === 0x5b) return second === 0 ? 'utf-16le' : 'utf-8';
  return first === 0 && (second === 0x7b || second === 0x5b) ? 'utf-16be' : 'utf-8';
}

/** The text of a file. `onBytes` is told how many bytes of the file were read. */
export async function* textOf(file: Blob, onBytes: (count: number) => void): AsyncGenerator<string, void> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const chunks = isGzip(head) ? unpacked(file, onBytes) : chunksOf(bytesOf(file, onBytes));
  let decoder: TextDecoder | undefined;
  for await (const bytes of chunks) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = decoder.decode(bytes, { stream: true });
    if (text) yield text;
  }
  const rest = decoder?.decode();
  if (rest) yield rest;
}
