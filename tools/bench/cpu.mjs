// What a search costs beside the least that it can cost, which a plain JavaScript Worker spends: lib/plain.mjs. Each
// Worker runs on workerd with nothing in front of it, in several processes, since one is never quite like another. All
// are asked the same in turn, in one run, when they are young and when the engine has compiled what it compiles. A
// round of one is compared with the same round of another, since the machine is not as fast at one time as at another.
// Other builds are measured beside: node tools/bench/cpu.mjs FOLDER …, each with an index.js and an index_bg.wasm.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE, populate, stage } from '../server/stage.mjs';
import { built, start } from '../server/workerd.mjs';
import { cpu, median, workerds } from './lib/cpu.mjs';
import { addPages, PATIENT, plain } from './lib/plain.mjs';

const PATIENTS = 100;
const PROCESSES = 2;
const AGES = [1_000, 8_000];
const ROUNDS = 20;
const REQUESTS = 20;
const UNCOUNTED = 5;
const SEARCHES = [
  `Observation?patient=${PATIENT}&category=laboratory`,
  `Observation?patient=${PATIENT}&category=vital-signs&date=ge2020-01-01`,
  `Observation?patient=${PATIENT}&code=http://loinc.org%7C29463-7`,
  `Condition?patient=${PATIENT}&_revinclude=Provenance:target`,
  `Immunization?patient=${PATIENT}`,
];

const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
const population = populate(join(folder, 'population.ndjson'), PATIENTS);
const patients = [...readFileSync(population, 'utf8').matchAll(/^\{"resourceType":"Patient","id":"([^"]+)"/gm)].map(
  ([, id]) => id,
);
const server = await stage({ data: [population], bare: true });
rmSync(folder, { recursive: true });
const asked = (search, number) => search.replace(PATIENT, patients[number % PATIENTS]);

