// Compares the tables of types and search parameters with the official definitions from which they were made.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { read, typesOf, usCoreRows, VERSIONS } from '../../tools/definitions.mjs';
import { servedTypes } from '../../tools/server/served.mjs';

const FOLDER = process.env.DEFINITIONS ?? '../shared/definitions';
const skip = existsSync(FOLDER) ? false : `${FOLDER} is not here`;

/// Returns the text of a table.
const tableOf = (name) =>
  readFileSync(`src/${['types', 'summary'].includes(name) ? 'fhir' : 'search'}/tables/${name}.tsv`, 'utf8');

test('the tables are as the tool writes them', { skip }, () => {
  execFileSync('node', ['tools/definitions.mjs', FOLDER, '--check'], { stdio: ['ignore', 'inherit', 'inherit'] });
});

/// Returns the lines of a table, as columns, by the type above them.
function blocks(name) {
  const found = {};
  let type;
  for (const line of tableOf(name).trimEnd().split('\n')) {
    if (line.startsWith('#')) continue;
    if (line.includes('\t')) found[type].push(line.split('\t'));
    else {
      type = line;
      found[type] = [];
    }
  }
  return found;
}

/// Returns the lines of R4 parameters, both supported and unsupported.
function r4Blocks() {
  const found = blocks('parameters');
  for (const [type, rows] of Object.entries(blocks('parameters-unsupported'))) {
    found[type] = [...(found[type] ?? []), ...rows];
  }
  return found;
}

const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/// Returns an element of the table in the form of the other interpretation of the expressions: its path and its type,
/// with the conditions on the elements of the path.
function rule(name, element) {
  const at = element.lastIndexOf(':');
  const conditions = [];
  const steps = (element.slice(0, at) || camelCase(name)).split('.').map((step, index) => {
    const condition = /^(.+)\[([A-Z]\w*|(\w+)=(.+))\]$/.exec(step);
    if (!condition) return step;
    const [, plain, type, property, value] = condition;
    conditions.push(property ? ['eq', index + 1, property, value] : ['is', index + 1, type]);
    return plain;
  });
  const type = element.slice(at + 1).replace('*', '');
  return [steps.join('.'), type, ...(conditions.length > 0 ? [conditions] : [])];
}

function composite(found) {
  const components = found.split('; ').map((component) => {
    const [code, type, ...elements] = component.split(' ');
    const rules = elements.map((element) => {
      const at = element.indexOf('/');
      return [element.slice(0, at), ...rule('', element.slice(at + 1))];
    });
    return { code, type, rules };
  });
  const roots = [...new Set(components.flatMap(({ rules }) => rules.map(([root]) => root)))];
  return { type: 'composite', roots, components };
}

test('the tables of R4 find the elements that another reading of the expressions finds', { skip }, () => {
  const expected = JSON.parse(readFileSync(join(FOLDER, 'extraction.r4.json')));
  // R4 has the expressions of the two components swapped.
  const [reference, code] = expected.DocumentReference.relationship.components;
  [reference.rules, code.rules] = [code.rules, reference.rules];
  let compared = 0;
  for (const [type, rows] of Object.entries(r4Blocks())) {
    if (type === 'DomainResource') continue;
    const others = { ...expected[type === 'Resource' ? '*' : type] };
    for (const [name, kind, found] of rows.filter(([, , found]) => found)) {
      const read = () => ({ type: kind, rules: found.split(' ').map((element) => rule(name, element)) });
      assert.deepEqual(kind === 'composite' ? composite(found) : read(), others[name], `${type} ${name}`);
      delete others[name];
      compared += 1;
    }
    assert.deepEqual(others, {}, type);
  }
  assert.equal(compared, 1_703);
});

test('a summary is what the definitions mark, of all elements down to the types of data', { skip }, () => {
  const { types, elements } = read(FOLDER);
  const rows = (name) => {
    const lines = tableOf(name).trimEnd().split('\n').slice(1);
    return new Map(lines.map((row) => row.split('\t')).map(([type, ...columns]) => [type, columns]));
  };
  const [ours, summaries] = [rows('types'), rows('summary')];
  assert.deepEqual([...summaries.keys()], typesOf({ types }));
  let below = 0;
  for (const [type, [names = '', leftOut = '']] of summaries) {
    const words = (text) => text.split(' ').filter(Boolean);
    const top = Object.entries(elements).filter(([at]) => at.split('.').length === 2 && at.startsWith(`${type}.`));
    const marked = top.filter(([, { s, min, m }]) => s || min || m).map(([at]) => at.split('.')[1]);
    const kept = [...words(names), ...words(ours.get(type)[0] ?? '')];
    const shared = marked.filter((name) => !['id', 'meta', 'implicitRules', 'modifierExtension'].includes(name));
    assert.deepEqual(kept.sort(), shared.sort(), type);
    for (const path of words(leftOut)) {
      const last = path.split('.').at(-1);
      const named = Object.entries(elements).filter(([at]) => last.startsWith(at.split('.').at(-1).replace('[x]', '')));
      assert.ok(
        named.some(([, { s, min, m }]) => !(s || min || m)),
        `${type} ${path}`,
      );
      below += 1;
    }
  }
  assert.equal(below, 161);
});

test('every version of US Core reads what R4 reads, but for parameters that R4 does not have', { skip }, () => {
  const r4 = r4Blocks();
  const others = VERSIONS.map((version) => {
    const rows = Object.entries(blocks(`us-core-${version}`)).flatMap(([type, lines]) =>
      lines.filter(([what, , , , kind]) => what === 'parameter' && kind).map(([, name]) => `${type} ${name}`),
    );
    return rows.filter((row) => r4[row.split(' ')[0]].some(([name]) => name === row.split(' ')[1]));
  });
  assert.deepEqual(others, [[], [], []]);
});

test('every version of US Core defines the parameters that are served', { skip }, () => {
  const own = (name) => !name.startsWith('_') && !name.includes('.');
  const r4 = r4Blocks();
  for (const version of VERSIONS) {
    const defs = read(FOLDER, version);
    for (const [type, { parameters }] of Object.entries(servedTypes())) {
      const known = [...(r4[type] ?? []).map(([name]) => name), ...usCoreRows(defs, type).map(({ name }) => name)];
      assert.deepEqual(
        parameters.filter((name) => own(name) && !known.includes(name)),
        [],
        `${version} ${type}`,
      );
    }
  }
  assert.equal(typesOf(read(FOLDER)).length, 146);
});
