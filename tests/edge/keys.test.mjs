// The keys and signatures of the authorization server over HTTP: it accepts signatures by jose, jose verifies its
// signatures, and no other keys are accepted. The ids are from docs/security.md.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import * as jose from 'jose';
import { BASE, edgechart, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { start } from '../../tools/server/workerd.mjs';
import { Browser, formsOf, passwordOf } from '../server/browser.mjs';
import { asserted, assertion, keyOf } from '../server/forge.mjs';
import { basic, granted, postForm } from '../server/sender.mjs';
import { within } from '../server/until.mjs';

const TOKEN_URL = `${ORIGIN}/oauth/token`;
const FORM = { grant_type: 'client_credentials', scope: 'system/*.read' };

let hosted = { keys: [], status: 200, headers: {} };
const rotated = await jose.generateKeyPair('ES384', { extractable: true });
const server = await stage({ data: ['sample'] });
const jwksHost = createServer(({ url }, answer) => {
  if (url === '/moved.json') return answer.writeHead(302, { location: '/jwks.json' }).end();
  answer.writeHead(hosted.status, { 'content-type': 'application/json', ...hosted.headers });
  answer.end(hosted.text ?? JSON.stringify({ keys: hosted.keys }));
}).listen(0, '127.0.0.1');
await once(jwksHost, 'listening');
server.registerApps([
  ...['jwks', 'moved'].map((name) => ({
    client_id: name,
    kind: 'backend',
    jwks_uri: `http://127.0.0.1:${jwksHost.address().port}/${name}.json`,
    scopes: 'system/*.read',
  })),
  { client_id: 'guessed', kind: 'backend', secret: 'a-secret-to-be-guessed', scopes: 'system/*.read' },
]);
after(async () => {
  await server.close();
  jwksHost.close();
});

/// Requests a token, with a form or headers that authenticate the client.
const post = (proof, headers) => postForm(server, '/oauth/token', { ...FORM, ...proof }, headers);
const credentials = async (client, options) => post(asserted(await assertion(client, options)));

test('PJ01: jose’s RS384 and ES384 assertions get a token that reads', async () => {
  for (const alg of ['RS384', 'ES384']) {
    const answer = await credentials('backend-service', { alg });
    assert.equal(answer.status, 200, answer.text);
    const { access_token: token, ...said } = answer.body;
    assert.deepEqual(said, { token_type: 'Bearer', expires_in: 300, scope: 'system/*.read' });
    assert.equal((await server.ask('Patient/amara-okafor', { token })).status, 200);
  }
});

test('PJ: an assertion with one error is refused as invalid_client', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const stranger = await jose.generateKeyPair('RS384', { extractable: true });
  const rsa = keyOf('backend-service', 'RS384');
  const { d, p, q, dp, dq, qi, ...publicKey } = rsa;
  const secretOf = (text) => new TextEncoder().encode(text.padEnd(64, 'x'));
  const wrong = {
    'PJ05 HS384 keyed with the public key': { alg: 'HS384', key: rsa, sign: secretOf(JSON.stringify(publicKey)) },
    'PJ12 an embedded key': { sign: stranger.privateKey, header: { jwk: await jose.exportJWK(stranger.publicKey) } },
    "PJ18 a stranger's key": { sign: stranger.privateKey },
    "PJ18 another client's key": { sign: await jose.importJWK(keyOf('asymmetric-app', 'RS384'), 'RS384') },
    'PJ20 a list as aud, with another server': { claims: { aud: [TOKEN_URL, 'https://elsewhere'] } },
    'PJ23 expired': { claims: { exp: now - 300 } },
    'PJ29 no jti': { claims: { jti: undefined } },
    'PJ38 an access token': { header: { typ: 'at+jwt' } },
  };
  for (const [name, options] of Object.entries(wrong)) {
    await t.test(name, async () => {
      const answer = await credentials('backend-service', options);
      assert.equal(answer.status, 401, answer.text);
      assert.equal(answer.body.error, 'invalid_client');
      assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, 'AR31');
    });
  }
  await t.test('PJ04 no signature', async () => {
    const good = await assertion('backend-service');
    const none = `${jose.base64url.encode(JSON.stringify({ alg: 'none', kid: rsa.kid }))}.${good.split('.')[1]}.`;
    const answer = await post(asserted(none));
    assert.equal(answer.status, 401, answer.text);
  });
  await t.test('the issuer is an accepted audience beside the token endpoint', async () => {
    assert.equal((await credentials('backend-service', { claims: { aud: ORIGIN } })).status, 200);
  });
});

test('PJ30, PJ33: of twenty posts of one assertion exactly one succeeds', async () => {
  const proof = asserted(await assertion('backend-service', { alg: 'ES384' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(proof)));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(19).fill(401)]);
});