// The address is what Cloudflare adds.
const sent = { authorization: `Bearer ${server.token('system/*.read')}`, 'cf-connecting-ip': '192.0.2.1' };
const sample = await fetch(`${server.url}/fhir/r4/${asked(SEARCHES[0], 0)}`, { headers: sent });
await sample.text();
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];
const headers = Object.fromEntries([...sample.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
await addPages(server.state, SEARCHES, patients, async (search) => {
  const answer = await fetch(`${server.url}/fhir/r4/${search}`, { headers: sent });
  return answer.text();
});

const builds = process.argv.slice(2);
const SIDES = {
  edgechart: built(),
  ...Object.fromEntries(builds.map((folder, number) => [`build ${number + 1}`, built(folder)])),
  plain: [{ type: 'ESModule', path: 'build/index.js', contents: plain(headers) }],
};

/// A process with a copy of the records.
async function launch(name) {
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(server.state, state, { recursive: true });
  const others = new Set(workerds());
  const vars = { ORIGIN: new URL(BASE).origin };
  const { url, close } = await start({ state, keys: server.keys, vars, modules: SIDES[name], bare: true });
  const pid = workerds().find((pid) => !others.has(pid));
  const process = {
    name,
    pid,
    ask,
    run,
    answered: 0,
    close: () => close().then(() => rmSync(state, { recursive: true })),
  };
  async function ask(search) {
    process.answered += 1;
    const answer = await fetch(`${url}/fhir/r4/${search}`, { headers: sent });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
    return text;
  }
  /// Asks for so many patients, from that one on. Resolves to the mean length of the answers.
  async function run(search, first, times) {
    let bytes = 0;
    for (let n = 0; n < times; n += 1) bytes += (await ask(asked(search, first + n))).length;
    return bytes / times;
  }
  return process;
}

const sides = Object.fromEntries(Object.keys(SIDES).map((name) => [name, []]));
for (let number = 0; number < PROCESSES; number += 1) {
  for (const [name, side] of Object.entries(sides)) side.push(await launch(name));
}
const processes = Object.values(sides).flat();

/// Fails where a process does not find what the others do.
async function compare() {
  for (const search of SEARCHES.flatMap((search) => patients.slice(0, 10).map((_, number) => asked(search, number)))) {
    const texts = await Promise.all(processes.map((process) => process.ask(search)));
    const [entries, ...others] = texts.map((text) => JSON.stringify(JSON.parse(text).entry ?? []));
    if (others.some((other) => other !== entries)) throw new Error(`the answers are not the same: ${search}`);
  }
}

/// Brings a process to that age, in searches; those that are measured are of it.
async function grow(process, age) {
  for (let number = 0; process.answered < age; number += 1) {
    for (const search of SEARCHES) await process.run(search, number, 1);
  }
}

/// What each search costs each process, in milliseconds, by round; and its bytes.
async function measure() {
  const spent = new Map(processes.map((process) => [process, new Map(SEARCHES.map((search) => [search, []]))]));
  const bytes = new Map(SEARCHES.map((search) => [search, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const search of SEARCHES) {
      const first = round * REQUESTS;
      // Who is first takes turns too.
      for (const process of round % 2 ? processes : processes.toReversed()) {
        // After another's turn nothing of this one is left in the processor's caches: the first do not count.
        await process.run(search, first - UNCOUNTED + PATIENTS, UNCOUNTED);
        const before = cpu(process.pid);
        const length = await process.run(search, first, REQUESTS);
        const used = cpu(process.pid) - before;
        spent
          .get(process)
          .get(search)
          .push((1000 * used) / REQUESTS);
        if (process.name === 'edgechart') bytes.get(search).push(length);
      }
    }
  }
  return { spent, bytes };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length;
const column = (text, width = 11) => String(text).padStart(width);

function report(age, { spent, bytes }) {
  const cost = (side, search) => mean(sides[side].map((process) => median(spent.get(process).get(search))));
  const ratios = (process, other, search) =>
    spent
      .get(process)
      .get(search)
      .map((milliseconds, round) => milliseconds / spent.get(other).get(search)[round]);
  const ratio = (side, search, numbers = sides[side].keys()) =>
    median([...numbers].flatMap((number) => ratios(sides[side][number], sides.plain[number], search)));
  const names = Object.keys(sides);
  const measured = names.filter((name) => name !== 'plain');
  const line = (costs, times, length, search) =>
    console.log(
      [...costs.map((text) => column(text)), ...times.map((text) => column(text)), column(length, 8), search].join(' '),
    );

  console.log(`${PROCESSES} processes of each that have answered ${age} searches. CPU of a search in milliseconds:`);
  console.log(
    `the median of ${ROUNDS} rounds. × : times that of the plain Worker, the median of the rounds' ratios.\n`,
  );
  line(
    names,
    measured.map((name) => `× ${name}`),
    'bytes',
    ' search',
  );
  for (const search of SEARCHES) {
    line(
      names.map((name) => cost(name, search).toFixed(3)),
      measured.map((name) => ratio(name, search).toFixed(2)),
      Math.round(mean(bytes.get(search))),
      ` ${search}`,
    );
  }
  const inAll = (of) => mean(SEARCHES.map(of));
  line(
    names.map((name) => inAll((search) => cost(name, search)).toFixed(3)),
    measured.map((name) => inAll((search) => ratio(name, search)).toFixed(3)),
    '',
    ' in the mean',
  );
  const pairs = (name) => sides[name].map((_, number) => inAll((search) => ratio(name, search, [number])).toFixed(3));
  for (const name of measured) console.log(`\n${name}, pair by pair: ${pairs(name).join(' ')}`);
  console.log();
}

for (const [number, folder] of builds.entries()) console.log(`build ${number + 1}: ${folder}`);
await compare();
for (const age of AGES) {
  await Promise.all(processes.map((process) => grow(process, age)));
  report(age, await measure());
}
for (const { close } of processes) await close();
await server.close();
