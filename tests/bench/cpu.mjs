// What a search costs beside the least that it can cost: a plain JavaScript Worker that sends the same statements to the
// same D1, joins the same texts and sends the same headers, without looking at a token or a query. Both on workerd, in
// turn, in one run.

import { cpu, median, workerds } from '../server/cpu.mjs';
import { BASE, edgechart, stage } from '../server/stage.mjs';
import { start } from '../server/workerd.mjs';

const ROUNDS = 15;
const REQUESTS = 200;
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
const [ours] = workerds();
const token = server.token('system/*.read');
const statements = SEARCHES.map((search) => JSON.parse(edgechart('explain', search, '--sql', '--base', BASE)));
const authorization = { authorization: `Bearer ${token}` };
const sample = await fetch(`${server.url}/fhir/r4/${SEARCHES[0]}`, { headers: authorization });
await sample.text();
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];
const headers = Object.fromEntries([...sample.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
// Before both stand the same assets, and both have the same bindings.
const plain = await start({
  state: server.state,
  keys: server.keys,
  vars: { STATEMENTS: JSON.stringify(statements) },
  modules: [{ type: 'ESModule', path: 'build/plain.js', contents: plainly(headers) }],
});
const theirs = workerds().find((pid) => pid !== ours);

const sides = {
  edgechart: { pid: ours, ask: (at) => fetch(`${server.url}/fhir/r4/${SEARCHES[at]}`, { headers: authorization }) },
  plain: { pid: theirs, ask: (at) => fetch(`${plain.url}/fhir/r4/`, { headers: { which: String(at) } }) },
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
await plain.close();
await server.close();
