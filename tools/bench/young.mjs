// Measures young isolates, which are common at the edge: they have just started and hold no chart. Each shape of search
// runs in new processes, once for each of 100 patients and then again: with D1, D1 with every version checked, KV, and
// the plain Worker (lib/plain.mjs) in turn. The shapes are rows of the contract. The builds must be release builds.
// Other builds can be added: node tools/bench/young.mjs FOLDER …, each with an index.js and an index_bg.wasm.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexOf, loadResources } from '../../tests/oracle/data.mjs';
import { instantiate, readRows } from '../../tests/oracle/rows.mjs';
import { BASE, populate, stage } from '../server/stage.mjs';
import { built, start } from '../server/workerd.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, cpuOfMainThread, median, percentile } from './lib/cpu.mjs';
import { plainBeside } from './lib/plain.mjs';

const PATIENTS = 100;
const SHAPES = Number(process.env.SHAPES ?? 35);
const ROUNDS = Number(process.env.ROUNDS ?? 2);
/// The ranges of a process's requests, by the state of its isolate.
const STATES = {
  start: [0, 1],
  'young and cold, 2 to 20': [1, 20],
  'young and cold, 21 to 100': [20, 100],
  'the same again': [100, 200],
};

if (readFileSync('build/profile', 'utf8').trim() !== 'release') throw new Error('build/ has no release build');
const population = populate(PATIENTS);
const resources = loadResources([population]);
indexOf(resources);
/// The queries of each shape, one per patient.
const shapes = readRows()
  .filter(({ query }) => query.includes('?') && query.includes('{patient}'))
  .map((row) => [...instantiate(row, resources, { patients: PATIENTS, perPatient: 1 })])
  .filter((queries) => queries.length === PATIENTS);
const chosen = Array.from({ length: SHAPES }, (_, at) => shapes[Math.floor((at * shapes.length) / SHAPES)]);

/// The wildcard means the types of US Core, and some rows of the contract search further ones.
const scopes = ['*', ...new Set(chosen.map(([query]) => query.split('?')[0]))].map((type) => `system/${type}.read`);

const stores = {};
for (const store of ['d1', 'kv']) stores[store] = await stage({ data: [population], store, bare: true });
const sentTo = Object.fromEntries(
  Object.entries(stores).map(([store, { token }]) => [
    store,
    { authorization: `Bearer ${token(scopes.join(' '))}`, 'cf-connecting-ip': '192.0.2.1' },
  ]),
);
const plain = await plainBeside(stores.d1, new Set(chosen.flat()), sentTo.d1);

const of = (folder) => built(folder, { rehearses: true });
const SIDES = {
  D1: { store: 'd1', modules: of('build') },
  'D1, checked': { store: 'd1', modules: of('build'), vars: { FRESH_SECONDS: '0' } },
  KV: { store: 'kv', modules: of('build') },
  ...Object.fromEntries(process.argv.slice(2).map((folder) => [folder, { store: 'd1', modules: of(folder) }])),
  plain: { store: 'd1', modules: plain },
};

/// Resolves to the milliseconds of requests in each state of a new process: the wall time of each request, and the mean
/// CPU time of the main thread and of all threads.
async function measure({ store, modules, vars }, queries) {
  const { state: records, keys } = stores[store];
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(records, state, { recursive: true });
  const others = new Set(workerds());
  const settings = { ORIGIN: new URL(BASE).origin, STORE: store, ...vars };
  const { url, close } = await start({ state, keys, vars: settings, modules, bare: true, jobs: false });
  const pid = workerds().find((pid) => !others.has(pid));
  const headers = sentTo[store];
  const spent = {};
  for (const [name, [from, to]] of Object.entries(STATES)) {
    const [all, own, wall] = [cpu(pid), cpuOfMainThread(pid), []];
    for (let at = from; at < to; at += 1) {
      const began = performance.now();
      const answer = await fetch(`${url}/fhir/r4/${queries[at % PATIENTS]}`, { headers });
      const text = await answer.text();
      wall.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    }
    const each = (seconds) => (1_000 * seconds) / (to - from);
    spent[name] = { wall, own: each(cpuOfMainThread(pid) - own), all: each(cpu(pid) - all) };
  }
  await close();
  rmSync(state, { recursive: true });
  return spent;
}

/// The results of each round, by side and shape.
const taken = Object.fromEntries(Object.keys(SIDES).map((name) => [name, chosen.map(() => [])]));
for (const [shape, queries] of chosen.entries()) {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, side] of Object.entries(SIDES)) taken[name][shape].push(await measure(side, queries));
  }
}
for (const { close } of Object.values(stores)) await close();

const MEASURES = {
  wall: ({ wall }) => median(wall),
  'main thread': ({ own }) => own,
  'all threads': ({ all }) => all,
};
/// Returns the median of the rounds of each shape.
const ofShapes = (name, state, measure) =>
  taken[name].map((rounds) => median(rounds.map((one) => measure(one[state]))));
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

console.log(`${chosen.length} shapes, ${ROUNDS} processes of each side: milliseconds of a request; × is the geometric`);
console.log('mean of the ratios to the plain Worker, and the largest of a shape.\n');
const heads = Object.keys(MEASURES).map((name) => `${name} | × | most`);
console.log(`| requests | of | p50 | p95 | p99 | ${heads.join(' | ')} |`);
console.log(`|---|---|${'--:|'.repeat(3 + 3 * heads.length)}`);
for (const state of Object.keys(STATES)) {
  for (const name of Object.keys(SIDES)) {
    const walls = taken[name].flat().flatMap((one) => one[state].wall);
    const columns = [0.5, 0.95, 0.99].map((share) => percentile(walls, share));
    for (const measure of Object.values(MEASURES)) {
      const own = ofShapes(name, state, measure);
      const ratios = ofShapes('plain', state, measure).map((value, shape) => own[shape] / value);
      columns.push(mean(own), mean(ratios), Math.max(...ratios));
    }
    console.log(`| ${state} | ${name} | ${columns.map((value) => value.toFixed(2)).join(' | ')} |`);
  }
}
const slowest = ofShapes('D1', 'young and cold, 21 to 100', MEASURES.wall)
  .map((ms, shape) => ({ ms, query: chosen[shape][0] }))
  .toSorted((a, b) => b.ms - a.ms);
console.log('\nThe slowest shapes of a young isolate on D1:');
for (const { ms, query } of slowest.slice(0, 5)) console.log(`${ms.toFixed(2)} ms  ${query}`);
