// Bodies that are sent while objects of a bucket are read, so that none of them is held as a whole.

// An empty final block of DEFLATE (RFC 1951, section 3.2.6), which ends a segment that has none.
const END = new Uint8Array([3, 0]);

// A response with these pieces as its body. A piece is bytes, or a range of an object and its form: {key, offset,
// length, form, from, to}. Of what a form makes of the range, the bytes `from` to `to` go out; of one that is inflated
// and that others follow, those to its end. If an object fails, the connection breaks before the body has its length.
export function streamed(bucket, pieces, length, status, headers) {
  const { readable, writable } = new FixedLengthStream(length);
  send(bucket, pieces, writable).catch((fault) => writable.abort(fault).catch(() => {}));
  const encodeBody = headers.has('Content-Encoding') ? 'manual' : 'automatic';
  return new Response(readable, { status, headers, encodeBody });
}

async function send(bucket, pieces, writable) {
  let next = open(bucket, pieces[0]);
  try {
    for (const [at, piece] of pieces.entries()) {
      const body = await next;
      // The next object is asked for while this one is sent.
      next = open(bucket, pieces[at + 1]);
      // What goes out whole does so without JavaScript, which is several times as fast.
      const whole = piece.from === 0 && at + 1 < pieces.length;
      if (piece.form === 'plain') await body.pipeTo(writable, { preventClose: true });
      else if (piece.form === 'inflated' && whole) await inflated(body).pipeTo(writable, { preventClose: true });
      else await write(chunksOf(piece, body), piece, writable);
    }
  } catch (fault) {
    next.then((body) => body?.cancel?.()).catch(() => {});
    throw fault;
  }
  await writable.close();
}

// The stream of a range of an object, or nothing for bytes. A fault comes to who waits for it.
function open(bucket, piece) {
  const opened = piece?.key === undefined ? Promise.resolve() : read(bucket, piece);
  opened.catch(() => {});
  return opened;
}

async function read(bucket, { key, offset, length }) {
  const object = await bucket.get(key, { range: { offset, length } });
  if (!object) throw new Error('an object of a stream is not there');
  return object.body;
}

function chunksOf(piece, body) {
  switch (piece.form) {
    case 'base64':
      return encoded(body);
    case 'inflated':
      return inflated(body);
    default:
      return [piece.bytes];
  }
}

// Writes the bytes of these chunks that a piece asks for.
async function write(chunks, { from, to }, writable) {
  const writer = writable.getWriter();
  let at = 0;
  try {
    for await (const chunk of chunks) {
      const part = chunk.subarray(Math.max(from - at, 0), Math.max(to - at, 0));
      at += chunk.length;
      if (part.length > 0) await writer.write(part);
      if (at >= to) return;
    }
  } finally {
    writer.releaseLock();
  }
  if (at < to) throw new Error('an object is shorter than its piece of a stream');
}

// The text of a segment of raw DEFLATE without a final block.
function inflated(body) {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  end(body, writable).catch(() => {});
  return readable;
}

async function end(body, writable) {
  await body.pipeTo(writable, { preventClose: true });
  const writer = writable.getWriter();
  await writer.write(END);
  await writer.close();
}

// The bytes in base64. What is no multiple of three bytes waits for the next chunk.
async function* encoded(body) {
  const encoder = new TextEncoder();
  let rest = new Uint8Array();
  for await (const chunk of body) {
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole > 0) yield encoder.encode(bytes.subarray(0, whole).toBase64());
  }
  if (rest.length > 0) yield encoder.encode(rest.toBase64());
}
