//! The text of a file as a stream: unpacked where it is gzip, decoded by its byte order mark, or by the zeros of
//! UTF-16; else as UTF-8, and where its bytes are none, as Windows-1252, which has the letters of Western Europe.

import { bytesOf, chunksOf, isGzip, unpacked } from './gzip.ts';

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

/** The characters with which JSON begins: white space, a quotation mark, a bracket, a brace. */
const BEGINNINGS = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5b, 0x7b];

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  // JSON begins with a character of ASCII, whose other byte is 0.
  const [first = 0, second = 0] = bytes;
  if (BEGINNINGS.includes(first) && bytes.length > 1 && second === 0) return 'utf-16le';
  return first === 0 && BEGINNINGS.includes(second) ? 'utf-16be' : 'utf-8';
}

/** The number of bytes of the character of UTF-8 that begins with a byte; 0 where none does. */
const lengthBy = (first: number): number =>
  first < 0x80
    ? 1
    : first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0;

const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The number of bytes at the end that may be the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinued(byte)) return lengthBy(byte) > back ? back : 0;
  }
  return 0;
}

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
};

/** The text of bytes of which some are no UTF-8: those are read as Windows-1252. */
function mixedText(bytes: Uint8Array): string {
  const [utf8, western] = [new TextDecoder('utf-8', { ignoreBOM: true }), new TextDecoder('windows-1252')];
  let [text, from] = ['', 0];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthBy(bytes[at] ?? 0);
    let isWhole = length > 0;
    for (let more = 1; more < length; more += 1) isWhole &&= isContinued(bytes[at + more]);
    if (!isWhole) {
      text += utf8.decode(bytes.subarray(from, at)) + western.decode(bytes.subarray(at, at + 1));
      from = at + 1;
    }
    at += isWhole ? length : 1;
  }
  return text + utf8.decode(bytes.subarray(from));
}

/** Decodes UTF-8. `onGuess` is told once where bytes are none. */
class Utf8 {
  readonly #strict = new TextDecoder('utf-8', { fatal: true });
  readonly #onGuess: () => void;
  #held = new Uint8Array();
  #isGuessed = false;

  constructor(onGuess: () => void) {
    this.#onGuess = onGuess;
  }

  decode(bytes: Uint8Array, isEnd: boolean): string {
    const all = this.#held.length > 0 ? joined(this.#held, bytes) : bytes;
    const rest = isEnd ? 0 : unfinished(all);
    this.#held = all.slice(all.length - rest);
    const whole = all.subarray(0, all.length - rest);
    if (!this.#isGuessed) {
      try {
        return this.#strict.decode(whole);
      } catch {
        this.#isGuessed = true;
        this.#onGuess();
      }
    }
    return mixedText(whole);
  }
}

/** The signs before a line that are no text: the byte order mark, and the separator of records (RFC 7464). */
const MARKS = new RegExp(`(^|\\n)[\ufeff${String.fromCodePoint(0x1e)}]+`, 'g');

/** Lines as they are counted: the signs at their beginnings that are no text are left out, and a lone CR ends one. */
function plainLines(text: string): string {
  const lines = /\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
  return lines.replace(MARKS, '$1');
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, onGuess: () => void): AsyncGenerator<string, void> {
  let decode: ((bytes: Uint8Array, isEnd: boolean) => string) | undefined;
  for await (const bytes of chunks) {
    if (!decode) {
      const encoding = encodingOf(bytes);
      const [utf8, wide] = [new Utf8(onGuess), new TextDecoder(encoding)];
      decode = (more, isEnd) =>
        encoding === 'utf-8' ? utf8.decode(more, isEnd) : wide.decode(more, { stream: !isEnd });
    }
    yield decode(bytes, false);
  }
  if (decode) yield decode(new Uint8Array(), true);
}

/**
 * The text of a file. `onBytes` is told how many bytes of the file were read, and `onGuess`, once, that some of them
 * are no UTF-8.
 */
export async function* textOf(
  file: Blob,
  onBytes: (count: number) => void,
  onGuess: () => void = () => undefined,
): AsyncGenerator<string, void> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const chunks = isGzip(head) ? unpacked(file, onBytes) : chunksOf(bytesOf(file, onBytes));
  let held = '';
  for await (const text of decoded(chunks, onGuess)) {
    // A CR at the end may be half of the end of a line.
    const all = held + text;
    held = all.endsWith('\r') ? '\r' : '';
    const lines = plainLines(held ? all.slice(0, -1) : all);
    if (lines) yield lines;
  }
  if (held) yield '\n';
}
