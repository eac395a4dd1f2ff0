// Measures the CPU time to verify a token that the isolate has not seen (cold) or knows (warm). The token does not
// allow the requested type, so that no storage is read. The time of a request without a token is subtracted.

import { stage } from '../server/stage.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, median } from './lib/cpu.mjs';

const ROUNDS = 5;
const REQUESTS = 200;

const server = await stage({ bare: true });
const [pid] = workerds();
const make = () => server.token('system/Patient.read');
const ask = async (token) => {
  const answer = await fetch(`${server.url}/fhir/r4/Observation?_id=x`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  await answer.text();
  const insufficient = /insufficient_scope/.test(answer.headers.get('www-authenticate'));
  if (answer.status !== 401 || insufficient !== Boolean(token))
    throw new Error(`${answer.status} ${answer.headers.get('www-authenticate')}`);
};
const measured = async (tokens) => {
  const before = cpu(pid);
  for (const token of tokens) await ask(token);
  return (1000 * (cpu(pid) - before)) / tokens.length;
};
const warm = make();
const repeated = (token) => Array.from({ length: REQUESTS }, () => token);
await measured(repeated(warm));
const spent = { none: [], cold: [], warm: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  const fresh = Array.from({ length: REQUESTS }, make);
  spent.none.push(await measured(repeated()));
  spent.cold.push(await measured(fresh));
  spent.warm.push(await measured(repeated(warm)));
}
const over = (side) => median(spent[side].map((ms, n) => ms - spent.none[n])).toFixed(3);
console.log('CPU to verify a token, milliseconds, median of rounds\n');
console.log(`  cold ${over('cold').padStart(7)}   of 1\n  warm ${over('warm').padStart(7)}   of 0.1`);
await server.close();
