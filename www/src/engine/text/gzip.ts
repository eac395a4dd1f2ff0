//! Unpacks gzip files of several members in a row (RFC 1952, section 2.2). The browser unpacks a single member and does
//! not say where the member ends. The end is found by trial: it is the next bytes that look like a header and before
//! which the member is complete.

/** The length of a header without its optional parts, in bytes. */
const HEADER = 10;
/** The number of bytes that are searched at once. */
const WINDOW = 4_194_304;
/** The maximum number of headers that are tried as the end of a member. Packed data seldom look like a header. */
const TRIES = 4;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Returns whether bytes can be the header of a member: deflate, no reserved flags, a known file system. */
function isHeader([first, second, method, flags = 0xff, , , , , , system = 0]: Uint8Array): boolean {
  const isSystem = system <= 13 || system === 0xff;
  return first === 0x1f && second === 0x8b && method === 8 && (flags & 0xe0) === 0 && isSystem;
}

/** Returns the offset of the next header at or after an offset, or the size of the file if there is none. */
async function nextHeader(file: Blob, from: number): Promise<number> {
  for (let start = from; start < file.size; start += WINDOW) {
    const bytes = new Uint8Array(await file.slice(start, start + WINDOW + HEADER - 1).arrayBuffer());
    for (let at = bytes.indexOf(0x1f); at >= 0 && at < WINDOW; at = bytes.indexOf(0x1f, at + 1)) {
      const header = bytes.subarray(at, at + HEADER);
      if (header.length === HEADER && isHeader(header)) return start + at;
    }
  }
  return file.size;
}

/** Yields the chunks of a stream. Cancels the stream if the caller stops early. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
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
export const bytesOf = (file: Blob, onBytes: (count: number) => void): ReadableStream<Bytes> =>
  file.stream().pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(bytes, controller) {
        onBytes(bytes.length);
        controller.enqueue(bytes);
      },
    }),
  );

/** Yields the unpacked bytes of all members of a gzip file. `onBytes` receives the number of packed bytes read. */
export async function* unpacked(file: Blob, onBytes: (count: number) => void): AsyncGenerator<Bytes, void> {
  for (let start = 0; start < file.size; ) start = yield* memberAt(file, start, onBytes);
}

/** Yields the unpacked bytes of the member that begins at an offset. Returns the offset of its end. */
async function* memberAt(file: Blob, start: number, onBytes: (count: number) => void): AsyncGenerator<Bytes, number> {
  let [read, given] = [0, 0];
  for (let tries = 1, end = start; ; tries += 1) {
    end = await nextHeader(file, end + HEADER);
    // Bytes that an earlier try has read and yielded are neither counted nor yielded again.
    let [again, skipped] = [read, given];
    const count = (bytes: number): void => {
      const fresh = Math.max(0, bytes - again);
      again -= bytes - fresh;
      read += fresh;
      if (fresh > 0) onBytes(fresh);
    };
    const packed = bytesOf(file.slice(start, end), count);
    try {
      for await (const bytes of chunksOf(packed.pipeThrough(new DecompressionStream('gzip')))) {
        const fresh = bytes.subarray(Math.min(skipped, bytes.length));
        skipped -= bytes.length - fresh.length;
        given += fresh.length;
        if (fresh.length > 0) yield fresh;
      }
      return end;
    } catch (error) {
      if (end === file.size || tries === TRIES) throw error;
    }
  }
}
