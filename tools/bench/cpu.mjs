// What a search costs beside the least that it can cost: a plain JavaScript Worker that gets the same requests, sends the same
// statements to the same D1, joins the same texts and sends the same headers, without looking at a token or a query, and
// without a line in a log. Both on workerd, in turn, in one run. Several processes of each, since one is never quite like
// another; measured when they are young, and when the engine has compiled what it compiles, which takes it tens of thousands of
// searches; two that are asked one after the other are compared, since the machine is not as fast at one time as at another;
// and what they log goes to a file: read by this process, on the next core, it would be measured too.

import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerd from 'workerd';
import { BASE, edgechart, stage } from '../server/stage.mjs';
import { start } from '../server/workerd.mjs';
import { cpu, median, workerds } from './lib/cpu.mjs';

const PAIRS = 2;
const AGES = [8_000, 64_000];
const ROUNDS = 40;
const REQUESTS = 40;
const UNCOUNTED = 5;
const SEARCHES = [
  'Observation?patient=amara-okafor&category=laboratory',
  'Observation?patient=amara-okafor&category=laboratory&date=ge2020-01-01&_count=20',
  'Condition?patient=amara-okafor&_revinclude=Provenance:target',
  'Immunization?patient=kai-nakamura',
];

const plainly = (headers, statements) => `
const headers = ${JSON.stringify(headers)};
const statements = ${JSON.stringify(statements)};
export default {
  async fetch(request, env) {
    const search = request.url.slice(request.url.indexOf('/r4/') + 4);
    const session = env.DB.withSession('first-unconstrained');
    const prepare = ({ text, sql = text, binds }) => session.prepare(sql).bind(...binds);
    const answers = await session.batch(statements[search].map(prepare));
    const texts = [];
    for (const { results } of answers) for (const row of results) if (row.entry) texts.push(row.entry);
    const body = '{"resourceType":"Bundle","type":"searchset","entry":[' + texts.join(',') + ']}';
    return new Response(body, { headers });
  },
};`;

const server = await stage({ data: ['sample'] });
const token = server.token('system/*.read');
const authorization = { authorization: `Bearer ${token}` };
const become = (search) => JSON.parse(edgechart('explain', search, '--sql', '--base', BASE));
const statements = Object.fromEntries(SEARCHES.map((search) => [search, become(search)]));
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
  edgechart: undefined,
  plain: [{ type: 'ESModule', path: 'build/plain.js', contents: plainly(headers, statements) }],
};

async function launch(name) {
  const state = mkdtempSync(join(tmpdir(), 'edgechart-'));
  cpSync(server.state, state, { recursive: true });
  const others = new Set(workerds());
  const { url, miniflare } = await start({
    state,
    keys: server.keys,
    vars: { ORIGIN: new URL(BASE).origin },
    modules: SIDES[name],
  });
  const pid = workerds().find((pid) => !others.has(pid));
  const process = { name, pid, run, close, answered: 0 };
  async function run(search, times) {
    let bytes = 0;
    for (let n = 0; n < times; n += 1, process.answered += 1) {
      const answer = await fetch(`${url}/fhir/r4/${search}`, { headers: authorization });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
      bytes = text.length;
    }
    return bytes;
  }
  async function close() {
    await miniflare.dispose();
    rmSync(state, { recursive: true });
  }
  return process;
}

const pairs = [];
for (let number = 0; number < PAIRS; number += 1) pairs.push([await launch('edgechart'), await launch('plain')]);
const processes = pairs.flat();

/// Brings a process to that age, in searches; those that are measured are of it.
async function answer(process, age) {
  while (process.answered < age) for (const search of SEARCHES) await process.run(search, 1);
}

/// What each search costs each process, in milliseconds, by round; and its bytes.
async function measure() {
  const spent = new Map(processes.map((process) => [process, new Map(SEARCHES.map((search) => [search, []]))]));
  const bytes = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const search of SEARCHES) {
      // Who is first takes turns too.
      for (const process of round % 2 ? processes : processes.toReversed()) {
        // After another's turn nothing of this one is left in the processor's caches: the first do not count.
        await process.run(search, UNCOUNTED);
        const before = cpu(process.pid);
        const length = await process.run(search, REQUESTS);
        spent
          .get(process)
          .get(search)
          .push((1000 * (cpu(process.pid) - before)) / REQUESTS);
        if (process.name === 'edgechart') bytes.set(search, length);
      }
    }
  }
  return { spent, bytes };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length;
const column = (number, digits, width) => number.toFixed(digits).padStart(width);

function report(age, { spent, bytes }) {
  const cost = (side, search) =>
    mean(processes.filter(({ name }) => name === side).map((process) => median(spent.get(process).get(search))));
  const ratio = (search, among = pairs) =>
    median(
      among.flatMap(([own, plain]) =>
        spent
          .get(own)
          .get(search)
          .map((milliseconds, round) => milliseconds / spent.get(plain).get(search)[round]),
      ),
    );
  console.log(
    `CPU of a search in milliseconds, by ${PAIRS} processes of each that have answered ${age} searches; ratio: the median of ${ROUNDS} rounds of each pair\n`,
  );
  console.log(`${'edgechart'.padStart(10)}${'plain'.padStart(10)}${'ratio'.padStart(8)}${'bytes'.padStart(9)}  search`);
  for (const search of SEARCHES) {
    const costs = column(cost('edgechart', search), 3, 10) + column(cost('plain', search), 3, 10);
    console.log(`${costs}${column(ratio(search), 2, 8)}${String(bytes.get(search)).padStart(9)}  ${search}`);
  }
  const inAll = (among) => mean(SEARCHES.map((search) => ratio(search, among)));
  console.log(`\n${'in the mean'.padStart(20)}${column(inAll(pairs), 3, 9)}`);
  console.log(`${'pair by pair'.padStart(20)}   ${pairs.map((pair) => inAll([pair]).toFixed(3)).join(' ')}\n`);
}

for (const age of AGES) {
  await Promise.all(processes.map((process) => answer(process, age)));
  report(age, await measure());
}
for (const { close } of processes) await close();
await server.close();
