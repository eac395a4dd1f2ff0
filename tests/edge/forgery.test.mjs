// Forged tokens: A16 of docs/security.md, over HTTP. Each forgery differs in one thing from a valid token.

import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { raw } from '../../tools/server/raw.mjs';
import { BASE, edgechart, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { forge, keyOf, refuses } from '../server/forge.mjs';

const SCOPE = 'patient/*.read';

const now = () => Math.floor(Date.now() / 1000);
const read = (token) => raw(server.url, '/fhir/r4/Patient/a', { headers: { authorization: `Bearer ${token}` } });

const server = await stage();
const data = join(server.state, 'data.ndjson');
writeFileSync(data, JSON.stringify({ resourceType: 'Patient', id: 'a' }));
server.load(data);
const { jwk, kid, header, claims, signed, encoded } = await forge(server, SCOPE, { patient: 'a' });
after(() => server.close());

test('a token that is made as the server makes it is accepted', async () => {
  assert.equal((await read(signed(header(), claims()))).status, 200);
  const key = await importJWK(jwk, 'ES256');
  assert.equal((await read(await new SignJWT(claims()).setProtectedHeader(header()).sign(key))).status, 200);
  assert.equal((await read(signed(header({ x: 'y' }), claims({ x: 'y' })))).status, 200);
});

test('no other algorithm is accepted', async () => {
  const payload = claims();
  for (const alg of [
    'none',
    'None',
    'nOnE',
    '',
    null,
    undefined,
    'es256',
    'ES384',
    'RS256',
    'HS256',
    'EdDSA',
    'ES256K',
    'PS256',
    256,
  ]) {
    refuses(await read(signed(header({ alg }), payload)));
    refuses(await read(`${encoded(header({ alg }))}.${encoded(payload)}.`));
  }
  const pem = createPublicKey({ key: jwk, format: 'jwk' });
  const { d, ...open } = jwk;
  const secrets = [
    pem.export({ type: 'spki', format: 'pem' }),
    pem.export({ type: 'spki', format: 'der' }),
    JSON.stringify(open),
    JSON.stringify({ keys: [open] }),
    Buffer.concat([Buffer.from(open.x, 'base64url'), Buffer.from(open.y, 'base64url')]),
    open.x,
    kid,
  ];
  for (const alg of ['HS256', 'HS384', 'HS512']) {
    for (const secret of secrets) {
      const bytes = Buffer.concat([Buffer.from(secret), Buffer.alloc(Math.max(0, 64 - secret.length))]);
      for (const as of [Buffer.from(secret), bytes]) {
        const data = `${encoded(header({ alg }))}.${encoded(payload)}`;
        const tag = createHmac(alg.replace('HS', 'sha'), as).update(data).digest('base64url');
        refuses(await read(`${data}.${tag}`));
      }
    }
  }
});

test('a foreign key verifies nothing, also where it comes with the token', async () => {
  const payload = claims();
  const ec = await generateKeyPair('ES256', { extractable: true });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const open = await exportJWK(ec.publicKey);
  for (const more of [
    {},
    { jwk: open },
    { jku: 'https://evil.example/jwks.json' },
    { x5u: 'https://evil.example/cert' },
    { x5c: ['MIIB'] },
    { jwk: open, kid: undefined },
  ]) {
    const token = await new SignJWT(payload)
      .setProtectedHeader(JSON.parse(JSON.stringify(header(more))))
      .sign(ec.privateKey);
    refuses(await read(token));
    refuses(await read(signed(header(more), payload, { key: other })));
  }
  const rsa = await generateKeyPair('RS256');
  refuses(
    await read(await new SignJWT(payload).setProtectedHeader({ ...header(), alg: 'RS256' }).sign(rsa.privateKey)),
  );
  const ed = await generateKeyPair('EdDSA');
  refuses(await read(await new SignJWT(payload).setProtectedHeader({ ...header(), alg: 'EdDSA' }).sign(ed.privateKey)));
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  refuses(await read(signed({ ...header(), alg: 'ES384' }, payload, { key: p384, hash: 'sha384' })));
  const elsewhere = keyOf(edgechart('keys'));
  refuses(
    await read(await new SignJWT(payload).setProtectedHeader(header()).sign(await importJWK(elsewhere, 'ES256'))),
  );
});

test('a token must name one of our keys', async () => {
  for (const other of [
    undefined,
    null,
    '',
    'x',
    1,
    [kid],
    {},
    `${kid} `,
    `../${kid}`,
    "' OR 1=1--",
    '\u0000',
    'k'.repeat(6_000),
    kid.toLowerCase(),
    kid.slice(1),
  ]) {
    refuses(await read(signed(header({ kid: other }), claims())));
  }
});

test('any other header is refused', async () => {
  for (const bad of [
    header({ typ: 'JWT' }),
    header({ crit: ['x'], x: 1 }),
    [],
    `{"alg":"ES256","alg":"ES256","typ":"at+jwt","kid":"${kid}"}`,
  ]) {
    refuses(await read(signed(bad, claims())));
  }
});

test('a changed text does not verify', async () => {
  const [head, payload, signature] = signed(header(), claims()).split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const flipped = Buffer.from(bytes);
  flipped[5] ^= 1;
  const zeros = Buffer.alloc(64).toString('base64url');
  const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
  const last = signature.at(-1);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const unusedBits = signature.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1];
  const data = `${head}.${payload}`;
  for (const bad of [
    `${encoded(header({ typ: 'at+jwt', x: 1 }))}.${payload}.${signature}`,
    ...[{ patient: 'b' }, { scope: 'system/*.read' }, { exp: now() + 9_999 }, { sub: 'other' }].map(
      (change) => `${head}.${encoded(claims(change))}.${signature}`,
    ),
    data,
    `${data}.`,
    `${data}..`,
    `.${data}`,
    `${data}.${signature}.`,
    `${data}.${signature}.x`,
    `${data}.${signature}.x.y`,
    `${head}..${signature}`,
    `.${payload}.${signature}`,
    `${data}.${signature.slice(2)}`,
    `${data}.${signature.slice(0, -2)}`,
    `${data}.${signature}${signature}`,
    `${data}.${flipped.toString('base64url')}`,
    `${data}.${zeros}`,
    `${data}.${Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)]).toString('base64url')}`,
    `${data}.${Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]).toString('base64url')}`,
    `${data}.${Buffer.concat([order, order]).toString('base64url')}`,
    `${data}.${Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')}`,
    `${data}.${signature}=`,
    `${data}.${signature}==`,
    `${data}.${unusedBits}`,
    `${data}=.${signature}`,
    `${head}.${payload}A.${signature}`,
    `${data}.${signature.replace(/[-_]/g, '+')}x`,
    signed(header(), claims(), { dsaEncoding: 'der' }),
    'a.b.c',
    '..',
    '.',
    '{}.{}.{}',
    JSON.stringify({ payload, signatures: [{ protected: head, signature }] }).replace(/[^\w.~+/=-]/g, ''),
  ]) {
    const answer = await read(bad);
    refuses(answer);
    assert.ok(bad.length < 40 || !answer.text.includes(bad));
  }
});

