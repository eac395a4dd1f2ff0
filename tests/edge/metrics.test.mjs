// Metrics and data points: who may see them, and the counts of requests, messages and the cron trigger.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { basic, EHR, granted, senderOf } from '../server/sender.mjs';
import { until, within } from '../server/until.mjs';

const MONITOR = { ...EHR, client_id: 'monitor', kind: 'backend', scopes: 'metrics' };
const CRON = { cron: '*/10 * * * *' };
/// The longest time until an isolate checks a grant again, in milliseconds.
const MAX_LENGTH = 5_000;
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

const server = await stage({ data: ['sample'], apps: [MONITOR, EHR], modules: observed(), jobModules: observed() });
const tokenOf = async (client) => (await granted(server, client)).access_token;
const token = await tokenOf(MONITOR);
after(() => server.close());

const scrape = async (bearer = token) => {
  const answer = await fetch(`${server.url}/metrics`, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/// Resolves to the value of a series. A missing counter is 0. A gauge is always present.
async function series(name, labels = '') {
  const { text } = await scrape();
  assert.ok(text.includes(`# TYPE ${name.replace(/_(sum|count)$/, '')} `), `${name} is not in ${text}`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const line = lines.find((line) => labels === '' || line.includes(`,${labels}}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const points = async () => (await fetch(`${server.url}/oauth/points`)).json();

test('MT01 only a client with the scope of metrics sees them, until its grant ends', async () => {
  const { status, headers, text } = await scrape();
  assert.equal(status, 200, text);
  assert.match(headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  assert.equal(headers.get('cache-control'), 'no-store');
  for (const [other, expected] of [
    ['', 401],
    ['nonsense', 401],
    [server.token('system/*.read'), 401],
    [server.token('metrics', { user: 'dr' }), 401],
    [await tokenOf(EHR), 401],
  ]) {
    const refused = await scrape(other);
    assert.equal(refused.status, expected);
    assert.ok(!refused.text.includes('edgechart_'), refused.text);
  }
  assert.match(
    (await scrape(server.token('system/*.read'))).headers.get('www-authenticate'),
    /insufficient_scope.*metrics/,
  );
  assert.equal((await server.ask('Patient?name=x', { token })).status, 401, 'the scope opens no records');
  const other = await tokenOf(MONITOR);
  await fetch(`${server.url}/oauth/revoke`, {
    method: 'POST',
    headers: basic('monitor', MONITOR.secret),
    body: new URLSearchParams({ token: other }),
  });
  await within(MAX_LENGTH + 2_000, async () => (await scrape(other)).status === 401);
});

test('requests are counted by route, type and status, with rows, bytes and refusals', async () => {
  const of = 'route="/{type}",type="Condition",status="2xx"';
  const route = 'route="/{type}"';
  const [requests, rows] = [
    await series('edgechart_requests_total', of),
    await series('edgechart_rows_read_sum', route),
  ];
  const answer = await server.ask('Condition?patient=amara-okafor', { token: server.token('system/*.read') });
  assert.equal(answer.status, 200);
  assert.equal(await series('edgechart_requests_total', of), requests + 1);
  assert.ok((await series('edgechart_rows_read_sum', route)) > rows);
  assert.ok((await series('edgechart_response_bytes_sum', route)) >= answer.text.length);
  assert.ok((await series('edgechart_request_duration_seconds_count', route)) >= 1);
  const memory = await series('edgechart_isolate_memory_bytes');
  assert.ok(memory >= PAGE && memory % PAGE === 0, `${memory}`);
  const refusal = 'route="/{type}/{id}",reason="no_token"';
  await server.ask('Patient/amara-okafor');
  assert.equal(await series('edgechart_refusals_total', refusal), 1);
});

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
  assert.ok(!(await scrape()).text.includes(marked));
});

test('DL12 a purge that is behind shows, until it has caught up', async () => {
  const worker = await server.miniflare.getWorker();
  await worker.scheduled(CRON);
  assert.equal(await series('edgechart_purge_lag_seconds'), 0);
  const done = await series('edgechart_tasks_total', 'task="purge",outcome="done"');
  const database = new DatabaseSync(server.db);
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
     INSERT INTO pending_authorizations (id, visit, request, expires_at)
     SELECT 'w' || i, '', '', unixepoch() - 604800 + i FROM n`,
  );
  const left = () => database.prepare("SELECT count(*) AS n FROM pending_authorizations WHERE id LIKE 'w%'").get().n;
  const lag = await series('edgechart_purge_lag_seconds');
  assert.ok(lag > 600_000, `nearly a week: ${lag}`);
  await worker.scheduled(CRON);
  assert.equal(await series('edgechart_tasks_total', 'task="purge",outcome="behind"'), 1);
  assert.ok(left() > 0 && left() < 100_000, `${left()}`);
  assert.ok(await tokenOf(MONITOR), 'tokens are issued meanwhile');
  await worker.scheduled(CRON);
  assert.equal(left(), 0);
  database.close();
  assert.equal(await series('edgechart_tasks_total', 'task="purge",outcome="done"'), done + 1);
  assert.equal(await series('edgechart_purge_lag_seconds'), 0);
  const tasks = (await points()).filter(({ blobs: [kind] }) => kind === 'task').map(({ indexes: [name] }) => name);
  assert.deepEqual([...new Set(tasks)].sort(), ['purge', 'reindex', 'resume']);
});

test('the messages of jobs are points of the Worker that does them, and the jobs that wait are counted', async () => {
  await (await senderOf(server)).send(JSON.stringify({ resourceType: 'Patient', id: 'new' }));
  const jobs = await server.jobs();
  const message = await until(async () => {
    const of = await (await jobs.fetch('http://jobs.test/oauth/points')).json();
    const found = of.find(({ blobs: [kind, outcome] }) => kind === 'message' && outcome === 'loaded');
    assert.ok(found, JSON.stringify(of));
    return found;
  });
  assert.deepEqual([message.indexes, message.doubles[4]], [['queue'], 1]);
  assert.equal(await series('edgechart_jobs_waiting'), 0);
  assert.ok(!(await points()).some(({ blobs: [kind] }) => kind === 'message'), 'none is of the one that answers');
});
