// Generated searches over all types and parameters that a server offers find the same as the plain evaluator. The
// browser module answers them in Node, or, if STORE is set, the Worker answers from D1 or KV. `make agree` asks more
// of them, also over public data.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { BASE, EVERYTHING, edgechart, populate, shared, stage } from '../../tools/server/stage.mjs';
import { Chart, capabilities, initSync } from '../../www/pkg/edgechart.js';
import { agree } from '../oracle/agreement.mjs';
import { loadResources } from '../oracle/data.mjs';

const { QUERIES, SEED = '1', STORE } = process.env;
const store = (QUERIES && STORE) || 'memory';
const SMALL = [
  ['sample', 'sample'],
  ['shapes', 'tests/fixtures/shapes.ndjson'],
  ['a population', populate(8)],
];
const LARGE = [
  ...SMALL,
  ['data/2', shared('2-synthea-2024-uscore-ndjson')],
  ['data/3', shared('3-us-core-6.1.0-examples')],
  ['data/5', shared('5-synthea-2020-normalised-derived')],
  ['data/6', shared('6-inferno-clean')],
].filter(([, path]) => path);
const POPULATIONS = QUERIES ? LARGE : SMALL;
const COUNT = Math.ceil(Number(QUERIES ?? 900) / POPULATIONS.length);
/// The most disagreements to show.
const SHOWN = 20;
const NOW = '2026-01-01T00:00:00Z';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

/// Opens some resources in the browser module.
function open(resources) {
  const chart = new Chart(BASE);
  chart.load(resources.map(({ text }) => text).join('\n'), LOADED_AT);
  const ask = (query) => {
    try {
      return { status: 200, body: JSON.parse(chart.search(query, NOW)) };
    } catch (thrown) {
      if (thrown.resourceType !== 'OperationOutcome') throw thrown;
      return { status: 400, body: thrown };
    }
  };
  return { ask, statement: JSON.parse(capabilities(BASE, '')), close: () => chart.free() };
}

async function serve(path) {
  const server = await stage({ data: [path], store, index: 'r4', vars: { FRESH_SECONDS: '0' }, bare: true });
  const token = server.token(EVERYTHING, { life: 3600 });
  const { body: statement } = await server.ask('metadata');
  return { statement, ask: (query) => server.ask(query, { token }), close: server.close, most: 8 };
}

/// Returns the features of searches in the OpenAPI document, such as `token:not` and `date ap`. The CapabilityStatement
/// has no place for them.
function featuresOf(statement) {
  const { paths, components } = JSON.parse(edgechart('openapi'));
  const features = new Set();
  for (const { type, searchParam = [] } of statement.rest[0].resource) {
    const parameters = new Map(paths[`/fhir/r4/${type}`]?.get.parameters.map(({ name, schema }) => [name, schema]));
    for (const { name, type: kind } of searchParam) {
      const { description = '' } = components.schemas[parameters.get(name)?.$ref?.split('/').at(-1)] ?? {};
      for (const [, modifier] of description.matchAll(/`:([a-z-]+)`/g)) features.add(`${kind}:${modifier}`);
      if (description.includes('`ap`')) features.add(`${kind === 'date' ? 'date' : 'number'} ap`);
    }
  }
  return features;
}

/// The described features, and the number of answers for each over all populations.
const described = new Set();
const answers = new Map();

for (const [name, path] of POPULATIONS) {
  test(`${name}: ${COUNT} generated searches find what the plain evaluator finds`, async (t) => {
    const resources = loadResources([path], BASE);
    const { ask, statement, close, most } = store === 'memory' ? open(resources) : await serve(path);
    t.after(close);
    const now = store === 'memory' ? BigInt(Date.parse(NOW)) * 1000n : undefined;
    const options = { grant: { scopes: EVERYTHING }, base: BASE, now };
    const result = await agree(resources, { ...options, ask, statement, count: COUNT, seed: `${SEED} ${name}`, most });
    const { asked, answered, tooCostly, found, features, disagreements } = result;
    t.diagnostic(`${asked} searches, ${answered} answered, ${found} of them with matches; ${tooCostly} too costly`);
    for (const [feature, { answered, leftOut }] of [...features].sort()) {
      answers.set(feature, (answers.get(feature) ?? 0) + answered);
      t.diagnostic(
        `${feature}: ${answered} answered${leftOut ? `, ${leftOut} left out, since it is not offered` : ''}`,
      );
    }
    for (const disagreement of disagreements.slice(0, SHOWN)) t.diagnostic(JSON.stringify(disagreement));
    assert.equal(
      disagreements.length,
      0,
      `${disagreements.length} of ${answered} disagree: ${disagreements[0]?.query}`,
    );
    for (const feature of featuresOf(statement)) described.add(feature);
    assert.ok(tooCostly <= asked / 50, `${tooCostly} are too costly`);
    assert.ok(found > answered / 4, `${found} of ${answered} find something: to agree about nothing proves little`);
  });
}

test('what the description of the API names is answered', () => {
  for (const feature of described) assert.notEqual(answers.get(feature), 0, feature);
});
