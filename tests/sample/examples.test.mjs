// www/examples.json: the searches that the app offers, one for each row of the contract that finds something in the
// sample. REGENERATE=1 node --test tests/sample/examples.test.mjs regenerates the file.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadResources } from '../oracle/data.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { search } from '../oracle/search.mjs';

const FILE = 'www/examples.json';
/// The seeds. The later seeds are for rows whose query from the first seed finds nothing.
const SEEDS = [1, 2, 3];

function examplesOf() {
  const resources = loadResources(['sample']);
  const everything = {
    scopes: [...new Set(resources.map(({ resource: { resourceType } }) => `system/${resourceType}.read`))].join(' '),
  };
  const found = (query) => {
    try {
      return search(resources, everything, query).ids.length > 0;
    } catch {
      return false;
    }
  };
  return readRows().flatMap((row) => {
    const queries = SEEDS.flatMap((seed) => [...instantiate(row, resources, { patients: 3, perPatient: 2, seed })]);
    const query = queries.find((one) => one.includes('?') && found(one));
    return query ? [{ row: row.id, level: row.level, type: row.type, query: readable(query), note: row.note }] : [];
  });
}

/// Returns a readable query: characters that need no encoding are decoded.
const readable = (query) => query.replaceAll('%7C', '|').replaceAll('%3A', ':').replaceAll('%2F', '/');

test('the app offers a search for each row of the contract that the sample answers', () => {
  const text = `[\n${examplesOf()
    .map((example) => JSON.stringify(example))
    .join(',\n')}\n]\n`;
  if (process.env.REGENERATE) writeFileSync(FILE, text);
  assert.equal(
    readFileSync(FILE, 'utf8'),
    text,
    'the sample or the rows have changed: REGENERATE=1 node --test tests/sample/examples.test.mjs',
  );
});
