// $bulk-submit: another server, here one of this test, offers a manifest, and its files are fetched and loaded.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE, found, stage } from '../../tools/server/stage.mjs';

const SECRET = 'a-secret-of-the-data-provider';
const APPS = ['system/bulk-submit', 'system/*.write'].map((scopes, at) => ({
  ...{ client_id: `provider-${at}`, kind: 'ingest', secret: SECRET, scopes },
}));
const SUBMITTER = { name: 'submitter', valueIdentifier: { system: 'urn:test', value: 'hospital' } };

const ndjson = (resources) => resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');
const observation = (id, text) => ({
  ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' }, note: [{ text }] },
  subject: { reference: 'Patient/p' },
});

/// A server with documents by path. `asked` are its requests.
async function provider(t, documents) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url, key: request.headers['x-key'] });
    const document = documents()[request.url];
    if (typeof document === 'number') response.writeHead(document, { location: '/patients.ndjson' }).end();
    else if (document === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(document);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  return { origin: `http://127.0.0.1:${server.address().port}`, asked };
}

async function submitting(t, documents) {
  const there = await provider(t, documents);
  const server = await stage({ apps: APPS, vars: { FRESH_SECONDS: '0', BULK_SUBMIT_ORIGINS: there.origin } });
  t.after(server.close);
  const tokens = {};
  for (const { client_id: client } of APPS) {
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client}:${SECRET}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    tokens[client] = (await answer.json()).access_token;
  }
  const post = (operation, parameters, client = 'provider-0') =>
    server.ask(operation, {
      method: 'POST',
      token: tokens[client] ?? client,
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify({ resourceType: 'Parameters', parameter: parameters }),
    });
  const submit = (...parameters) =>
    post('$bulk-submit', [SUBMITTER, { name: 'submissionId', valueString: 'night' }, ...parameters]);
  return { ...there, server, tokens, post, submit };
}

const manifestUrl = (url) => ({ name: 'manifestUrl', valueUrl: url });
const fhirBaseUrl = { name: 'fhirBaseUrl', valueUrl: 'https://ehr.example/fhir' };
const status = (code) => ({
  name: 'submissionStatus',
  valueCoding: { system: 'http://hl7.org/fhir/event-status', code },
});
const header = {
  name: 'fileRequestHeader',
  part: [
    { name: 'headerName', valueString: 'X-Key' },
    { name: 'headerValue', valueString: 'secret of the files' },
  ],
};

