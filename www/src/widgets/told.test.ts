import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SENTENCES } from './told.ts';

test('the sentences are those of the tools', () => {
  const sources = ['overview', 'trend', 'result', 'call']
    .map((name) => readFileSync(`reading/tools/${name}.ts`, 'utf8'))
    .join();
  for (const message of SENTENCES)
    for (const part of message.split(/\{\w+\}/)) assert.ok(sources.includes(part), `${message}: ${part}`);
});
