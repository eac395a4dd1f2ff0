// The same queries over the same data give the same bytes in every runtime: from native memory and SQLite, from D1 and
// KV in workerd, and from the browser module in Node and in Chromium. Native answers come from tests/agree.rs, which
// `make native NATIVE_PROFILE=tests` builds.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { executablePath, open } from '../../tools/server/chromium.mjs';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { BASE, EVERYTHING, populate, shared, stage } from '../../tools/server/stage.mjs';
import { Chart, initSync } from '../../www/pkg/edgechart.js';
import { answers, asked } from '../browser/answers.mjs';
import { loadResources } from '../oracle/data.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { temporaryFolder } from '../server/folder.mjs';

/// Parameters to add to the queries in turn: other shapes of the answer, and refusals.
const SHAPES = [
  '_count=3',
  '_total=accurate',
  '_sort=-_lastUpdated',
  '_sort=-status,_lastUpdated',
  '_sort=name&_count=20',
  '_summary=count',
  '_elements=code,status',
  '_summary=true',
  '_summary=data&_totalMethod=count',
  '_pretty=true',
  '_sort=-_id&_count=20',
  '_count=many',
  'nothing=1',
];

function* queriesOver(resources) {
  let turn = 0;
  for (const row of readRows()) {
    for (const query of instantiate(row, resources, { base: BASE, patients: 2, perPatient: 1 })) {
      yield query;
      yield `${query}${query.includes('?') ? '&' : '?'}${SHAPES[turn++ % SHAPES.length]}`;
    }
  }
}

/// The runtimes. Each returns the lines of its answers for a folder with `data.ndjson` and `queries.txt`.
const RUNTIMES = {
  'workerd on D1': (folder) => workerd(folder, 'd1'),
  'workerd on KV': (folder) => workerd(folder, 'kv'),
  'wasm in Node': (folder) => {
    initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });
    const chart = new Chart(BASE);
    chart.load(readFileSync(join(folder, 'data.ndjson'), 'utf8'), LOADED_AT);
    return answers(listed(folder), asked(chart));
  },
  'wasm in Chromium': async (folder) => {
    const { page, close } = await open({ given: folder });
    try {
      return await page.evaluate(
        async ([base, now]) => {
          const { default: init, Chart } = await import('/www/pkg/edgechart.js');
          const { answers, asked } = await import('/tests/browser/answers.mjs');
          const given = (name) => fetch(`/given/${name}`).then((answer) => answer.text());
          await init();
          const chart = new Chart(base);
          chart.load(await given('data.ndjson'), now);
          return answers((await given('queries.txt')).trimEnd().split('\n'), asked(chart));
        },
        [BASE, LOADED_AT],
      );
    } finally {
      await close();
    }
  },
};
if (!executablePath) delete RUNTIMES['wasm in Chromium'];

const listed = (folder) => readFileSync(join(folder, 'queries.txt'), 'utf8').trimEnd().split('\n');

async function workerd(folder, store) {
  const server = await stage({ data: [join(folder, 'data.ndjson')], store, index: 'r4', bare: true });
  try {
    const token = server.token(EVERYTHING);
    return await answers(listed(folder), async (query) => (await server.ask(query, { token })).text, 8);
  } finally {
    await server.close();
  }
}

/// tests/edge/spec.test.mjs asks about larger populations.
const SETS = [
  ['the sample', 'sample'],
  ['data/6, or a population', shared('6-inferno-clean') ?? populate(8)],
];

for (const [name, source] of SETS) {
  test(`${name}: every runtime gives the same bytes`, async (t) => {
    const folder = temporaryFolder();
    const resources = loadResources([source]);
    const queries = [...new Set(queriesOver(resources))];
    writeFileSync(join(folder, 'data.ndjson'), resources.map(({ text }) => `${text}\n`).join(''));
    writeFileSync(join(folder, 'queries.txt'), queries.map((query) => `${query}\n`).join(''));

    execFileSync(
      'build/tests/integration',
      ['--ignored', '--exact', 'agree::memory_and_sqlite_write_what_they_answer'],
      {
        env: { ...process.env, AGREE: folder },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const native = readFileSync(join(folder, 'memory.tsv'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      native.map((line) => line.split('\t')[0]),
      queries,
    );
    const agrees = (runtime, lines) => {
      const theirs = lines.trimEnd().split('\n');
      const others = native.filter((line, at) => line !== theirs[at]);
      assert.deepEqual(
        others.map((line) => line.split('\t')[0]),
        [],
        `what ${runtime} answers otherwise than native memory`,
      );
      t.diagnostic(`${runtime}: as native memory, ${native.length} of ${native.length}`);
    };
    agrees('native SQLite', readFileSync(join(folder, 'sqlite.tsv'), 'utf8'));
    for (const [runtime, answered] of Object.entries(RUNTIMES)) agrees(runtime, await answered(folder));
    if (!executablePath) t.diagnostic('Chromium is not here: left out (make chromium)');
    assert.ok(queries.length >= 1_000, `${queries.length} queries are too few`);
  });
}
