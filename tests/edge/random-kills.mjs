// Ends processes at random moments while records are loaded, sent, exported and moved between databases, and others
// search. Each is started again as an operator would. Every answer has all records of a patient, each once and of one
// version; so has every export; and so have the databases at the end.
//   KILLS=1000 SEED=1 PATIENTS=100 node tests/edge/random-kills.mjs

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EDGECHART } from '../../tools/server/served.mjs';
import { EVERYTHING, edgechart, populate, stage } from '../../tools/server/stage.mjs';
import { JOBS, start } from '../../tools/server/workerd.mjs';
import { workerds } from '../../tools/server/workerds.mjs';
import { generator } from '../oracle/rows.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { EHR, granted } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

process.removeAllListeners('warning');
const { DatabaseSync } = await import('node:sqlite');

const KILLS = Number(process.env.KILLS ?? 1_000);
const PATIENTS = Number(process.env.PATIENTS ?? 100);
/// The patients of the deployment whose records nothing changes.
const OTHERS = Number(process.env.OTHERS ?? 0);
const OBSERVATIONS = 40;
const SHARDS = 2;
const random = generator(process.env.SEED ?? '1');
const below = (end) => Math.floor(random() * end);

const patientId = (number) => `kill-${number}`;
/// The records of a version: the observations of each patient have its number as their value.
function* records(version) {
  for (let number = 0; number < PATIENTS; number += 1) {
    const id = patientId(number);
    yield { resourceType: 'Patient', id, meta: { tag: [{ code: String(version) }] }, name: [{ family: 'Kill' }] };
    for (let at = 0; at < OBSERVATIONS; at += 1) {
      yield {
        ...{ resourceType: 'Observation', id: `${id}-${at}`, status: 'final' },
        code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
        subject: { reference: `Patient/${id}` },
        valueInteger: version,
      };
    }
  }
}
const linesOf = (version) => [...records(version)].map((record) => `${JSON.stringify(record)}\n`).join('');

const folder = temporaryFolder();
const first = join(folder, 'first.ndjson');
writeFileSync(first, linesOf(0));
const staged = await stage({
  data: OTHERS ? [populate(OTHERS)] : [],
  shards: SHARDS,
  apps: [EHR],
  bare: true,
  vars: { FRESH_SECONDS: '0' },
});
const { state, keys, files, base } = staged;
staged.load(first);
const token = staged.token(EVERYTHING);
const headers = { authorization: `Bearer ${token}`, accept: 'application/fhir+json' };

// Its own `close` removes the state.
let server = { ...staged, close: () => staged.miniflare.dispose() };
let isUp = true;
const vars = { STORE: 'd1', INDEX: 'us-core', ORIGIN: staged.origin, FRESH_SECONDS: '0' };
async function restart() {
  server = await start({ state, keys, vars, shards: SHARDS, bare: true });
  isUp = true;
}
/// Ends workerd, with what it is at.
async function killServer() {
  isUp = false;
  for (const pid of workerds()) process.kill(pid, 'SIGKILL');
  await server.close().catch(() => {});
}
const ask = async (path, init) => fetch(`${server.url}${path}`, { ...init, headers: { ...headers, ...init?.headers } });

/// The versions that an answer may have: all that were begun since the last that was loaded to its end.
const versions = { loaded: 0, begun: 0 };
const seen = { answers: 0, exports: 0, kills: 0, interrupted: 0 };

/// Fails unless the observations of a patient are all there, once each, and of one version.
function assertWhole(observations, patient, from) {
  assert.equal(new Set(observations.map(({ id }) => id)).size, OBSERVATIONS, `${patient}: a record is missing`);
  assert.equal(observations.length, OBSERVATIONS, `${patient}: a record is there twice`);
  const found = new Set(observations.map(({ valueInteger }) => valueInteger));
  assert.equal(found.size, 1, `${patient}: an answer mixes versions ${[...found]}`);
  const [version] = found;
  assert.ok(version >= from && version <= versions.begun, `${patient}: version ${version}, not ${from} or later`);
}

let isOver = false;
/// Searches again and again. A server that is ended may answer nothing, but never wrongly.
async function reader() {
  while (!isOver) {
    await sleep(5);
    if (!isUp) continue;
    const patient = patientId(Math.floor(Math.random() * PATIENTS));
    const from = versions.loaded;
    let answer;
    try {
      const response = await ask(`/fhir/r4/Observation?patient=${patient}&_count=${OBSERVATIONS}`);
      answer = { status: response.status, body: await response.json() };
    } catch {
      continue;
    }
    assert.ok([200, 503].includes(answer.status), JSON.stringify(answer));
    if (answer.status !== 200) continue;
    assertWhole(
      answer.body.entry.map(({ resource }) => resource),
      patient,
      from,
    );
    seen.answers += 1;
  }
}

