import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLines, isOneObject, type Piece, piecesOf } from './pieces.ts';

async function* chunked(text: string, size: number): AsyncGenerator<string, void> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function allPieces(chunks: AsyncIterable<string>, size: number): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of piecesOf(chunks, size)) pieces.push(piece);
  return pieces;
}

const patient = (id: string): string => `{"resourceType":"Patient","id":"${id}"}`;

test('an object on one line is known by its braces, whatever its strings hold', () => {
  assert.equal(isOneObject('{"a":[{"b":1}]}'), true);
  assert.equal(isOneObject('  {"a":"}\\"}{"} \r'), true);
  assert.equal(isOneObject('{"a":1},'), false);
  assert.equal(isOneObject('{"a":1},{"b":2}'), false);
  assert.equal(isOneObject('{"a":"}'), false);
  assert.equal(isOneObject('{'), false);
  assert.equal(isOneObject('7'), false);
  assert.equal(isOneObject(''), false);
});

test('resources by line are cut at the ends of lines, and each piece knows the lines before it', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => patient(`p${i}`));
  const text = lines.join('\n');
  for (const chunk of [1, 7, 64, 10_000]) {
    const pieces = await allPieces(chunked(text, chunk), 200);
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
    for (const piece of pieces) {
      assert.equal(piece.byLine, true);
      assert.equal(piece.before, countLines(text.slice(0, text.indexOf(piece.text))));
      assert.ok(piece.text.startsWith('{"resourceType"'), 'no line is torn');
    }
    assert.equal(pieces.length > 5, chunk < 200, `${pieces.length} pieces of chunks of ${chunk}`);
  }
});

test('damaged first lines do not make one document of the lines', async () => {
  for (const damaged of ['{"resourceType":"Pat', 'oops\n{"resourceType"\n}', '\n\n{"resourceType":"Patient","id":"b']) {
    const [piece] = await allPieces(chunked(`\n${damaged}\n${patient('a')}\n`, 9), 1_000);
    assert.equal(piece?.byLine, true, damaged);
  }
});

test('a document over several lines, or on one, is one piece', async () => {
  const documents = [
    JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: { resourceType: 'Patient', id: 'a' } }] }, null, 1),
    `{"resourceType":"Bundle","entry":[\n{"resource":${patient('a')}},\n{"resource":${patient('b')}}]}`,
    `{"resourceType":"Bundle","entry":[\n{"resource":${patient('a')}}\n]}`,
    `{"resourceType":"Bundle",\n"entry":[{"resource":\n${patient('a')}\n}]}`,
    patient('a'),
    'oops',
    '',
  ];
  for (const text of documents) {
    assert.deepEqual(await allPieces(chunked(text, 5), 10), [{ text, before: 0, byLine: false }]);
  }
});

test('what came before an error is kept', async () => {
  async function* broken(): AsyncGenerator<string, void> {
    yield `${patient('a')}\n${patient('b')}\n`;
    throw new TypeError('the end is missing');
  }
  const texts: string[] = [];
  await assert.rejects(async () => {
    for await (const { text } of piecesOf(broken(), 1_000)) texts.push(text);
  }, /the end is missing/);
  assert.deepEqual(texts, [`${patient('a')}\n${patient('b')}\n`]);
});
