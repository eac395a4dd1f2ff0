// What people meet at the edge: an isolate that has just started and has seen no chart. Each search is asked in new
// processes, once for each of 100 patients and then again, of D1, of KV and of the plain Worker (lib/plain.mjs) in turn.
// A process is measured at its start and first request, at its requests 2 to 20 and 21 to 100 (young and cold), and at
// the same requests again (warm). Other builds are measured beside: node tools/bench/young.mjs FOLDER …, each with an
// index.js and an index_bg.wasm. ROUNDS=4 SEARCHES=35.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE, populate, stage } from '../server/stage.mjs';
import { built, start } from '../server/workerd.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, cpuOfMainThread, median } from './lib/cpu.mjs';
import { addPages, PATIENT, plain } from './lib/plain.mjs';

const PATIENTS = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const SEARCHES = [
  'Observation?patient=PATIENT&category=laboratory',
  'Condition?patient=PATIENT&_revinclude=Provenance:target',
  'Immunization?patient=PATIENT',
  'Observation?patient=PATIENT&category=vital-signs&date=ge2020-01-01',
  'Observation?patient=PATIENT&code=http://loinc.org%7C29463-7',
].slice(0, Number(process.env.SEARCHES ?? 35));
/// The requests of a process, by what its isolate is when it gets them.
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
const sent = sentTo.d1;
const page = async (search) => (await fetch(`${stores.d1.url}/fhir/r4/${search}`, { headers: sent })).text();
const sample = await fetch(`${stores.d1.url}/fhir/r4/${asked(SEARCHES[0])[0]}`, { headers: sent });
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];
const headers = Object.fromEntries([...sample.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
await sample.text();
await addPages(stores.d1.state, new Set(SEARCHES.flatMap(asked)), page);

const of = (folder) => built(folder, { rehearses: true });
const SIDES = {
  d1: { store: 'd1', modules: of('build') },
  kv: { store: 'kv', modules: of('build') },
  ...Object.fromEntries(process.argv.slice(2).map((folder) => [folder, { store: 'd1', modules: of(folder) }])),
  plain: { store: 'd1', modules: [{ type: 'ESModule', path: 'build/index.js', contents: plain(headers) }] },
};

/// The milliseconds of each request of a new process, by state: of the wall, of the request's thread, and of all threads.
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
    spent[name] = { wall, all: each(cpu(pid) - all), own: each(cpuOfMainThread(pid) - own) };
  }
  await close();
  rmSync(state, { recursive: true });
  return spent;
}

const column = (value, digits = 2) => (value?.toFixed(digits) ?? '').padStart(9);
for (const search of SEARCHES) {
  const rounds = Object.fromEntries(Object.keys(SIDES).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, side] of Object.entries(SIDES)) rounds[name].push(await measure(side, search));
  }
  console.log(`\n${search}`);
  console.log(
    `${''.padEnd(24)}${Object.keys(STATES)
      .map((state) => `${state}: wall, own, all`.padStart(29))
      .join('')}`,
  );
  for (const [name, spent] of Object.entries(rounds)) {
    const of = (state) => [
      median(spent.flatMap((one) => median(one[state].wall))),
      median(spent.map((one) => one[state].own)),
      median(spent.map((one) => one[state].all)),
    ];
    console.log(
      `${name.padEnd(24)}${Object.keys(STATES)
        .map(
          (state) =>
            `  ${of(state)
              .map((value) => column(value))
              .join('')}`,
        )
        .join('')}`,
    );
  }
}
for (const { close } of Object.values(stores)) await close();
