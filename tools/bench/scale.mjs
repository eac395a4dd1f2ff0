// Measures what grows with a population: time and memory of its load, bytes and rows by table, rows, trips and times of
// searches, exports, and a load of changes. PATIENTS=100000 SHARDS=4 INDEX=r4 ROUNDS=1 npx node tools/bench/scale.mjs
// With more than 1,000 patients, the first 1,000 are measured separately for comparison. Two patients have 30,000
// observations. ROUNDS=1 makes all charts but every hundredth a fifth as large.

import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EHR, granted } from '../../tests/server/sender.mjs';
import { populate, population } from '../populate.mjs';
import { EDGECHART } from '../server/served.mjs';
import { cost, EVERYTHING, edgechart, found, stage } from '../server/stage.mjs';
import { workerds } from '../server/workerds.mjs';
import { median, percentile } from './lib/cpu.mjs';
import { exported } from './lib/export.mjs';
import { largest } from './lib/largest.mjs';
import { memory } from './lib/memory.mjs';

// Suppresses Node's warning that its SQLite is experimental.
process.removeAllListeners('warning');
const { DatabaseSync } = await import('node:sqlite');

const PATIENTS = Number(process.env.PATIENTS ?? 1_000);
const SHARDS = Number(process.env.SHARDS ?? 4);
/// The set of search parameters that the records are indexed by.
const INDEX = process.env.INDEX ?? 'us-core';
const rounds = process.env.ROUNDS ? Number(process.env.ROUNDS) : undefined;
const ASKED = 100;
const LARGEST = ['largest-1', 'largest-2'].map((id) => ({ id, observations: 30_000 }));
/// The number of patients whose records are sent again, with changes.
const CHANGED = Math.min(1_000, PATIENTS);
/// The tables that only later loads read. In a remote database they are empty.
const LOCAL = ['alias', 'dependent'];
/// Searches by patient.
const SEARCHES = {
  'a page of 50': ({ id }) => `Observation?patient=${id}&category=laboratory`,
  'oldest first': ({ id }) => `Observation?patient=${id}&_sort=date&_count=20`,
  'a code, counted': ({ id }) => `Observation?patient=${id}&code=http://loinc.org%7C29463-7&_total=accurate`,
  'with _revinclude': ({ id }) => `Condition?patient=${id}&_revinclude=Provenance:target`,
  'with _include': ({ id }) => `MedicationRequest?patient=${id}&_include=MedicationRequest:medication`,
  'read of a patient': ({ id }) => `Patient/${id}`,
};
/// Searches without a patient id, by other data of a patient.
const DIRECTORY = {
  'by identifier': ({ identifier }) => `Patient?identifier=${encodeURIComponent(identifier)}`,
  'full name, birthdate': ({ family, given, birthDate }) =>
    `Patient?${new URLSearchParams({ family, given, birthdate: birthDate })}`,
  'family name': ({ family }) => `Patient?${new URLSearchParams({ family })}`,
  'beginning of names': ({ family }) => `Patient?${new URLSearchParams({ name: family.slice(0, 2), _count: 20 })}`,
  'name of practitioners': ({ family }) => `Practitioner?${new URLSearchParams({ name: family.slice(0, 4) })}`,
  organizations: ({ family }) => `Organization?${new URLSearchParams({ name: family.slice(0, 3) })}`,
};

const seconds = (since) => (performance.now() - since) / 1_000;
const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });

