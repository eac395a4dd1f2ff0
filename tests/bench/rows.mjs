// What each search of the contract costs on the sample: rows that D1 read, trips to it, and the budget.

import { indexOf, loadResources } from '../oracle/data.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { BASE, EVERYTHING, budget, cost, found, stage } from '../server/stage.mjs';

const server = await stage({ data: ['sample'] });
const token = server.token(EVERYTHING);
const resources = loadResources(['sample']);
indexOf(resources);
console.log('The dearest example of each row of tests/spec.tsv on the sample\n');
console.log(`${'rows'.padStart(6)}${'budget'.padStart(8)}${'trips'.padStart(7)}${'entries'.padStart(9)}  search`);
for (const row of readRows().filter(({ query }) => query.includes('?'))) {
  let dearest;
  for (const query of instantiate(row, resources, { base: BASE, perPatient: 1 })) {
    const answer = await server.ask(query, { token });
    if (answer.status !== 200) throw new Error(`${answer.status} ${query}`);
    const { ids, included } = found(answer.body);
    const entries = ids.length + included.length;
    const { rows, trips } = cost(answer);
    const allowed = budget(entries, query);
    if (!dearest || rows / allowed > dearest.rows / dearest.allowed) dearest = { rows, allowed, trips, entries, query };
  }
  if (!dearest) continue;
  const { rows, allowed, trips, entries, query } = dearest;
  console.log(`${String(rows).padStart(6)}${String(allowed).padStart(8)}${String(trips).padStart(7)}${String(entries).padStart(9)}  ${query}`);
}
await server.close();
