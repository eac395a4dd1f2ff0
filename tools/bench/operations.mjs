// Measures the operations that the Worker `reading` answers, and answers of 304: CPU time of the process with both
// Workers and D1, rows, trips and bytes. Each is asked many times (warm), and `$summary` and `overview` once by each of
// several new processes. The build must be a release build.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cost, populate, stage } from '../server/stage.mjs';
import { start } from '../server/workerd.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, median, percentile } from './lib/cpu.mjs';

const REQUESTS = 60;
const PROCESSES = 5;
const PROTOCOL = '2026-07-28';

if (readFileSync('build/profile', 'utf8').trim() !== 'release') throw new Error('build/ has no release build');

/// The records of each patient of the population, by patient.
const records = new Map();
for (const line of readFileSync(populate(100), 'utf8').split('\n')) {
  const [, id] =
    /"reference":"Patient\/([^"]+)"/.exec(line) ?? /^{"resourceType":"Patient","id":"([^"]+)"/.exec(line) ?? [];
  if (id) records.set(id, [...(records.get(id) ?? []), line]);
}
const bySize = [...records].toSorted(([, one], [, other]) => one.length - other.length);
const usual = bySize.findLast(([, lines]) => lines.length <= 500);
/// The records of many patients as those of one, under new ids.
const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
const file = join(folder, 'large.ndjson');
const large = [JSON.stringify({ resourceType: 'Patient', id: 'large', gender: 'female', birthDate: '1960-01-01' })];
for (const [id, lines] of bySize) {
  for (const line of lines.filter((line) => !line.startsWith('{"resourceType":"Patient"'))) {
    const own = line.replaceAll(`Patient/${id}"`, 'Patient/large"');
    large.push(own.replace(/"id":"([^"]+)"/, `"id":"large-${large.length}"`));
  }
}
const size = 5_000;
writeFileSync(file, large.slice(0, size).join('\n'));
const charts = { [usual[0]]: usual[1].length, large: size };

const server = await stage({ data: [populate(100), file], bare: true });
const address = { 'cf-connecting-ip': '192.0.2.1' };
const bearer = (token) => ({ authorization: `Bearer ${token}`, ...address });

/// Returns a request for a tool of assistants.
function tool(name, args) {
  const meta = 'io.modelcontextprotocol';
  const params = {
    _meta: { [`${meta}/protocolVersion`]: PROTOCOL, [`${meta}/clientCapabilities`]: {} },
    name,
    arguments: args,
  };
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': PROTOCOL, 'mcp-method': 'tools/call', 'mcp-name': name },
  };
  return (patient) => ({
    path: '/mcp',
    method: 'POST',
    headers: { ...headers, ...bearer(server.token('patient/*.rs', { patient, mcp: true })) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}
/// Returns a request for an address under the FHIR base.
const read = (path) => (patient) => ({
  path: `/fhir/r4/${path(patient)}`,
  headers: { ...bearer(server.token('patient/*.rs', { patient })), accept: 'application/fhir+json' },
});
const laboratory = read((patient) => `Observation?patient=${patient}&category=laboratory`);
const everything = read((patient) => `Patient/${patient}/$everything`);
const OPERATIONS = {
  'Patient/[id]/$summary': read((patient) => `Patient/${patient}/$summary`),
  'tool overview': tool('overview', {}),
  'tool trend': tool('trend', { measure: '29463-7' }),
  'laboratory results, a page of 50': laboratory,
  'the same: 304': laboratory,
  'Patient/[id]/$everything, first page': everything,
  'the same page: 304': everything,
};

/// Resolves to the answer to a request and what it cost: CPU and wall time in milliseconds.
async function asked(url, pid, { path, ...init }, expected = 200) {
  const [before, began] = [cpu(pid), performance.now()];
  const answer = await fetch(`${url}${path}`, init);
  const text = await answer.text();
  const wall = performance.now() - began;
  if (answer.status !== expected) throw new Error(`${answer.status} ${path} ${text}`);
  return { headers: answer.headers, bytes: text.length, wall, spent: 1_000 * (cpu(pid) - before) };
}

const [pid] = workerds();
console.log('| asked | records | CPU p50 | p95 | wall p50 | rows | trips | bytes |');
console.log(`|---|${'--:|'.repeat(7)}`);
for (const [patient, count] of Object.entries(charts)) {
  for (const [name, request] of Object.entries(OPERATIONS)) {
    const own = request(patient);
    const isKnown = name.endsWith('304');
    const tag = isKnown ? (await asked(server.url, pid, own)).headers.get('etag') : undefined;
    if (tag) own.headers['if-none-match'] = tag;
    const taken = [];
    for (let at = 0; at < REQUESTS; at += 1) taken.push(await asked(server.url, pid, own, isKnown ? 304 : 200));
    const warm = taken.slice(REQUESTS / 3);
    const { rows, trips } = cost(taken[0]);
    const [spent, wall] = [warm.map((one) => one.spent), warm.map((one) => one.wall)];
    const times = [median(spent), percentile(spent, 0.95), median(wall)].map((value) => value.toFixed(1));
    // The answers of `/mcp` do not tell what was read.
    const read = [rows, trips].map((value) => (Number.isNaN(value) ? '' : value));
    const columns = [count, ...times, ...read, taken.at(-1).bytes];
    console.log(`| ${name} | ${columns.join(' | ')} |`);
  }
}

/// Resolves to the milliseconds of requests in turn to a new process.
async function young(requests) {
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(server.state, state, { recursive: true });
  const others = new Set(workerds());
  const process = await start({ state, keys: server.keys, vars: { ORIGIN: server.origin }, bare: true, jobs: false });
  const own = workerds().find((pid) => !others.has(pid));
  const taken = [];
  for (const { status, ...request } of requests) taken.push(await asked(process.url, own, request, status));
  await process.close();
  rmSync(state, { recursive: true });
  return taken;
}
const [patient] = usual;
const refused = { ...OPERATIONS['tool overview'](patient), status: 401 };
refused.headers = { ...refused.headers, authorization: 'Bearer none' };
const YOUNG = {
  'refused at /mcp: 401': [refused],
  '`$summary` after a read of the patient': [
    read((id) => `Patient/${id}`)(patient),
    OPERATIONS['Patient/[id]/$summary'](patient),
  ],
  '`overview` after a refused request': [refused, OPERATIONS['tool overview'](patient)],
};
console.log(`\n| first in a new process, median of ${PROCESSES} | CPU | wall |\n|---|--:|--:|`);
for (const [name, requests] of Object.entries(YOUNG)) {
  const taken = [];
  for (let round = 0; round < PROCESSES; round += 1) taken.push((await young(requests)).at(-1));
  const times = [median(taken.map(({ spent }) => spent)), median(taken.map(({ wall }) => wall))];
  console.log(`| ${name} | ${times.map((value) => value.toFixed(1)).join(' | ')} |`);
}
await server.close();
rmSync(folder, { recursive: true });
