// The Worker for jobs, beside the Worker that answers requests. Failures of the Worker for jobs do not affect reads.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { found, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { builtJobs, JOBS, start } from '../../tools/server/workerd.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const CRON = { cron: '*/10 * * * *' };

/// The Worker for jobs. The object `broken` in the bucket makes it fail at each message: it runs out of memory, or it
/// loses its databases after a number of calls.
const breaking = () => [
  {
    type: 'ESModule',
    path: 'jobs/breaking.js',
    contents: `
    import worker from './worker.js';
    let left = Infinity;
    class D1Database {
      constructor(inner) { this.inner = inner; }
      prepare(text) { return this.inner.prepare(text); }
      async batch(statements) {
        left -= 1;
        if (left < 0) throw new Error('the Worker was cut off');
        return this.inner.batch(statements);
      }
      withSession(start) { return new D1Database(this.inner.withSession(start)); }
      getBookmark() { return this.inner.getBookmark(); }
    }
    const wrapped = (env) => ({ ...env, DB: new D1Database(env.DB), AUTH_DB: new D1Database(env.AUTH_DB) });
    export default {
      async queue(batch, env, context) {
        const broken = await (await env.INBOX.get('broken'))?.text();
        // Delay the queue's own deliveries meanwhile. After five failures the job would end with a fault.
        const isOfTest = batch.messages[0].id === 'of-the-test';
        if (broken !== undefined && !isOfTest) return batch.retryAll({ delaySeconds: 600 });
        if (broken === 'memory') {
          const memory = new WebAssembly.Memory({ initial: 1, maximum: 64 });
          for (;;) memory.grow(8);
        }
        left = broken === undefined ? Infinity : Number(broken);
        return worker.queue(batch, wrapped(env), context);
      },
      scheduled: (event, env, context) => worker.scheduled(event, wrapped(env), context),
    };`,
  },
  ...builtJobs(),
];

const patient = (id) => JSON.stringify({ resourceType: 'Patient', id, name: [{ family: id }] });

/// Resolves to functions that send files to a server and read from it.
async function clientOf(server, token) {
  const { post, status: statusOf } = await senderOf(server);
  const send = async (id) => {
    const { status, headers } = await post(patient(id));
    assert.equal(status, 202);
    return headers.get('content-location');
  };
  const status = async (job) => (await statusOf(job)).status;
  const read = async (query) => {
    const answered = await fetch(`${server.url}/fhir/r4/${query}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answered.status, body: await answered.json() };
  };
  return { send, status, read };
}

/// Reads a known record `times` times. Each read must succeed.
async function reads(client, times = 30) {
  for (let at = 0; at < times; at += 1) {
    const { status, body } = await client.read('Observation?patient=amara-okafor&_count=5');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(found(body).ids.length, 5);
  }
}

test('the Worker that does the jobs has no secret, loads files and answers no request', async (t) => {
  const server = await stage({ data: ['sample'], apps: [EHR], vars: { FRESH_SECONDS: '0' } });
  t.after(server.close);
  const client = await clientOf(server, server.token('system/*.read'));
  const job = await client.send('sent');
  await until(async () => assert.equal(await client.status(job), 200));
  assert.deepEqual(found((await client.read('Patient?family=sent')).body).ids, ['Patient/sent']);
  const bindings = await server.miniflare.getBindings(JOBS);
  assert.deepEqual(
    Object.keys(bindings).filter((name) => /SIGN_|PEPPER|SECRET/.test(name)),
    [],
  );
  assert.equal(bindings.ORIGIN, ORIGIN);
  const jobs = await server.jobs();
  for (const path of ['/', '/healthz', '/fhir/r4/metadata', '/ingest'])
    await assert.rejects(async () => jobs.fetch(`${ORIGIN}${path}`), /Handler does not export a fetch\(\) function/);
  assert.equal((await jobs.scheduled(CRON)).outcome, 'ok');
  assert.ok(!server.messages.some((line) => /"event":"(purge|resume|reindex|scheduled)"/.test(line)));
});

test('a consumer that ends at each message takes no read with it, and the next one does its jobs', async (t) => {
  const server = await stage({ data: ['sample'], apps: [EHR], vars: { FRESH_SECONDS: '0' }, jobModules: breaking() });
  t.after(server.close);
  const bucket = await server.miniflare.getR2Bucket('INBOX');
  const client = await clientOf(server, server.token('system/*.read'));
  const jobs = await server.jobs();
  /// Delivers the message of a job to the consumer. Resolves to whether the consumer has processed the message.
  const deliver = async (job) => {
    const body = { kind: 'ingest', job: job.split('/').at(-1) };
    const messages = [{ id: 'of-the-test', timestamp: new Date(), attempts: 1, body }];
    const { outcome, retryMessages } = await jobs
      .queue('edgechart-inbox', messages)
      .catch(() => ({ outcome: 'exception', retryMessages: [] }));
    return outcome === 'ok' && retryMessages.length === 0;
  };
  for (const how of ['memory', '0', '1', '2', '3']) {
    await bucket.put('broken', how);
    const job = await client.send(`after-${how}`);
    await reads(client);
    assert.equal(await deliver(job), false, `it ends: ${how}`);
    await reads(client);
    assert.equal(await client.status(job), 202, `the job waits: ${how}`);
    await bucket.delete('broken');
    await deliver(job);
    await until(async () => assert.equal(await client.status(job), 200));
    assert.deepEqual(found((await client.read(`Patient?family=after-${how}`)).body).ids, [`Patient/after-${how}`]);
  }
});

test('without the Worker that does the jobs files are accepted and wait, and records are read', async (t) => {
  const place = temporaryFolder();
  const first = await stage({ data: ['sample'], apps: [EHR], jobs: false, vars: { FRESH_SECONDS: '0' } });
  const token = first.token('system/*.read');
  const client = await clientOf(first, token);
  const job = await client.send('waiting');
  await reads(client);
  assert.equal(await client.status(job), 202);
  cpSync(first.state, place, { recursive: true });
  await first.close();

  // The other Worker is available again. Its cron trigger resends the message that nobody received.
  const second = await start({ state: place, keys: join(place, '.dev.vars'), vars: { ORIGIN, FRESH_SECONDS: '0' } });
  t.after(second.close);
  const database = await second.miniflare.getD1Database('AUTH_DB');
  await database.prepare('UPDATE job SET touched_at = 1').run();
  await (await second.miniflare.getWorker(JOBS)).scheduled(CRON);
  const later = await clientOf(second, token);
  await until(async () => assert.equal(await later.status(job), 200));
  assert.deepEqual(found((await later.read('Patient?family=waiting')).body).ids, ['Patient/waiting']);
});
