// Measures young isolates, which are common at the edge: they have just started and hold no chart. Each search runs in
// new processes, once for each of 100 patients and then again, with D1, KV and the plain Worker (lib/plain.mjs) in
// turn. A process is measured at its start with the first request, at its requests 2 to 20 and 21 to 100 (young and
// cold), and at the same requests again (warm). Other builds can be added: node tools/bench/young.mjs FOLDER …, each
// with an index.js and an index_bg.wasm.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE, populate, stage } from '../server/stage.mjs';
import { built, start } from '../server/workerd.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, cpuOfMainThread, median } from './lib/cpu.mjs';
import { PATIENT, plainBeside } from './lib/plain.mjs';

const PATIENTS = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const SEARCHES = [
  'Observation?patient=PATIENT&category=laboratory',
  'Condition?patient=PATIENT&_revinclude=Provenance:target',
  'Immunization?patient=PATIENT',
  'Observation?patient=PATIENT&category=vital-signs&date=ge2020-01-01',
  'Observation?patient=PATIENT&code=http://loinc.org%7C29463-7',
];
/// The ranges of a process's requests, by the state of its isolate.
const STATES = { start: [0, 1], '2-20': [1, 20], '21-100': [20, 100], warm: [100, 200] };

const population = populate(PATIENTS);
const ofPatient = /^\{"resourceType":"Patient","id":"([^"]+)"/gm;
const patients = [...readFileSync(population, 'utf8').matchAll(ofPatient)].map(([, id]) => id);
const asked = (search) => patients.map((id) => search.replace(PATIENT, id));

const stores = {};
for (const store of ['d1', 'kv']) stores[store] = await stage({ data: [population], store, bare: true });
const sentTo = Object.fromEntries(
  Object.entries(stores).map(([store, { token }]) => [
    store,
    { authorization: `Bearer ${token('system/*.read')}`, 'cf-connecting-ip': '192.0.2.1' },
  ]),
);
const plain = await plainBeside(stores.d1, new Set(SEARCHES.flatMap(asked)), sentTo.d1);

const of = (folder) => built(folder, { rehearses: true });
const SIDES = {
  d1: { store: 'd1', modules: of('build') },
  kv: { store: 'kv', modules: of('build') },
  ...Object.fromEntries(process.argv.slice(2).map((folder) => [folder, { store: 'd1', modules: of(folder) }])),
  plain: { store: 'd1', modules: plain },
};

/// Resolves to the milliseconds of a request in each state: wall time, CPU time of the main thread and of all threads.
async function measure({ store, modules }, search) {
  const { state: records, keys } = stores[store];
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(records, state, { recursive: true });
  const others = new Set(workerds());
  const vars = { ORIGIN: new URL(BASE).origin, STORE: store };
  const { url, close } = await start({ state, keys, vars, modules, bare: true, jobs: false });
  const pid = workerds().find((pid) => !others.has(pid));
  const requests = asked(search);
  const headers = sentTo[store];
  const spent = {};
  for (const [name, [from, to]] of Object.entries(STATES)) {
    const [all, own, wall] = [cpu(pid), cpuOfMainThread(pid), []];
    for (let at = from; at < to; at += 1) {
      const began = performance.now();
      const answer = await fetch(`${url}/fhir/r4/${requests[at % PATIENTS]}`, { headers });
      const text = await answer.text();
      wall.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    }
    const each = (seconds) => (1_000 * seconds) / (to - from);
    spent[name] = [median(wall), each(cpuOfMainThread(pid) - own), each(cpu(pid) - all)];
  }
  await close();
  rmSync(state, { recursive: true });
  return spent;
}

const row = (name, columns, width) =>
  console.log(name.padEnd(24) + columns.map((text) => text.padStart(width)).join(''));
for (const search of SEARCHES) {
  const rounds = Object.fromEntries(Object.keys(SIDES).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, side] of Object.entries(SIDES)) rounds[name].push(await measure(side, search));
  }
  console.log(`\n${search}: milliseconds of the wall, of the main thread and of all threads`);
  row('', Object.keys(STATES), 27);
  for (const [name, spent] of Object.entries(rounds)) {
    const medians = (state) => [0, 1, 2].map((kind) => median(spent.map((one) => one[state][kind])).toFixed(2));
    row(name, Object.keys(STATES).flatMap(medians), 9);
  }
}
for (const { close } of Object.values(stores)) await close();
