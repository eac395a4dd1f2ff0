// The order in which `make test` runs its steps, and the numbers that it reads from their output.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { chosen, runGraph, shardOf, without } from '../../tools/checks/graph.mjs';
import { countsIn, processorTime, table } from '../../tools/checks/report.mjs';
import { steps } from '../../tools/checks/steps.mjs';

/// Runs steps that take `turns` turns each, and records when each began and ended.
async function traced(all, slots, fails = []) {
  const [began, ended] = [new Map(), new Map()];
  let [now, running, most] = [0, 0, 0];
  const results = await runGraph(all, {
    slots,
    secondsOf: ({ turns = 1 }) => turns,
    run: async ({ name, turns = 1 }) => {
      began.set(name, now++);
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn += 1) await null;
      running -= 1;
      ended.set(name, now++);
      return { ok: !fails.includes(name) };
    },
  });
  return { began, ended, most, results };
}

test('a step begins when those that it needs have ended, and no more run than there are slots', async () => {
  const all = [{ name: 'c', needs: ['a', 'b'] }, { name: 'a', turns: 5 }, { name: 'b' }, { name: 'd' }, { name: 'e' }];
  const { began, ended, most, results } = await traced(all, 2);
  assert.equal(results.size, 5);
  assert.equal(most, 2);
  assert.ok(began.get('c') > Math.max(ended.get('a'), ended.get('b')));
});

test('the longest way to the end comes first', async () => {
  const all = [
    { name: 'short' },
    { name: 'long', turns: 3 },
    { name: 'first' },
    { name: 'behind', turns: 9, needs: ['first'] },
  ];
  const { began } = await traced(all, 1);
  assert.deepEqual([...began.keys()], ['first', 'behind', 'long', 'short']);
});

test('steps of one lock take turns', async () => {
  const { began, ended, most } = await traced([{ name: 'a', lock: 'x' }, { name: 'b', lock: 'x' }, { name: 'c' }], 3);
  assert.ok(began.get('b') > ended.get('a') || began.get('a') > ended.get('b'));
  assert.equal(most, 2);
});

test('a step that mostly waits takes no slot, and runs beside no other such', async () => {
  const all = [
    { name: 'a', turns: 20 },
    { name: 'b', turns: 20 },
    { name: 'waits', idle: true, turns: 30 },
    { name: 'waits too', idle: true, turns: 3 },
  ];
  const { began, ended, most } = await traced(all, 2);
  assert.equal(most, 3);
  assert.ok(began.get('waits too') > ended.get('waits'));
});

test('what needs a step that has failed does not run, and the rest does', async () => {
  const all = [{ name: 'a' }, { name: 'b', needs: ['a'] }, { name: 'c', needs: ['b'] }, { name: 'd' }];
  const { results } = await traced(all, 2, ['a']);
  assert.deepEqual([...results.keys()], ['a', 'd']);
});

test('areas and steps are chosen by name, with what they need', () => {
  const all = [{ name: 'build/a' }, { name: 'build/b' }, { name: 'x/one', needs: ['build/a'] }, { name: 'x/two' }];
  const names = (words) => chosen(all, words).map(({ name }) => name);
  assert.deepEqual(names([]), ['build/a', 'build/b', 'x/one', 'x/two']);
  assert.deepEqual(names(['x']), ['build/a', 'x/one', 'x/two']);
  assert.deepEqual(names(['x/two', 'build/b']), ['build/b', 'x/two']);
  assert.throws(() => names(['y']), /there is no step or area y/);
});

test('each step is in one shard, one that others need is in all, and what is built elsewhere is in none', () => {
  const all = [
    { name: 'build/a' },
    { name: 'x/one', needs: ['build/a', 'x/needed'] },
    { name: 'x/needed' },
    { name: 'x/two' },
    { name: 'x/three' },
  ];
  const rest = without(all, 'build');
  assert.deepEqual(rest[0].needs, ['x/needed']);
  const shards = ['1/2', '2/2'].map((shard) => shardOf(rest, shard).map(({ name }) => name));
  assert.deepEqual(shards, [
    ['x/one', 'x/needed', 'x/three'],
    ['x/needed', 'x/two'],
  ]);
});

test('tests are counted in the output of both runners', () => {
  const text =
    'ℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ skipped 1\ntest result: ok. 5 passed; 0 failed; 2 ignored; 0 measured\n';
  assert.deepEqual(countsIn(text), { passed: 7, failed: 1, skipped: 3 });
  assert.equal(processorTime('0m0.001s 0m0.500s\n1m2.250s 0m3.0s\n').toFixed(3), '65.751');
});

test('times are shown, the slowest first', () => {
  const rows = [
    { name: 'a', seconds: 1.25, processor: 0.5 },
    { name: 'b', seconds: 900, processor: 1_200 },
  ];
  assert.match(table(rows), /^ +seconds +processor +step\n +900\.0 +1200\.0 +b\n +1\.3 +0\.5 +a$/);
});

test('every file of tests is a step that needs only steps', () => {
  const names = new Set(steps.map(({ name }) => name));
  for (const folder of readdirSync('tests', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of readdirSync(`tests/${folder.name}`).filter((name) => name.endsWith('.test.mjs'))) {
      assert.ok(names.has(`${folder.name}/${file.replace('.test.mjs', '')}`), `${folder.name}/${file} is no step`);
    }
  }
  for (const { name, needs = [] } of steps) {
    for (const needed of needs) assert.ok(names.has(needed), `${name} needs ${needed}, which is no step`);
  }
});
