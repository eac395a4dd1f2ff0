// Records that a hospital system sends to /ingest: permissions, the progress of a job, and the stored result. The queue
// and the bucket belong to the local runtime.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../tools/server/port.mjs';
import { edgechart, found, ndjson, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { EHR, granted, senderOf } from '../server/sender.mjs';
import { within } from '../server/until.mjs';
import { measured, mostMemory } from './memory.mjs';

const APPS = [
  EHR,
  { ...EHR, client_id: 'other', scopes: 'system/*.cud' },
  { ...EHR, client_id: 'reader', kind: 'backend', scopes: 'system/*.read' },
];
const PATIENT = { resourceType: 'Patient', id: 'p', name: [{ family: 'Ingest' }] };
const observation = (id, patient = 'p', value = 1) => ({
  ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' }, valueInteger: value },
  subject: { reference: `Patient/${patient}` },
});

const common = await stage({ vars: { FRESH_SECONDS: '0' }, apps: APPS });
after(common.close);

/// Resolves to a server with functions of its clients: to the one of this file, or, with options, to another.
async function ingesting(t, options) {
  const server = options ? await stage({ vars: { FRESH_SECONDS: '0' }, apps: APPS, ...options }) : common;
  if (options) t.after(server.close);
  const tokenOf = (client, scope) => granted(server, { ...EHR, client_id: client }, scope);
  return { server, tokenOf, reader: server.token('system/*.read'), ...(await senderOf(server)) };
}

test('WR04 a file that is sent is accepted, loaded and reported, and the same request is the same job', async (t) => {
  const { server, tokenOf, post, status, ended, reader } = await ingesting(t);
  const key = { 'idempotency-key': 'file-1' };
  const first = await post(
    `${ndjson(PATIENT, observation('a'))}oops\n${ndjson({ resourceType: 'Foo', id: 'c' })}`,
    key,
  );
  assert.equal(first.status, 202);
  const location = first.headers.get('content-location');
  assert.equal(location, `${ORIGIN}/ingest/${first.body.id}`);
  const done = await ended(first);
  assert.equal(done.status, 'completed-with-faults');
  assert.deepEqual([done.new, done.notServed, done.faults[0].where], [2, { Foo: 1 }, 'line 3']);
  assert.deepEqual([done.parts, done.partsDone], [1, 1]);
  const { body } = await server.ask('Observation?patient=p', { token: reader });
  assert.deepEqual(found(body).ids, ['Observation/a']);

  const again = await post('something else', key);
  assert.deepEqual([again.status, again.headers.get('content-location')], [202, location]);
  // Compressed, under either name, as a Bundle, with a deletion.
  const bundle = {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [{ resource: observation('b') }, { request: { method: 'DELETE', url: 'Observation/a' } }],
  };
  const gzip = { 'content-encoding': 'x-gzip', 'content-type': 'application/fhir+json' };
  const second = await ended(await post(gzipSync(JSON.stringify(bundle)), gzip));
  assert.deepEqual([second.status, second.new, second.deleted], ['completed', 1, 1]);
  const after = await server.ask('Observation?patient=p', { token: reader });
  assert.deepEqual(found(after.body).ids, ['Observation/b']);

  const { access_token: other } = await tokenOf('other');
  assert.equal((await status(location, other)).status, 404);
  assert.equal((await status(`${ORIGIN}/ingest/unknown`)).status, 404);
});

test('WR01 only a client of the kind ingest gets the scope, and only the scope lets records in', async (t) => {
  const { server, token, tokenOf, post, status } = await ingesting(t);
  assert.equal((await tokenOf('ehr', 'system/*.read')).error, 'invalid_scope');
  assert.equal((await tokenOf('reader', 'system/*.write')).error, 'invalid_scope');
  const both = { ...APPS[2], client_id: 'both', scopes: 'system/*.read system/*.write' };
  assert.throws(() => server.registerApps([both]));
  for (const scope of [
    'system/*.read',
    'system/*.cruds',
    'system/Patient.write',
    'user/*.write',
    'patient/*.write',
    'system/*.write system/*.read',
  ]) {
    const refused = await post(ndjson(PATIENT), { authorization: `Bearer ${server.token(scope)}` });
    assert.equal(refused.status, 401, scope);
    assert.match(refused.headers.get('www-authenticate'), /insufficient_scope", scope="system\/\*\.write"/);
    assert.equal((await status(`${ORIGIN}/ingest/x`, server.token(scope))).status, 401, scope);
  }
  const ofUser = server.token('system/*.write', { user: 'someone' });
  assert.equal((await post(ndjson(PATIENT), { authorization: `Bearer ${ofUser}` })).status, 401);
  assert.equal((await post(ndjson(PATIENT), { authorization: '' })).status, 401);
  // The token opens nothing else.
  assert.equal((await server.ask('Patient/p', { token })).status, 401);
});

test('WR02 a request that is no file is refused before anything is stored', async (t) => {
  const { server, token, post } = await ingesting(t);
  const bucket = await server.miniflare.getR2Bucket('INBOX');
  const stored = async () => (await bucket.list()).objects.length;
  const before = await stored();
  for (const [body, headers, code] of [
    ['{}', { 'content-type': 'text/plain' }, 415],
    ['{}', { 'content-encoding': 'br' }, 415],
    ['', {}, 400],
    ['{}', { 'idempotency-key': 'ü'.repeat(3) }, 400],
    ['{}', { 'idempotency-key': 'x'.repeat(256) }, 400],
  ]) {
    const { status } = await post(body, headers);
    assert.equal(status, code, JSON.stringify(headers));
  }
  const chunked = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{}'));
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const without = await fetch(`${server.url}/ingest`, { method: 'POST', headers, body: chunked, duplex: 'half' });
  assert.equal(without.status, 411);
  for (const [method, path, allow] of [
    ['GET', '/ingest', 'POST, OPTIONS'],
    ['DELETE', '/ingest/x', 'GET, HEAD, OPTIONS'],
  ]) {
    const answer = await fetch(`${server.url}${path}`, { method, headers });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow]);
  }
  assert.equal(await stored(), before);
});

