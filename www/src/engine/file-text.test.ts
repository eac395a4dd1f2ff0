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

test('a packed file that breaks off is an error', async () => {
  const noise = new Uint8Array(300_000).map((_, i) => 32 + ((i * i + (i >> 3)) % 90));
  const packed = new Uint8Array(gzipSync(noise));
  await assert.rejects(read(packed.slice(0, -200)));
});
