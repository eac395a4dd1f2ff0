// The comparison with other servers: each cell of ours names cases that are there and are answered as it says, and each
// of another server leads to what it rests on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FILE = 'docs/comparison.md';
const text = readFileSync(FILE, 'utf8');
/// The rows of the tables about features: {feature, own, others}.
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| |'))
  .map((line) => line.slice(2, -2).split(/ \| /))
  .filter((cells) => cells.length > 2)
  .map(([feature, own, ...others]) => ({ feature, own, others }));
/// Where the links lead that have a name.
const sources = new Map([...text.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name, address]) => [name, address]));

const known = new Map();
function caseOf(file, name) {
  if (!known.has(file)) known.set(file, JSON.parse(readFileSync(join('docs', file))).cases);
  const found = known.get(file).find((one) => one.name === name);
  assert.ok(found, `${file} has no case ${name}`);
  return found;
}

test('each feature names cases that are answered as its row says', () => {
  assert.ok(rows.length > 40, `${rows.length} rows`);
  for (const { feature, own } of rows) {
    const [, verdict, links] = /^(yes|in part|no|refused): (.+)$/.exec(own) ?? assert.fail(`${feature}: ${own}`);
    const cases = links.split(', ').map((link) => {
      const [, name, file] = /^\[`(\w+)`\]\((\.\.\/tests\/cases\/[\w-]+\.json)\)$/.exec(link) ?? assert.fail(link);
      return caseOf(file, name);
    });
    const statuses = cases.map(({ expect }) => expect.status ?? 200);
    const isAnswered = (status) => status === 200;
    if (verdict === 'in part') assert.ok(statuses.some(isAnswered), feature);
    else for (const status of statuses) assert.equal(isAnswered(status), verdict === 'yes', `${feature}: ${status}`);
    // What the feature writes, one of the cases asks for.
    const written = [...feature.replaceAll('\\|', '|').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
    const asked = cases.map(({ ask, form = '' }) => decodeURIComponent(`${ask} ${form}`));
    const isAsked = (code) => asked.some((one) => one.includes(code));
    assert.ok(written.length === 0 || written.some(isAsked), `${feature}: ${asked}`);
  }
});

test('each cell of another server leads to what it rests on', () => {
  const used = new Set();
  for (const { feature, others } of rows) {
    assert.equal(others.length, 6, feature);
    for (const cell of others.filter((cell) => cell !== '?')) {
      const [, name] = /^\[[^\]]+\]\[([\w-]+)\]$/.exec(cell) ?? assert.fail(`${feature}: ${cell}`);
      assert.ok(sources.has(name), `${feature}: ${name}`);
      used.add(name);
    }
  }
  assert.deepEqual([...used].sort(), [...sources.keys()].sort());
  for (const [name, address] of sources) {
    assert.match(address, /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(blob\/[0-9a-f]{40}\/|issues\/|pull\/)/, name);
  }
});