/// Runs the command line. Resolves to its duration in seconds, its output, and its peak memory in MiB.
function measured(...words) {
  const started = performance.now();
  const child = spawn(EDGECHART, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  let [most, said] = [0, ''];
  child.stdout.on('data', (part) => {
    said += part;
  });
  const watch = setInterval(() => {
    most = Math.max(most, memory(child.pid).most);
  }, 200);
  return new Promise((resolve, reject) => {
    child.on('close', (status) => {
      clearInterval(watch);
      if (status === 0) resolve({ seconds: seconds(started), mebibytes: most, said });
      else reject(new Error(`${words[0]} ended with ${status}`));
    });
  });
}

/// Resolves to the data of patients from all over a population.
async function peopleOf(server, token, file) {
  const [descriptor, size] = [openSync(file), statSync(file).size];
  const chunk = Buffer.alloc(1 << 21);
  const ids = new Set();
  for (let at = 0; at < ASKED; at++) {
    const read = readSync(descriptor, chunk, 0, chunk.length, Math.floor((size / ASKED) * at));
    const [, id] = /"reference":"Patient\/([^"]+)"/.exec(chunk.toString('latin1', 0, read)) ?? [];
    if (id) ids.add(id);
  }
  closeSync(descriptor);
  for (const { id } of LARGEST) ids.delete(id);
  const people = [];
  for (const id of ids) {
    const { body } = await server.ask(`Patient/${id}`, { token });
    const name = body.name?.find(({ family, given }) => family && given);
    if (!name || !body.identifier) continue;
    const { system, value } = body.identifier[0];
    const [identifier, family, given] = [`${system}|${value}`, name.family, name.given[0]];
    people.push({ id, identifier, family, given, birthDate: body.birthDate });
  }
  return people;
}

/// Returns the bytes and rows of each table, summed over all databases.
function tablesOf(files) {
  const tables = new Map();
  for (const file of new Set(files.filter((word) => word.endsWith('.sqlite')))) {
    const database = new DatabaseSync(file, { readOnly: true });
    const owners =
      'SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name';
    for (const { name, bytes } of database.prepare(`${owners} GROUP BY tbl_name`).all()) {
      const { rows } = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
      const table = tables.get(name) ?? { bytes: 0, rows: 0 };
      tables.set(name, { bytes: table.bytes + bytes, rows: table.rows + rows });
    }
    database.close();
  }
  return tables;
}

function printTables(tables, resources) {
  console.log(
    `\n${'table'.padEnd(14)}${'rows'.padStart(12)}${'MiB'.padStart(9)}${'bytes and rows a resource'.padStart(30)}`,
  );
  const all = { bytes: 0, rows: 0 };
  const print = (name, { bytes, rows }) => {
    const each = `${number(bytes / resources, 1)}${number(rows / resources, 3).padStart(8)}`;
    console.log(
      `${name.padEnd(14)}${number(rows).padStart(12)}${number(bytes / 2 ** 20, 1).padStart(9)}${each.padStart(30)}`,
    );
  };
  for (const [name, table] of [...tables].toSorted(([, one], [, other]) => other.bytes - one.bytes)) {
    if (table.rows > 0) print(name, table);
    if (LOCAL.includes(name)) continue;
    all.bytes += table.bytes;
    all.rows += table.rows;
  }
  print('remote', all);
}

/// Runs each search once for each person, and prints the entries, rows, trips and times.
async function ask(server, token, searches, people) {
  const heads = ['entries'.padStart(14), 'rows'.padStart(12), 'trips'.padStart(8), 'p50, p95, p99 in ms'.padStart(24)];
  console.log(`\n${'search'.padEnd(24)}${heads.join('')}`);
  for (const [name, search] of Object.entries(searches)) {
    const seen = { entries: [], rows: [], trips: [], ms: [] };
    for (const person of people) {
      const began = performance.now();
      const answer = await server.ask(search(person), { token });
      seen.ms.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`${answer.status} ${search(person)}`);
      const { ids, included } = answer.body.resourceType === 'Bundle' ? found(answer.body) : { ids: [1], included: [] };
      seen.entries.push(ids.length + included.length);
      const { rows, trips } = cost(answer);
      seen.rows.push(rows);
      seen.trips.push(trips);
    }
    const both = (values) => `${number(median(values))} ${number(Math.max(...values))}`;
    const times = [0.5, 0.95, 0.99].map((share) => number(percentile(seen.ms, share), 1)).join(' ');
    const columns = [both(seen.entries).padStart(14), both(seen.rows).padStart(12), both(seen.trips).padStart(8)];
    console.log(`${name.padEnd(24)}${columns.join('')}${times.padStart(24)}`);
  }
}

