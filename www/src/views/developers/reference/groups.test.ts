import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { groupsOf } from './groups.ts';

const SERVED = readFileSync('src/fhir/tables/served.tsv', 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t')[0] ?? '');

test('each type is in one group, also one that is new', () => {
  const groups = groupsOf([...SERVED, 'Novelty']);
  assert.deepEqual(groups.flatMap(([, types]) => types).sort(), [...SERVED, 'Novelty'].sort());
  assert.ok(groups.at(-1)?.[1].includes('Novelty'));
});

test('each name of a group is a type, and the usual ones come first', () => {
  const [first, , results] = groupsOf(SERVED);
  assert.deepEqual(first?.[1].slice(0, 2), ['Patient', 'RelatedPerson']);
  assert.deepEqual(results?.[1].slice(0, 2), ['Observation', 'DiagnosticReport']);
  assert.deepEqual(groupsOf(['Observation']), [['Results and measurements', ['Observation']]]);
});
