//! Reads the text of a file as a stream. Gzip is unpacked. The encoding follows from the byte order mark or the zero
//! bytes of UTF-16; the default is UTF-8. From bytes on that are not UTF-8 a file is read as Windows-1252 (Western
//! Europe).

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

/** Characters before a line that are not text: the byte order mark and the record separator (RFC 7464). */
const MARKS = new RegExp(`(^|\\n)[\ufeff${String.fromCodePoint(0x1e)}]+`, 'g');

/** Removes marks at the beginnings of lines, and turns a lone CR into a line feed, so that lines can be counted. */
function plainLines(text: string): string {
  const lines = /\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, '\n') : text;
  return lines.replace(MARKS, '$1');
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, onGuess: () => void): AsyncGenerator<string, void> {
  let decoder: TextDecoder | undefined;
  for await (const bytes of chunks) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      yield decoder.decode(bytes, { stream: true });
    } catch {
      // The rest is in another encoding. Of a character that two chunks share, the first bytes are lost.
      decoder = new TextDecoder('windows-1252');
      onGuess();
      yield decoder.decode(bytes, { stream: true });
    }
  }
  try {
    yield decoder?.decode() ?? '';
  } catch {
    onGuess();
  }
}

/** Yields the chunks of a stream. Cancels the stream if the caller stops early. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the bytes of a file as a stream. `onBytes` receives the length of each chunk. */
const bytesOf = (file: Blob, onBytes: (count: number) => void): ReadableStream<Bytes> =>
  file.stream().pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(bytes, controller) {
        onBytes(bytes.length);
        controller.enqueue(bytes);
      },
    }),
  );

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
  const bytes = bytesOf(file, onBytes);
  const chunks = chunksOf(startsWith(head, 0x1f, 0x8b) ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes);
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
