import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstAt, wordAt, wordsFor } from './words.ts';

test('a word is found at the beginning of words', () => {
  for (const [text, word, at] of [
    ['an encounter has a count', 'count', 19],
    ['counts', 'count', 0],
    ['encounter', 'count', -1],
    ['patient?_summary', '_summary', 8],
    ['/patient/{id}/$everything', 'everything', 15],
    ['', 'a', -1],
  ] as const)
    assert.equal(wordAt(text, word), at, text);
});

test('other words for the same are looked for too', () => {
  assert.equal(firstAt('about paging', wordsFor('pagination')), 6);
  assert.equal(firstAt('about paging', wordsFor('constructor')), -1);
  for (const word of ['permisos', 'rights', 'permissions'])
    assert.equal(firstAt('a permission', wordsFor(word)), 2, word);
  assert.equal(firstAt('429 throttled', wordsFor('rate')), 4);
  assert.deepEqual(wordsFor('gas'), ['gas']);
});