test('missing and foreign claims are refused', async () => {
  for (const bad of [
    { sid: undefined },
    { iss: 'https://other.example' },
    { aud: ORIGIN },
    { aud: `${BASE}/` },
    { aud: ['https://other.example/fhir/r4'] },
    { sub: undefined },
    { client_id: undefined },
    { scope: ['patient/*.read'] },
    { patient: ['a'] },
  ]) {
    refuses(await read(signed(header(), claims(bad))));
  }
  const text = JSON.stringify(claims());
  for (const bad of [
    `${text}x`,
    `${text.slice(0, -1)},"exp":9999999999}`,
    `${text.slice(0, -1)},"x":${'['.repeat(2_500)}${']'.repeat(2_500)}}`,
  ]) {
    refuses(await read(signed(header(), bad)));
  }
  const notUnicode = Buffer.concat([
    Buffer.from(`${text.slice(0, -1)},"x":"`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  refuses(await read(signed(header(), notUnicode)));
});

test('a token is accepted only in its time', async () => {
  for (const past of [now() - 1, now(), -1]) {
    refuses(await read(signed(header(), claims({ exp: past }))), { code: 'expired' });
  }
  const expired = await read(signed(header(), claims({ exp: now() - 1 })));
  assert.equal(
    expired.headers.get('www-authenticate'),
    'Bearer realm="fhir", error="invalid_token", error_description="expired"',
  );
  for (const bad of [{ exp: undefined }, { exp: 1e300 }, { nbf: now() + 60 }, { iat: now() + 60 }]) {
    refuses(await read(signed(header(), claims(bad))));
  }
});
