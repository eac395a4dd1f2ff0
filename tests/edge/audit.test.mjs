// The audit log over HTTP: the lines of sign-ins and floods, the AuditEvents that the command line makes from them, and
// the Worker that stores them. tests/cases/audit.json tests the patients of an answer.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import sink, { auditLines } from '../../audit/worker.js';
import { edgechart, minuteWith, stage } from '../../tools/server/stage.mjs';
import { until } from '../server/until.mjs';

const LIMIT = 5;
const NETWORK = '192.0.2.9';

const server = await stage({ data: ['sample'], limits: { NETWORK: LIMIT, AUTHORIZE: LIMIT } });
after(() => server.close());
const logged = async (path, init = {}) => {
  const headers = { 'cf-connecting-ip': NETWORK, ...init.headers };
  const answer = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init, headers });
  return server.audit(answer.headers.get('x-request-id'));
};

test('a read under a practitioner’s token names the patient of the resource', async () => {
  const authorization = `Bearer ${server.token('user/*.read', { user: 'dr-lindholm', patient: 'dana-begay' })}`;
  server.enrol({ 'dr-lindholm': ['amara-okafor', 'dana-begay'] });
  const [line] = await logged('/fhir/r4/Patient/amara-okafor', { headers: { authorization } });
  assert.deepEqual(
    [line.patients, line.context, line.user, line.status],
    [['amara-okafor'], 'dana-begay', 'dr-lindholm', 200],
  );
  const misleading = '/fhir/r4/Condition?subject=dana-begay&patient=amara-okafor';
  const [search] = await logged(misleading, { headers: { authorization, prefer: 'handling=lenient' } });
  assert.deepEqual(
    [search.asked, search.patients, search.parameters],
    [['amara-okafor'], ['amara-okafor'], ['patient']],
  );
});

test('the network is a keyed hash that the command line computes', async () => {
  const [line] = await logged('/fhir/r4/Patient');
  assert.equal(line.network, edgechart('audit', '--network', NETWORK, '--keys', server.keys).trim());
  assert.ok(!JSON.stringify(line).includes(NETWORK));
});

test('an event has an id of the server, and the request id of the caller beside it', async () => {
  const headers = { 'x-request-id': 'mine' };
  await logged('/fhir/r4/Patient', { headers });
  const lines = await logged('/fhir/r4/Patient', { headers });
  assert.equal(new Set(lines.map((line) => line.event_id)).size, lines.length);
  for (const line of lines) {
    assert.match(line.event_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  const made = execFileSync('build/edgechart', ['audit', '-', '--origin', server.origin], {
    encoding: 'utf8',
    input,
  });
  const events = made
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map((event) => event.id),
    lines.map((line) => line.event_id),
  );
  for (const event of events) assert.equal(event.entity.at(-1).what.identifier.value, 'mine');
});

test('a flood is logged, under /oauth and under /fhir', async () => {
  await minuteWith(20);
  const flood = { 'cf-connecting-ip': '192.0.2.10' };
  for (let n = 0; n < LIMIT; n += 1) {
    await logged('/oauth/token', { method: 'POST', headers: flood });
    await logged('/oauth/authorize', { headers: flood });
  }
  const throttled = async (path, init) => {
    const [{ event, status, error, network }] = await logged(path, { headers: flood, ...init });
    assert.equal(typeof network, 'string');
    return [event, status, error];
  };
  assert.deepEqual(await throttled('/oauth/token', { method: 'POST' }), ['token', 429, 'throttled']);
  assert.deepEqual(await throttled('/oauth/authorize'), ['authorize', 429, 'throttled']);
  const unknown = { ...flood, authorization: 'Bearer a.b.c' };
  assert.deepEqual(await throttled('/fhir/r4/Patient', { headers: unknown }), ['access', 429, 'throttled']);
});

const LINE = '{"audit":"edgechart/2","event":"read"}';

test('the Worker that keeps the log writes its lines into the bucket, and nothing else', async (t) => {
  // Another Worker, which logs the lines in its requests.
  const emitter = `
    export default {
      async fetch(request) {
        for (const line of await request.json()) console.log(line);
        return new Response();
      },
    };`;
  const worker = (name, contents, options) => ({
    name,
    modules: [{ type: 'ESModule', path: `${name}.js`, contents }],
    compatibilityDate: '2026-11-01',
    ...options,
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        worker('emitter', emitter, { tails: ['edgechart-audit'] }),
        worker('edgechart-audit', readFileSync('audit/worker.js', 'utf8'), { r2Buckets: ['AUDIT'] }),
      ],
    }),
  );
  t.after(() => miniflare.dispose());
  const bucket = await miniflare.getR2Bucket('AUDIT', 'edgechart-audit');
  const log = (lines) => miniflare.dispatchFetch('http://emitter/', { method: 'POST', body: JSON.stringify(lines) });
  await log(['hello']);
  await log([LINE, 'hello', LINE]);
  let objects = [];
  await until(async () => {
    ({ objects } = await bucket.list());
    assert.equal(objects.length, 1);
  });
  assert.match(objects[0].key, /^\d{4}-\d\d-\d\d\/\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f-]{36}\.ndjson$/);
  assert.equal(await (await bucket.get(objects[0].key)).text(), `${LINE}\n${LINE}\n`);
});

test('a write that fails is tried again, and then logged as lost', async (t) => {
  const events = [{ logs: [{ message: [LINE] }, { message: ['hello', 5] }] }, {}];
  assert.deepEqual(auditLines(events), [LINE]);
  const lost = [];
  t.mock.method(console, 'error', (line) => lost.push(line));
  t.mock.method(globalThis, 'setTimeout', (done) => {
    queueMicrotask(done);
  });
  let tries = 0;
  const failing = (times) => ({
    AUDIT: {
      put: async () => {
        tries += 1;
        if (tries <= times) throw new Error('away');
      },
    },
  });
  await sink.tail(events, failing(3));
  assert.deepEqual([tries, lost], [4, []]);
  tries = 0;
  await assert.rejects(sink.tail(events, failing(4)), /away/);
  assert.deepEqual([tries, lost], [4, [LINE]]);
});
