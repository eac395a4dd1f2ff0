// The presentation of a token, its expiry, and forgeries: A15 and A16 of docs/security.md, over HTTP. The tests of
// src/oauth/access_token.rs and src/api/bearer.rs have more forms of each.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { raw } from '../../tools/server/raw.mjs';
import { ndjson, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { forge, refuses } from '../server/forge.mjs';

const SCOPE = 'patient/*.read';

const read = (authorization, path = 'Patient/a') =>
  raw(server.url, `/fhir/r4/${path}`, { headers: authorization === undefined ? {} : { authorization } });

const server = await stage();
server.loadText(ndjson(...['a', 'b'].map((id) => ({ resourceType: 'Patient', id }))));
const { jwk, header, claims, signed, encoded } = await forge(server, SCOPE, { patient: 'a' });
after(() => server.close());

test('a token that is made as the server makes it is accepted, whatever the case of its scheme', async () => {
  const token = server.token(SCOPE, { patient: 'a' });
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    assert.equal((await read(`${scheme} ${token}`)).status, 200, scheme);
  }
  assert.equal((await read(`Bearer ${signed(header({ x: 'y' }), claims({ x: 'y' }))}`)).status, 200);
  const own = await new SignJWT(claims()).setProtectedHeader(header()).sign(await importJWK(jwk, 'ES256'));
  assert.equal((await read(`Bearer ${own}`)).status, 200);
});

test('a request without a bearer token is refused without an error code', async () => {
  for (const none of [undefined, '', 'Bearerabc', `Basic ${server.token(SCOPE, { patient: 'a' })}`]) {
    refuses(await read(none), { error: '' });
  }
});

test('two tokens are refused', async () => {
  const token = server.token(SCOPE, { patient: 'a' });
  const twice = await raw(server.url, '/fhir/r4/Patient/a', {
    headers: ['Host', 'x', 'Authorization', `Bearer ${token}`, 'Authorization', `Bearer ${token}`],
  });
  refuses(twice);
});

test('a token outside the header is not read', async () => {
  const token = server.token(SCOPE, { patient: 'a' });
  refuses(await read(undefined, `Patient/a?access_token=${token}`), { error: '' });
  for (const headers of [
    { cookie: `access_token=${token}; session=${token}` },
    { 'x-access-token': token },
    { 'proxy-authorization': `Bearer ${token}` },
    { 'x-patient': 'a' },
  ]) {
    refuses(await raw(server.url, '/fhir/r4/Patient/a', { headers }), { error: '' });
  }
  const both = await read(`Bearer ${token}`, `Patient/a?access_token=${token}`);
  assert.equal(both.status, 400);
  assert.ok(!both.text.includes(token));
});

test('a token that opens nothing is refused for its scope', async () => {
  for (const less of [{ scope: '' }, { scope: 'openid fhirUser' }, { patient: undefined }, { patient: 'no id' }]) {
    const answer = await read(`Bearer ${signed(header(), claims(less))}`);
    refuses(answer, { error: 'insufficient_scope', code: 'forbidden' });
    assert.match(answer.headers.get('www-authenticate'), /scope="[a-z]+\/Patient\.read"$/);
  }
});

test('an unknown authorization opens nothing', async () => {
  for (const sid of [undefined, 'unknown', '', "' OR 1=1--"])
    refuses(await read(`Bearer ${signed(header(), claims({ sid }))}`));
});

test('a token that was accepted before is refused once it has expired', async () => {
  const token = server.token(SCOPE, { patient: 'a', life: 3 });
  assert.equal((await read(`Bearer ${token}`)).status, 200);
  const { exp } = decodeJwt(token);
  await sleep(Math.max(0, exp * 1000 - Date.now()) + 50);
  const expired = await read(`Bearer ${token}`);
  refuses(expired, { code: 'expired' });
  const challenge = 'Bearer realm="fhir", error="invalid_token", error_description="expired"';
  assert.equal(expired.headers.get('www-authenticate'), challenge);
});

test('no token is taken for another that was accepted before', async () => {
  const [a, b] = ['a', 'b'].map((patient) => server.token(SCOPE, { patient }));
  const whose = async (token) =>
    (await read(token && `Bearer ${token}`, 'Patient')).body.entry?.map((entry) => entry.resource.id);
  for (let round = 0; round < 3; round += 1) {
    const found = await Promise.all([a, b, undefined, a, b].map(whose));
    assert.deepEqual(found, [['a'], ['b'], undefined, ['a'], ['b']]);
  }
  const [head, payload, signature] = a.split('.');
  for (const other of [
    `${head}.${payload}.${b.split('.')[2]}`,
    `${head}.${b.split('.')[1]}.${signature}`,
    a.slice(0, -1),
    a.toLowerCase(),
  ]) {
    refuses(await read(`Bearer ${other}`));
  }
});

test('A16 a forged token opens nothing, and no answer repeats it', async () => {
  const { d, ...open } = jwk;
  const stranger = await generateKeyPair('ES256', { extractable: true });
  const withKey = { jwk: await exportJWK(stranger.publicKey), jku: 'https://evil.example/jwks.json', x5c: ['MIIB'] };
  const hmac = `${encoded(header({ alg: 'HS256' }))}.${encoded(claims())}`;
  const mac = createHmac('sha256', JSON.stringify(open)).update(hmac).digest('base64url');
  const [head, payload, signature] = signed(header(), claims()).split('.');
  const forged = {
    'no algorithm': `${encoded(header({ alg: 'none' }))}.${payload}.`,
    'HMAC keyed with the public key': `${hmac}.${mac}`,
    'another key': await new SignJWT(claims()).setProtectedHeader(header(withKey)).sign(stranger.privateKey),
    'another type': signed(header({ typ: 'JWT' }), claims()),
    'another claim': `${head}.${encoded(claims({ patient: 'b' }))}.${signature}`,
    'a signature of zeros': `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'a signature in DER': signed(header(), claims(), { dsaEncoding: 'der' }),
    'another issuer': signed(header(), claims({ iss: 'https://other.example' })),
    'another audience': signed(header(), claims({ aud: ORIGIN })),
    'an endless life': signed(header(), claims({ exp: 1e300 })),
    'the future': signed(header(), claims({ nbf: Math.floor(Date.now() / 1000) + 60 })),
  };
  for (const [what, token] of Object.entries(forged)) {
    const answer = await read(`Bearer ${token}`);
    assert.equal(answer.status, 401, what);
    refuses(answer);
    assert.ok(!answer.text.includes(token), what);
  }
});
