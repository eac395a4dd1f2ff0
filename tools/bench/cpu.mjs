// Measures the CPU time of searches and compares it with that of a minimal JavaScript Worker: lib/plain.mjs. Each
// Worker runs on workerd with nothing in front of it, in several processes, since processes differ. All are asked the
// same questions in turn, in one run: when they are young, and after the engine has compiled its hot code. Equal rounds
// are compared, since the speed of the machine changes over time. Besides searches by patient it measures requests
// without a patient: reads by id, and searches by id and identifier. `checked` is the same Worker with FRESH_SECONDS=0,
// which asks D1 for the version of each chart that it holds. Other builds can be added: node tools/bench/cpu.mjs FOLDER
// …, each with an index.js and an index_bg.wasm. If a folder also has an `edgechart`, that one loads its records, since
// their format may differ.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { d1File } from '../server/d1-files.mjs';
import { LOADED_AT } from '../server/loaded-at.mjs';
import { BASE, populate, stage } from '../server/stage.mjs';
import { built, start } from '../server/workerd.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, median } from './lib/cpu.mjs';
import { largest } from './lib/largest.mjs';
import { entriesOf, PATIENT, plainBeside } from './lib/plain.mjs';

const PATIENTS = 100;
/// The number of further patients. Their charts are more than an isolate holds.
const OTHERS = 300;
const LARGEST = { id: 'largest', observations: 10_000 };
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
const population = populate(PATIENTS + OTHERS);
const lines = readFileSync(population, 'utf8').trimEnd().split('\n');
const ofPatient = /^\{"resourceType":"Patient","id":"([^"]+)"/;
const everybody = lines.flatMap((line) => ofPatient.exec(line)?.[1] ?? []);
const [patients, others] = [everybody.slice(0, PATIENTS), everybody.slice(PATIENTS)];
writeFileSync(join(folder, 'largest.ndjson'), `${[...largest(lines, LARGEST)].join('\n')}\n`);
const server = await stage({ data: [population, folder], bare: true });

/// Returns the patient with the median number of observations.
function middle() {
  const counts = new Map(patients.map((patient) => [patient, 0]));
  for (const line of lines.filter((line) => line.startsWith('{"resourceType":"Observation"'))) {
    const [, patient] = /"reference":"Patient\/([^"]+)"/.exec(line) ?? [];
    if (counts.has(patient)) counts.set(patient, counts.get(patient) + 1);
  }
  const [id, observations] = [...counts].toSorted(([, a], [, b]) => a - b)[Math.floor(counts.size / 2)];
  return { id, observations };
}

/// Returns one resource of a type for each patient, or as many resources of the directory.
function resources(type) {
  const found = new Map();
  for (const line of lines.filter((line) => line.startsWith(`{"resourceType":"${type}",`))) {
    const resource = JSON.parse(line);
    const owner = (resource.subject ?? resource.patient)?.reference ?? resource.id;
    if (!found.has(owner) && found.size < PATIENTS) found.set(owner, resource);
  }
  return [...found.values()];
}
const ids = (type) => resources(type).map(({ id }) => id);
const identifiers = (type) =>
  resources(type).map(({ identifier: [{ system, value }] }) => encodeURIComponent(`${system}|${value}`));

/// Requests without a patient. The placeholder stands for an id or an identifier.
const NAMED = [
  { name: 'a read by id, of Observations', search: `Observation/${PATIENT}`, of: ids('Observation') },
  { name: 'a search by _id', search: `Observation?_id=${PATIENT}`, of: ids('Observation') },
  { name: 'an Encounter by identifier', search: `Encounter?identifier=${PATIENT}`, of: identifiers('Encounter') },
  { name: 'a Practitioner by id', search: `Practitioner/${PATIENT}`, of: ids('Practitioner') },
  {
    name: 'a Practitioner by identifier',
    search: `Practitioner?identifier=${PATIENT}`,
    of: identifiers('Practitioner'),
  },
];

/// The searches with the values that replace the placeholder in turn.
const MEDIAN = middle();
const CASES = [
  ...SEARCHES.map((search) => ({ name: search, search, of: patients })),
  ...NAMED,
  { name: `the first, of ${OTHERS} patients in turn: cold`, search: SEARCHES[0], of: others },
  ...[MEDIAN, LARGEST].map(({ id, observations }) => ({
    name: `the first, of one patient with ${observations} observations`,
    search: SEARCHES[0],
    of: [id],
  })),
];
const asked = ({ search, of }, number) => search.replace(PATIENT, of[number % of.length]);

// Cloudflare adds the address of the caller.
const sent = { authorization: `Bearer ${server.token('system/*.read')}`, 'cf-connecting-ip': '192.0.2.1' };
const questions = new Set(CASES.flatMap((one) => one.of.map((_, number) => asked(one, number))));
const plain = await plainBeside(server, questions, sent);

const builds = process.argv.slice(2);
const asDeployed = (folder) => built(folder, { rehearses: true });
const SIDES = {
  edgechart: asDeployed('build'),
  checked: asDeployed('build'),
  ...Object.fromEntries(builds.map((folder, number) => [`build ${number + 1}`, asDeployed(folder)])),
  plain,
};

/// Returns the command line of a side if it has its own.
function commandOf(name) {
  const command = join(builds[Number(name.replace('build ', '')) - 1] ?? '', 'edgechart');
  return name.startsWith('build ') && existsSync(command) ? command : undefined;
}

