// Measures a population over several shards: time and memory of the load, bytes and rows by table, and the rows, trips
// and times of searches for varied patients. PATIENTS=10000 SHARDS=4 INDEX=r4 npx node tools/bench/scale.mjs

import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { populate } from '../populate.mjs';
import { EDGECHART } from '../server/served.mjs';
import { cost, EVERYTHING, edgechart, found, stage } from '../server/stage.mjs';
import { median } from './lib/cpu.mjs';

// Suppresses Node's warning that its SQLite is experimental.
process.removeAllListeners('warning');
const { DatabaseSync } = await import('node:sqlite');

const PATIENTS = Number(process.env.PATIENTS ?? 1_000);
const SHARDS = Number(process.env.SHARDS ?? 4);
/// The set of search parameters that the records are indexed by.
const INDEX = process.env.INDEX ?? 'us-core';
const ASKED = 100;
/// The tables that only later loads read. In a remote database they are empty.
const LOCAL = ['alias', 'dependent'];
const SEARCHES = {
  'a page of 50': (patient) => `Observation?patient=${patient}&category=laboratory`,
  'oldest first': (patient) => `Observation?patient=${patient}&_sort=date&_count=20`,
  'a code, counted': (patient) => `Observation?patient=${patient}&code=http://loinc.org%7C29463-7&_total=accurate`,
  'with _revinclude': (patient) => `Condition?patient=${patient}&_revinclude=Provenance:target`,
  'with _include': (patient) => `MedicationRequest?patient=${patient}&_include=MedicationRequest:medication`,
};

const seconds = (since) => (performance.now() - since) / 1_000;
const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });

/// Runs the command line. Resolves to its duration in seconds and its peak memory in MiB.
function measured(...words) {
  const started = performance.now();
  const child = spawn(EDGECHART, words, { stdio: 'ignore' });
  let most = 0;
  const watch = setInterval(() => {
    try {
      const [, kib] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      most = Math.max(most, Number(kib ?? 0) / 1_024);
    } catch {
      // The process has ended.
    }
  }, 200);
  return new Promise((resolve, reject) => {
    child.on('close', (status) => {
      clearInterval(watch);
      if (status === 0) resolve({ seconds: seconds(started), mebibytes: most });
      else reject(new Error(`${words[0]} ended with ${status}`));
    });
  });
}

/// Returns the ids of patients from all over a population.
function patientsOf(file) {
  const ids = [];
  const [descriptor, size] = [openSync(file), statSync(file).size];
  const chunk = Buffer.alloc(1 << 21);
  for (let at = 0; at < ASKED; at++) {
    const read = readSync(descriptor, chunk, 0, chunk.length, Math.floor((size / ASKED) * at));
    const [, id] = /"reference":"Patient\/([^"]+)"/.exec(chunk.toString('latin1', 0, read)) ?? [];
    if (id) ids.push(id);
  }
  closeSync(descriptor);
  return [...new Set(ids)];
}

const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
const server = await stage({ shards: SHARDS - 1, index: INDEX, bare: true });
try {
  const started = performance.now();
  const population = join(folder, 'population.ndjson');
  populate(population, PATIENTS);
  const mebibytes = statSync(population).size / 2 ** 20;
  console.log(`${number(PATIENTS)} patients over ${SHARDS} shards on one machine`);
  console.log(`populate: ${number(seconds(started))} s, ${number(mebibytes)} MiB of NDJSON`);
  const { files } = server;
  const share = 4_096 / SHARDS;
  for (let shard = 1; shard < SHARDS; shard++) {
    const buckets = `${Math.floor(share * shard)}-${Math.floor(share * (shard + 1)) - 1}`;
    edgechart('shard', 'move', ...files, '--buckets', buckets, '--to', String(shard), '--wait', '0');
  }
  const load = await measured('load', population, ...files, '--index', INDEX, '--base', server.base);

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
  const lines = await measured('dump', ...files, '--out', join(folder, 'dump.ndjson'));
  const dumped = spawn('wc', ['-l', join(folder, 'dump.ndjson')]);
  const resources = Number.parseInt(await new Promise((resolve) => dumped.stdout.once('data', resolve)), 10);
  const took = `${number(load.seconds)} s, ${number(resources / load.seconds)} resources a second`;
  console.log(`load: ${took}, at most ${number(load.mebibytes)} MiB of memory; dump: ${number(lines.seconds)} s`);
  console.log(`${number(resources)} resources\n`);

  console.log(
    `${'table'.padEnd(14)}${'rows'.padStart(12)}${'MiB'.padStart(9)}${'bytes and rows a resource'.padStart(30)}`,
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

  const token = server.token(EVERYTHING);
  const patients = patientsOf(population);
  console.log(`\n${patients.length} patients, each asked once: median and most`);
  console.log(
    `${'search'.padEnd(18)}${'entries'.padStart(14)}${'rows'.padStart(12)}${'trips'.padStart(8)}${'ms'.padStart(16)}`,
  );
  for (const [name, search] of Object.entries(SEARCHES)) {
    const seen = { entries: [], rows: [], trips: [], ms: [] };
    for (const patient of patients) {
      const began = performance.now();
      const answer = await server.ask(search(patient), { token });
      seen.ms.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`${answer.status} ${search(patient)}`);
      const { ids, included } = found(answer.body);
      seen.entries.push(ids.length + included.length);
      const { rows, trips } = cost(answer);
      seen.rows.push(rows);
      seen.trips.push(trips);
    }
    const both = (values, digits) => `${number(median(values), digits)} ${number(Math.max(...values), digits)}`;
    const columns = [both(seen.entries).padStart(14), both(seen.rows).padStart(12), both(seen.trips).padStart(8)];
    console.log(`${name.padEnd(18)}${columns.join('')}${both(seen.ms, 1).padStart(16)}`);
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
