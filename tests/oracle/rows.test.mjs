// Compares the rows of spec.tsv with docs/contract.md. cases.test.mjs tests the results of the oracle's searches.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { PARAMS } from './params.mjs';
import { readRows } from './rows.mjs';

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
