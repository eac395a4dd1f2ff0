// The token endpoint for backend clients: A6, A7 and A11 of docs/security.md. tests/token_service and
// tests/signin/tokens.rs have more of each.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { raw } from '../../tools/server/raw.mjs';
import { stage } from '../../tools/server/stage.mjs';

const ID = 'backend-basic';
const SECRET = 'sandbox-basic-secret';
const FORM = 'application/x-www-form-urlencoded';

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (values) => (typeof values === 'string' ? values : new URLSearchParams(values).toString());
/// Requests a token, by default as the client of the sandbox.
const ask = (values = {}, { authorization = basic(`${ID}:${SECRET}`), headers = {}, path = '/oauth/token' } = {}) =>
  raw(server.url, path, {
    method: 'POST',
    headers: { 'content-type': FORM, ...(authorization ? { authorization } : {}), ...headers },
    body: form(typeof values === 'string' ? values : { grant_type: 'client_credentials', ...values }),
  });

function refused(answer, error) {
  const status = error === 'invalid_client' ? 401 : 400;
  assert.equal(answer.status, status, answer.text);
  const headers = ['content-type', 'cache-control', 'pragma', 'x-content-type-options', 'set-cookie'];
  const expected = ['application/json; charset=utf-8', 'no-store', 'no-cache', 'nosniff', null];
  assert.deepEqual(
    headers.map((name) => answer.headers.get(name)),
    expected,
  );
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description']);
  assert.equal(answer.body.error, error);
  // RFC 6749, section 5.2: no quotes and no backslash.
  assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Basic realm="oauth"' : null);
}

const server = await stage();
after(() => server.close());

test('each token has an id and an authorization of its own', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ scope: 'system/Patient.read' })));
  const claims = answers.map(({ body }) => JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url')));
  for (const name of ['jti', 'sid']) assert.equal(new Set(claims.map((claim) => claim[name])).size, 20);
  for (const { jti, sid } of claims) assert.ok(jti.length >= 22 && sid.length >= 22 && jti !== sid);
});

test('parameters in the address are refused', async () => {
  for (const values of [{ client_id: ID, client_secret: SECRET }, { client_assertion: 'x' }, { token: 'x' }])
    refused(await ask({}, { path: `/oauth/token?${form(values)}` }), 'invalid_request');
});

test('another grant type, a repeated parameter and a malformed form are refused', async () => {
  refused(await ask({ grant_type: 'password' }), 'unsupported_grant_type');
  for (const body of [
    '',
    'grant_type=',
    'grant_type=client_credentials&scope=system/Patient.read&scope=system/Observation.read',
    'grant_type=client_credentials&x=1&x=2',
    'grant_type=%',
    `grant_type=client_credentials&x=${'y'.repeat(70_000)}`,
  ]) {
    refused(await ask(body), 'invalid_request');
  }
  for (const type of ['application/json', '']) {
    refused(await ask('grant_type=client_credentials', { headers: { 'content-type': type } }), 'invalid_request');
  }
  assert.equal((await ask({}, { headers: { 'content-type': `${FORM.toUpperCase()} ; charset=utf-8` } })).status, 200);
});
