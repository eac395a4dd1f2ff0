// What a search costs beside the least that it can cost: a plain JavaScript Worker that sends the same statements to the
// same D1 and joins the same texts, without looking at a token or a query. Both on workerd, in turn, in one run.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { BASE, edgechart, stage } from '../server/stage.mjs';

const ROUNDS = 15;
const REQUESTS = 200;
const SEARCHES = [
  'Observation?patient=amara-okafor&category=laboratory',
  'Observation?patient=amara-okafor&category=laboratory&date=ge2020-01-01&_count=20',
  'Condition?patient=amara-okafor&_revinclude=Provenance:target',
  'Immunization?patient=kai-nakamura',
];

const PLAIN = `
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
    return new Response(body, { headers: { 'content-type': 'application/fhir+json; charset=utf-8', 'cache-control': 'no-store' } });
  },
};`;

/// CPU seconds of a process so far.
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const children = () => execFileSync('pgrep', ['-P', String(process.pid), '-x', 'workerd'], { encoding: 'utf8' }).trim().split('\n').map(Number);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const server = await stage({ data: ['sample'] });
const [ours] = children();
const token = server.token('system/*.read');
const statements = SEARCHES.map((search) => JSON.parse(edgechart('explain', search, '--sql', '--base', BASE)));
const plain = new Miniflare({
  ...convertV4MiniflareOptions({
    name: 'plain', cf: false, script: PLAIN, modules: true, compatibilityDate: '2026-11-01',
    bindings: { STATEMENTS: JSON.stringify(statements) },
    d1Databases: { DB: 'edgechart' },
  }),
  resourcePersistencePath: `${server.state}/v3`,
});
const plainUrl = await plain.ready;
const theirs = children().find((pid) => pid !== ours);

const authorization = { authorization: `Bearer ${token}` };
const sides = {
  edgechart: { pid: ours, ask: (at) => fetch(`${server.url}/fhir/r4/${SEARCHES[at]}`, { headers: authorization }) },
  plain: { pid: theirs, ask: (at) => fetch(plainUrl, { headers: { which: String(at) } }) },
};
console.log('CPU of a request, milliseconds, median of rounds\n');
console.log(`${'edgechart'.padStart(10)}${'plain'.padStart(10)}${'ratio'.padStart(8)}${'bytes'.padStart(9)}  search`);
const ratios = [];
for (const at of SEARCHES.keys()) {
  const spent = { edgechart: [], plain: [] };
  let bytes = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, { pid, ask }] of Object.entries(sides)) {
      const before = cpu(pid);
      for (let n = 0; n < REQUESTS; n += 1) {
        const answer = await ask(at);
        if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
        bytes = (await answer.text()).length;
      }
      // The first round is for warming up.
      if (round >= 0) spent[name].push((1000 * (cpu(pid) - before)) / REQUESTS);
    }
  }
  const ratio = median(spent.edgechart.map((ms, n) => ms / spent.plain[n]));
  ratios.push(ratio);
  const column = (ms, width) => median(ms).toFixed(3).padStart(width);
  console.log(`${column(spent.edgechart, 10)}${column(spent.plain, 10)}${ratio.toFixed(2).padStart(8)}${String(bytes).padStart(9)}  ${SEARCHES[at]}`);
}
await plain.dispose();
await server.close();
