// An ended grant opens nothing: at once in the isolate in which it ended, and within five seconds elsewhere. The
// primary decides whether a grant is active, independent of the replicas and of the source of the records.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { stage } from '../../tools/server/stage.mjs';
import { basic, granted } from '../server/sender.mjs';
import { within } from '../server/until.mjs';

const PATHS = ['Patient/amara-okafor', 'Observation?patient=amara-okafor&_count=1'];
const MAX_LENGTH = 5_000;

const revoke = (database, id) =>
  database.prepare('UPDATE grants SET revoked_at = unixepoch() WHERE id = ?1').bind(id).run();

for (const store of ['d1', 'kv']) {
  const statusesOf = (server) => (token) =>
    Promise.all(PATHS.map(async (path) => (await server.ask(path, { token })).status));

  test(`RV05 a token that its client revokes opens nothing any more, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, twoDatabases: true });
    t.after(server.close);
    const client = { client_id: 'backend-basic', secret: 'sandbox-basic-secret' };
    const issue = async () => (await granted(server, client, 'system/*.read')).access_token;
    const [given, kept] = [await issue(), await issue()];
    const statuses = statusesOf(server);
    for (const token of [given, given, kept]) assert.deepEqual(await statuses(token), [200, 200]);
    const revoked = await fetch(`${server.url}/oauth/revoke`, {
      method: 'POST',
      headers: basic(client.client_id, client.secret),
      body: new URLSearchParams({ token: given }),
    });
    assert.equal(revoked.status, 200);
    assert.deepEqual(await statuses(given), [401, 401], 'at once');
    assert.deepEqual(await statuses(kept), [200, 200]);

    // Revoke a grant elsewhere, so that this isolate is not notified.
    const primary = await server.miniflare.getD1Database('AUTH_DB');
    await revoke(primary, decodeJwt(kept).sid);
    const ended = await within(MAX_LENGTH + 2_000, async () => !(await statuses(kept)).includes(200));
    t.diagnostic(`revoked elsewhere, it ended within ${ended} ms`);
    await sleep(MAX_LENGTH);
    assert.deepEqual(await statuses(kept), [401, 401], 'for good');
  });

  test(`a replica that is behind neither refuses a new grant nor keeps a revoked one, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, replica: true });
    t.after(server.close);
    const [primary, replica] = await Promise.all(
      ['DB', 'REPLICA'].map((binding) => server.miniflare.getD1Database(binding)),
    );
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

  test(`where the primary does not say whether a grant is active, the answer is 503, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store });
    t.after(server.close);
    const token = server.token('patient/*.read', { patient: 'amara-okafor' });
    const primary = await server.miniflare.getD1Database('DB');
    await primary.prepare('ALTER TABLE grants RENAME TO away').run();
    for (const path of PATHS) {
      const answer = await server.ask(path, { token });
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.body.issue[0].code, 'transient');
      assert.doesNotMatch(answer.text, /sql|table|D1|grants/i);
    }
    await primary.prepare('ALTER TABLE away RENAME TO grants').run();
    assert.deepEqual(await statusesOf(server)(token), [200, 200]);
  });

  test(`a missing resource costs the same, whether the grant was known to be active or not, on ${store}`, async (t) => {
    const server = await stage({ data: ['sample'], store, vars: { FRESH_SECONDS: '0' } });
    t.after(server.close);
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
    // A found resource also costs the same whether the status of its grant is read or known: the cost of the version of
    // a cached chart, which is a row and its entry in an index.
    if (store === 'd1') {
      const cost = async (token) => (await server.ask('Patient/amara-okafor', { token })).headers.get('server-timing');
      const third = grant();
      assert.deepEqual([await cost(third), await cost(third)], Array(2).fill('d1;desc="rows_read=2, trips=1"'));
    }
  });
}
