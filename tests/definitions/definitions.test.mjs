// Compares the tables of types and search parameters with the official definitions from which they were made.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { evalFhirPath } from '@medplum/core';
import { compile, GUIDES, guideRows, read, typesOf } from '../../tools/definitions.mjs';
import { stepsOf } from '../oracle/definitions.mjs';
import { elementsOf } from '../oracle/values.mjs';

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

/// Returns a resource that has a value at each element whose name is in an expression, wherever the type has such an
/// element, and the extensions of the expression at each of its levels. A choice has the type with this turn.
function example(defs, type, expression, turn) {
  const names = new Set(expression.match(/\w+/g));
  const urls = [...expression.matchAll(/url ?= ?'([^']+)'/g)].map(([, url]) => url);
  const chosen = (types) => types[turn % types.length];
  const capitalized = (name) => name[0].toUpperCase() + name.slice(1);
  let count = 0;
  const value = (of, depth) => {
    if (of === 'boolean') return true;
    if (/^(date|dateTime|instant)$/.test(of)) return '2024-01-02';
    if (of === 'Reference') return { reference: `${chosen(['Patient', 'Organization'])}/${++count}` };
    if (of === 'Period') return { start: `2024-01-${10 + ++count}` };
    if (of === 'Quantity') return { value: ++count };
    const isPrimitive = !/^[A-Z]\w*$/.test(of);
    return isPrimitive ? `${++count}` : { id: `${++count}`, ...filled(of, depth + 1) };
  };
  const extensions = ([url, ...inner], known, depth) => {
    if (!url) return undefined;
    const { value: types = ['Coding'], parts } = known?.[url] ?? {};
    const nested = extensions(inner, parts, depth);
    const own = chosen(types.map((one) => /^\w+/.exec(one)[0]));
    const held = nested ? { extension: nested } : { [`value${capitalized(own)}`]: value(own, depth) };
    return [
      { url, ...held },
      { url: 'http://example.org/other', valueCode: 'x' },
      { url, ...held },
    ];
  };
  const filled = (of, depth) => {
    const found = {};
    if (depth > 4) return found;
    for (const [at, { t, as, n }] of defs.byHolder.get(of) ?? []) {
      const [, name, choice] = /\.(\w+)(\[x\])?$/.exec(at);
      if (!names.has(name) || as || !t) continue;
      const type = chosen(t);
      const one = () => (['BackboneElement', 'Element'].includes(type) ? filled(at, depth + 1) : value(type, depth));
      found[choice ? name + capitalized(type) : name] = n === undefined ? one() : [one(), one()];
    }
    if (defs.types[of]?.kind === 'complex-type') return found;
    return { ...found, extension: extensions(urls, defs.extensions, depth) };
  };
  return { resourceType: type, ...filled(type, 0) };
}

test('every expression of a guide finds what a FHIRPath evaluator finds in examples', { skip }, () => {
  let compared = 0;
  for (const defs of GUIDES.map((name) => read(FOLDER, name))) {
    defs.byHolder = Map.groupBy(Object.entries(defs.elements), ([at]) => at.slice(0, at.lastIndexOf('.')));
    for (const type of new Set(defs.guide.searchParameters.flatMap(({ base }) => base))) {
      const rows = guideRows(defs, type);
      for (const published of defs.guide.searchParameters.filter(({ base }) => base.includes(type))) {
        const { code } = published;
        // In a search parameter, a cast selects from a list. The evaluator does not know the base of a type.
        const cast = published.expression.replace(/\((\S+) as (\w+)\)/g, '$1.ofType($2)');
        const expression = cast.replace(/\bResource\./g, `${type}.`);
        const { found } = rows.find(({ name }) => name === code);
        const elements = found.split(' ').map((text) => {
          const [, path, of] = /^(.*):(\w+)\*?$/.exec(text);
          return { type: of, steps: stepsOf(path || camelCase(code)) };
        });
        for (let turn = 0; turn < 6; turn += 1) {
          const resource = example(defs, type, expression, turn);
          // An extension stands for its value.
          const heldBy = (one) => Object.entries(one ?? {}).find(([name]) => /^value[A-Z]/.test(name))?.[1];
          const evaluated = evalFhirPath(expression, resource).map((one) => (one?.url ? heldBy(one) : one));
          const own = elementsOf(resource, elements).map(({ value }) => value);
          const listed = (values) => [...new Set(values.map((one) => JSON.stringify(one)))].sort();
          assert.deepEqual(
            listed(own),
            listed(evaluated),
            `${defs.name} ${type} ${code} in ${JSON.stringify(resource)}`,
          );
          compared += own.length;
        }
      }
    }
  }
  assert.ok(compared > 4_000, `${compared} values`);
});

test('the expressions of guides are read as the corrections have them', { skip }, () => {
  const rows = new Set();
  for (const defs of GUIDES.map((name) => read(FOLDER, name))) {
    for (const [guide, what, field, other] of defs.corrections.filter(([, , field]) => field === 'expression')) {
      const [type, code] = what.includes('/') ? ['ExplanationOfBenefit', 'service-start-date'] : what.split(' ');
      const published = defs.guide.searchParameters.find((one) => one.code === code && one.base.includes(type));
      // The name of a plan is that of R4.
      if (!published || (guide === 'formulary-*' && code === 'name')) continue;
      const texts = (expression) => compile(defs, type, expression, published.type)?.map(({ path }) => path);
      const own = texts(published.expression);
      if (own) assert.deepEqual(own, texts(other), `${defs.name} ${what} ${field}`);
      rows.add(what);
    }
  }
  assert.equal(rows.size, 15);
});
