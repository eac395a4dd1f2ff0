// Every row of the contract and of US Core in the browser module, run in Node: the answers have the same ids in the
// same order as the plain evaluator. tests/edge/spec.test.mjs asks the same rows over HTTP.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { BASE, EVERYTHING, found, populate, shared } from '../../tools/server/stage.mjs';
import { Chart, capabilities, initSync } from '../../www/pkg/edgechart.js';
import { loadResources } from '../oracle/data.mjs';
import { PARAMS } from '../oracle/params.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { read, search } from '../oracle/search.mjs';
import { isHere, subsetOf } from '../oracle/subset.mjs';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

const GRANT = { scopes: EVERYTHING };
const POPULATIONS = [
  ['sample', 'sample'],
  ['shapes', 'tests/fixtures/shapes.ndjson'],
  ['a population', populate(8)],
  ['data/3', shared('3-us-core-6.1.0-examples')],
  ['data/5', shared('5-synthea-2020-normalised-derived')],
  ['data/6', shared('6-inferno-clean')],
];

/// Returns the resources of a folder, a chart with them, and the report of its load.
function opened(folder) {
  const resources = loadResources([folder]);
  const chart = new Chart(BASE);
  const report = chart.load(resources.map(({ text }) => text).join('\n'), LOADED_AT);
  return { resources, chart, report };
}

/// Yields the pages of a search.
function* pagesOf(chart, query) {
  for (let next = query; next; ) {
    const bundle = JSON.parse(chart.search(next));
    yield found(bundle);
    next = bundle.link.find((link) => link.relation === 'next')?.url;
  }
}

for (const [name, folder] of POPULATIONS) {
  test(`${name} answers every row in the browser module as the plain evaluator does`, {
    skip: folder ? false : `${name} is not here`,
  }, (t) => {
    const { resources, chart, report } = opened(folder);
    assert.deepEqual(
      { ...report, unresolved: 0 },
      { resources: resources.length, refused: [], unserved: {}, unresolved: 0, replaced: [] },
    );
    let queries = 0;
    for (const row of readRows()) {
      for (const query of instantiate(row, resources, { base: BASE })) {
        queries += 1;
        const label = `${row.id} ${query}`;
        if (!query.includes('?')) {
          const [type, id] = query.split('/');
          if (read(resources, GRANT, query)) {
            assert.equal(`${row.type}/${JSON.parse(chart.read(type, id)).id}`, query, label);
          } else {
            assert.throws(
              () => chart.read(type, id),
              ({ issue }) => issue[0].code === 'not-found',
              label,
            );
          }
          continue;
        }
        const expected = search(resources, GRANT, query, { base: BASE });
        const ids = [];
        for (const page of pagesOf(chart, query)) {
          if (query.includes('include=')) {
            assert.deepEqual(page.included.sort(), expected.includedOf(page.ids), `what ${label} includes`);
          }
          ids.push(...page.ids);
        }
        assert.deepEqual(ids, expected.ids, label);
      }
    }
    t.diagnostic(`${queries} queries`);
  });
}

/// Parameters for a part of a resource, and the corresponding options of the plain evaluator.
const PARTS = [
  ['_summary=true', { summary: 'true' }],
  ['_summary=text', { summary: 'text' }],
  ['_summary=data', { summary: 'data' }],
  ['_elements=value,name,period', { elements: ['value', 'name', 'period'] }],
  ['_elements=valueQuantity,status', { elements: ['valueQuantity', 'status'] }],
];

for (const [name, folder] of POPULATIONS.slice(0, 4)) {
  const missing = folder ? isHere || 'the definitions are not here' : `${name} is not here`;
  test(`${name} is read in the parts that the plain evaluator takes`, {
    skip: missing === true ? false : missing,
  }, () => {
    const { resources, chart } = opened(folder);
    for (const { resource } of resources) {
      const path = `${resource.resourceType}/${resource.id}`;
      const whole = JSON.parse(chart.search(path));
      for (const [query, shape] of PARTS) {
        assert.deepEqual(JSON.parse(chart.search(`${path}?${query}`)), subsetOf(whole, shape), `${path}?${query}`);
      }
    }
  });
}

const OFFERED = JSON.parse(capabilities(BASE, '')).rest[0].resource;

/// Yields searches of each present type, sorted by each of its parameters, ascending, descending, and before another.
/// Quantities with several units have no common order (tests/cases/sorting.json covers a single unit). An owner that no
/// element names is not a value.
function* sorted(resources) {
  const types = new Set(resources.map(({ resource }) => resource.resourceType));
  const patients = resources.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === 'Patient');
  const ids = patients.slice(0, 60).map(({ id }) => id);
  for (const { type, searchParam } of OFFERED.filter(({ type }) => types.has(type))) {
    const params = Object.fromEntries(searchParam.map(({ name }) => [name, PARAMS[type][name]]));
    const whose = type === 'Patient' ? `_id=${ids}&` : 'patient' in params ? `patient=${ids}&` : '';
    const names = Object.entries(params).filter(
      ([name, { kind, isOwner }]) => !['chain', 'quantity', 'composite'].includes(kind) && !isOwner && name !== '_id',
    );
    const isAsked = whose !== '' || !['Provenance', 'Binary', 'Group'].includes(type);
    for (const [name] of isAsked ? names : []) {
      for (const order of [name, `-${name}`, `-${name},_lastUpdated`, `_lastUpdated,${name},-_id`]) {
        if (!order.replace('_lastUpdated', '').includes('_lastUpdated'))
          yield `${type}?${whose}_sort=${order}&_count=200`;
      }
    }
  }
}

for (const [name, folder] of [...POPULATIONS.slice(0, 2), ['a population', populate(4)]]) {
  test(`${name} is sorted as the plain evaluator sorts it`, () => {
    const { resources, chart } = opened(folder);
    let compared = 0;
    for (const query of sorted(resources)) {
      const ids = [...pagesOf(chart, query)].flatMap((page) => page.ids);
      assert.deepEqual(ids, search(resources, GRANT, query, { base: BASE }).ids, query);
      compared += ids.length;
    }
    assert.ok(compared > 0);
  });
}
