// The output of the generator in `tools/populate`, checked as the sample is: its resources keep the rules of R4 and US
// Core, its references lead to earlier lines, and no patient's record refers to another's.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { checks, crossing, name, population, rows } from './checks.mjs';

const POPULATE = process.env.POPULATE ?? 'build/populate';
const lines = execFileSync(POPULATE, ['--patients', '30'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  .trimEnd()
  .split('\n');
const people = population(lines.map((line) => JSON.parse(line)));

for (const [title, check] of checks) test(title, () => check(people));

test('no resource refers to another patient than its own', () => {
  assert.deepEqual(crossing(people), []);
});

test('every reference leads to an earlier line', () => {
  const seen = new Set();
  rows(people.everything, (resource) => {
    const targets = [...JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g)].map(([, reference]) => reference);
    const ahead = targets.filter((reference) => !seen.has(reference));
    seen.add(name(resource));
    return ahead.map((reference) => `${name(resource)} refers to ${reference}, which is not there yet`);
  });
});

test('every clinical resource of a visit has a Provenance', () => {
  const signed = new Set(people.all.Provenance.flatMap(({ target }) => target.map(({ reference }) => reference)));
  const unsigned = new Set(
    people.everything
      .map(name)
      .filter((reference) => !signed.has(reference))
      .map((reference) => reference.split('/')[0]),
  );
  for (const type of [
    'Encounter',
    'Condition',
    'Observation',
    'Procedure',
    'DiagnosticReport',
    'DocumentReference',
    'Immunization',
    'MedicationRequest',
    'MedicationDispense',
    'ServiceRequest',
    'CarePlan',
    'CareTeam',
    'Goal',
    'AllergyIntolerance',
    'Device',
  ]) {
    assert.ok(!unsigned.has(type), type);
  }
});
