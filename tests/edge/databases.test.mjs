// The records in one database (DB), and the state of the authorization server in another (AUTH_DB). Also access lists,
// which are read from the primary of AUTH_DB.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { found, stage } from '../../tools/server/stage.mjs';
import { until, within } from '../server/until.mjs';

const RECORDS = ['resource', 'fact', 'format'];
const AUTHORIZATION = ['clients', 'users', 'access', 'grants'];
const MAX_LENGTH = 5_000;

/// Resolves to the number of rows in each of these tables.
const rows = (database, tables) =>
  Promise.all(tables.map((table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')));

for (const store of ['d1', 'kv']) {
  test(`tokens, searches and revocation with two databases, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, twoDatabases: true });
    t.after(server.close);
    const auth = await server.miniflare.getD1Database('AUTH_DB');
    const post = async (path, form) => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('backend-basic:sandbox-basic-secret')}` },
        body: new URLSearchParams(form),
      });
      assert.equal(answer.status, 200, path);
      return answer.text();
    };
    const issue = async () =>
      JSON.parse(await post('/oauth/token', { grant_type: 'client_credentials', scope: 'system/*.read' })).access_token;
    const [given, kept] = [await issue(), await issue()];
    const context = server.token('patient/*.read', { patient: 'amara-okafor' });
    const search = async (token) => {
      const answer = await server.ask('Observation?patient=amara-okafor&_count=5', { token });
      return answer.status === 200 ? found(answer.body).ids.length : answer.status;
    };
    assert.deepEqual([await search(given), await search(kept), await search(context)], [5, 5, 5]);
    const active = async (token) => JSON.parse(await post('/oauth/introspect', { token })).active;
    assert.deepEqual([await active(given), await active(kept)], [true, true]);

    await post('/oauth/revoke', { token: given });
    assert.deepEqual([await search(given), await search(kept), await active(given)], [401, 5, false], 'at once');
    const { sid } = decodeJwt(kept);
    await auth.prepare('UPDATE grants SET revoked_at = unixepoch() WHERE id = ?1').bind(sid).run();
    await within(MAX_LENGTH + 2_000, async () => (await search(kept)) === 401);
  });

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
