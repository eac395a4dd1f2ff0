import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { textOf } from './file-text.ts';

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<{ text: string; count: number }> {
  let text = '';
  let count = 0;
  for await (const chunk of textOf(new Blob([bytes]), (more) => (count += more))) text += chunk;
  return { text, count };
}

const TEXT = `${'Zoë Ødegård 🩺 '.repeat(20_000)}end`;

test('a file is read as text, whatever its encoding, packed or not', async () => {
  const utf8 = new TextEncoder().encode(TEXT);
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${TEXT}`, 'utf16le'));
  const marked = new TextEncoder().encode(`\ufeff${TEXT}`);
  for (const bytes of [utf8, utf16, marked]) {
    assert.deepEqual(await read(bytes), { text: TEXT, count: bytes.length });
    const packed = new Uint8Array(gzipSync(bytes));
    assert.deepEqual(await read(packed), { text: TEXT, count: packed.length });
  }
  assert.deepEqual(await read(new Uint8Array()), { text: '', count: 0 });
});

test('JSON in UTF-16 without a mark is read by its zeros', async () => {
  const text = '{"name":"Núñez 🩺"}';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [little, big]) assert.equal((await read(new Uint8Array(bytes))).text, text);
  assert.equal((await read(new TextEncoder().encode(`[${text}]`))).text, `[${text}]`);
});

test('bytes that are no UTF-8 are read as Windows-1252, and it is told once', async () => {
  const many = 'é'.repeat(70_000);
  const western = (text: string): Buffer => Buffer.from(text, 'latin1');
  const cases: [Buffer, string, number][] = [
    [western('{"name":"Núñez Müller'), '{"name":"Núñez Müller', 1],
    [Buffer.from([0x22, 0x80, 0x93, 0x22]), '"€“"', 1],
    [western(`"${many}"`), `"${many}"`, 1],
    [Buffer.from('"Zoë 🩺').subarray(0, -1), '"Zoë ', 1],
    [Buffer.from(`"${many}🩺"`), `"${many}🩺"`, 0],
  ];
  for (const [bytes, wanted, told] of cases) {
    let [text, guesses] = ['', 0];
    const file = new Blob([new Uint8Array(bytes)]);
    for await (const chunk of textOf(
      file,
      () => undefined,
      () => (guesses += 1),
    ))
      text += chunk;
    assert.deepEqual([text, guesses], [wanted, told]);
  }
});

test('marks at the beginnings of lines are left out, and a lone CR ends a line', async () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  assert.equal((await read(bytes('\ufeff{1}\n\ufeff{2}\n\u001e{3}'))).text, '{1}\n{2}\n{3}');
  assert.equal((await read(bytes('{1}\r{2}\r'))).text, '{1}\n{2}\n');
  assert.equal((await read(bytes('{1}\r\n{2}\r\n'))).text, '{1}\r\n{2}\r\n');
  const long = `${'x'.repeat(65_535)}\r\n`.repeat(9);
  assert.equal((await read(bytes(long))).text, long, 'whatever the chunks are');
});

test('a packed file that breaks off is an error', async () => {
  const noise = new Uint8Array(300_000).map((_, i) => 32 + ((i * i + (i >> 3)) % 90));
  const packed = new Uint8Array(gzipSync(noise));
  await assert.rejects(read(packed.slice(0, -200)));
});
