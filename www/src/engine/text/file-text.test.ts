import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { textOf } from './file-text.ts';

async function read(bytes: Uint8Array<ArrayBuffer>, told?: () => void): Promise<{ text: string; count: number }> {
  let text = '';
  let count = 0;
  for await (const chunk of textOf(new Blob([bytes]), (more) => (count += more), told)) text += chunk;
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
    [western('{"name":"Núñez – Müller'), '{"name":"Núñez \u0013 Müller', 1],
    [Buffer.from([0x22, 0x80, 0x93, 0x22]), '"€“"', 1],
    [Buffer.concat([Buffer.from('{"a":"Zoë 🩺"}\n'), western('{"b":"Zoë"}')]), '{"a":"Zoë 🩺"}\n{"b":"Zoë"}', 1],
    [western(`"${many}"`), `"${many}"`, 1],
    [Buffer.from('"Zoë 🩺').subarray(0, -1), '"Zoë ðŸ©', 1],
    [Buffer.from(`"${many}🩺"`), `"${many}🩺"`, 0],
  ];
  for (const [bytes, wanted, told] of cases) {
    let guesses = 0;
    const { text } = await read(new Uint8Array(bytes), () => (guesses += 1));
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

test('a file of several gzip members is read to its end, also where data looks like the header of one', async () => {
  const [first, second] = [gzipSync('Zoë '.repeat(9_000)), gzipSync('Ødegård 🩺'.repeat(9_000))];
  const whole = `${'Zoë '.repeat(9_000)}${'Ødegård 🩺'.repeat(9_000)}`;
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const odd = Buffer.concat([Buffer.from('a'), header, Buffer.from('b'), header]);
  const cases: [Uint8Array[], string][] = [
    [[first, second], whole],
    [[gzipSync(''), first, gzipSync(''), second, gzipSync('')], whole],
    [
      Array.from({ length: 300 }, (_, i) => gzipSync(`${i}\n`)),
      Array.from({ length: 300 }, (_, i) => `${i}\n`).join(''),
    ],
    // Stored blocks hold their data uncompressed.
    [
      [gzipSync(odd, { level: 0 }), second],
      `${new TextDecoder('windows-1252').decode(odd)}${'Ødegård 🩺'.repeat(9_000)}`,
    ],
  ];
  for (const [members, text] of cases) {
    const bytes = new Uint8Array(Buffer.concat(members));
    assert.deepEqual(await read(bytes), { text, count: bytes.length });
  }
});

test('a member that is damaged or breaks off is an error, after the text of those before it', async () => {
  const [first, second] = [gzipSync('one'), gzipSync('two'.repeat(9_000))];
  const damaged = Buffer.concat([first, second]);
  damaged[first.length + 20] = (damaged[first.length + 20] ?? 0) ^ 0xff;
  for (const bytes of [damaged, Buffer.concat([first, second]).subarray(0, -9)]) {
    let text = '';
    const all = async (): Promise<void> => {
      for await (const chunk of textOf(new Blob([new Uint8Array(bytes)]), () => undefined)) text += chunk;
    };
    await assert.rejects(all);
    assert.match(text, /^one/);
  }
});
