// Measures searches on an idle server, while it loads a file of `MB=20`, and while it exports a population of
// `PATIENTS=300`. A single workerd process answers requests and runs jobs, so that they share a thread. On Cloudflare
// each Worker has its own isolates: jobs in another process, with databases of its own, stand for that.

import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYTHING, populate, stage } from '../server/stage.mjs';
import { SENDER, senderToken } from './lib/sender.mjs';

const PATIENTS = Number(process.env.PATIENTS ?? 300);
const BYTES = Number(process.env.MB ?? 20) * 1_000_000;
const SEARCH = 'Observation?patient=amara-okafor&category=laboratory';

const staged = () => stage({ data: ['sample', populate(PATIENTS)], vars: { FRESH_SECONDS: '0' }, apps: [SENDER] });
/// The server that is searched, and the one that runs the jobs of the other process.
const [server, other] = [await staged(), await staged()];
const token = server.token(EVERYTHING);

/// Resolves to the sorted times of searches in milliseconds, with a pause of 20 ms, until `isOver` resolves to true.
async function searched(isOver) {
  const times = [];
  do {
    const start = performance.now();
    const { status } = await server.ask(SEARCH, { token });
    if (status !== 200) throw new Error(`a search was answered by ${status}`);
    times.push(performance.now() - start);
    await sleep(20);
  } while (!(await isOver(times.length)));
  return times.sort((a, b) => a - b);
}

/// Yields the lines of a file with 21 records for each patient.
function* lines() {
  for (let patient = 0, bytes = 0; bytes < BYTES; patient += 1) {
    const text = [{ resourceType: 'Patient', id: `beside-${patient}` }];
    for (let number = 0; number < 20; number += 1) {
      const code = { coding: [{ system: 'http://loinc.org', code: `${1_000 + number}-1` }] };
      const subject = { reference: `Patient/beside-${patient}` };
      const note = [{ text: `Number ${number}. `.repeat(40) }];
      text.push({ resourceType: 'Observation', id: `${patient}-${number}`, status: 'final', code, subject, note });
    }
    const line = text.map((resource) => `${JSON.stringify(resource)}\n`).join('');
    bytes += line.length;
    yield line;
  }
}

const body = [...lines()].join('');

/// Starts a load. Resolves to a function that resolves to whether it is over.
async function loads(of) {
  const headers = { authorization: `Bearer ${await senderToken(of)}` };
  const type = 'application/fhir+ndjson';
  const sent = await fetch(`${of.url}/ingest`, { method: 'POST', headers: { ...headers, 'content-type': type }, body });
  const { id } = await sent.json();
  return async () => (await (await fetch(`${of.url}/ingest/${id}`, { headers })).json()).status !== 'in-progress';
}

/// Starts an export. Resolves to a function that resolves to whether it is over.
async function exports(of) {
  const headers = { authorization: `Bearer ${of.token(EVERYTHING)}`, accept: 'application/fhir+json' };
  const begun = await fetch(`${of.url}/fhir/r4/$export`, { headers: { ...headers, prefer: 'respond-async' } });
  const { pathname } = new URL(begun.headers.get('content-location'));
  return async () => (await fetch(of.url + pathname, { headers })).status !== 202;
}

const results = {};
try {
  results.idle = await searched((count) => count >= 200);
  results['beside a load of another process'] = await searched(await loads(other));
  results['beside an export of another process'] = await searched(await exports(other));
  results['beside a load'] = await searched(await loads(server));
  results['beside an export'] = await searched(await exports(server));
} finally {
  await server.close();
  await other.close();
}
for (const [name, times] of Object.entries(results)) {
  const at = (part) => times[Math.floor((times.length - 1) * part)].toFixed(1).padStart(9);
  console.log(`${name.padEnd(36)} ${String(times.length).padStart(6)} searches, p50${at(0.5)} ms, p95${at(0.95)} ms`);
}