test('a long file is divided by patient, and ends as the command line loads it', async (t) => {
  const { server, post, ended, reader } = await ingesting(t);
  const note = [{ text: 'n'.repeat(3_000) }];
  const resources = Array.from({ length: 700 }, (_, at) => [
    { ...PATIENT, id: `p${at}` },
    ...Array.from({ length: 6 }, (_, number) => ({ ...observation(`o${at}-${number}`, `p${at}`), note })),
  ]).flat();
  const text = ndjson(...resources);
  const accepted = await post(text);
  assert.equal(accepted.status, 202);
  const done = await ended(accepted);
  assert.deepEqual([done.status, done.new, done.partsDone], ['completed', resources.length, done.parts]);
  assert.ok(done.parts >= 3, `${done.parts} parts`);
  const { body } = await server.ask('Observation?patient=p699', { token: reader });
  assert.equal(found(body).ids.length, 6);
  assert.match(
    server.loadText(text),
    new RegExp(`${resources.length} resources: 0 new, 0 changed, ${resources.length} as before`),
  );
  const bucket = await server.miniflare.getR2Bucket('INBOX');
  const keys = (await bucket.list()).objects.map(({ key }) => key);
  assert.deepEqual(
    keys.filter((key) => key.startsWith('pieces/')),
    [],
  );
});

test('the command line sends files, goes on where it stopped, and ends as a load into the file', async (t) => {
  const { server } = await ingesting(t, { port: await freePort() });
  const loaded = await stage({ data: ['sample'] });
  t.after(loaded.close);
  const secret = server.write('secret.txt', `${EHR.secret}\n`);
  const faulty = server.write('faulty.ndjson', `${ndjson(PATIENT)}\noops\n`);
  // The server runs in this process, so the process must not block on the command line.
  const run = promisify(execFile);
  const send = async (...words) => {
    const all = ['load', ...words, '--to', server.url, '--client', 'ehr'];
    return (await run('build/edgechart', all, { env: { ...process.env, CLIENT_SECRET: EHR.secret } })).stdout;
  };
  const first = await send('sample', '--secret-file', secret);
  const [, count] = /^(\d+) resources in 1 jobs: \1 new, 0 changed, 0 as before/m.exec(first);
  assert.ok(Number(count) > 1_000, first);
  // Repeating the command uses the same jobs.
  assert.equal(await send('sample'), first);
  assert.match(await send('sample', '--again'), new RegExp(`0 new, 0 changed, ${count} as before`));
  // Both have the same resources, except for the time that is added to a resource without one.
  const resources = (file) => {
    const out = join(server.state, 'dump.ndjson');
    edgechart('dump', '--db', file, '--out', out);
    const texts = readFileSync(out, 'utf8').trim().split('\n');
    const of = (text) => text.replace(/"lastUpdated":"[^"]*"/, '').replaceAll(server.origin, ORIGIN);
    return texts.map(of).sort();
  };
  assert.deepEqual(resources(server.db), resources(loaded.db));
  await assert.rejects(send(faulty), ({ code, stdout }) => {
    assert.equal(code, 3);
    assert.match(stdout, /faulty\.ndjson:3: it is not JSON/);
    return true;
  });
  const wrong = send('sample', '--secret-file', faulty);
  await assert.rejects(wrong, ({ stderr }) => /gives no token: .*invalid_client/.test(stderr));
});

