import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { typeWords } from './type-words.ts';

const table = (language: string): Record<string, string[]> =>
  JSON.parse(readFileSync(`src/fhir/tables/type-words/${language}.json`, 'utf8'));

test('the English words of a type are those of the table, and each language has the same types', () => {
  const english = table('en');
  assert.deepEqual(
    Object.keys(english).map((type) => typeWords(ENGLISH, type)),
    Object.values(english).map(([one]) => one),
  );
  assert.deepEqual(Object.keys(table('es')), Object.keys(english));
});
