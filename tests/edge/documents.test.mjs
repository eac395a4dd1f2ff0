// The documents that need no token: each address that /openapi.json names is there, and the playground is nowhere else
// than in a playground.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYTHING, ORIGIN, stage } from '../server/stage.mjs';

const json = async (answer) => ({ status: answer.status, body: await answer.json() });

test('every address of /openapi.json is there', async (t) => {
  const server = await stage({ data: ['sample'] });
  t.after(server.close);
  const document = await fetch(`${server.url}/openapi.json`);
  assert.equal(document.headers.get('access-control-allow-origin'), '*');
  const { status, body } = await json(document);
  assert.deepEqual([status, body.openapi], [200, '3.1.1']);
  const authorization = `Bearer ${server.token(EVERYTHING)}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path, item] of Object.entries(body.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const form = method === 'post' ? '_id=nothing&_count=1' : undefined;
      const query = operation.operationId.startsWith('search') ? '?_id=nothing' : '';
      const answer = await fetch(server.url + path.replace('{id}', 'nothing') + query, { method: method.toUpperCase(), headers, body: form });
      assert.ok(Object.keys(operation.responses).includes(String(answer.status)), `${method} ${path}: ${answer.status}`);
      assert.doesNotMatch(await answer.text(), /no Route matched/, path);
    }
  }
});

test('the playground is there in a sandbox, and nowhere else', async (t) => {
  const sandbox = await stage();
  t.after(sandbox.close);
  const { status, body } = await json(await fetch(`${sandbox.url}/sandbox.json`));
  assert.deepEqual([status, body.issuer, body.base], [200, ORIGIN, `${ORIGIN}/fhir/r4`]);
  const client = body.clients.find(({ client_id: id }) => id === 'backend-basic');
  const basic = Buffer.from(`${client.client_id}:${client.secret}`).toString('base64');
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', headers: { authorization: `Basic ${basic}` }, body: form });
  assert.equal(token.status, 200);

  const production = await stage({ vars: { ENVIRONMENT: 'production' } });
  t.after(production.close);
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
    const [there, nowhere] = await Promise.all(['/sandbox.json', '/nothing'].map((path) => fetch(production.url + path, { method })));
    assert.equal(there.status, 404, method);
    assert.equal(await there.text(), await nowhere.text(), method);
  }
});