/// Starts the command line, ends it after a part of the time that such a run took, and runs it again to its end.
const lasted = {};
async function killedCommand(words, again = words) {
  const child = spawn(EDGECHART, words, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isOwnEnd = await Promise.race([ended.then(() => true), sleep(random() * (lasted[words[0]] ?? 500))]);
  child.kill('SIGKILL');
  await ended;
  seen.kills += 1;
  if (!isOwnEnd) seen.interrupted += 1;
  const began = performance.now();
  edgechart(...again);
  lasted[words[0]] = Math.max(performance.now() - began, 50);
}

const TRIALS = {
  async load() {
    versions.begun += 1;
    const file = join(folder, 'load.ndjson');
    writeFileSync(file, linesOf(versions.begun));
    await killedCommand(['load', file, ...files, '--base', base]);
    versions.loaded = versions.begun;
  },

  async move() {
    const [one, other] = [below(4_096), below(4_096)];
    const buckets = `${Math.min(one, other)}-${Math.max(one, other)}`;
    const to = ['--to', String(below(SHARDS + 1)), '--wait', '0'];
    await killedCommand(['shard', 'move', ...files, '--buckets', buckets, ...to], ['shard', 'move', ...files, ...to]);
  },

  /// Sends records and begins an export, ends workerd, and lets the cron trigger complete both.
  async serve() {
    const from = versions.loaded;
    versions.begun += 1;
    const sent = await fetch(`${server.url}/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/fhir+ndjson' },
      body: linesOf(versions.begun),
    });
    assert.equal(sent.status, 202);
    const { id } = await sent.json();
    const begun = await ask('/fhir/r4/Patient/$export?_type=Observation', { headers: { prefer: 'respond-async' } });
    assert.equal(begun.status, 202);
    const status = new URL(begun.headers.get('content-location')).pathname;
    await sleep(random() * 400);
    await killServer();
    seen.kills += 1;
    // The trigger sends again what has made no progress for five minutes.
    const database = new DatabaseSync(files[files.indexOf('--auth-db') + 1]);
    database.exec('UPDATE job SET touched_at = touched_at - 600000000 WHERE ended_at IS NULL');
    database.close();
    await restart();
    const trigger = async () => (await server.miniflare.getWorker(JOBS)).scheduled({ cron: '* * * * *' });
    await trigger();
    await until(async () => {
      const job = await (await ask(`/ingest/${id}`, { headers: { authorization: `Bearer ${writer}` } })).json();
      assert.equal(job.status, 'completed', JSON.stringify(job));
    });
    versions.loaded = versions.begun;
    const { output } = await until(async () => {
      const answer = await ask(status);
      assert.equal(answer.status, 200);
      return answer.json();
    });
    const lines = [];
    for (const { url } of output) {
      const text = await (await ask(new URL(url).pathname, { headers: { accept: '*/*' } })).text();
      lines.push(...text.trimEnd().split('\n').map(JSON.parse));
    }
    const ofPatient = Map.groupBy(lines, ({ subject }) => subject.reference.slice('Patient/'.length));
    for (let number = 0; number < PATIENTS; number += 1) {
      assertWhole(ofPatient.get(patientId(number)) ?? [], patientId(number), from);
    }
    seen.exports += 1;
  },
};

const { access_token: writer } = await granted(staged, EHR);
const readers = [reader(), reader()];
try {
  const failed = Promise.all(readers);
  const trials = (async () => {
    while (seen.kills < KILLS) {
      const name = Object.keys(TRIALS)[below(3)];
      await TRIALS[name]().catch((error) => {
        throw new Error(`${name}, after ${JSON.stringify(seen)}`, { cause: error });
      });
      if (seen.kills % 50 === 0) console.log(JSON.stringify(seen));
    }
    isOver = true;
  })();
  await Promise.race([trials, failed.then(() => trials)]);
  await failed;
  const dump = join(folder, 'dump.ndjson');
  edgechart('dump', ...files, '--out', dump);
  const stored = readFileSync(dump, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes('"kill-'))
    .map((line) => JSON.parse(line));
  assert.equal(stored.length, PATIENTS * (OBSERVATIONS + 1));
  const ofPatient = Map.groupBy(
    stored.filter(({ subject }) => subject),
    ({ subject }) => subject.reference.slice(8),
  );
  for (const [patient, observations] of ofPatient) assertWhole(observations, patient, versions.loaded);
  console.log(`${JSON.stringify(seen)}: nothing lost, doubled or torn`);
} finally {
  isOver = true;
  await killServer();
  rmSync(state, { recursive: true, force: true });
}
