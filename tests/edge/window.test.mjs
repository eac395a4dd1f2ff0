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
/// The most rows for a name and the version of its chart.
const LOCATED = 4;

/// Sends a request twice within the window, and resolves to the answers. If the machine is so busy that the second
/// comes after the window, repeats both once the chart is no longer fresh.
async function twice(server, question, token) {
  for (;;) {
    const began = Date.now();
    const answers = [await server.ask(question, { token }), await server.ask(question, { token })];
    if (Date.now() - began < WINDOW) return answers;
    await sleep(WINDOW + 50);
  }
}

test('a second search within the window costs nothing, and one after it checks the version', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: `${WINDOW / 1_000}` } });
  t.after(server.close);
  const token = server.token('patient/*.read', { patient: 'amara-okafor' });
  const answers = await twice(server, SEARCH, token);
  await sleep(WINDOW + 50);
  answers.push(...(await twice(server, SEARCH, token)));
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

/// Resolves to requests that name no patient, each about a different resource of the sample.
async function named(server, token) {
  const { body } = await server.ask('Encounter?patient=amara-okafor&_count=3', { token });
  const [first, second, third] = body.entry.map(({ resource }) => resource);
  const [{ system, value }] = third.identifier;
  return [
    `Encounter/${first.id}`,
    `Encounter?_id=${second.id}`,
    `Encounter?identifier=${encodeURIComponent(`${system}|${value}`)}`,
    'Practitioner/grace-lindholm',
    'Practitioner?_id=samuel-achterberg',
  ];
}

test('what names no patient takes one trip, and none within the window', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: `${WINDOW / 1_000}` } });
  t.after(server.close);
  const token = server.token('system/*.read');
  for (const question of await named(server, token)) {
    const answers = await twice(server, question, token);
    const [first, again] = answers.map(cost);
    assert.equal(first.trips, 1, question);
    assert.deepEqual(again, FREE, question);
    const [entry, other] = answers.map(({ body }) => JSON.stringify(body.entry ?? body));
    assert.equal(entry, other, question);
  }
});

test('what names no patient takes one trip to a chart that the isolate has, which is not sent', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
  t.after(server.close);
  const token = server.token('system/*.read');
  for (const question of await named(server, token)) {
    // The first request may also read the indexed parameters of the directory.
    assert.equal(cost(await server.ask(question, { token })).trips, 1, question);
    const { rows, trips } = cost(await server.ask(question, { token }));
    assert.ok(trips === 1 && rows <= LOCATED, `${question}: ${rows} rows in ${trips} trips`);
  }
});

test('a window that is none is refused', async (t) => {
  const server = await stage({ vars: { FRESH_SECONDS: '6' } });
  t.after(server.close);
  assert.equal((await server.ask('metadata')).status, 500);
});
