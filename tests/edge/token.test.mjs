// The token endpoint for backend clients: A6, A7 and A11 of docs/security.md, and the access of its tokens.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
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

test('the key set is public and holds nothing private', async () => {
  const { body, headers } = await raw(server.url, '/oauth/jwks.json');
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(headers.get('cache-control'), /^public, max-age=\d+$/);
  const members = { EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'], RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'] };
  for (const key of body.keys) assert.deepEqual(Object.keys(key).sort(), members[key.kty]);
  assert.equal(new Set(body.keys.map((key) => key.kid)).size, body.keys.length);
  const { kid } = decodeProtectedHeader((await ask()).body.access_token);
  assert.ok(body.keys.some((key) => key.kid === kid));
});

test('every equivalent form of the Authorization header is accepted', async () => {
  const encoded = (text) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
  for (const authorization of [
    basic(`${ID}:${SECRET}`),
    basic(`${encodeURIComponent(ID)}:${encodeURIComponent(SECRET)}`),
    basic(`${encoded(ID)}:${encoded(SECRET)}`),
    basic(`${encoded(ID).toUpperCase()}:${SECRET}`),
    basic(`${ID}:${SECRET}`).replace('Basic', 'basic'),
    basic(`${ID}:${SECRET}`).replace('Basic', 'BASIC'),
  ]) {
    assert.equal((await ask({}, { authorization })).status, 200, authorization);
  }
});

test('a secret of unusual characters works where it is encoded', async () => {
  const secret = 'a:b+c&d="~-odd';
  register({ client_id: 'odd.client_1~', kind: 'backend', secret, scopes: 'system/Patient.read' });
  const encoded = encodeURIComponent(secret);
  assert.equal((await ask({}, { authorization: basic(`odd.client_1~:${encoded}`) })).status, 200);
  refused(await ask({}, { authorization: basic('odd.client_1~:a') }), 'invalid_client');
});

test('a client that does not authenticate gets nothing', async () => {
  const good = basic(`${ID}:${SECRET}`);
  for (const authorization of [
    '',
    'Basic !!!',
    basic(`:${SECRET}`),
    basic(`${ID}:wrong`),
    basic(`${ID}%00:${SECRET}`),
    basic(`${ID}:%ff`),
    `${good}, ${good}`,
    `Bearer ${SECRET}`,
    `Bearer ${server.token('system/*.read')}`,
  ]) {
    refused(await ask({}, { authorization }), 'invalid_client');
  }
});

test('a wrong secret gets the same answer as an unknown client', async () => {
  const answers = await Promise.all(
    ['unknown:x', `${ID}:x`, 'disabled-app:x', 'disabled-app:sandbox-disabled-secret'].map((text) =>
      ask({}, { authorization: basic(text) }),
    ),
  );
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
});

test('a client whose secret is empty has none, and is not registered', async () => {
  for (const client of [{ client_id: 'empty', secret: '' }, { client_id: 'none' }]) {
    assert.throws(() => register({ ...client, kind: 'backend', scopes: 'system/Patient.read' }));
  }
  for (const text of ['empty:', 'none:', 'empty', 'none:null', 'none:undefined']) {
    refused(await ask({}, { authorization: basic(text) }), 'invalid_client');
  }
});

