// Readiness: each dependency fails by itself, and the answer names it and says nothing else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { raw } from '../server/raw.mjs';

/// The Worker, where the bindings that the header `x-away` names do not answer.
const failing = [
  {
    type: 'ESModule',
    path: 'build/failing.js',
    contents: `
    import worker from './index.js';
    let away = [];
    const answers = (name) => { if (away.includes(name)) throw new Error('no host d1.internal'); };
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
let server;

before(async () => {
  server = await stage({ data: ['sample'], modules: failing, twoDatabases: true, shards: 1 });
});
after(() => server.close());

const ALL = { records: 'pass', 'shard-1': 'pass', authorization: 'pass', files: 'pass', configuration: 'pass' };

test('every dependency is named', async () => {
  const { status, body } = await raw(server.url, '/readyz');
  assert.deepEqual([status, body.status, states(body)], [200, 'pass', ALL]);
});

for (const [binding, ...names] of [
  ['DB', 'records'],
  ['SHARD_1', 'shard-1'],
  ['AUTH_DB', 'authorization'],
  ['INBOX', 'files'],
  ['DB INBOX', 'records', 'files'],
]) {
  test(`where ${binding} does not answer, ${names.join(' and ')} fail`, async () => {
    const { status, body, text } = await raw(server.url, '/readyz', { headers: { 'x-away': binding } });
    const failed = Object.fromEntries(names.map((name) => [name, 'fail']));
    assert.deepEqual([status, body.status, states(body)], [503, 'fail', { ...ALL, ...failed }]);
    assert.doesNotMatch(text, /d1|host|error|DB|INBOX/);
    assert.equal((await raw(server.url, '/healthz', { headers: { 'x-away': binding } })).status, 200);
    assert.equal((await raw(server.url, '/readyz')).status, 200);
  });
}

test('without shelves a server of KV is not ready', async (t) => {
  const other = await stage({ data: ['sample'], store: 'kv' });
  t.after(other.close);
  const ready = async () => states((await raw(other.url, '/readyz')).body);
  assert.deepEqual(await ready(), { charts: 'pass', authorization: 'pass', configuration: 'pass' });
  const shelves = await other.miniflare.getKVNamespace('CHARTS');
  await shelves.delete('_/manifest');
  assert.deepEqual(await ready(), { charts: 'fail', authorization: 'pass', configuration: 'pass' });
});

test('a server of KV does not need the database of the records', async (t) => {
  const other = await stage({ data: ['sample'], store: 'kv', modules: failing, twoDatabases: true });
  t.after(other.close);
  const headers = { 'x-away': 'DB' };
  assert.equal((await raw(other.url, '/readyz', { headers })).status, 200);
  const token = other.token('system/*.read');
  for (const address of ['Patient/amara-okafor', 'Observation?patient=amara-okafor', 'Practitioner?name=lind']) {
    assert.equal((await other.ask(address, { token, headers })).status, 200, address);
  }
  assert.equal((await raw(other.url, '/readyz', { headers: { 'x-away': 'AUTH_DB' } })).status, 503);
});

test('where the configuration is wrong, readiness says so', async (t) => {
  const other = await stage({ vars: { FRESH_SECONDS: '77' } });
  t.after(other.close);
  const { status, body } = await raw(other.url, '/readyz');
  assert.deepEqual([status, states(body)], [503, { configuration: 'fail' }]);
  assert.equal((await raw(other.url, '/version')).status, 500);
});
