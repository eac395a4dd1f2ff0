// The presentation of a token, and its expiry: A15 of docs/security.md, over HTTP.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { raw } from '../../tools/server/raw.mjs';
import { edgechart, stage } from '../../tools/server/stage.mjs';
import { forge, refuses } from '../server/forge.mjs';

const SCOPE = 'patient/*.read';
/// The longest time, in milliseconds, for which an isolate treats a grant as active that ended elsewhere.
const MAX_YES_LENGTH = 5_000;

const now = () => Math.floor(Date.now() / 1000);
const read = (authorization, path = 'Patient/a') =>
  raw(server.url, `/fhir/r4/${path}`, { headers: authorization === undefined ? {} : { authorization } });

const server = await stage();
const data = join(server.state, 'data.ndjson');
writeFileSync(data, ['a', 'b'].map((id) => `${JSON.stringify({ resourceType: 'Patient', id })}\n`).join(''));
server.load(data);
const { header, claims, signed } = await forge(server, SCOPE, { patient: 'a' });
after(() => server.close());

test('a valid token is accepted, whatever the case of its scheme', async () => {
  const token = server.token(SCOPE, { patient: 'a' });
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    assert.equal((await read(`${scheme} ${token}`)).status, 200, scheme);
  }
  assert.equal((await read(`Bearer ${signed(header(), claims())}`)).status, 200);
});

test('a request without a bearer token is refused without an error code', async () => {
  for (const none of [
    undefined,
    '',
    'Basic YTpi',
    'Token abc',
    'Digest x',
    'Bearerabc',
    `Basic ${server.token(SCOPE, { patient: 'a' })}`,
  ]) {
    refuses(await read(none), { error: '' });
  }
});

test('a header with anything but one token is refused', async () => {
  const token = server.token(SCOPE, { patient: 'a' });
  assert.equal((await read(`Bearer   ${token}`)).status, 200, 'any number of blanks precede it');
  for (const bad of [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer ${token} x`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
    `Bearer\t${token}`,
    `Bearer ${token}\tx`,
    `Bearer token=${token}`,
    `Bearer ${'a'.repeat(9 * 1024)}`,
    `Bearer ${token}, Bearer ${token}`,
  ]) {
    const answer = await read(bad);
    assert.equal(answer.status, 401, bad);
    assert.ok(answer.headers.get('www-authenticate').startsWith('Bearer realm="fhir"'));
  }
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

test('a patient in a header or a cookie changes nothing', async () => {
  const authorization = `Bearer ${server.token(SCOPE, { patient: 'a' })}`;
  const answer = await raw(server.url, '/fhir/r4/Patient', {
    headers: { authorization, 'x-patient': 'b', patient: 'b', cookie: 'patient=b' },
  });
  assert.deepEqual(
    answer.body.entry.map((entry) => entry.resource.id),
    ['a'],
  );
});

test('a token that opens nothing is refused for its scope', async () => {
  for (const less of [
    { scope: '' },
    { scope: 'openid fhirUser' },
    { scope: 'patient/Observation.read' },
    { patient: undefined },
    { patient: 'no id' },
    { patient: '' },
  ]) {
    const answer = await read(`Bearer ${signed(header(), claims(less))}`);
    refuses(answer, { error: 'insufficient_scope', code: 'forbidden' });
    assert.match(answer.headers.get('www-authenticate'), /scope="[a-z]+\/Patient\.read"$/);
  }
});

test('an unknown authorization opens nothing, a revoked one nothing after five seconds', async () => {
  refuses(await read(`Bearer ${signed(header(), claims({ sid: 'unknown' }))}`));
  refuses(await read(`Bearer ${signed(header(), claims({ sid: '' }))}`));
  refuses(await read(`Bearer ${signed(header(), claims({ sid: "' OR 1=1--" }))}`));
  const token = server.token(SCOPE, { patient: 'a' });
  const other = server.token(SCOPE, { patient: 'a' });
  const database = await server.miniflare.getD1Database('DB');
  for (const path of ['Patient/a', 'Patient', 'Patient/nobody']) {
    assert.notEqual((await read(`Bearer ${token}`, path)).status, 401);
  }
  await database.prepare('UPDATE grants SET revoked_at = unixepoch() WHERE id = ?1').bind(decodeJwt(token).sid).run();
  const unused = server.token(SCOPE, { patient: 'a' });
  await database.prepare('UPDATE grants SET revoked_at = unixepoch() WHERE id = ?1').bind(decodeJwt(unused).sid).run();
  refuses(await read(`Bearer ${unused}`));
  await sleep(MAX_YES_LENGTH);
  for (const path of ['Patient/a', 'Patient', 'Patient/nobody', 'Observation?_summary=count']) {
    refuses(await read(`Bearer ${token}`, path));
  }
  refuses(
    await raw(server.url, '/fhir/r4/Patient/a', {
      headers: { authorization: `Bearer ${token}`, 'if-none-match': '*' },
    }),
  );
  assert.equal((await read(`Bearer ${other}`)).status, 200);
});

test('a token of a disabled client opens nothing after five seconds', async () => {
  const register = (disabled) => {
    const file = join(server.state, 'apps.json');
    writeFileSync(
      file,
      JSON.stringify([
        { client_id: 'switched', kind: 'public', scopes: SCOPE, redirect_uris: ['https://app.example/'], disabled },
      ]),
    );
    edgechart('register', file, '--db', server.db);
  };
  register(false);
  const token = server.token(SCOPE, { patient: 'a', client: 'switched' });
  assert.equal((await read(`Bearer ${token}`)).status, 200);
  register(true);
  await sleep(MAX_YES_LENGTH);
  refuses(await read(`Bearer ${token}`));
  refuses(await read(`Bearer ${token}`, 'Patient'));
});

test('a token that was accepted before is refused once it has expired', async () => {
  const token = server.token(SCOPE, { patient: 'a', life: 6 });
  assert.equal((await read(`Bearer ${token}`)).status, 200);
  const { exp } = decodeJwt(token);
  await sleep(Math.max(0, exp * 1000 - Date.now()) + 50);
  refuses(await read(`Bearer ${token}`), { code: 'expired' });
  refuses(await read(`Bearer ${token}`), { code: 'expired' });
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
    `${a}A`,
    a.toLowerCase(),
    `${a}.`,
  ]) {
    refuses(await read(`Bearer ${other}`));
  }
});

test('more tokens than are remembered are all verified', async () => {
  const good = server.token(SCOPE, { patient: 'a' });
  const claimed = claims();
  const many = Array.from({ length: 1_100 }, (_, at) =>
    signed(header(), {
      ...claimed,
      jti: randomUUID(),
      ...(at % 10 === 0 ? { exp: now() - 1 } : {}),
      patient: at % 2 === 0 ? 'b' : 'a',
    }),
  );
  for (let at = 0; at < many.length; at += 50) {
    const answers = await Promise.all(many.slice(at, at + 50).map((token) => read(`Bearer ${token}`)));
    const statuses = answers.map((answer) => answer.status);
    assert.deepEqual(
      statuses,
      statuses.map((_, k) => ((at + k) % 10 === 0 ? 401 : (at + k) % 2 === 0 ? 404 : 200)),
    );
  }
  assert.equal((await read(`Bearer ${good}`)).status, 200);
});
