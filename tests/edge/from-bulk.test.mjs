// `edgechart load --from-bulk`: runs the command against a small server that exports, and loads into the Worker.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { freePort } from '../../tools/server/port.mjs';
import { EDGECHART } from '../../tools/server/served.mjs';
import { found, ndjson, stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { until } from '../server/until.mjs';

const TIME = '2026-05-01T00:00:00Z';

/// Starts a server that exports a patient with observations to a client that authenticates with this key. The last
/// piece of the second file is held back until `release` is called.
async function exporting(t, { keys, client, deleted = [], link = [] }) {
  const asked = [];
  const { promise: released, resolve: release } = Promise.withResolvers();
  const server = createServer(async (request, answer) => {
    const path = request.url.split('?')[0];
    asked.push({ line: `${request.method} ${path}`, url: request.url, headers: request.headers });
    const json = (value, headers = {}, status = 200) => {
      answer.writeHead(status, { 'content-type': 'application/json', ...headers });
      answer.end(JSON.stringify(value));
    };
    const file = async (text, slow = false) => {
      const whole = Buffer.from(text);
      answer.writeHead(200, { 'content-type': 'application/fhir+ndjson', 'content-length': whole.length });
      const middle = slow ? Math.min(whole.length, 20_000) : whole.length;
      answer.write(whole.subarray(0, middle));
      if (slow) await released;
      answer.end(whole.subarray(middle));
    };
    if (path === '/fhir/.well-known/smart-configuration')
      return json({ token_endpoint: `${base}/token`, capabilities: ['permission-v2'] });
    if (path === '/fhir/metadata') {
      return json({ rest: [{ resource: ['Patient', 'Observation'].map((type) => ({ type })) }] });
    }
    if (path === '/fhir/token') {
      let body = '';
      for await (const chunk of request) body += chunk;
      const form = new URLSearchParams(body);
      const { payload } = await jwtVerify(form.get('client_assertion'), keys, { audience: `${base}/token` });
      assert.deepEqual(
        [payload.iss, payload.sub, form.get('scope')],
        [client, client, 'system/Patient.rs system/Observation.rs'],
      );
      return json({ access_token: 'a-token', token_type: 'bearer', expires_in: 300 });
    }
    if (request.headers.authorization !== 'Bearer a-token') return json({}, {}, 401);
    if (path === '/fhir/Patient/$export') return json({}, { 'content-location': `${base}/status` }, 202);
    if (path === '/fhir/status' && request.method === 'DELETE') return json({}, {}, 202);
    if (path === '/fhir/status')
      return json({
        transactionTime: TIME,
        request: `${base}/Patient/$export`,
        requiresAccessToken: true,
        output: [
          { type: 'Patient', url: `${base}/files/patients`, count: 1 },
          { type: 'Observation', url: `${base}/files/observations`, count: 400 },
        ],
        deleted: deleted.length > 0 ? [{ type: 'Bundle', url: `${base}/files/deleted` }] : [],
        error: [],
        outcome: [],
        link,
      });
    if (path === '/fhir/files/patients')
      return file(ndjson({ resourceType: 'Patient', id: 'p', name: [{ family: 'Bulk' }] }));
    if (path === '/fhir/files/deleted') {
      const entry = deleted.map((url) => ({ request: { method: 'DELETE', url } }));
      return file(ndjson({ resourceType: 'Bundle', type: 'transaction', entry }));
    }
    const observation = (_, at) => ({
      ...{ resourceType: 'Observation', id: `o${at}`, status: 'final', code: { text: 'x'.repeat(100) } },
      subject: { reference: `${base}/Patient/p` },
    });
    return file(ndjson(...Array.from({ length: 400 }, observation)), true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const base = `http://127.0.0.1:${server.address().port}/fhir`;
  return { base, asked, release };
}

/// Creates a client's key pair: a file with the private JWK, and a key set with the public JWK.
async function keyOf() {
  const { publicKey, privateKey } = await generateKeyPair('ES384', { extractable: true });
  const place = temporaryFolder();
  const file = join(place, 'key.json');
  writeFileSync(file, JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'k', alg: 'ES384' }));
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES384' }] };
  return { file, jwks, keys: createLocalJWKSet(jwks), place };
}

/// Starts the command.
function run(words) {
  const child = spawn(EDGECHART, ['load', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const ended = once(child, 'close').then(([code]) => ({ code, said }));
  return { child, ended };
}

test('the command is killed in a file, and the same command begins anew', async (t) => {
  const { file, keys, place } = await keyOf();
  const source = await exporting(t, { keys, client: 'edgechart' });
  const db = join(place, 'records.sqlite');
  const words = ['--from-bulk', source.base, '--source-key', file, '--source-client', 'edgechart', '--db', db];
  words.push('--state', join(place, 'state'));
  const first = run(words);
  const size = () => {
    const [state] = existsSync(join(place, 'state')) ? readdirSync(join(place, 'state')) : [];
    const part = state && join(place, 'state', state, 'files', '000001.ndjson');
    return part && existsSync(part) ? statSync(part).size : 0;
  };
  await until(() => assert.ok(size() >= 16_000, `${size()}`));
  first.child.kill('SIGKILL');
  await first.ended;
  source.release();
  const before = source.asked.length;
  const { code, said } = await run(words).ended;
  assert.equal(code, 0, said);
  assert.match(said, new RegExp(`the export of ${TIME}: 2 files, 401 resources`));
  assert.match(said, /401 resources: 401 new/);
  const token = ['GET /fhir/.well-known/smart-configuration', 'GET /fhir/metadata', 'POST /fhir/token'];
  const files = ['GET /fhir/files/patients', 'GET /fhir/files/observations'];
  assert.deepEqual(
    source.asked.slice(before).map(({ line }) => line),
    [...token, 'GET /fhir/Patient/$export', 'GET /fhir/status', ...files, 'DELETE /fhir/status'],
  );
  await run([...words, '--since', 'last']).ended;
  const kickOff = source.asked.findLast(({ line }) => line.includes('$export'));
  assert.equal(new URL(kickOff.url, source.base).searchParams.get('_since'), TIME);
});

test('an export goes into a server by /ingest, with its deletions and its absolute references', async (t) => {
  const { file, keys, place } = await keyOf();
  const engine = await keyOf();
  const apps = [{ client_id: 'engine', kind: 'ingest', jwks: engine.jwks, scopes: 'system/*.write' }];
  const server = await stage({ apps, vars: { FRESH_SECONDS: '0' }, port: await freePort() });
  t.after(server.close);
  server.loadText(ndjson({ resourceType: 'Patient', id: 'gone', name: [{ family: 'Gone' }] }));
  const source = await exporting(t, { keys, client: 'us', deleted: ['https://there.example/fhir/Patient/gone'] });
  source.release();
  const { code, said } = await run([
    ...['--from-bulk', source.base, '--source-key', file, '--source-client', 'us', '--state', join(place, 'state')],
    ...['--to', server.url, '--client', 'engine', '--key', engine.file],
  ]).ended;
  assert.equal(code, 0, said);
  assert.match(said, /401 resources in 1 jobs: 401 new/);
  assert.match(said, /^deleted: 1$/m);
  const token = server.token('system/*.read');
  const ids = async (query) => found((await server.ask(query, { token })).body).ids;
  assert.equal((await server.ask('Observation?patient=p&_summary=count', { token })).body.total, 400);
  assert.deepEqual([await ids('Patient?family=bulk'), await ids('Patient?family=gone')], [['Patient/p'], []]);
});

test('a manifest of several pages is refused, since only a whole export is loaded', async (t) => {
  const { file, keys, place } = await keyOf();
  const link = [{ relation: 'next', url: 'https://there.example/2' }];
  const source = await exporting(t, { keys, client: 'us', link });
  const { code, said } = await run([
    ...['--from-bulk', source.base, '--source-key', file, '--source-client', 'us', '--state', join(place, 'state')],
    ...['--to', 'http://127.0.0.1:9', '--client', 'engine', '--key', file],
  ]).ended;
  assert.equal(code, 1, said);
  assert.match(said, /the manifest has several pages/);
});
