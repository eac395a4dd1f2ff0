//! The text of a file as a stream: unpacked where it is gzip, decoded by its byte order mark, as UTF-8 without one.

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

export const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b);

function encodingOf(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  return startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
}

/** The text of a file. `onBytes` is told how many bytes of the file were read. */
export async function* textOf(file: Blob, onBytes: (count: number) => void): AsyncGenerator<string, void> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        onBytes(bytes.length);
        controller.enqueue(bytes);
      },
    }),
  );
  const reader = (isGzip(head) ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader();
  let decoder: TextDecoder | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      decoder ??= new TextDecoder(encodingOf(value));
      const text = decoder.decode(value, { stream: true });
      if (text) yield text;
    }
    const rest = decoder?.decode();
    if (rest) yield rest;
  } finally {
    // Nothing more is read for whoever stops here.
    await reader.cancel().catch(() => undefined);
  }
}
