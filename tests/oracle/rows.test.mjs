// Compares the rows of spec.tsv with docs/contract.md, and tests the queries that are made from them, and the loading
// of files. cases.test.mjs tests the results of the oracle's searches.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import zlib from 'node:zlib';
import { loadResources } from './data.mjs';
import { PARAMS } from './params.mjs';
import { instantiate, readRows } from './rows.mjs';
import { search } from './search.mjs';

const rows = readRows();

test('spec.tsv: well formed', () => {
  assert.equal(new Set(rows.map((row) => row.id)).size, rows.length, 'ids are unique');
  assert.equal(
    new Set(rows.map((row) => `${row.source} ${row.query}`)).size,
    rows.length,
    'no query twice within a source',
  );
  for (const row of rows) {
    assert.ok(['SHALL', 'SHOULD', 'read by id', 'search'].includes(row.level), row.id);
    assert.ok(['spec', 'usc'].includes(row.source) && row.id.startsWith(`${row.source}.`), row.id);
    assert.ok(row.query.startsWith(`${row.type}?`) || row.query === `${row.type}/{_id}`, row.id);
    for (const name of namesIn(row.query)) {
      assert.ok(name.startsWith('_') || PARAMS[row.type][name], `${row.id} ${name}`);
    }
  }
});

const namesIn = (query) => [...query.matchAll(/[?&]([\w.-]+)=/g)].map((match) => match[1]);
const signature = (type, query) =>
  `${type} ${query.includes('/{_id}') ? 'read' : [...new Set(namesIn(query))].sort().join('+')}`;

// Reads the rows of docs/contract.md: id, type, parameters and level. A variant (`.or`) has its own id.
function contractRows(markdown) {
  const found = [];
  const add = (id, names, level) => {
    const type =
      id.startsWith('spec.Provenance.') && id.split('.').length > 3 && !id.endsWith('.search')
        ? id.split('.')[3]
        : id.split('.')[1];
    const all =
      names === 'read'
        ? names
        : [...new Set(id.endsWith('.include') ? [...names, '_include'] : names)].sort().join('+');
    found.push(`${id} ${type} ${all} ${level}`);
  };
  const part = (from, to) => markdown.slice(markdown.indexOf(`\n### ${from}`), markdown.indexOf(`\n### ${to}`));
  const cells = (line) =>
    line
      .replace(/`[^`]*`/g, (code) => code.replaceAll('|', '¦'))
      .split('|')
      .map((cell) => cell.trim());
  const tables = (text) =>
    text
      .split('\n')
      .filter((line) => /^\|.*`(spec|usc)\./.test(line))
      .map(cells);
  for (const [, search, ...sources] of tables(part('By type', 'Provenance of what is found'))) {
    const names =
      search === 'read by id' ? 'read' : [...search.matchAll(/`([\w.-]+)(=survey)?`/g)].map((match) => match[1]);
    for (const source of sources) {
      for (const [, level, id, variants] of source.matchAll(
        /(SHALL|SHOULD|offered) `((?:spec|usc)\.[\w.]+)`((?: \(?`\.\w+`(?: SHALL\)| SHOULD\))?)*)/g,
      )) {
        add(id, names, level);
        for (const [, variant, own] of variants.matchAll(/`(\.\w+)`(?: (SHALL|SHOULD))?/g)) {
          add(id + variant, names, own ?? level);
        }
      }
    }
  }
  for (const [, type, byPatient, byId, first] of tables(part('Provenance of what is found', 'Readable types'))) {
    for (const [cell, names] of [
      [byPatient, ['patient']],
      [byId, ['_id']],
      [first, [...first.matchAll(/, `([\w-]+)`/g)].map((match) => match[1])],
    ]) {
      const [, level, id] = /(SHALL|SHOULD) `([\w.]+)`/.exec(cell) ?? [];
      if (id) add(id, [...names, '_revinclude'], level);
      if (id) assert.ok(id.includes(type), id);
    }
  }
  return found;
}