test('without a bucket and a queue the address is not there', async (t) => {
  const { post } = await ingesting(t, { vars: { STORE: 'kv', FRESH_SECONDS: '0' } });
  assert.equal((await post(ndjson(PATIENT))).status, 404);
});

test('WR07 WR08 an absolute reference leads to no other person, and a time in the future counts as now', async (t) => {
  const { server, token, post, ended, send, reader } = await ingesting(t);
  const future = await ended(await post(ndjson({ ...PATIENT, meta: { lastUpdated: '9998-12-31T23:59:59Z' } })));
  assert.match(future.faults[0].why, /meta.lastUpdated is in the future/);
  const subject = { reference: 'https://ehr.example/fhir/Patient/p' };
  const body = ndjson({ resourceType: 'Condition', id: 'd', code: { text: 'x' }, subject });
  assert.deepEqual((await send(body)).nobodys, { Condition: 1 });
  const conditions = async () => found((await server.ask('Condition?patient=p', { token: reader })).body).ids;
  assert.deepEqual(await conditions(), []);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+ndjson' };
  const named = (query) => fetch(`${server.url}/ingest?${query}`, { method: 'POST', headers, body });
  for (const query of ['source-base=ftp%3A%2F%2Fx', 'source-base=https%3A%2F%2Fx%3Fy', 'base=https%3A%2F%2Fx']) {
    assert.equal((await named(query)).status, 400, query);
  }
  assert.equal((await ended(await named('source-base=https%3A%2F%2Fehr.example%2Ffhir'))).status, 'completed');
  assert.deepEqual(await conditions(), ['Condition/d']);
});

test('WR03 WR09 bombs end with a fault, and who is beside them is stored', async (t) => {
  const { server, send, reader } = await ingesting(t);
  const line = (type, id, more) => `{"resourceType":"${type}","id":"${id}",${more}}\n`;
  const targets = (count) => Array.from({ length: count }, (_, i) => `{"reference":"Observation/${i}"}`).join();
  const poison = (i) =>
    line(
      'Observation',
      `p${i}`,
      `"subject":{"reference":"Patient/v"},"code":{"coding":[{"code":"${'x'.repeat(1_990_000)}"}]}`,
    );
  const bombs = {
    values: line('Patient', 'zeros', `"a":[${'0,'.repeat(900_000)}0]`),
    depth: line('Patient', 'deep', `"a":${'['.repeat(100)}${']'.repeat(100)}`),
    references: line('Provenance', 'many', `"target":[${targets(40_000)}]`),
    length: line('Patient', 'long', `"a":[${'0,'.repeat(3_900_000)}0]`),
    types: Array.from({ length: 100_000 }, (_, i) => `{"resourceType":"Made${i}","id":"a"}\n`).join(''),
    index: [0, 1, 2, 3].map(poison).join(''),
    twice: line('Patient', 'twice', '"gender":"male","gender":"female"'),
  };
  for (const [name, text] of Object.entries(bombs)) {
    const beside = { resourceType: 'Patient', id: `beside-${name}` };
    const body = gzipSync(text + ndjson(beside));
    const done = await send(body, { 'content-encoding': 'gzip' });
    assert.equal(done.new, 1, `${name}: ${JSON.stringify(done).slice(0, 500)}`);
    if (name === 'types') assert.equal(Object.keys(done.notServed).length, 51);
    else assert.ok(done.faults.length > 0, name);
    assert.equal((await server.ask(`Patient/beside-${name}`, { token: reader })).status, 200);
  }
});

