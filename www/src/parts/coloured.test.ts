import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces } from './coloured.ts';

/** Returns the pieces of a kind. */
const of = (kind: string, code: string): string[] =>
  pieces(code).flatMap((piece) => (piece.kind === kind ? piece.text : []));

test('joined, the pieces are the code', () => {
  for (const code of [
    '',
    'plain',
    '{"a": "b\\"c", "d": [1.5, -2, true]}',
    'curl -s \'x\' \\\n  -H "A: b" # c',
    '"open',
  ])
    assert.equal(
      pieces(code)
        .map(({ text }) => text)
        .join(''),
      code,
    );
});

test('names, strings, numbers and words of JSON have kinds', () => {
  const json = '{"id": "a \\" b", "n": -1.5, "on": true, "at": "2024-01-01"}';
  assert.deepEqual(of('name', json), ['"id"', '"n"', '"on"', '"at"']);
  assert.deepEqual(of('string', json), ['"a \\" b"', '"2024-01-01"']);
  assert.deepEqual(of('number', json), ['-1.5']);
  assert.deepEqual(of('word', json), ['true']);
});

test('a comment ends with its line, and an address has none', () => {
  assert.deepEqual(of('comment', 'let a = 1; // one\n# two\nGET https://a.example/b#c'), ['// one', '# two']);
  assert.deepEqual(of('string', "the user's own, and another's"), []);
  assert.deepEqual(of('name', 'GET /fhir/r4\nAccept: application/fhir+json'), ['Accept']);
});