/// Sends records again, each with another `lastUpdated`, and waits until they are loaded.
async function sendChanged(server, records) {
  const { access_token: token } = await granted(server, EHR);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+ndjson' };
  const started = performance.now();
  let lines = 0;
  const jobs = [];
  for (let at = 0; at < records.length; at += 5_000) {
    const part = records.slice(at, at + 5_000);
    const body = part.join('').replaceAll(/"lastUpdated":"[^"]*"/g, '"lastUpdated":"2026-11-29T00:00:00Z"');
    const answer = await fetch(`${server.url}/ingest`, { method: 'POST', headers, body });
    if (answer.status !== 202) throw new Error(await answer.text());
    jobs.push((await answer.json()).id);
    lines += part.length;
  }
  for (const id of jobs) {
    const job = async () => (await fetch(`${server.url}/ingest/${id}`, { headers })).json();
    while ((await job()).status === 'in-progress') {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
  return { lines, seconds: seconds(started) };
}

async function measure(patients) {
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
  const server = await stage({ shards: SHARDS - 1, index: INDEX, bare: true, apps: [EHR] });
  try {
    const started = performance.now();
    const file = join(folder, 'population.ndjson');
    populate(file, patients, { rounds });
    const observations = [...population(11)];
    for (const one of LARGEST) appendFileSync(file, `${[...largest(observations, one)].join('\n')}\n`);
    console.log(`\n# ${number(patients)} patients over ${SHARDS} shards on one machine`);
    console.log(`populate: ${number(seconds(started))} s, ${number(statSync(file).size / 2 ** 20)} MiB of NDJSON`);
    const { files } = server;
    const share = 4_096 / SHARDS;
    for (let shard = 1; shard < SHARDS; shard++) {
      const buckets = `${Math.floor(share * shard)}-${Math.floor(share * (shard + 1)) - 1}`;
      edgechart('shard', 'move', ...files, '--buckets', buckets, '--to', String(shard), '--wait', '0');
    }
    const load = await measured('load', file, ...files, '--index', INDEX, '--base', server.base);
    const token = server.token(EVERYTHING);
    const headers = { authorization: `Bearer ${token}`, accept: 'application/fhir+json' };
    const people = await peopleOf(server, token, file);
    const member = people.map(({ id }) => ({ entity: { reference: `Patient/${id}` } }));
    writeFileSync(file, JSON.stringify({ resourceType: 'Group', id: 'asked', type: 'person', actual: true, member }));
    edgechart('load', file, ...files, '--base', server.base);
    rmSync(file);
    const all = await exported(server, headers, '');
    console.log(`load: ${number(load.seconds)} s, ${number(all.resources / load.seconds)} resources a second`);
    console.log(`memory of the command: at most ${number(load.mebibytes)} MiB`);
    console.log(`export of all: ${number(all.resources)} resources in ${number(all.seconds, 1)} s`);
    const group = await exported(server, headers, 'Group/asked/');
    console.log(`export of a Group: ${number(group.resources)} resources in ${number(group.seconds, 1)} s`);

    printTables(tablesOf(files), all.resources);
    const largestPeople = LARGEST.map(({ id }) => ({ id }));
    await ask(server, token, SEARCHES, people.slice(0, 5));
    console.log(`\n${people.length} patients, each asked once (above: five, of a young isolate)`);
    await ask(server, token, SEARCHES, people);
    await ask(server, token, DIRECTORY, people);
    console.log(`\nthe largest patients: ${number(LARGEST[0].observations)} observations`);
    await ask(server, token, { 'a page of 50': SEARCHES['a page of 50'] }, largestPeople);

    const changed = [...population(CHANGED, { rounds })].filter((line) => line.includes('"reference":"Patient/'));
    const sent = await sendChanged(server, changed);
    console.log(`\nrecords of ${number(CHANGED)} patients sent again with changes: ${number(sent.lines)} in`);
    console.log(`${number(sent.seconds)} s, ${number(sent.lines / sent.seconds)} resources a second`);
    const most = workerds().map((pid) => number(memory(pid).most));
    console.log(`memory of workerd, with D1, R2 and the queue in it: at most ${most.join(', ')} MiB`);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

for (const patients of new Set([Math.min(1_000, PATIENTS), PATIENTS])) await measure(patients);