test('WR09 a file that inflates to 150 megabytes takes no more memory than one of 50', async (t) => {
  const { server, post, ended, reader } = await ingesting(t, { modules: measured(), jobModules: measured() });
  const note = (i) => [{ text: String.fromCharCode(97 + (i % 26)).repeat(250_000) }];
  const lines = Array.from({ length: 600 }, (_, i) => ({ ...observation(`long-${i}`, `of-${i % 40}`), note: note(i) }));
  const done = await ended(await post(gzipSync(ndjson(...lines)), { 'content-encoding': 'gzip' }));
  assert.deepEqual([done.new, done.faults], [600, []]);
  assert.equal((await server.ask('Observation/long-599', { token: reader })).status, 200);
  const most = mostMemory(server);
  t.diagnostic(`${most} MiB`);
  assert.ok(most < 48, `${most} MiB`);
});

test('WR15 the largest charts, and many large ones at once, take less than 64 MiB', async (t) => {
  const measuring = { modules: measured(), jobModules: measured() };
  const vars = { FRESH_SECONDS: '0', INDEX: 'r4' };
  const gzip = { 'content-encoding': 'gzip' };
  /// A result as short as possible, so that a chart has many of them.
  const short = (id) => ({ ...observation(id), status: undefined, code: undefined, valueInteger: undefined });
  /// Text that hardly becomes shorter.
  const noise = (id, patient) => ({
    ...observation(id, patient),
    note: [{ text: randomBytes(40_000).toString('hex') }],
  });
  const many = (count, one) => Array.from({ length: count }, (_, i) => one(i));
  for (const [what, first, next] of [
    ['120,000 short ones', many(120_000, (i) => short(`s${i}`)), [short('next')]],
    ['24 MB that hardly become shorter', many(290, (i) => noise(`n${i}`, 'p')), [noise('next', 'p')]],
    [
      '30 patients with a megabyte each',
      many(600, (i) => noise(`n${i}`, `p${i % 30}`)),
      many(30, (i) => noise(`next${i}`, `p${i}`)),
    ],
  ]) {
    const { server, send } = await ingesting(t, { vars, ...measuring });
    for (const lines of [first, next]) {
      const done = await send(gzipSync(ndjson(...lines), { level: 1 }), gzip);
      assert.deepEqual([done.new, done.faults], [lines.length, []], what);
    }
    const most = mostMemory(server);
    t.diagnostic(`${what}: ${most} MiB`);
    assert.ok(most < 64, `${what}: ${most} MiB`);
    await server.close();
  }
});

test('while a database is busy, as with a move of charts, a file is refused until later', async (t) => {
  const { server, post, ended } = await ingesting(t);
  const file = ndjson({ ...PATIENT, id: 'later' });
  const busy = new DatabaseSync(server.db);
  busy.exec('BEGIN IMMEDIATE');
  const refused = await post(file, { 'idempotency-key': 'once' });
  busy.exec('ROLLBACK');
  busy.close();
  assert.equal(refused.status, 503, JSON.stringify(refused.body));
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(refused.body.issue[0].code, 'transient');
  const taken = await post(file, { 'idempotency-key': 'once' });
  assert.equal(taken.status, 202);
  assert.equal((await ended(taken)).new, 1);
});

test('WR10 WR11 a stopped client has nothing loaded, and the log names who has changed whose records', async (t) => {
  const { server, post, status, ended } = await ingesting(t);
  const first = await post(ndjson({ ...PATIENT, id: 'q' }, observation('of-q', 'q')), { 'x-request-id': 'accepted' });
  await ended(first);
  const [accepted] = await server.audit('accepted');
  assert.deepEqual([accepted.event, accepted.client, accepted.job], ['ingest', 'ehr', first.body.id]);
  // The request id is the id of the job.
  const [update] = await server.audit(first.body.id);
  assert.deepEqual([update.event, update.client, update.patients], ['update', 'ehr', ['q']]);
  edgechart('disable', '--db', server.db, '--', 'client', 'ehr');
  await within(5_100, async () => (await status(first.headers.get('content-location'))).status === 401);
  assert.equal((await post(ndjson(observation('late', 'q')))).status, 401);
});
