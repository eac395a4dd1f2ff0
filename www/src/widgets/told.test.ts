import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Words } from '#reading/language/words.ts';
import { spanishWords } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { decimal, SENTENCES, sentence } from './told.ts';

test('the sentences are those of the tools', () => {
  const sources = ['overview', 'trend', 'result']
    .map((name) => readFileSync(`reading/tools/${name}.ts`, 'utf8'))
    .join();
  for (const message of SENTENCES)
    for (const part of message.split(/\{\w+\}/)) assert.ok(sources.includes(part), `${message}: ${part}`);
});

test('a known sentence is told in the language of the host, and another text stays', () => {
  const none =
    'No current allergies among the AllergyIntolerance and Condition records that this app may see, which does not mean none.';
  assert.equal(sentence(none), none);
  pageLanguage.value = new Words({ language: 'es', locale: 'es-ES', catalogue: spanishWords });
  assert.match(sentence(none), /^Nada actual \(alergias\) .* AllergyIntolerance y Condition /);
  assert.equal(sentence('A warning of the server.'), 'A warning of the server.');
  assert.deepEqual(['7.10', '<=0.5', '4.0–5.6%', '1.2.3', 'Positive'].map(decimal), [
    '7,10',
    '<=0,5',
    '4,0–5,6%',
    '1.2.3',
    'Positive',
  ]);
});
