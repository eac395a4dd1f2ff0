// An isolate uses a chart without another check for FRESH_SECONDS after the last check.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cost, stage } from '../../tools/server/stage.mjs';

const SEARCH = 'Condition?patient=amara-okafor&_revinclude=Provenance:target';
/// The window in milliseconds. A grant is treated as active for five times as long.
const WINDOW = 1_000;
const FREE = { rows: 0, trips: 0 };
/// The cost of checking the versions of two charts: a row and its entry in an index for each.
const CHECKED = { rows: 4, trips: 1 };

/// Sends the search twice within the window, and resolves to the answers. If the machine is so busy that the second
/// comes after the window, repeats both once the chart is no longer fresh.
async function twice(server, token) {
  for (;;) {
    const began = Date.now();
    const answers = [await server.ask(SEARCH, { token }), await server.ask(SEARCH, { token })];
    if (Date.now() - began < WINDOW) return answers;
    await sleep(WINDOW + 50);
  }
}

test('a second search within the window costs nothing, and one after it checks the version', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: `${WINDOW / 1_000}` } });
  t.after(server.close);
  const token = server.token('patient/*.read', { patient: 'amara-okafor' });
  const answers = await twice(server, token);
  await sleep(WINDOW + 50);
  answers.push(...(await twice(server, token)));
  assert.deepEqual(answers.slice(1).map(cost), [FREE, CHECKED, FREE]);
  const entries = answers.map(({ body }) => JSON.stringify(body.entry));
  assert.ok(answers[0].body.entry.length > 1);
  assert.equal(new Set(entries).size, 1);
});