/// Loads the records with the command line of a side. Resolves to the headers of requests.
async function loadBy(command, state, { miniflare, databases }) {
  await (await miniflare.getD1Database('DB')).prepare('SELECT 1').run();
  const db = d1File(state, databases.DB);
  const run = (...words) => execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  run('load', population, folder, '--db', db, '--base', BASE, '--at', LOADED_AT);
  const origin = ['--origin', new URL(BASE).origin, '--keys', server.keys, '--db', db];
  run('sandbox', ...origin);
  return { ...sent, authorization: `Bearer ${run('token', 'system/*.read', ...origin).trim()}` };
}

/// Starts a process with a copy of the records, or with records that it loads itself.
async function launch(name) {
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  const command = commandOf(name);
  if (!command) cpSync(server.state, state, { recursive: true });
  const others = new Set(workerds());
  const vars = { ORIGIN: new URL(BASE).origin, ...(name === 'checked' && { FRESH_SECONDS: '0' }) };
  const started = await start({ state, keys: server.keys, vars, modules: SIDES[name], bare: true });
  const { url, close } = started;
  const pid = workerds().find((pid) => !others.has(pid));
  const headers = command ? await loadBy(command, state, started) : sent;
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
    const answer = await fetch(`${url}/fhir/r4/${search}`, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
    return text;
  }
  /// Sends `times` requests, starting with number `first`. Resolves to the mean length of the answers.
  async function run(one, first, times) {
    let bytes = 0;
    for (let n = 0; n < times; n += 1) bytes += (await ask(asked(one, first + n))).length;
    return bytes / times;
  }
  return process;
}

const sides = Object.fromEntries(Object.keys(SIDES).map((name) => [name, []]));
for (let number = 0; number < PROCESSES; number += 1) {
  for (const [name, side] of Object.entries(sides)) side.push(await launch(name));
}
const processes = Object.values(sides).flat();
rmSync(folder, { recursive: true });

/// Throws if the answers of the processes differ.
async function compare() {
  for (const search of CASES.flatMap((one) => one.of.slice(0, 10).map((_, number) => asked(one, number)))) {
    const texts = await Promise.all(processes.map((process) => process.ask(search)));
    const [entries, ...others] = texts.map((text) => JSON.stringify(entriesOf(JSON.parse(text))));
    if (others.some((other) => other !== entries)) throw new Error(`the answers are not the same: ${search}`);
  }
}

/// Sends searches to a process until it has answered `age` of them.
async function grow(process, age) {
  for (let number = 0; process.answered < age; number += 1) {
    for (const one of CASES.slice(0, SEARCHES.length + NAMED.length)) await process.run(one, number, 1);
  }
}

/// Resolves to the milliseconds of each case in each process, by round, and the length of its answers.
async function measure() {
  const spent = new Map(processes.map((process) => [process, new Map(CASES.map((one) => [one, []]))]));
  const bytes = new Map(CASES.map((one) => [one, []]));
  // One case after the other, so that no case evicts the charts of another.
  for (const one of CASES) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = round * REQUESTS;
      // The order of the processes alternates.
      for (const process of round % 2 ? processes : processes.toReversed()) {
        // The first requests do not count, since the processor's caches are cold after another process.
        await process.run(one, first + one.of.length - UNCOUNTED, UNCOUNTED);
        const before = cpu(process.pid);
        const length = await process.run(one, first, REQUESTS);
        const used = cpu(process.pid) - before;
        spent
          .get(process)
          .get(one)
          .push((1000 * used) / REQUESTS);
        if (process.name === 'edgechart') bytes.get(one).push(length);
      }
    }
  }
  return { spent, bytes };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length;
const column = (text, width = 11) => String(text).padStart(width);

function report(age, { spent, bytes }) {
  const cost = (side, one) => mean(sides[side].map((process) => median(spent.get(process).get(one))));
  const ratios = (process, other, one) =>
    spent
      .get(process)
      .get(one)
      .map((milliseconds, round) => milliseconds / spent.get(other).get(one)[round]);
  const ratio = (side, one, numbers = sides[side].keys()) =>
    median([...numbers].flatMap((number) => ratios(sides[side][number], sides.plain[number], one)));
  const names = Object.keys(sides);
  const measured = names.filter((name) => name !== 'plain');
  const line = (costs, times, length, name) =>
    console.log(
      [...costs.map((text) => column(text)), ...times.map((text) => column(text)), column(length, 8), name].join(' '),
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
  const shapes = CASES.slice(0, SEARCHES.length);
  const row = (one) =>
    line(
      names.map((name) => cost(name, one).toFixed(3)),
      measured.map((name) => ratio(name, one).toFixed(2)),
      Math.round(mean(bytes.get(one))),
      ` ${one.name}`,
    );
  shapes.forEach(row);
  const inAll = (of) => mean(shapes.map(of));
  line(
    names.map((name) => inAll((one) => cost(name, one)).toFixed(3)),
    measured.map((name) => inAll((one) => ratio(name, one)).toFixed(3)),
    '',
    ' in the mean',
  );
  CASES.slice(SEARCHES.length).forEach(row);
  const pairs = (name) => sides[name].map((_, number) => inAll((one) => ratio(name, one, [number])).toFixed(3));
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
