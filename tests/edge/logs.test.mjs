// The log: every line is JSON with an event, and contains no values of requests or records, except for the fields of
// the audit log (docs/operations.md, "Audit").

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { Browser, formsOf } from '../server/browser.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

/// A text that occurs nowhere else in the log. A number is appended at each use.
const MARK = 'Zyx-w';

/// The Worker with databases that fail with an error of D1 if a request has the header `x-away`.
const failing = [
  {
    type: 'ESModule',
    path: 'build/failing.js',
    contents: `
    import worker from './index.js';
    let away = false;
    class D1Database {
      constructor(inner) { this.inner = inner; }
      prepare(text) { return this.inner.prepare(text); }
      async batch(statements) {
        if (away) throw new Error('D1_ERROR: no such table: fact');
        return this.inner.batch(statements);
      }
      withSession(start) { return new D1Database(this.inner.withSession(start)); }
      getBookmark() { return this.inner.getBookmark(); }
    }
    const wrapped = (env) => ({ ...env, DB: new D1Database(env.DB), AUTH_DB: new D1Database(env.AUTH_DB) });
    export default {
      fetch(request, env, context) {
        away = request.headers.has('x-away');
        return worker.fetch(request, wrapped(env), context);
      },
      scheduled: (event, env, context) => worker.scheduled(event, wrapped(env), context),
      queue: (batch, env, context) => worker.queue(batch, wrapped(env), context),
    };`,
  },
  ...built(),
];

const server = await stage({ data: ['sample'], modules: failing, apps: [EHR] });
after(() => server.close());

let marks = 0;
const mark = () => {
  marks += 1;
  return `${MARK}${marks}`;
};
const form = (values) => ({ method: 'POST', body: new URLSearchParams(values) });
/// Sends requests with marks in path, query, forms, headers, tokens, and content.
async function askEverything(more = {}) {
  const reader = { authorization: `Bearer ${server.token('system/*.read')}`, ...more };
  const statuses = [];
  const ask = async (path, { headers, ...init } = {}) => {
    const answer = await fetch(server.url + path, { redirect: 'manual', ...init, headers: { ...more, ...headers } });
    await answer.text();
    statuses.push(answer.status);
  };
  for (const path of [
    `/fhir/r4/Patient/${mark()}/${mark()}`,
    `/fhir/r4/${mark()}?name=${mark()}`,
    `/fhir/r4/Patient?name=${mark()}&family:exact=${mark()}&identifier=${mark()}|${mark()}`,
    `/fhir/r4/Patient?${mark()}=${mark()}`,
    `/fhir/r4/Patient?birthdate=${mark()}&_count=${mark()}`,
    `/fhir/r4/Observation?patient.name=${mark()}&code:text=${mark()}&_sort=${mark()}`,
    `/fhir/r4/Observation?subject:Patient.identifier=${mark()}&value-quantity=${mark()}`,
    `/fhir/r4/Patient?name:contains=${mark()}&_total=accurate`,
    `/fhir/r4/Patient?name=%00${mark()}%ff`,
    `/oauth/authorize?client_id=${mark()}&state=${mark()}&redirect_uri=${mark()}`,
    `/oauth/callback?state=${mark()}&code=${mark()}`,
    `/${mark()}?x=${mark()}`,
    `/ingest/${mark()}`,
  ]) {
    await ask(path, { headers: reader });
  }
  const odd = {
    'user-agent': mark(),
    cookie: `visit=${mark()}; session=${mark()}`,
    referer: `https://${mark()}.test/`,
  };
  await ask('/fhir/r4/Patient?name=x', { headers: { ...odd, authorization: `Bearer ${mark()}`, accept: mark() } });
  await ask('/fhir/r4/Patient?name=x', { headers: { ...reader, ...odd, prefer: mark(), 'if-none-match': mark() } });
  await ask('/fhir/r4/Patient/_search', { ...form({ name: mark(), [mark()]: mark() }), headers: reader });
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/login']) {
    const values = { code: mark(), token: mark(), client_id: mark(), client_secret: mark(), id: mark() };
    await ask(path, form({ ...values, grant_type: 'authorization_code', username: mark(), password: mark() }));
    await ask(path, { method: 'POST', body: `{"${mark()}"`, headers: { 'content-type': 'application/json' } });
  }
  const browser = new Browser(server.url, more);
  const [login] = formsOf((await browser.get('/oauth/manage')).text);
  if (login) await browser.submit(login, { username: mark(), password: mark() });
  return statuses;
}

