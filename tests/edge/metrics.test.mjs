// The points of requests, of messages and of the cron trigger.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const CRON = { cron: '*/10 * * * *' };
/// The size of a page of WebAssembly memory, in bytes.
const PAGE = 65_536;

/// The Worker with a dataset that stores its points, returns them at /oauth/points, and throws after each.
const observed = () => [
  {
    type: 'ESModule',
    path: 'build/observed.js',
    contents: `
    import worker from './index.js';
    const points = [];
    const METRICS = {
      writeDataPoint(point) {
        points.push(point);
        throw new Error('the dataset does not answer');
      },
    };
    export default {
      fetch: (request, env, context) =>
        new URL(request.url).pathname === '/oauth/points'
          ? Response.json(points)
          : worker.fetch(request, { ...env, METRICS }, context),
      scheduled: (event, env, context) => worker.scheduled(event, { ...env, METRICS }, context),
      queue: (batch, env, context) => worker.queue(batch, { ...env, METRICS }, context),
    };`,
  },
  ...built(),
];

const server = await stage({ data: ['sample'], apps: [EHR], modules: observed(), jobModules: observed() });
after(() => server.close());

const points = async () => (await fetch(`${server.url}/oauth/points`)).json();

test('MT02 each request is a point without a text of the request, even if the dataset fails', async () => {
  const marked = 'marked-4711';
  const earlier = (await points()).length;
  const headers = { 'x-request-id': marked, 'user-agent': marked };
  const bearer = server.token('system/*.read');
  assert.equal((await server.ask(`Patient/${marked}?x=${marked}`, { token: bearer, headers })).status, 400);
  assert.equal((await server.ask(`Patient?name=${marked}`, { token: bearer, headers })).status, 200);
  await fetch(`${server.url}/oauth/${marked}`, { headers });
  const added = (await points()).slice(earlier);
  assert.deepEqual(
    added.map(({ indexes, blobs }) => [...indexes, ...blobs]),
    [
      ['/{type}/{id}', 'request', '4xx', 'Patient', ''],
      ['/{type}', 'request', '2xx', 'Patient', ''],
      ['none', 'request', '4xx', '', ''],
    ],
  );
  for (const { doubles } of added) assert.ok(doubles.length === 6 && doubles.every(Number.isFinite), `${doubles}`);
  const isMemory = ({ doubles }) => doubles[5] >= PAGE && doubles[5] % PAGE === 0;
  assert.ok(added.every(isMemory), 'the memory of the module');
  assert.ok(added[1].doubles[1] > 0 && added[1].doubles[2] > 100, 'rows and bytes');
  assert.ok(!JSON.stringify(await points()).includes(marked));
});

test('DL12 a purge that is behind shows, until it has caught up', async () => {
  const worker = await server.miniflare.getWorker();
  const database = new DatabaseSync(server.db);
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
     INSERT INTO pending_authorizations (id, visit, request, expires_at)
     SELECT 'w' || i, '', '', unixepoch() - 604800 + i FROM n`,
  );
  const left = () => database.prepare("SELECT count(*) AS n FROM pending_authorizations WHERE id LIKE 'w%'").get().n;
  await worker.scheduled(CRON);
  assert.ok(left() > 0 && left() < 100_000, `${left()}`);
  await worker.scheduled(CRON);
  assert.equal(left(), 0);
  database.close();
  const tasks = (await points()).filter(({ blobs: [kind] }) => kind === 'task');
  const outcomes = tasks.filter(({ indexes: [name] }) => name === 'purge').map(({ blobs: [, outcome] }) => outcome);
  assert.deepEqual(outcomes, ['behind', 'done']);
  assert.deepEqual([...new Set(tasks.map(({ indexes: [name] }) => name))].sort(), ['purge', 'reindex', 'resume']);
});

test('the messages of jobs are points of the Worker that does them', async () => {
  await (await senderOf(server)).send(JSON.stringify({ resourceType: 'Patient', id: 'new' }));
  const jobs = await server.jobs();
  const message = await until(async () => {
    const of = await (await jobs.fetch('http://jobs.test/oauth/points')).json();
    const found = of.find(({ blobs: [kind, outcome] }) => kind === 'message' && outcome === 'loaded');
    assert.ok(found, JSON.stringify(of));
    return found;
  });
  assert.deepEqual([message.indexes, message.doubles[4]], [['queue'], 1]);
  assert.ok(!(await points()).some(({ blobs: [kind] }) => kind === 'message'), 'none is of the one that answers');
});
