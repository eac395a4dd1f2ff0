// A bare server, which `make serve` and the benchmarks start, gives the same answers as the server of the other tests.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { raw } from '../../tools/server/raw.mjs';
import { stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { until } from '../server/until.mjs';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PATHS = [
  ...[
    '/',
    '/index.html',
    '/index.html?x=1',
    '/launch.html',
    '/sw.js',
    '/openapi.json',
    '/fonts/',
    '/nothing',
    '/fhirs',
  ],
  ...['/fhir', '/fhir/r4/metadata', '/fhir/r4/Condition', '/fhir/r4/Patient/a', '/fhir/r4/Foo', '/%66hir/r4/metadata'],
  ...[
    '/fhir/r4/.well-known/smart-configuration',
    '/.well-known/openid-configuration',
    '/oauth/token',
    '/oauth/nothing',
  ],
  ...['/healthz', '/healthz/', '/healthz?x=1', '/readyz', '/version', '/sandbox.json', '/sandbox/nothing'],
];
const CHANGING = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
let routed, bare;

before(async () => {
  const file = join(temporaryFolder(), 'patient.json');
  writeFileSync(file, JSON.stringify({ resourceType: 'Patient', id: 'a' }));
  routed = await stage({ data: [file] });
  bare = await stage({ data: [file], bare: true });
});
after(async () => {
  await routed.close();
  await bare.close();
});

/// Resolves to the answers of both servers to a request.
async function both(ask) {
  const answers = [];
  for (const server of [routed, bare]) {
    const { status, headers, text } = await ask(server, { authorization: `Bearer ${server.token('system/*.read')}` });
    const kept = Object.fromEntries([...headers].filter(([name]) => !CHANGING.includes(name)));
    answers.push({ status, headers: kept, text: text.replaceAll(headers.get('x-request-id') ?? ' ', 'ID') });
  }
  return answers;
}

for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
  test(`the same answers to ${method}`, async () => {
    for (const path of PATHS) {
      const body = method === 'POST' ? 'a=b' : undefined;
      const [one, other] = await both((server, headers) =>
        raw(server.url, path, { method, body, headers: { ...headers, ...(body && FORM) } }),
      );
      assert.deepEqual(other, one, path);
    }
  });
}

test('the same compression of files, documents and resources', async () => {
  for (const path of ['/', '/sw.js', '/openapi.json', '/icon.svg', '/sandbox.json', '/fhir/r4/Patient/a', '/healthz']) {
    for (const encoding of ['gzip', 'gzip, deflate, br', 'identity', '']) {
      const [one, other] = await both(async ({ url }, headers) => {
        const answer = await fetch(url + path, { headers: { ...headers, 'accept-encoding': encoding } });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      });
      assert.deepEqual(other, one, `${path}, ${encoding}`);
    }
  }
});

test('the log is in a file', async () => {
  const id = '0d2a6c3e-6a5e-4b0a-9d6d-9b1b5a0f7c11';
  await bare.ask('Patient/a', { token: bare.token('system/*.read'), headers: { 'x-request-id': id } });
  const lines = () => readFileSync(bare.log, 'utf8').trim().split('\n');
  await until(() => assert.ok(lines().some((line) => line.includes(id))));
  const messages = lines().map((line) => JSON.parse(line).message);
  const [line] = messages.filter((message) => message.includes(id)).map((message) => JSON.parse(message));
  assert.equal(line.audit.event ?? line.event, 'read');
  assert.equal(typeof line.network, 'string');
});