/// Sends files with marks in valid records, in invalid records, and in arbitrary bytes.
async function sendFiles() {
  const { post, ended } = await senderOf(server);
  const name = mark();
  const patient = { resourceType: 'Patient', id: `p-${marks}`, name: [{ family: name }], birthDate: '1980-01-01' };
  for (const body of [
    JSON.stringify(patient),
    JSON.stringify({ ...patient, id: mark(), birthDate: { no: mark() } }),
    JSON.stringify({ ...patient, id: `${mark()} ${mark()}` }),
    JSON.stringify({ resourceType: mark(), id: mark() }),
    JSON.stringify({ resourceType: 'Observation', id: `o-${marks}`, subject: { reference: mark() }, status: mark() }),
    `{"resourceType":"Patient","id":"${mark()}","name":${mark()}`,
    `${mark()}\n{"resourceType":"Patient"}\n`,
  ]) {
    const answer = await post(body);
    if (answer.status === 202) await ended(answer);
  }
}

/// Sends messages in unknown forms to the queue.
async function sendMessages() {
  const worker = await server.miniflare.getWorker();
  const message = (body) => ({ id: `m${marks}`, timestamp: new Date(), attempts: 1, body });
  for (const body of [
    mark(),
    { [mark()]: mark() },
    { action: mark(), object: { key: mark() } },
    { job: 7, part: mark() },
    { kind: mark(), job: mark() },
  ]) {
    await worker.queue('edgechart-inbox', [message(body)]);
  }
}

const lines = () => server.messages.map((line) => JSON.parse(line));

test('LG06 no line of the log has a value of a request or of a record', async () => {
  const statuses = new Set(await askEverything());
  for (const status of [200, 400, 401, 404]) assert.ok(statuses.has(status), `${status} of ${[...statuses]}`);
  await sendFiles();
  await sendMessages();
  await until(() =>
    assert.ok(
      lines().some(({ message }) => message),
      'a message fails',
    ),
  );
  const broken = new Set(await askEverything({ 'x-away': 'yes' }));
  assert.ok(broken.has(500) && broken.has(503), [...broken].join());
  await (await server.miniflare.getWorker()).scheduled({ cron: '*/10 * * * *' });
  await sleep(500);

  assert.ok(marks > 150, `${marks}`);
  const all = await until(() => {
    const some = lines();
    const kinds = new Set(some.map(({ audit, event }) => (audit ? 'audit' : event)));
    assert.deepEqual([...kinds].sort(), ['audit', 'fault', 'job', 'purge', 'reindex', 'resume']);
    return some;
  });
  const loads = all.filter(({ event, same }) => event === 'job' && same !== undefined);
  assert.ok(
    loads.every(({ memory }) => memory >= 65_536),
    'the memory of the module',
  );
  // The audit log contains ids of resources that are read, patients in searches, and client ids from requests.
  for (const line of all) {
    const { id, asked, context, patients, client, ...rest } = line;
    assert.ok(!JSON.stringify(line.audit ? rest : line).includes(MARK), JSON.stringify(line));
  }
});

test('every line says its event, and a fault its request, route and status', async () => {
  const headers = { 'x-away': 'yes', 'x-request-id': 'a-request' };
  await server.ask('Patient?name=x', { token: server.token('system/*.read'), headers });
  const { detail, ...rest } = await until(() => {
    const fault = lines().find(({ event, request }) => event === 'fault' && request === 'a-request');
    assert.ok(fault, 'it is logged');
    return fault;
  });
  assert.deepEqual(rest, { event: 'fault', request: 'a-request', route: '/{type}', status: 503 });
  assert.match(detail, /no such table: fact/);
  for (const line of lines()) assert.equal(typeof line.event, 'string', JSON.stringify(line));
});
