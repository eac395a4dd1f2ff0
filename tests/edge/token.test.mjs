// The token endpoint for backend clients: A6, A7 and A11 of docs/security.md, and the access of its tokens.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { raw } from '../../tools/server/raw.mjs';
import { servedTypes } from '../../tools/server/served.mjs';
import { BASE, edgechart, ORIGIN, stage } from '../../tools/server/stage.mjs';

const ID = 'backend-basic';
const SECRET = 'sandbox-basic-secret';
const FORM = 'application/x-www-form-urlencoded';

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (values) => (typeof values === 'string' ? values : new URLSearchParams(values).toString());
/// Requests a token, by default as the client of the sandbox.
const ask = (
  values = {},
  { authorization = basic(`${ID}:${SECRET}`), headers = {}, method = 'POST', path = '/oauth/token' } = {},
) =>
  raw(server.url, path, {
    method,
    headers: { 'content-type': FORM, ...(authorization ? { authorization } : {}), ...headers },
    body: form(typeof values === 'string' ? values : { grant_type: 'client_credentials', ...values }),
  });

/// Checks the headers that every answer of this endpoint must have.
function isOAuth(answer) {
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(!answer.headers.has('set-cookie'));
}

function refused(answer, error, status = error === 'invalid_client' ? 401 : 400) {
  assert.equal(answer.status, status, answer.text);
  isOAuth(answer);
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description']);
  assert.equal(answer.body.error, error);
  // RFC 6749, section 5.2: no quotes and no backslash.
  assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Basic realm="oauth"' : null);
}

/// Registers clients in addition to those of the sandbox.
function register(...clients) {
  const file = join(server.state, 'apps.json');
  writeFileSync(file, JSON.stringify(clients));
  edgechart('register', file, '--db', server.db);
}

const server = await stage();
const data = join(server.state, 'data.ndjson');
writeFileSync(data, JSON.stringify({ resourceType: 'Patient', id: 'a' }));
server.load(data);
after(() => server.close());

test('a token has the form of the standards, and verifies by the public keys', async () => {
  const answer = await ask({ scope: 'system/Patient.read system/Observation.read' });
  assert.equal(answer.status, 200, answer.text);
  isOAuth(answer);
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  assert.deepEqual(Object.keys(answer.body).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
  assert.equal(answer.body.token_type, 'Bearer');
  assert.equal(answer.body.expires_in, 300);
  assert.equal(answer.body.scope, 'system/Patient.read system/Observation.read');
  const jwks = createLocalJWKSet((await raw(server.url, '/oauth/jwks.json')).body);
  const { payload, protectedHeader } = await jwtVerify(answer.body.access_token, jwks, {
    issuer: ORIGIN,
    audience: BASE,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    maxTokenAge: 10,
  });
  assert.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ']);
  assert.deepEqual(Object.keys(payload).sort(), [
    'aud',
    'client_id',
    'exp',
    'iat',
    'iss',
    'jti',
    'scope',
    'sid',
    'sub',
  ]);
  assert.equal(payload.sub, ID);
  assert.equal(payload.client_id, ID);
  assert.equal(payload.exp - payload.iat, 300);
  assert.equal(payload.aud, BASE);
  assert.equal(payload.scope, answer.body.scope);
  assert.ok(answer.body.access_token.length < 1_000);
});

test('a token opens its scopes, and nothing else', async () => {
  const { body } = await ask({ scope: 'system/Patient.read' });
  const token = body.access_token;
  assert.equal((await server.ask('Patient/a', { token })).status, 200);
  assert.equal((await server.ask('Observation?patient=a', { token })).status, 401);
});

test('each token has an id and an authorization of its own', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ scope: 'system/Patient.read' })));
  const claims = answers.map(({ body }) => JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url')));
  for (const name of ['jti', 'sid']) assert.equal(new Set(claims.map((claim) => claim[name])).size, 20);
  for (const { jti, sid } of claims) assert.ok(jti.length >= 22 && sid.length >= 22 && jti !== sid);
});

test('a secret of unusual characters works where it is encoded', async () => {
  const secret = 'a:b+c&d="~-odd';
  register({ client_id: 'odd.client_1~', kind: 'backend', secret, scopes: 'system/Patient.read' });
  const encoded = encodeURIComponent(secret);
  assert.equal((await ask({}, { authorization: basic(`odd.client_1~:${encoded}`) })).status, 200);
  refused(await ask({}, { authorization: basic('odd.client_1~:a') }), 'invalid_client');
});

test('a client that does not authenticate gets nothing, and is not told why', async () => {
  const good = basic(`${ID}:${SECRET}`);
  const wrong = ['unknown:x', `${ID}:x`, 'disabled-app:sandbox-disabled-secret'].map(basic);
  for (const authorization of ['', `${good}, ${good}`, `Bearer ${server.token('system/*.read')}`, ...wrong]) {
    refused(await ask({}, { authorization }), 'invalid_client');
  }
  const answers = await Promise.all(wrong.map((authorization) => ask({}, { authorization })));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
});

