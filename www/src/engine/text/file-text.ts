//! Reads the text of a file as a stream. Gzip is unpacked. The encoding follows from the byte order mark or the zero
//! bytes of UTF-16; the default is UTF-8. Bytes that are not UTF-8 are read as Windows-1252 (Western Europe).

import { bytesOf, chunksOf, isGzip, unpacked } from './gzip.ts';

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

/** The characters with which a JSON document may begin: white space, a quotation mark, a bracket, a brace. */
const BEGINNINGS = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5b, 0x7b];

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  // JSON begins with an ASCII character, whose other byte in UTF-16 is 0.
  const [first = 0, second = 0] = bytes;
  if (BEGINNINGS.includes(first) && bytes.length > 1 && second === 0) return 'utf-16le';
  return first === 0 && BEGINNINGS.includes(second) ? 'utf-16be' : 'utf-8';
}

/** Returns the length in bytes of the UTF-8 character that begins with a byte, or 0 if no character does. */
function lengthBy(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first >= 0xf5) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the number of bytes at the end that may begin an incomplete character. */
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

/** Decodes bytes as UTF-8, and bytes that are not UTF-8 as Windows-1252. */
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

/** Decodes UTF-8. Calls `onGuess` once if bytes are not UTF-8. */
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

/** Characters before a line that are not text: the byte order mark and the record separator (RFC 7464). */
const MARKS = new RegExp(`(^|\\n)[\ufeff${String.fromCodePoint(0x1e)}]+`, 'g');

/** Removes marks at the beginnings of lines, and turns a lone CR into a line feed, so that lines can be counted. */
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
 * Yields the text of a file. `onBytes` receives the number of bytes that were read. `onGuess` is called once if some
 * bytes are not UTF-8.
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
    // A CR at the end of a chunk may be the first half of a CRLF.
    const all = held + text;
    held = all.endsWith('\r') ? '\r' : '';
    const lines = plainLines(held ? all.slice(0, -1) : all);
    if (lines) yield lines;
  }
  if (held) yield '\n';
}
