// Checks the sample, and the example records of the types that it lacks, against the published elements of R4: their
// names and types, how often each occurs, and the types that a reference may lead to.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { name, rows } from './checks.mjs';

const FILE = join(process.env.DEFINITIONS ?? '../shared/definitions', 'elements.r4.json.gz');
const skip = existsSync(FILE) ? false : `${FILE} is not here`;

const sample = new URL('../../sample/', import.meta.url);
const EXAMPLES = '../www/example-records.ndjson';
const files = readdirSync(sample).filter((file) => file.endsWith('.ndjson'));
const resources = () =>
  [...files, EXAMPLES]
    .flatMap((file) => readFileSync(new URL(file, sample), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));

test('each type has a record in the sample, or an example', () => {
  const served = readFileSync(new URL('../src/fhir/tables/served.tsv', sample), 'utf8').matchAll(/^[A-Z]\w*/gm);
  assert.deepEqual(
    [...new Set(resources().map(({ resourceType }) => resourceType))].sort(),
    [...served].map(([type]) => type).sort(),
  );
});

test('the sample has the elements of R4, as often as R4 allows', { skip }, () => {
  const { faults } = definitions();
  rows(resources(), (resource) =>
    faults(resource, resource.resourceType).map((fault) => `${name(resource)}: ${fault}`),
  );
});

test('a fault of each kind is found', { skip }, () => {
  const { faults } = definitions();
  const broken = {
    resourceType: 'Observation',
    status: ['final'],
    category: { text: 'Exam' },
    subject: { reference: 'Practitioner/a' },
    valueRatio: { denominator: { units: 'mL' } },
    valueAddress: { city: 'Burlington' },
    component: [{ valueString: 'No code' }],
  };
  assert.deepEqual(faults(broken, 'Observation'), [
    'Observation.status is a list',
    'Observation.category is no list',
    'Observation.subject refers to Practitioner/a',
    'Observation.valueRatio.denominator.units is no element',
    'Observation.valueAddress is no element',
    'Observation.component lacks code',
    'Observation lacks code',
  ]);
});

/** Reads the published elements. `faults` returns the faults of a value that is defined at a type or a path. */
function definitions() {
  const { types, elements } = JSON.parse(gunzipSync(readFileSync(FILE)));
  const own = new Map();
  for (const [path, definition] of Object.entries(elements)) {
    const [, parent, name] = path.match(/^(.+)\.([^.]+)$/);
    if (!own.has(parent)) own.set(parent, []);
    own.get(parent).push({ ...definition, name, path });
  }
  const known = new Map();
  return { faults: (value, at) => within(value, at, at) };

  /** Returns the elements below a type or a path, including inherited elements. */
  function childrenOf(at) {
    if (!known.has(at)) {
      const base = types[at]?.base ?? (at.includes('.') ? 'BackboneElement' : undefined);
      known.set(at, [...(own.get(at) ?? []), ...(base ? childrenOf(base) : [])]);
    }
    return known.get(at);
  }

  function within(value, at, path) {
    const keys = Object.keys(value).filter((key) => key !== 'resourceType');
    const missing = childrenOf(at).filter((child) => child.min && !keys.some((key) => isNamed(child, key)));
    return [
      ...keys.flatMap((key) => element(at, key, value[key], `${path}.${key}`)),
      ...missing.map((child) => `${path} lacks ${child.name}`),
    ];
  }

  function element(at, key, held, path) {
    const definition = childrenOf(at).find((child) => isNamed(child, key));
    const type = definition && typeOf(definition, key);
    if (!type) return [`${path} is no element`];
    if (Array.isArray(held) !== (definition.n !== undefined)) return [`${path} is ${held.at ? 'a' : 'no'} list`];
    return [held]
      .flat()
      .filter((one) => one !== null && typeof one === 'object')
      .flatMap((one) => [
        ...(reaches(definition, one) ? [] : [`${path} refers to ${one.reference}`]),
        ...within(one, key.startsWith('_') ? 'Element' : (one.resourceType ?? type), path),
      ]);
  }

  /** Returns where the children of an element are defined, or undefined if a choice does not allow the type. */
  function typeOf({ name, path, t, as }, key) {
    if (as) return as;
    if (own.has(path)) return path;
    return name.endsWith('[x]') ? t.find((type) => plain(key) === stem(name) + capital(type)) : t[0];
  }
}

const plain = (key) => key.replace(/^_/, '');
const stem = (name) => name.slice(0, -'[x]'.length);
const capital = (type) => type[0].toUpperCase() + type.slice(1);

function isNamed({ name }, key) {
  if (!name.endsWith('[x]')) return plain(key) === name;
  return plain(key).startsWith(stem(name)) && /^[A-Z]/.test(plain(key).slice(stem(name).length));
}

function reaches({ to }, { reference }) {
  const target = reference?.startsWith('#') ? undefined : reference?.split('/')[0];
  return !target || !to || to.includes('Resource') || to.includes(target);
}
