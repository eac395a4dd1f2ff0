// Every row of the contract and of US Core, over HTTP: the answers have the same ids in the same order as the plain
// evaluator. D1 needs one trip and a limited number of rows, and KV at most one read for a search of one patient.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BASE,
  budget,
  cost,
  EVERYTHING,
  found,
  isOfRows,
  populate,
  reads,
  shared,
  stage,
} from '../../tools/server/stage.mjs';
import { rowsRead } from '../oracle/cost.mjs';
import { loadResources } from '../oracle/data.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { read, search } from '../oracle/search.mjs';
import { inFlight } from '../server/in-flight.mjs';

const GRANT = { scopes: EVERYTHING };

/// The populations: the first three are asked for from both stores. tests/edge/agree.test.mjs compares more on KV.
const POPULATIONS = [
  ['sample', 'sample'],
  ['shapes', 'tests/fixtures/shapes.ndjson'],
  ['data/5, or a population', shared('5-synthea-2020-normalised-derived') ?? populate(8)],
  ['data/3', shared('3-us-core-6.1.0-examples')],
  ['data/6', shared('6-inferno-clean')],
];
/// The answers of the plain evaluator over a population, computed once for both stores. tests/browser/spec.test.mjs
/// asks the engine more queries of each row.
const evaluated = new Map();
function evaluate(folder) {
  if (!evaluated.has(folder)) {
    const resources = loadResources([folder]);
    const questions = readRows().flatMap((row) =>
      [...instantiate(row, resources, { base: BASE, perPatient: 2 })].map((query) => ({
        row,
        query,
        expected: (query.includes('?') ? search : read)(resources, GRANT, query, { base: BASE }),
      })),
    );
    evaluated.set(folder, { resources, questions });
  }
  return evaluated.get(folder);
}

/// Yields the types of which a patient has more than 512 resources.
function* largeTypes(resources) {
  const counts = new Map();
  for (const { resource } of resources) {
    const { resourceType, subject, patient } = resource;
    const key = `${resourceType} ${(subject ?? patient)?.reference}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (counts.get(key) === 513) yield resourceType;
  }
}

for (const [store, [name, folder]] of [
  ...POPULATIONS.map((population) => ['d1', population]),
  ...POPULATIONS.slice(0, 3).map((population) => ['kv', population]),
]) {
  test(`${name} answers every row from ${store.toUpperCase()} as the plain evaluator does`, {
    skip: folder ? false : `${name} is not here`,
  }, async (t) => {
    const { resources, questions } = evaluate(folder);
    // No search may use an isolate's chart without checking its version.
    const server = await stage({ data: [folder], store, vars: { FRESH_SECONDS: '0' }, bare: true });
    t.after(server.close);
    const token = server.token(EVERYTHING);
    const large = new Set(largeTypes(resources));
    const tally = { queries: 0, answered: 0, pages: 0, worst: { spec: 0, usc: 0 }, reads: 0 };
    // The first search of an isolate may check whether there are shelves.
    if (store === 'kv') await server.ask('Practitioner?_count=1', { token });
    await inFlight(questions, async ({ row, query, expected }) => {
      tally.queries += 1;
      const label = `${row.id} ${query}`;
      if (!query.includes('?')) {
        const answer = await server.ask(query, { token });
        assert.equal(answer.status, expected ? 200 : 404, label);
        return;
      }
      const ids = [];
      for (let next = query; next; ) {
        const answer = await server.ask(next, { token });
        assert.equal(answer.status, 200, `${label}: ${answer.text}`);
        const page = found(answer.body);
        if (store === 'd1') {
          const { rows, trips } = cost(answer);
          const entries = page.ids.length + page.included.length;
          const allowed = budget(entries, query);
          // For a search of rows by several clauses, or by a range, the evaluator computes the budget.
          const previous = ids.at(-1);
          const shape = { page: page.ids, included: page.included.length, previous, base: BASE };
          const read = isOfRows(query) ? rowsRead(resources, GRANT, query, shape) : { isSingle: true };
          const mostRows = read.isSingle ? allowed.rows : read.rows;
          // For a type with more than 512 resources of a patient, a page of the answer may take one more trip.
          const most = allowed.trips + (large.has(query.split('?')[0]) ? 1 : 0);
          assert.ok(trips <= most, `${label}: ${trips} trips`);
          assert.ok(rows <= mostRows, `${label} (page ${tally.pages}): ${rows} rows read for ${entries} entries`);
          tally.worst[row.source] = Math.max(tally.worst[row.source], (100 * rows) / mostRows);
        } else {
          const values = reads(answer);
          assert.ok(values >= 0, label);
          // Includes are on other shelves: of Provenance, or directory parts, whose number is in the manifest.
          const most = /_(rev)?include=/.test(query) ? 4 : 1;
          if (/[?&]patient=[^,&]*(&|$)/.test(query)) assert.ok(values <= most, `${label}: ${values} reads`);
          tally.reads += values;
        }
        tally.pages += 1;
        if (query.includes('include=')) {
          assert.deepEqual([...page.included].sort(), expected.includedOf(page.ids), `what ${label} includes`);
        }
        ids.push(...page.ids);
        next = answer.body.link.find((link) => link.relation === 'next')?.url;
      }
      assert.deepEqual(ids, expected.ids, label);
      if (ids.length > 0) tally.answered += 1;
    });
    const { spec, usc } = tally.worst;
    const shares = `${spec.toFixed(0)} % by rows of the contract, ${usc.toFixed(0)} % by those of US Core`;
    const spent = store === 'd1' ? `rows read of the budget: at most ${shares}` : `${tally.reads} values read`;
    t.diagnostic(`${tally.queries} queries, ${tally.answered} with matches, ${tally.pages} pages; ${spent}`);
    assert.ok(tally.answered > tally.queries / 4);
  });
}