test('PJ39, PJ40: keys at an address are fetched, and fetched again when they change', async () => {
  const key = { ...(await jose.exportJWK(rotated.publicKey)), kid: 'r1', use: 'sig' };
  const sign = (kid, client = 'jwks') => credentials(client, { alg: 'ES384', key: { kid }, sign: rotated.privateKey });
  hosted = { status: 200, keys: [key], headers: { 'cache-control': 'no-store' } };
  assert.equal((await sign('r1', 'moved')).body.error, 'invalid_client', 'a redirect is not followed');
  assert.equal((await sign('r1')).status, 200);
  hosted = { ...hosted, keys: [{ ...key, kid: 'r2' }] };
  assert.equal((await sign('r2')).status, 200, 'PJ41: what may not be stored is fetched each time');
  hosted = { status: 200, text: `{"keys":[],"x":"${'y'.repeat(100_000)}"}` };
  assert.equal((await sign('r2')).status, 401, 'a long answer is no answer');
});

test('BA18: guesses end with 429 and Retry-After; others go on', async () => {
  const burst = await Promise.all(Array.from({ length: 120 }, (_, at) => post({}, basic('guessed', `guess-${at}`))));
  assert.equal(burst.filter(({ status }) => status === 401).length, 40, 'no more at once than one after the other');
  const right = basic('guessed', 'a-secret-to-be-guessed');
  const refused = await post({}, right);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await post({}, { ...right, 'cf-connecting-ip': '192.0.2.7' })).status, 200, 'elsewhere');
  assert.equal((await post({}, basic('backend-basic', 'sandbox-basic-secret'))).status, 200);
});

const secretsIn = (text) =>
  Object.fromEntries(text.split('\n').flatMap((line) => (line ? [line.split(/=(.*)/s)] : [])));
/// Starts a server over the same state with other secrets.
function startWith(secrets) {
  const lines = Object.entries(secrets).map((pair) => `${pair.join('=')}\n`);
  return start({ state: server.state, keys: server.write('other.vars', lines.join('')), vars: { ORIGIN } });
}

test('JW24: a production server refuses the keys of a sandbox', async () => {
  const production = await start({
    state: server.state,
    keys: server.keys,
    vars: { ORIGIN, ENVIRONMENT: 'production' },
  });
  try {
    assert.equal((await fetch(`${production.url}/oauth/jwks.json`)).status, 500);
  } finally {
    await production.close();
  }
});

test('JW24: a sandbox refuses the keys and the pepper of production, each by itself', async () => {
  const [own, others] = [readFileSync(server.keys, 'utf8'), edgechart('keys', '--production')].map(secretsIn);
  for (const [name, from] of [
    ['PEPPER', 'PEPPER'],
    ['SIGN_RS256_OLD', 'SIGN_RS256_CURRENT'],
  ]) {
    const sandbox = await startWith({ ...own, [name]: others[from] });
    try {
      const paths = ['/sandbox.json', '/sandbox/launch', '/oauth/jwks.json', '/readyz'];
      const statuses = await Promise.all(paths.map(async (path) => (await fetch(sandbox.url + path)).status));
      assert.deepEqual(statuses, [500, 500, 500, 503], name);
    } finally {
      await sandbox.close();
    }
  }
});

test('JW24: a production server has no sandbox, and knows nobody whose secret is published', async (t) => {
  const production = await stage({ vars: { ENVIRONMENT: 'production' } });
  t.after(production.close);
  const published = basic('backend-basic', 'sandbox-basic-secret');
  assert.equal((await postForm(production, '/oauth/token', FORM, published)).status, 401);
  production.register([{ username: 'owner', password: 'owner-sandbox', patients: [] }]);
  for (const [user, welcome] of [
    ['samuel', false],
    ['owner', true],
  ]) {
    const browser = new Browser(production.url);
    const page = await browser.submit(formsOf((await browser.get('/oauth/manage')).text)[0], {
      username: user,
      password: passwordOf(user) || `${user}-sandbox`,
    });
    assert.equal(page.text.includes('Sign out'), welcome, user);
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
    const [there, nowhere] = await Promise.all(
      ['/sandbox.json', '/nothing'].map((path) => fetch(production.url + path, { method })),
    );
    assert.equal(there.status, 404, method);
    assert.equal(await there.text(), await nowhere.text(), method);
  }
  const amara = { username: 'amara', password: passwordOf('amara') };
  const signIn = await postForm(production, '/sandbox/sign-in', amara, { origin: ORIGIN });
  assert.deepEqual([signIn.status, signIn.headers.get('set-cookie')], [404, null]);
});

