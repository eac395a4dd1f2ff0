// The records in one database (DB), and the state of the authorization server in another (AUTH_DB). Also access lists,
// which are read from the primary of AUTH_DB.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found, stage } from '../../tools/server/stage.mjs';
import { until, within } from '../server/until.mjs';

const RECORDS = ['resource', 'fact', 'format'];
const AUTHORIZATION = ['clients', 'users', 'access', 'grants'];
const MAX_LENGTH = 5_000;

/// Resolves to the number of rows in each of these tables.
const rows = (database, tables) =>
  Promise.all(tables.map((table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')));

for (const store of ['d1', 'kv']) {
  test(`each database has its own rows, and no others, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, twoDatabases: true });
    t.after(server.close);
    const [records, auth] = await Promise.all(
      ['DB', 'AUTH_DB'].map((binding) => server.miniflare.getD1Database(binding)),
    );
    assert.equal((await server.ask('Patient/amara-okafor', { token: server.token('system/*.read') })).status, 200);
    assert.ok((await rows(records, RECORDS)).every((count) => count > 0));
    assert.deepEqual(await rows(records, AUTHORIZATION), [0, 0, 0, 0]);
    assert.deepEqual(await rows(auth, ['resource', 'fact']), [0, 0]);
    assert.ok((await rows(auth, AUTHORIZATION)).every((count) => count > 0));
  });
}

test('a server is ready if each database has the tables that are used in it', async (t) => {
  const server = await stage({ data: ['sample'], twoDatabases: true });
  t.after(server.close);
  const rename = async (binding, from, to) =>
    (await server.miniflare.getD1Database(binding)).prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();
  // Readiness is cached for a second, so wait for each state.
  const ready = (expected, why) =>
    until(async () => assert.equal((await fetch(`${server.url}/readyz`)).status, expected, why));
  for (const [binding, table] of [
    ['DB', 'fact'],
    ['AUTH_DB', 'grants'],
    ['AUTH_DB', 'access'],
  ]) {
    await ready(200, 'all are there');
    await rename(binding, table, 'away');
    await ready(503, `${table} of ${binding}`);
    await rename(binding, 'away', table);
  }
  for (const [binding, table] of [
    ['DB', 'grants'],
    ['AUTH_DB', 'fact'],
  ]) {
    await rename('DB', 'alias', 'missing');
    await ready(503, 'one is missing');
    await rename(binding, table, 'away');
    await rename('DB', 'missing', 'alias');
    await ready(200, `${table} of ${binding}`);
    await rename(binding, 'away', table);
  }
});

for (const store of ['d1', 'kv']) {
  test(`access lists are in AUTH_DB, for FHIR and for the selection of patients, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, twoDatabases: true });
    t.after(server.close);
    await server.enrol({ dr: ['amara-okafor'] });
    const auth = await server.miniflare.getD1Database('AUTH_DB');
    const token = server.token('user/*.read', { user: 'dr' });
    const sees = async (patient) => {
      const read = await server.ask(`Patient/${patient}`, { token });
      const search = await server.ask(`Condition?patient=${patient}&_count=1`, { token });
      assert.equal(search.status, 200, search.text);
      return [read.status, found(search.body).ids.length];
    };
    assert.deepEqual(
      [await sees('amara-okafor'), await sees('mateo-reyes')],
      [
        [200, 1],
        [404, 0],
      ],
    );
    await auth.prepare("INSERT INTO access VALUES ('dr', 'mateo-reyes')").run();
    assert.deepEqual(await sees('mateo-reyes'), [200, 1], 'at once');
    await auth.prepare("DELETE FROM access WHERE user = 'dr' AND patient = 'mateo-reyes'").run();
    await within(MAX_LENGTH + 2_000, async () => (await sees('mateo-reyes')).join() === '404,0');
    assert.deepEqual(await sees('amara-okafor'), [200, 1]);

    const all = server.token('user/*.read', { user: 'samuel' });
    assert.equal((await server.ask('Patient/mateo-reyes', { token: all })).status, 200);
    const { patients } = await (await fetch(`${server.url}/sandbox.json`)).json();
    const ids = patients.map(({ id }) => id);
    assert.ok(['amara-okafor', 'mateo-reyes'].every((id) => ids.includes(id)));
    const form = await (await fetch(`${server.url}/sandbox/launch`)).text();
    assert.ok(ids.every((id) => form.includes(`value="${id}"`)));
  });

  test(`access lists come from the primary, whatever a replica says, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, replica: true });
    t.after(server.close);
    await server.enrol({ dr: ['amara-okafor'] });
    const replica = await server.miniflare.getD1Database('REPLICA');
    await replica.prepare("INSERT INTO access VALUES ('dr', 'mateo-reyes')").run();
    const token = server.token('user/*.read', { user: 'dr' });
    const statuses = ['amara-okafor', 'mateo-reyes'].map(
      async (patient) => (await server.ask(`Patient/${patient}`, { token })).status,
    );
    assert.deepEqual(await Promise.all(statuses), [200, 404]);
  });
}