test('a manifest is submitted, its files are loaded, and the status tells the faults of each manifest', async (t) => {
  let origin = '';
  const file = (path) => ({ type: 'Observation', url: `${origin}${path}` });
  // Longer than a part of an upload.
  const long = ndjson(Array.from({ length: 200 }, (_, at) => observation(`o${at}`, 'n'.repeat(60_000))));
  const { server, tokens, post, submit, asked, ...there } = await submitting(t, () => ({
    '/manifest.json': JSON.stringify({
      output: [file('/patients.ndjson'), file('/long.ndjson'), file('/gone.ndjson'), file('/moved.ndjson')],
      deleted: [{ type: 'Bundle', url: `${origin}/deleted.ndjson` }],
      link: [{ relation: 'next', url: `${origin}/next.json` }],
    }),
    '/next.json': JSON.stringify({ output: [{ type: 'Patient', url: 'http://169.254.169.254/latest' }] }),
    '/patients.ndjson': `${ndjson([{ resourceType: 'Patient', id: 'p' }])}oops\n`,
    '/long.ndjson': long,
    '/moved.ndjson': 302,
    '/deleted.ndjson': ndjson([
      {
        ...{ resourceType: 'Bundle', type: 'transaction', timestamp: new Date(Date.now() + 60_000).toISOString() },
        entry: [{ request: { method: 'DELETE', url: 'Observation/o0' } }],
      },
    ]),
  }));
  origin = there.origin;
  const first = await submit(manifestUrl(`${origin}/manifest.json`), fhirBaseUrl, header);
  assert.equal(first.status, 200, first.text);
  await sleep(200);
  assert.deepEqual(asked, [], 'nothing is fetched until the submission is completed');
  assert.equal((await submit(status('completed'))).status, 200);

  const identity = [SUBMITTER, { name: 'submissionId', valueString: 'night' }];
  const kicked = await post('$bulk-submit-status', identity);
  assert.equal(kicked.status, 202);
  const location = kicked.headers.get('content-location');
  assert.ok(location.startsWith(`${BASE}/$bulk-submit-status/`), location);
  const poll = (client = 'provider-0') => server.ask(location, { token: tokens[client] });
  let answer = await poll();
  while (answer.status === 202) {
    assert.match(answer.headers.get('x-progress'), /^\d+ of \d+ files$/);
    await sleep(50);
    answer = await poll();
  }
  assert.equal(answer.status, 200);
  const { submissionId, requiresAccessToken, output, error } = answer.body;
  assert.deepEqual([submissionId, requiresAccessToken, output], ['night', true, []]);
  assert.deepEqual(
    error.map((item) => [item.manifestUrl, item.count]),
    [
      [`${origin}/manifest.json`, 3],
      [`${origin}/next.json`, 1],
    ],
  );
  const faults = [];
  for (const { url } of error) {
    const { text, headers } = await server.ask(url, { token: tokens['provider-0'] });
    assert.equal(headers.get('content-type'), 'application/fhir+ndjson');
    faults.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).issue[0].details.text),
    );
  }
  assert.deepEqual(faults.map((fault) => fault.replace(origin, '').replace(/: it is not JSON.*/, '')).sort(), [
    '/gone.ndjson: the answer was 404',
    '/moved.ndjson: the answer was 302',
    '/patients.ndjson: line 2',
    'http://169.254.169.254/latest: it is at none of the servers that this deployment fetches from',
  ]);
  assert.ok(asked.every(({ key }) => key === 'secret of the files'));
  const stored = await server.ask('Observation?patient=p&_count=200', { token: server.token('system/*.read') });
  assert.equal(found(stored.body).ids.length, 199);
  // Another client sees nothing of it, and it is over.
  assert.equal((await poll('provider-1')).status, 404);
  assert.equal((await post('$bulk-submit-status', identity, 'provider-1')).status, 404);
  assert.equal((await submit(manifestUrl(`${origin}/next.json`), fhirBaseUrl)).status, 400);
});

test('WR06 addresses of other servers and parameters that are not understood are refused', async (t) => {
  const { server, origin, post, submit, asked } = await submitting(t, () => ({}));
  const url = `${origin}/m.json`;
  for (const [parameters, about] of [
    [[], 'submissionStatus'],
    [[manifestUrl(url)], 'fhirBaseUrl'],
    [[manifestUrl('http://169.254.169.254/m.json'), fhirBaseUrl], 'manifestUrl'],
    [[manifestUrl(`${origin}@evil.example/m.json`), fhirBaseUrl], 'manifestUrl'],
    [[manifestUrl(origin.replace('127.0.0.1', 'localhost')), fhirBaseUrl], 'manifestUrl'],
    [[status('aborted')], 'submissionStatus'],
    [[status('completed'), { name: 'oauthMetadataUrl', valueUrl: url }], 'oauthMetadataUrl'],
    [[status('completed'), { name: 'outputFormat', valueString: 'text/csv' }], 'outputFormat'],
    [[manifestUrl(url), fhirBaseUrl, { name: 'replacesManifestUrl', valueUrl: url }], 'replacesManifestUrl'],
    ...['a b', 'True-Client-IP', 'X-Original-URL', 'Range'].map((name) => [
      [manifestUrl(url), fhirBaseUrl, { ...header, part: [{ name: 'headerName', valueString: name }] }],
      'fileRequestHeader',
    ]),
  ]) {
    const { status: code, body } = await submit(...parameters);
    assert.equal(code, 400, JSON.stringify(parameters));
    assert.deepEqual(body.issue[0].expression, [`http.${about}`]);
  }
  const completed = [SUBMITTER, { name: 'submissionId', valueString: 'x' }, status('completed')];
  for (const scope of ['system/*.read', 'system/*.cruds', 'system/bulk-submit system/*.read']) {
    assert.equal((await post('$bulk-submit', completed, server.token(scope))).status, 401);
  }
  assert.equal((await post('$bulk-submit', completed.slice(1))).status, 400);
  assert.equal((await server.ask('$bulk-submit', { method: 'GET' })).status, 405);
  assert.deepEqual(asked, []);
  // Where no servers are named, there is no such operation.
  const other = await stage({});
  t.after(other.close);
  assert.equal((await other.ask('$bulk-submit', { method: 'POST', token: other.token('system/*.read') })).status, 404);
});