test('a secret in the body or the address is refused', async () => {
  const body = { client_id: ID, client_secret: SECRET };
  refused(await ask(body, { authorization: '' }), 'invalid_client');
  refused(await ask({}, { authorization: '', path: `/oauth/token?${form(body)}` }), 'invalid_client');
  refused(await ask('', { path: `/oauth/token?${form({ grant_type: 'client_credentials' })}` }), 'invalid_request');
  refused(await ask({ client_secret: SECRET }), 'invalid_request');
  refused(
    await ask({
      client_assertion: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
    'invalid_request',
  );
});

test('a client may repeat its own client_id, and no other', async () => {
  assert.equal((await ask({ client_id: ID })).status, 200);
  assert.equal(
    (await ask({ client_id: ID, state: 'stray', code: 'x', redirect_uri: 'https://x.example/' })).status,
    200,
  );
  refused(await ask({ client_id: 'demo-app' }), 'invalid_request');
  refused(await ask({ client_id: ID.toUpperCase() }), 'invalid_request');
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
  for (const scope of ['system/Observation.read', 'system/*.read', 'system/Patient.*', 'system/*.*']) {
    refused(await ask({ scope }, { authorization }), 'invalid_scope');
  }
  for (const scope of [
    'system/Patient.read',
    'system/Patient.read system/Observation.read',
    'system/Patient.read launch openid',
    'system/Castle.read system/Patient.read patient/Patient.read',
    '',
    undefined,
  ]) {
    const form = scope === undefined ? {} : { scope };
    assert.equal((await ask(form, { authorization })).body.scope, 'system/Patient.read', scope);
  }
});

test('a text that is no scope, or no scope of a backend client, is refused', async () => {
  for (const scope of [
    'foo',
    'system/Foo.read',
    'system/*.write',
    'system/Patient.write',
    'patient/Patient.read',
    'openid',
    'system/Patient.read\tsystem/Observation.read\u0000',
    'system/Patient.read,system/Observation.read',
    ' ',
    `${'system/Patient.read '.repeat(2_000)}x`,
  ]) {
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

test('only the grant types that are offered are accepted', async () => {
  for (const grant_type of ['password', 'CLIENT_CREDENTIALS']) {
    refused(await ask({ grant_type }), 'unsupported_grant_type');
  }
  for (const body of ['', 'grant_type=', 'Grant_Type=client_credentials']) {
    refused(await ask(body), 'invalid_request');
  }
});

test('a repeated parameter is refused', async () => {
  for (const twice of [
    'grant_type=client_credentials&grant_type=client_credentials',
    'grant_type=client_credentials&scope=system/Patient.read&scope=system/Observation.read',
    `grant_type=client_credentials&client_id=${ID}&client_id=${ID}`,
    'grant_type=client_credentials&x=1&x=2',
    'grant_type=client_credentials&scope=&scope=',
  ]) {
    refused(await ask(twice), 'invalid_request');
  }
  assert.equal((await ask('grant_type=client_credentials&x[]=1&x[a]=2&unknown=3')).status, 200);
});

test('the body is a form, well formed, and not too long', async () => {
  for (const type of ['application/json', 'multipart/form-data; boundary=x', '']) {
    refused(await ask('grant_type=client_credentials', { headers: { 'content-type': type } }), 'invalid_request');
  }
  for (const type of [`${FORM};charset=UTF-8`, FORM.toUpperCase(), `${FORM} ; charset=utf-8`]) {
    assert.equal((await ask({}, { headers: { 'content-type': type } })).status, 200, type);
  }
  for (const bad of ['grant_type=%', `grant_type=client_credentials&x=${'y'.repeat(70_000)}`]) {
    refused(await ask(bad), 'invalid_request');
  }
  refused(
    await raw(server.url, '/oauth/token', {
      method: 'POST',
      headers: { 'content-type': FORM, authorization: basic(`${ID}:${SECRET}`) },
      body: Buffer.from([0x61, 0x3d, 0xff]),
    }),
    'invalid_request',
  );
});

test('the endpoint takes POST alone, also from other origins', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await ask('', { method, path: `/oauth/token?grant_type=client_credentials` });
    assert.equal(answer.status, 405, method);
    isOAuth(answer);
    assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
    assert.ok(method === 'HEAD' ? answer.text === '' : answer.body.error === 'invalid_request');
  }
  const preflight = await raw(server.url, '/oauth/token', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
  assert.match(preflight.headers.get('access-control-allow-headers'), /\bAuthorization\b/);
  const answer = await ask({}, { headers: { origin: 'https://app.example' } });
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.ok(!answer.headers.has('access-control-allow-credentials'));
});

test('a refusal quotes nothing of the request', async () => {
  const odd = '<script>alert(1)</script>';
  for (const answer of [
    await ask({ scope: odd }),
    await ask({ grant_type: odd }),
    await ask({ [odd]: 'x', grant_type: '' }),
    await ask({ client_id: odd }),
    await ask({}, { authorization: basic(`${odd}:x`) }),
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
