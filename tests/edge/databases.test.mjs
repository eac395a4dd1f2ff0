// The records in one database (DB), and the state of the authorization server in another (AUTH_DB). Access lists and
// the status of grants are read from the primary, independent of the replicas and of the source of the records: what
// was withdrawn opens nothing, at once in the isolate in which it ended, and within five seconds elsewhere.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { found, stage } from '../../tools/server/stage.mjs';
import { basic, granted, postForm } from '../server/sender.mjs';
import { until, within } from '../server/until.mjs';

const RECORDS = ['resource', 'fact', 'format'];
const AUTHORIZATION = ['clients', 'users', 'access', 'grants'];
const PATHS = ['Patient/amara-okafor', 'Observation?patient=amara-okafor&_count=1'];
const MAX_LENGTH = 5_000;

/// Resolves to the number of rows in each of these tables.
const rows = (database, tables) =>
  Promise.all(tables.map((table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')));

const statusesOf = (server) => (token) =>
  Promise.all(PATHS.map(async (path) => (await server.ask(path, { token })).status));

const revoke = (database, id) =>
  database.prepare('UPDATE grants SET revoked_at = unixepoch() WHERE id = ?1').bind(id).run();

for (const store of ['d1', 'kv']) {
  describe(`two databases, on ${store}`, () => {
    let server, records, auth;
    before(async () => {
      server = await stage({ data: ['sample'], store, twoDatabases: true, vars: { FRESH_SECONDS: '0' } });
      [records, auth] = await Promise.all(['DB', 'AUTH_DB'].map((binding) => server.miniflare.getD1Database(binding)));
    });
    after(() => server.close());
    const statuses = (token) => statusesOf(server)(token);

    test('each has its own rows, and no others', async () => {
      assert.equal((await server.ask('Patient/amara-okafor', { token: server.token('system/*.read') })).status, 200);
      assert.ok((await rows(records, RECORDS)).every((count) => count > 0));
      assert.deepEqual(await rows(records, AUTHORIZATION), [0, 0, 0, 0]);
      assert.deepEqual(await rows(auth, ['resource', 'fact']), [0, 0]);
      assert.ok((await rows(auth, AUTHORIZATION)).every((count) => count > 0));
    });

    test('access lists are in AUTH_DB, for FHIR and for the selection of patients', async () => {
      server.enrol({ dr: ['amara-okafor'] });
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

    test('RV05 a token that its client revokes opens nothing any more', async (t) => {
      const client = { client_id: 'backend-basic', secret: 'sandbox-basic-secret' };
      const issue = async () => (await granted(server, client, 'system/*.read')).access_token;
      const [given, kept] = [await issue(), await issue()];
      for (const token of [given, given, kept]) assert.deepEqual(await statuses(token), [200, 200]);
      const proof = basic(client.client_id, client.secret);
      assert.equal((await postForm(server, '/oauth/revoke', { token: given }, proof)).status, 200);
      assert.deepEqual(await statuses(given), [401, 401], 'at once');
      assert.deepEqual(await statuses(kept), [200, 200]);

      // Revoke a grant elsewhere, so that this isolate is not notified.
      await revoke(auth, decodeJwt(kept).sid);
      const ended = await within(MAX_LENGTH + 2_000, async () => !(await statuses(kept)).includes(200));
      t.diagnostic(`revoked elsewhere, it ended within ${ended} ms`);
      await sleep(MAX_LENGTH);
      assert.deepEqual(await statuses(kept), [401, 401], 'for good');
    });

    test('where the primary does not say whether a grant is active, the answer is 503', async () => {
      const token = server.token('patient/*.read', { patient: 'amara-okafor' });
      await auth.prepare('ALTER TABLE grants RENAME TO away').run();
      for (const path of PATHS) {
        const answer = await server.ask(path, { token });
        assert.equal(answer.status, 503, answer.text);
        assert.equal(answer.body.issue[0].code, 'transient');
        assert.doesNotMatch(answer.text, /sql|table|D1|grants/i);
      }
      await auth.prepare('ALTER TABLE away RENAME TO grants').run();
      assert.deepEqual(await statuses(token), [200, 200]);
    });

    test('a missing resource costs the same, whether the grant was known to be active or not', async () => {
      const timing = async (path, token) => {
        const answer = await server.ask(path, { token });
        assert.equal(answer.status, 404, path);
        return answer.headers.get('server-timing');
      };
      const grant = () => server.token('patient/*.read', { patient: 'amara-okafor' });
      const [first, second] = [grant(), grant()];
      const seen = [
        await timing('Patient/kai-nakamura', first),
        await timing('Patient/nobody', first),
        await timing('Patient/nobody', second),
        await timing('Patient/kai-nakamura', second),
      ];
      assert.deepEqual(new Set(seen).size, 1, seen.join('; '));
      // A found resource also costs the same whether the status of its grant is read or known: the cost of the version
      // of a cached chart, which is a row and its entry in an index.
      if (store === 'd1') {
        const cost = async (token) =>
          (await server.ask('Patient/amara-okafor', { token })).headers.get('server-timing');
        const third = grant();
        assert.deepEqual([await cost(third), await cost(third)], Array(2).fill('d1;desc="rows_read=2, trips=1"'));
      }
    });

    test('the server is ready if each database has the tables that are used in it', {
      skip: store !== 'd1',
    }, async () => {
      const rename = async (binding, from, to) =>
        ({ DB: records, AUTH_DB: auth })[binding].prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();
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
  });

  describe(`a replica, on ${store}`, () => {
    let server, primary, replica;
    before(async () => {
      server = await stage({ data: ['sample'], store, replica: true });
      [primary, replica] = await Promise.all(
        ['DB', 'REPLICA'].map((binding) => server.miniflare.getD1Database(binding)),
      );
    });
    after(() => server.close());

    test('access lists come from the primary, whatever it says', async () => {
      server.enrol({ dr: ['amara-okafor'] });
      await replica.prepare("INSERT INTO access VALUES ('dr', 'mateo-reyes')").run();
      const token = server.token('user/*.read', { user: 'dr' });
      const statuses = ['amara-okafor', 'mateo-reyes'].map(
        async (patient) => (await server.ask(`Patient/${patient}`, { token })).status,
      );
      assert.deepEqual(await Promise.all(statuses), [200, 404]);
    });

    test('where it is behind, it neither refuses a new grant nor keeps a revoked one', async () => {
      const has = async (database, id) =>
        (await database.prepare('SELECT count(*) AS n FROM grants WHERE id = ?1').bind(id).first('n')) === 1;
      const statuses = statusesOf(server);
      // Prove that the records come from the replica.
      await primary.prepare('DELETE FROM resource').run();

      const fresh = server.token('patient/*.read', { patient: 'amara-okafor' });
      assert.deepEqual(
        [await has(primary, decodeJwt(fresh).sid), await has(replica, decodeJwt(fresh).sid)],
        [true, false],
      );
      assert.deepEqual(await statuses(fresh), [200, 200]);

      const revoked = server.token('patient/*.read', { patient: 'amara-okafor' });
      const { sid } = decodeJwt(revoked);
      await replica
        .prepare(
          'INSERT INTO grants (id, client, created_at, expires_at) VALUES (?1, ?2, unixepoch(), unixepoch() + 3600)',
        )
        .bind(sid, 'demo-app')
        .run();
      await revoke(primary, sid);
      assert.deepEqual(await statuses(revoked), [401, 401]);
      assert.equal((await server.ask('Patient/nobody', { token: revoked })).status, 401);
    });
  });
}
