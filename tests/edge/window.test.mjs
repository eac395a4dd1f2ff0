// A chart that an isolate has is used without another check for FRESH_SECONDS after the last one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cost, stage } from '../../tools/server/stage.mjs';

const SEARCH = 'Condition?patient=amara-okafor&_revinclude=Provenance:target';
const FREE = { rows: 0, trips: 0 };
/// The versions of two charts: a row and its entry in an index each.
const CHECKED = { rows: 4, trips: 1 };

test('a second search within the window costs nothing, and one after it checks the version', async (t) => {
  // Two searches on a busy machine are within the window, and the grant is known to be active for longer than it.
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '3' } });
  t.after(server.close);
  const token = server.token('patient/*.read', { patient: 'amara-okafor' });
  const answers = [];
  for (const wait of [0, 0, 3_050, 0]) {
    await sleep(wait);
    answers.push(await server.ask(SEARCH, { token }));
  }
  assert.deepEqual(answers.slice(1).map(cost), [FREE, CHECKED, FREE]);
  const entries = answers.map(({ body }) => JSON.stringify(body.entry));
  assert.ok(answers[0].body.entry.length > 1);
  assert.equal(new Set(entries).size, 1);
});

test('with a window of 0 each search checks', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
  t.after(server.close);
  const token = server.token('patient/*.read', { patient: 'amara-okafor' });
  await server.ask(SEARCH, { token });
  for (let again = 0; again < 3; again += 1) assert.deepEqual(cost(await server.ask(SEARCH, { token })), CHECKED);
});

test('a window that is none is refused', async (t) => {
  const server = await stage({ vars: { FRESH_SECONDS: '6' } });
  t.after(server.close);
  assert.equal((await server.ask('metadata')).status, 500);
});
