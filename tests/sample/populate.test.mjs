// Checks the output of tools/populate.mjs like the sample: the resources follow the rules of R4 and US Core, the
// references resolve, and no patient's record refers to another's.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { population as lines } from '../../tools/populate.mjs';
import { checks, crossing, population } from './checks.mjs';

const text = (patients, seed) => [...lines(patients, { seed })].join('');
const resources = (patients, seed) => [...lines(patients, { seed })].map((line) => JSON.parse(line));
const people = population(resources(100));

for (const [title, check] of checks) test(title, () => check(people));

test('no resource refers to another patient than its own', () => {
  assert.deepEqual(crossing(people), []);
});

test('a small population is the beginning of a larger one, and the same each time', () => {
  assert.equal(text(3), text(4).slice(0, text(3).length));
  assert.equal(text(0, 7), text(1, 7).slice(0, text(0, 7).length));
});

test('no id is in two populations', () => {
  const others = new Set(resources(12, 2).map(({ id }) => id));
  assert.deepEqual(
    resources(12).filter(({ id }) => others.has(id)),
    [],
  );
});

test('every type of the sample is there, and no two charts are alike', () => {
  const types = Object.keys(people.all).sort();
  const sample = readdirSync('sample').filter((name) => name.endsWith('.ndjson'));
  assert.deepEqual(
    types,
    sample.map((name) => name.replace('.ndjson', '')),
  );
  const named = people.all.Patient.map(({ name }) => JSON.stringify(name));
  assert.ok(new Set(named).size > 0.9 * named.length);
});