test('a secret in the body or the address is refused', async () => {
  const body = { client_id: ID, client_secret: SECRET };
  refused(await ask(body, { authorization: '' }), 'invalid_client');
  refused(await ask({}, { authorization: '', path: `/oauth/token?${form(body)}` }), 'invalid_client');
  refused(await ask('', { path: `/oauth/token?${form({ grant_type: 'client_credentials' })}` }), 'invalid_request');
  refused(await ask({ client_secret: SECRET }), 'invalid_request');
});

test('a client may repeat its own client_id, and no other', async () => {
  const stray = { state: 'stray', code: 'x', redirect_uri: 'https://x.example/' };
  assert.equal((await ask({ client_id: ID, ...stray })).status, 200);
  refused(await ask({ client_id: 'demo-app' }), 'invalid_request');
});

test('a client without client_credentials gets unauthorized_client', async () => {
  register(
    {
      client_id: 'web',
      kind: 'confidential',
      secret: 'web-secret-of-a-client',
      scopes: 'system/Patient.read',
      redirect_uris: ['https://web.example/'],
    },
    {
      client_id: 'refresher',
      kind: 'backend',
      secret: 'web-secret-of-a-client',
      scopes: 'system/Patient.read',
      grants: ['refresh_token'],
    },
  );
  for (const id of ['web', 'refresher']) {
    refused(await ask({}, { authorization: basic(`${id}:web-secret-of-a-client`) }), 'unauthorized_client');
  }
});

test('a scope that is not approved is left out, and the answer says what is left', async () => {
  register({ client_id: 'one', kind: 'backend', secret: 'one-secret-of-a-client', scopes: 'system/Patient.read' });
  const authorization = basic('one:one-secret-of-a-client');
  refused(await ask({ scope: 'system/*.read' }, { authorization }), 'invalid_scope');
  for (const scope of [
    'system/Patient.read',
    'system/Patient.read system/Observation.read',
    'system/Castle.read system/Patient.read patient/Patient.read',
    '',
    undefined,
  ]) {
    const form = scope === undefined ? {} : { scope };
    assert.equal((await ask(form, { authorization })).body.scope, 'system/Patient.read', scope);
  }
});

test('a text that is no scope, or no scope of a backend client, is refused', async () => {
  for (const scope of ['foo', 'system/Foo.read', 'system/*.write', 'patient/Patient.read', 'openid', ' ']) {
    refused(await ask({ scope }), 'invalid_scope');
  }
});

test('the wildcard stands for the twenty-five types, and no others', async () => {
  const { body } = await ask({ scope: 'system/*.read' });
  assert.equal(body.scope, 'system/*.read');
  const open = `
    AllergyIntolerance Binary CarePlan CareTeam Condition Device DiagnosticReport DocumentReference Encounter Goal Group
    Immunization Location Medication MedicationRequest Observation Organization Patient Practitioner PractitionerRole
    Procedure Provenance ServiceRequest QuestionnaireResponse RelatedPerson`
    .trim()
    .split(/\s+/);
  for (const type of open) {
    assert.equal((await server.ask(`${type}/nobody`, { token: body.access_token })).status, 404, type);
  }
  const closed = Object.keys(servedTypes()).filter((type) => !open.includes(type));
  for (const type of ['MedicationDispense', 'Coverage', 'Specimen', 'Endpoint', 'Media', 'Questionnaire']) {
    assert.ok(closed.includes(type), type);
  }
  for (const type of closed) {
    assert.equal((await server.ask(`${type}/nobody`, { token: body.access_token })).status, 401, type);
  }
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

test('the endpoint takes POST alone, also from other origins', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const answer = await ask('', { method, path: `/oauth/token?grant_type=client_credentials` });
    assert.equal(answer.status, 405, method);
    isOAuth(answer);
    assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
  }
  const answer = await ask({}, { headers: { origin: 'https://app.example' } });
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.ok(!answer.headers.has('access-control-allow-credentials'));
});

test('a refusal quotes nothing of the request', async () => {
  const odd = '<script>alert(1)</script>';
  for (const answer of [
    await ask({ scope: odd }),
    await ask({ [odd]: 'x', grant_type: '' }),
    await ask({ client_id: odd }),
  ]) {
    assert.ok(answer.status >= 400 && !answer.text.includes('alert'), answer.text);
  }
});

test('the answer to a fault of the storage gives no details', async () => {
  const database = await server.miniflare.getD1Database('DB');
  for (const table of ['clients', 'grants']) {
    await database.prepare(`ALTER TABLE ${table} RENAME TO away`).run();
    const answer = await ask();
    await database.prepare(`ALTER TABLE away RENAME TO ${table}`).run();
    refused(answer, 'server_error', 500);
    assert.doesNotMatch(answer.text, /sql|table|D1|away|client/i);
  }
  assert.equal((await ask()).status, 200);
});
