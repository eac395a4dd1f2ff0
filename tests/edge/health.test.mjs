// Readiness: if one dependency fails, the answer names it, and contains no details.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { raw } from '../../tools/server/raw.mjs';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { until } from '../server/until.mjs';

/// The Worker with bindings that fail if the header `x-away` names them. `/asked` returns the number of calls of each.
const failing = [
  {
    type: 'ESModule',
    path: 'build/failing.js',
    contents: `
    import worker from './index.js';
    let away = [];
    const asked = {};
    const answers = (name) => {
      asked[name] = (asked[name] ?? 0) + 1;
      if (away.includes(name)) throw new Error('no host d1.internal');
    };
    class D1Database {
      constructor(name, inner) { Object.assign(this, { name, inner }); }
      prepare(text) { return this.inner.prepare(text); }
      async batch(statements) { answers(this.name); return this.inner.batch(statements); }
      withSession(start) { return new D1Database(this.name, this.inner.withSession(start)); }
      getBookmark() { return this.inner.getBookmark(); }
    }
    class R2Bucket {
      constructor(name, inner) { Object.assign(this, { name, inner }); }
      async head(key) { answers(this.name); return this.inner.head(key); }
    }
    export default {
      fetch(request, env, context) {
        if (request.url.endsWith('/asked')) return Response.json(asked);
        away = (request.headers.get('x-away') ?? '').split(' ');
        const names = ['DB', 'AUTH_DB', 'SHARD_1'];
        const own = Object.fromEntries(names.map((name) => [name, new D1Database(name, env[name])]));
        return worker.fetch(request, { ...env, ...own, INBOX: new R2Bucket('INBOX', env.INBOX) }, context);
      },
    };`,
  },
  ...built(),
];

const states = ({ checks }) => Object.fromEntries(Object.entries(checks).map(([name, [{ status }]]) => [name, status]));
const server = await stage({ data: ['sample'], modules: failing, twoDatabases: true, shards: 1 });
after(() => server.close());

const ALL = { records: 'pass', 'shard-1': 'pass', authorization: 'pass', files: 'pass', configuration: 'pass' };

/// Waits until readiness has this state. Readiness is cached for a second.
const ready = (url, expected, headers) =>
  until(async () => {
    const { status, body, text } = await raw(url, '/readyz', { headers });
    const word = expected.status === 200 ? 'pass' : 'fail';
    assert.deepEqual([status, body.status, states(body)], [expected.status, word, expected.states]);
    return text;
  });

test('every dependency is named', () => ready(server.url, { status: 200, states: ALL }));

test('of questions within a second one asks the databases and the bucket', async () => {
  const counts = async () => (await raw(server.url, '/asked')).body;
  const ask = async () => {
    const before = await counts();
    for (let at = 0; at < 5; at += 1) assert.equal((await raw(server.url, '/readyz')).status, 200);
    const after = await counts();
    return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
  };
  // If not all five requests are within a second, `until` tries again.
  await until(async () => assert.deepEqual(await ask(), { DB: 2, SHARD_1: 1, AUTH_DB: 2, INBOX: 1 }));
});

for (const [binding, ...names] of [
  ['DB', 'records'],
  ['SHARD_1', 'shard-1'],
  ['AUTH_DB', 'authorization'],
  ['INBOX', 'files'],
  ['DB INBOX', 'records', 'files'],
]) {
  test(`where ${binding} does not answer, ${names.join(' and ')} fail`, async () => {
    const headers = { 'x-away': binding };
    const failed = Object.fromEntries(names.map((name) => [name, 'fail']));
    const text = await ready(server.url, { status: 503, states: { ...ALL, ...failed } }, headers);
    assert.doesNotMatch(text, /d1|host|error|DB|INBOX/);
    assert.equal((await raw(server.url, '/healthz', { headers })).status, 200);
    await ready(server.url, { status: 200, states: ALL });
  });
}

test('a server of KV needs its shelves, and not the database of the records', async (t) => {
  const other = await stage({ data: ['sample'], store: 'kv', modules: failing, twoDatabases: true });
  t.after(other.close);
  const headers = { 'x-away': 'DB' };
  const states = { charts: 'pass', configuration: 'pass' };
  await ready(other.url, { status: 200, states: { ...states, authorization: 'pass' } }, headers);
  const token = other.token('system/*.read');
  for (const address of ['Patient/amara-okafor', 'Observation?patient=amara-okafor', 'Practitioner?name=lind']) {
    assert.equal((await other.ask(address, { token, headers })).status, 200, address);
  }
  await ready(other.url, { status: 503, states: { ...states, authorization: 'fail' } }, { 'x-away': 'AUTH_DB' });
  const shelves = await other.miniflare.getKVNamespace('CHARTS');
  await shelves.delete('_/manifest');
  await ready(other.url, { status: 503, states: { ...states, charts: 'fail', authorization: 'pass' } });
});

test('where the configuration is wrong, readiness says so', async (t) => {
  const other = await stage({ vars: { FRESH_SECONDS: '77' } });
  t.after(other.close);
  const { status, body } = await raw(other.url, '/readyz');
  assert.deepEqual([status, states(body)], [503, { configuration: 'fail' }]);
  assert.equal((await raw(other.url, '/version')).status, 500);
});
