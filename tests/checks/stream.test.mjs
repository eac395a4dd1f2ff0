// Bodies that src/edge/stream.js sends while it reads objects of a bucket, on workerd.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { constants, crc32, deflateRawSync, gunzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const WORKER = `
import { streamed } from './stream.js';
// Wraps a bucket so that reading an object may fail in its middle.
const failing = (bucket) => ({
  async get(key, options) {
    const object = await bucket.get(key, options);
    if (key !== 'broken') return object;
    const bytes = new Uint8Array(await object.arrayBuffer());
    let sent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (sent) throw new Error('the bucket fails');
        sent = true;
        controller.enqueue(bytes.subarray(0, bytes.length / 2));
      },
    });
    return { body };
  },
});
export default {
  fetch(request, { FILES }) {
    const { pieces, length, status = 200, headers = {} } = JSON.parse(request.headers.get('x-pieces'));
    const all = pieces.map((piece) => {
      const bytes = piece.bytes && Uint8Array.from(piece.bytes);
      return bytes ? { form: 'bytes', bytes, from: 0, to: bytes.length } : piece;
    });
    if (request.method === 'HEAD') return new Response(null, { status, headers: { 'content-length': String(length) } });
    return streamed(failing(FILES), all, length, status, new Headers(headers));
  },
};`;

/// Returns the segment of a text of several blocks: raw DEFLATE that ends with a sync flush.
const segmentOf = (text) => deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
const texts = [1, 2, 3].map((number) =>
  Array.from({ length: 20_000 * number }, (_, at) => `{"resourceType":"Patient","id":"${number}-${at}"}\n`).join(''),
);
const segments = texts.map(segmentOf);
const BINARY = randomBytes(300_001);

let miniflare;
let url;
before(async () => {
  const contents = readFileSync('src/edge/stream.js', 'utf8');
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        { type: 'ESModule', path: 'worker.js', contents: WORKER },
        { type: 'ESModule', path: 'stream.js', contents },
      ],
      compatibilityDate: '2026-11-01',
      r2Buckets: ['FILES'],
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    }),
  );
  await miniflare.ready;
  url = await miniflare.unsafeGetDirectURL();
  const bucket = await miniflare.getR2Bucket('FILES');
  await bucket.put('segments', Buffer.concat([Buffer.from('before'), ...segments]));
  await bucket.put('binary', BINARY);
  await bucket.put('broken', BINARY);
});
after(() => miniflare.dispose());

/// Resolves to the answer, with its bytes and whether it is complete.
function ask(description, method = 'GET') {
  const { hostname, port } = url;
  return new Promise((resolve, reject) => {
    const headers = { 'x-pieces': JSON.stringify(description) };
    const sent = request({ hostname, port, path: '/', method, headers }, (answer) => {
      const chunks = [];
      const end = () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          bytes: Buffer.concat(chunks),
          complete: answer.complete,
        });
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', end);
      answer.on('error', end);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const part = (at, form, from, to) => {
  const offset = 6 + segments.slice(0, at).reduce((sum, one) => sum + one.length, 0);
  return { key: 'segments', offset, length: segments[at].length, form, from, to };
};

test('segments are joined to one gzip stream as they are stored', async () => {
  const header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
  const all = texts.join('');
  const end = Buffer.alloc(10);
  end.set([3, 0]);
  end.writeUInt32LE(crc32(all), 2);
  end.writeUInt32LE(all.length, 6);
  const plain = segments.map((segment, at) => part(at, 'plain', 0, segment.length));
  const pieces = [{ bytes: header }, ...plain, { bytes: [...end] }];
  const length = header.length + end.length + segments.reduce((sum, one) => sum + one.length, 0);
  const answer = await ask({ pieces, length, headers: { 'content-encoding': 'gzip' } });
  assert.equal(answer.headers['content-encoding'], 'gzip');
  assert.equal(answer.headers['content-length'], String(length));
  assert.equal(gunzipSync(answer.bytes).toString(), all);
});

test('segments are inflated, whole and in part', async () => {
  const all = texts.join('');
  const whole = texts.map((text, at) => part(at, 'inflated', 0, text.length));
  const answer = await ask({ pieces: whole, length: all.length });
  assert.equal(answer.bytes.toString(), all);
  assert.equal(answer.headers['content-encoding'], undefined);
  const [first, second, third] = texts;
  const pieces = [
    part(0, 'inflated', 70_000, first.length),
    part(1, 'inflated', 0, second.length),
    part(2, 'inflated', 0, 5),
  ];
  const length = first.length - 70_000 + second.length + 5;
  const cut = await ask({ pieces, length, status: 206 });
  assert.equal(cut.status, 206);
  assert.equal(cut.bytes.toString(), first.slice(70_000) + second + third.slice(0, 5));
  assert.equal(cut.headers['content-length'], String(length));
});

test('an object goes out as base64, whole and in part', async () => {
  const text = BINARY.toString('base64');
  const object = { key: 'binary', offset: 0, length: BINARY.length, form: 'base64' };
  const before = { bytes: [...Buffer.from('{"data":"')] };
  const behind = { bytes: [...Buffer.from('"}')] };
  const whole = { ...object, from: 0, to: text.length };
  const answer = await ask({ pieces: [before, whole, behind], length: 11 + text.length });
  assert.equal(answer.bytes.toString(), `{"data":"${text}"}`);
  const cut = await ask({ pieces: [{ ...object, from: 101_001, to: 303_003 }], length: 202_002 });
  assert.equal(cut.bytes.toString(), text.slice(101_001, 303_003));
});

test('EX05 the connection breaks where an object is not there, is shorter, or fails in its middle', async () => {
  const good = { key: 'binary', offset: 0, length: 1000, form: 'plain', from: 0, to: 1000 };
  const length = BINARY.length;
  for (const [why, key, form] of [
    ['is not there', 'none', 'plain'],
    ['is shorter', 'binary', 'plain'],
    ['is shorter than its segment', 'segments', 'inflated'],
    ['fails', 'broken', 'plain'],
    ['fails as base64', 'broken', 'base64'],
  ]) {
    const stated = why.startsWith('is shorter') ? length * 100 : length;
    const bad = { key, offset: 0, length, form, from: 0, to: stated };
    let complete = false;
    try {
      ({ complete } = await ask({ pieces: [good, bad, good], length: 2000 + stated }));
    } catch (error) {
      // The connection may break before the head of the answer arrives.
      assert.match(error.message, /socket hang up|ECONNRESET/, why);
    }
    assert.equal(complete, false, why);
  }
});

test('an answer to HEAD has the length of the body that it does not have', async () => {
  const answer = await ask({ pieces: [], length: 123_456 }, 'HEAD');
  assert.equal(answer.headers['content-length'], '123456');
  assert.equal(answer.bytes.length, 0);
});

test('an answer without pieces is empty', async () => {
  const answer = await ask({ pieces: [], length: 0 });
  assert.deepEqual([answer.status, answer.bytes.length, answer.complete], [200, 0, true]);
});
