// Prints the cost of searches on the sample, one for each row of the contract: rows that D1 read, round trips to D1,
// and the budget. tests/edge/spec.test.mjs checks the budget with many searches for each row.

import { readFileSync } from 'node:fs';
import { budget, cost, EVERYTHING, found, stage } from '../server/stage.mjs';

const examples = JSON.parse(readFileSync('www/examples.json', 'utf8'));
const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
const token = server.token(EVERYTHING);
console.log('A search of each row of the contract, on the sample\n');
console.log(`${'rows'.padStart(6)}${'budget'.padStart(8)}${'trips'.padStart(7)}${'entries'.padStart(9)}  search`);
for (const { query } of examples) {
  const answer = await server.ask(query, { token });
  if (answer.status !== 200) throw new Error(`${answer.status} ${query}`);
  const { ids, included } = found(answer.body);
  const entries = ids.length + included.length;
  const { rows, trips } = cost(answer);
  const columns = [
    [rows, 6],
    [budget(entries, query).rows, 8],
    [trips, 7],
    [entries, 9],
  ];
  console.log(`${columns.map(([value, width]) => String(value).padStart(width)).join('')}  ${query}`);
}
await server.close();