test('DS09, JW23: a key that signs no more verifies as long as it is listed, and no longer', async () => {
  const [old, fresh] = [readFileSync(server.keys, 'utf8'), edgechart('keys')].map(secretsIn);
  const token = server.token('system/Patient.read');
  const {
    keys: [{ kid: before }],
  } = await (await fetch(`${server.url}/oauth/jwks.json`)).json();
  const beside = (suffix) => ({
    [`SIGN_ES256_${suffix}`]: old.SIGN_ES256_CURRENT,
    [`SIGN_RS256_${suffix}`]: old.SIGN_RS256_CURRENT,
  });
  for (const [secrets, listed, status] of [
    [{ ...fresh, ...beside('OLD') }, 4, 200],
    [fresh, 2, 401],
  ]) {
    const after = await startWith(secrets);
    try {
      const { keys } = await (await fetch(`${after.url}/oauth/jwks.json`)).json();
      assert.deepEqual(
        [keys.length, new Set(keys.map(({ kid }) => kid)).size, keys[0].kid === before],
        [listed, listed, false],
      );
      const asked = (bearer) =>
        fetch(`${after.url}/fhir/r4/Patient/amara-okafor`, { headers: { authorization: `Bearer ${bearer}` } });
      assert.equal((await asked(token)).status, status);
      const { access_token: own } = await granted(after, {
        client_id: 'backend-basic',
        secret: 'sandbox-basic-secret',
      });
      assert.equal(jose.decodeProtectedHeader(own).kid, keys[0].kid);
      assert.equal((await asked(own)).status, 200);
    } finally {
      await after.close();
    }
  }
});

test('RV09 edge-only: tokens of a trusted issuer are accepted, and there is no authorization server', async () => {
  const issuer = `http://127.0.0.1:${jwksHost.address().port}`;
  const pairs = Object.fromEntries(
    await Promise.all(
      ['ES256', 'RS256', 'RS384', 'ES384'].map(async (alg) => [
        alg,
        await jose.generateKeyPair(alg, { extractable: true }),
      ]),
    ),
  );
  const keys = await Promise.all(
    Object.entries(pairs).map(async ([alg, pair]) => ({ ...(await jose.exportJWK(pair.publicKey)), kid: alg, alg })),
  );
  // One document contains both the metadata of the issuer and its keys.
  hosted = {
    status: 200,
    text: JSON.stringify({
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      keys,
    }),
  };
  const edge = await start({
    state: server.state,
    keys: server.keys,
    vars: { ORIGIN, TRUSTED_ISSUERS: JSON.stringify([{ issuer }]) },
  });
  try {
    const ask = (path, token) =>
      fetch(`${edge.url}/fhir/r4/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const sign = (alg, claims = {}, header = {}) =>
      new jose.SignJWT({
        scp: ['patient/*.rs', 'email'],
        patient: 'amara-okafor',
        azp: 'their-app',
        sub: 'amara',
        ...claims,
      })
        .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt', ...header })
        .setIssuer(issuer)
        .setAudience(claims.aud ?? BASE)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(pairs[alg].privateKey);
    for (const alg of Object.keys(pairs)) {
      const token = await sign(alg);
      assert.equal((await ask('Patient/amara-okafor', token)).status, 200, alg);
      assert.equal((await ask('Patient/kai-nakamura', token)).status, 404, alg);
    }
    assert.equal((await ask('Patient/amara-okafor', await sign('ES256', { aud: 'https://elsewhere' }))).status, 401);
    assert.equal((await ask('Patient/amara-okafor', await sign('ES256', {}, { kid: 'RS256' }))).status, 401);
    assert.equal(
      (await ask('Patient/amara-okafor', server.token('patient/*.read', { patient: 'amara-okafor' }))).status,
      401,
      'our own keys are off',
    );
    // The operator stops what another server has issued, without telling that server.
    for (const [kind, name] of [
      ['foreign-client', 'their-app'],
      ['user', 'amara'],
    ]) {
      const token = await sign('ES256', { scp: ['patient/Patient.rs', kind] });
      assert.equal((await ask('Patient/amara-okafor', token)).status, 200);
      edgechart('disable', kind, name, '--db', server.db);
      await within(10_000, async () => (await ask('Patient/amara-okafor', token)).status === 401);
      edgechart('enable', kind, name, '--db', server.db);
      assert.equal((await ask('Patient/amara-okafor', token)).status, 200);
    }
    for (const path of ['/oauth/token', '/oauth/jwks.json', '/oauth/authorize', '/.well-known/openid-configuration']) {
      assert.equal((await fetch(`${edge.url}${path}`)).status, 404, path);
    }
    const smart = await (await fetch(`${edge.url}/fhir/r4/.well-known/smart-configuration`)).json();
    assert.deepEqual([smart.issuer, smart.token_endpoint], [issuer, `${issuer}/token`]);
    const statement = await (await fetch(`${edge.url}/fhir/r4/metadata`)).json();
    const uris = statement.rest[0].security.extension[0].extension;
    assert.deepEqual(uris, [
      { url: 'authorize', valueUri: `${issuer}/authorize` },
      { url: 'token', valueUri: `${issuer}/token` },
    ]);
  } finally {
    await edge.close();
  }
});