const LEVELS = { SHALL: 'SHALL', SHOULD: 'SHOULD', 'read by id': 'offered', search: 'offered' };
const CONTRACT = contractRows(fs.readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8'));

for (const [source, name, least] of [
  ['spec', 'the contract', 120],
  ['usc', 'US Core', 150],
]) {
  test(`spec.tsv and docs/contract.md have the same rows of ${name}`, () => {
    const own = rows
      .filter((row) => row.source === source)
      .map(({ id, type, query, level }) => `${signature(type, query).replace(type, `${id} ${type}`)} ${LEVELS[level]}`);
    const promised = CONTRACT.filter((row) => row.startsWith(`${source}.`));
    assert.ok(own.length > least, `${own.length} rows`);
    assert.deepEqual(promised.toSorted(), own.toSorted());
    const includes = rows
      .filter((row) => row.source === source)
      .map(({ query }) => query)
      .join(' ');
    for (const include of [
      'MedicationRequest:medication',
      'MedicationDispense:medication',
      'PractitionerRole:endpoint',
      'PractitionerRole:practitioner',
      ...['PractitionerRole', 'Practitioner', 'Patient', 'RelatedPerson'].map((type) => `CareTeam:participant:${type}`),
    ]) {
      assert.ok(includes.includes(`_include=${include}`), include);
    }
  });
}

// --- Queries ---

test('instantiate: queries of all forms for every row, the same for the same seed', () => {
  const data = loadResources(['tests/fixtures/shapes.ndjson', 'sample']);
  const queriesOf = (row, more) => [...instantiate(row, data, { patients: 4, perPatient: 12, ...more })];
  for (const row of rows) {
    const queries = queriesOf(row);
    assert.ok(queries.length > 0 && !/[{}]/.test(queries.join('')), row.id);
  }
  const row = rows.find(({ id }) => id === 'spec.Observation.3');
  const queries = queriesOf(row);
  assert.deepEqual(queries, queriesOf(row));
  assert.notDeepEqual(queries, queriesOf(row, { seed: 2 }));
  const text = queries.map(decodeURIComponent).join('\n');
  const forms = [/date=ge/, /date=le/, /date=gt/, /date=lt/, /date=..\d{4}-\d\d-\d\d(\n|$)/, /T\d\d:\d\d:\d\dZ/];
  for (const form of [...forms, /patient=Patient\//, /patient=(?!Patient)/, /category=\w/, /category=http[^|]+\|/]) {
    assert.match(text, form);
  }
  assert.ok(!/[ |+\\]/.test(queries.join('')), 'percent-encoded');
  const hits = queries.filter((query) => search(data, { scopes: 'system/*.read' }, query).ids.length > 0);
  assert.ok(hits.length > queries.length / 3 && hits.length < queries.length, `${hits.length} of ${queries.length}`);
  const absolute = queriesOf(row, { base: 'https://x/r4' });
  assert.ok(absolute.some((query) => query.startsWith('Observation?patient=https://x/r4/Patient/')));
  const lists = queriesOf(rows.find(({ id }) => id === 'spec.ServiceRequest.7.or'));
  assert.match(lists.join('\n'), /status=draft,active,completed,cancelled/);
});

// --- Loading ---

test('loading: ndjson, gz, Bundles, folders; only served types; the later of two counts', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-'));
  const line = (resource) => `${JSON.stringify(resource)}\n`;
  fs.writeFileSync(
    path.join(folder, 'a.ndjson'),
    `\uFEFF{"resourceType":"Patient","id":"1","x":1.0}\n\n${line({ resourceType: 'Foo', id: 'c' })}`,
  );
  fs.writeFileSync(
    path.join(folder, 'b.ndjson.gz'),
    zlib.gzipSync(
      line({ resourceType: 'Patient', id: '2' }) + line({ resourceType: 'Patient', id: '2', gender: 'male' }),
    ),
  );
  const bundle = {
    resourceType: 'Bundle',
    entry: [
      { fullUrl: 'urn:uuid:9', resource: { resourceType: 'Patient', id: '3' } },
      { resource: { resourceType: 'Observation', id: 'o', subject: { reference: 'urn:uuid:9' } } },
      {},
    ],
  };
  fs.writeFileSync(path.join(folder, 'c.json'), JSON.stringify(bundle, null, 2));
  fs.writeFileSync(path.join(folder, 'NOTICE.md'), 'not data');
  const found = loadResources([folder]);
  assert.deepEqual(
    found.map(({ resource }) => `${resource.resourceType}/${resource.id}`),
    ['Patient/1', 'Patient/2', 'Patient/3', 'Observation/o'],
  );
  assert.equal(found[0].text, '{"resourceType":"Patient","id":"1","x":1.0}');
  assert.equal(found[1].resource.gender, 'male');
  assert.equal(found[3].resource.subject.reference, 'Patient/3');
  fs.rmSync(folder, { recursive: true });
});
