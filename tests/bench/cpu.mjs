// What a search costs beside the least that it can cost: a plain JavaScript Worker that sends the same statements to the
// same D1, joins the same texts and sends the same headers, without looking at a token or a query, and without a line in a
// log. Both on workerd, in turn, in one run. Two processes of each, since one is never quite like another; each has answered
// many searches before, since the engine goes on compiling for long; and what they log goes to a file: read by this process,
// on the next core, it would be measured too.

import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerd from 'workerd';
import { cpu, median, workerds } from '../server/cpu.mjs';
import { BASE, edgechart, stage } from '../server/stage.mjs';
import { start } from '../server/workerd.mjs';

const PROCESSES = 2;
const BEFORE = 10_000;
const ROUNDS = 20;
const REQUESTS = 50;
const SEARCHES = [
  'Observation?patient=amara-okafor&category=laboratory',
  'Observation?patient=amara-okafor&category=laboratory&date=ge2020-01-01&_count=20',
  'Condition?patient=amara-okafor&_revinclude=Provenance:target',
  'Immunization?patient=kai-nakamura',
];

const plainly = (headers) => `
const headers = ${JSON.stringify(headers)};
const live = { sql: 'SELECT 1 AS live FROM grants WHERE id = ?1 AND revoked_at IS NULL', binds: ['g'] };
export default {
  async fetch(request, env) {
    const statements = JSON.parse(env.STATEMENTS)[Number(request.headers.get('which'))];
    const session = env.DB.withSession('first-unconstrained');
    const prepare = ({ text, sql = text, binds }) => session.prepare(sql).bind(...binds);
    const [, ...answers] = await session.batch([live, ...statements].map(prepare));
    const texts = [];
    for (const { results } of answers) for (const row of results) if (row.entry) texts.push(row.entry);
    const body = '{"resourceType":"Bundle","type":"searchset","entry":[' + texts.join(',') + ']}';
    return new Response(body, { headers });
  },
};`;

const server = await stage({ data: ['sample'] });
const token = server.token('system/*.read');
const authorization = { authorization: `Bearer ${token}` };
const statements = SEARCHES.map((search) => JSON.parse(edgechart('explain', search, '--sql', '--base', BASE)));
const sample = await fetch(`${server.url}/fhir/r4/${SEARCHES[0]}`, { headers: authorization });
await sample.text();
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];
const headers = Object.fromEntries([...sample.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));

const quiet = join(server.state, 'workerd');
writeFileSync(quiet, `#!/bin/sh\nexec '${workerd.default}' "$@" >> '${server.state}/workerd.log'\n`);
chmodSync(quiet, 0o755);
process.env.MINIFLARE_WORKERD_PATH = quiet;

// Before both stand the same assets, and both have the same bindings; each has a copy of the records.
const SIDES = {
  edgechart: { ask: (url, at) => fetch(`${url}/fhir/r4/${SEARCHES[at]}`, { headers: authorization }) },
  plain: {
    modules: [{ type: 'ESModule', path: 'build/plain.js', contents: plainly(headers) }],
    ask: (url, at) => fetch(`${url}/fhir/r4/`, { headers: { which: String(at) } }),
  },
};

async function launch(name) {
  const { modules, ask } = SIDES[name];
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(server.state, state, { recursive: true });
  const others = new Set(workerds());
  const vars = { STATEMENTS: JSON.stringify(statements), ORIGIN: new URL(BASE).origin };
  const { url, miniflare } = await start({ state, keys: server.keys, vars, modules });
  const pid = workerds().find((pid) => !others.has(pid));
  let bytes = 0;
  const run = async (at, times) => {
    for (let n = 0; n < times; n += 1) {
      const answer = await ask(url, at);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
      bytes = text.length;
    }
    return bytes;
  };
  for (let n = 0; n < BEFORE; n += SEARCHES.length) for (const at of SEARCHES.keys()) await run(at, 1);
  const close = async () => {
    await miniflare.dispose();
    rmSync(state, { recursive: true });
  };
  return { name, pid, run, close };
}

const processes = [];
for (let number = 0; number < PROCESSES; number += 1) {
  for (const name of Object.keys(SIDES)) processes.push(await launch(name));
}
console.log(`CPU of a search in milliseconds, after ${BEFORE} searches: median of rounds, mean of ${PROCESSES} processes\n`);
console.log(`${'edgechart'.padStart(10)}${'plain'.padStart(10)}${'ratio'.padStart(8)}${'bytes'.padStart(9)}  search`);
const ratios = [];
for (const at of SEARCHES.keys()) {
  const spent = new Map(processes.map((process) => [process, []]));
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [{ pid, run, name }, rounds] of spent) {
      const before = cpu(pid);
      const length = await run(at, REQUESTS);
      rounds.push((1000 * (cpu(pid) - before)) / REQUESTS);
      if (name === 'edgechart') bytes = length;
    }
  }
  const mean = (side) => [...spent].filter(([{ name }]) => name === side).reduce((sum, [, rounds]) => sum + median(rounds), 0) / PROCESSES;
  const [ours, theirs] = [mean('edgechart'), mean('plain')];
  ratios.push(ours / theirs);
  console.log(`${ours.toFixed(3).padStart(10)}${theirs.toFixed(3).padStart(10)}${(ours / theirs).toFixed(2).padStart(8)}${String(bytes).padStart(9)}  ${SEARCHES[at]}`);
}
console.log(`\n${'in the mean'.padStart(20)}${(ratios.reduce((sum, ratio) => sum + ratio) / ratios.length).toFixed(3).padStart(9)}`);
for (const { close } of processes) await close();
await server.close();
