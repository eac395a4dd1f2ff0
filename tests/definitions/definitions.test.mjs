// The tables of types and search parameters, held against the official definitions from which they were made.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { additions, compile, parametersOf, read, typesOf } from '../../tools/definitions.mjs';
import { servedTypes } from '../../tools/server/served.mjs';

const FOLDER = process.env.DEFINITIONS ?? '../shared/definitions';
const skip = existsSync(FOLDER) ? false : `${FOLDER} is not here`;

test('the tables are as the tool writes them', { skip }, () => {
  execFileSync('node', ['tools/definitions.mjs', FOLDER, '--check'], { stdio: ['ignore', 'inherit', 'inherit'] });
});

test('expressions find the elements that another reading of them finds', { skip }, () => {
  const defs = read(FOLDER);
  const expected = JSON.parse(readFileSync(join(FOLDER, 'extraction.r4.json')));
  const others = new Set();
  let compared = 0;
  for (const type of typesOf(defs)) {
    for (const { base, code, expression, type: kind } of defs.parameters) {
      if (!base.includes(type) || !expression || kind === 'composite') continue;
      const found = compile(defs, type, expression);
      if (!found) {
        others.add(code);
        continue;
      }
      compared += 1;
      const rules = expected[type]?.[code]?.rules ?? [];
      assert.deepEqual(
        found.map((node) => [node.path, node.type]),
        rules.map(([path, element]) => [path, element]),
        `${type} ${code}`,
      );
    }
  }
  assert.ok(compared > 900, `${compared} expressions are too few`);
  assert.deepEqual([...others].sort(), ['deceased', 'email', 'phone'], 'expressions that are not understood');
});

test('US Core reads what R4 reads, where both define a parameter', { skip }, () => {
  const defs = read(FOLDER);
  const r4 = { ...defs, usCore: { ...defs.usCore, searchParameters: [] } };
  const others = [];
  let compared = 0;
  for (const type of typesOf(defs)) {
    const plain = new Map(parametersOf(r4, type).map((param) => [param.name, param]));
    for (const param of parametersOf(defs, type)) {
      const other = plain.get(param.name);
      if (!other || !param.source.startsWith('UsCore')) continue;
      compared += 1;
      if (`${param.kind} ${param.paths}` !== `${other.kind} ${other.paths}`) others.push(`${type} ${param.name}`);
    }
  }
  assert.ok(compared > 80, `${compared} parameters are too few`);
  assert.deepEqual(others, []);
});

test('nothing that US Core asks for is missing, and the tool prints what newer versions add', { skip }, () => {
  const defs = read(FOLDER);
  assert.deepEqual(additions(defs, defs, servedTypes()), []);
  const seven = `Condition\tcombination\tpatient + _lastUpdated\tSHOULD
DiagnosticReport\tcombination\tpatient + category + _lastUpdated\tSHOULD
Encounter\tcombination\tpatient + _lastUpdated\tSHOULD
Observation\tcombination\tpatient + category + _lastUpdated\tSHOULD
Observation\tprofile\tus-core-average-blood-pressure\tSHALL
Observation\tprofile\tus-core-care-experience-preference\tSHALL
Observation\tprofile\tus-core-treatment-intervention-preference\tSHALL
`;
  const eight = `DocumentReference\tprofile\tus-core-adi-documentreference\tSHALL
Observation\tprofile\tus-core-observation-adi-documentation\tSHALL
`;
  const lines = (text) => text.trimEnd().split('\n').sort();
  for (const [version, expected] of [
    ['7.0.0', seven],
    ['8.0.0', seven + eight],
  ]) {
    const words = ['tools/definitions.mjs', FOLDER, '--additions', version];
    assert.deepEqual(lines(execFileSync('node', words, { encoding: 'utf8' })), lines(expected), version);
  }
});

test('a parameter or an include that is not served is an addition', { skip }, () => {
  const defs = read(FOLDER);
  const served = { CareTeam: { parameters: ['_id', 'patient', 'role'], includes: ['Provenance:target'] } };
  assert.deepEqual(additions(defs, defs, served), [
    ['CareTeam', 'parameter', 'status', 'MAY'],
    ['CareTeam', 'include', 'CareTeam:participant', 'SHOULD'],
  ]);
});

test('every version of US Core defines the parameters that are served in a way that is understood', { skip }, () => {
  const own = (name) => !name.startsWith('_') && !name.includes('.');
  for (const version of ['6.1.0', '7.0.0', '8.0.0']) {
    const defs = read(FOLDER, version);
    for (const [type, { parameters }] of Object.entries(servedTypes())) {
      const known = parametersOf(defs, type).map(({ name }) => name);
      assert.deepEqual(
        parameters.filter((name) => own(name) && !known.includes(name)),
        [],
        `${version} ${type}`,
      );
    }
  }
});
