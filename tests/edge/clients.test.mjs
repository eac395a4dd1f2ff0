// Third-party clients against the running server: oauth4webapi, which checks every answer against the standards (RFC
// 6749, 6750, 7009, 7523, 7636, 7662, 8414, 9068, 9207, OpenID Connect), and Python's fhirclient.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import * as oauth from 'oauth4webapi';
import { freePort } from '../../tools/server/port.mjs';
import { ORIGIN, stage } from '../../tools/server/stage.mjs';
import { Browser, through } from '../server/browser.mjs';
import { keyOf } from '../server/forge.mjs';

const SCOPE = 'launch/patient openid fhirUser offline_access patient/*.read';
const REDIRECT = 'https://app.example/callback';
const apps = [
  { client_id: 'public', kind: 'public', redirect_uris: [REDIRECT], scopes: SCOPE },
  {
    client_id: 'secret',
    kind: 'confidential',
    secret: 'secret-secret',
    redirect_uris: [REDIRECT],
    scopes: `${SCOPE} online_access`,
  },
];

const server = await stage({ data: ['sample'], apps });
// The server listens at a different address than the address in its links.
const far = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url, init) => fetch(String(url).replace(ORIGIN, server.url), init),
};
const issuer = await discovered('oidc');
after(() => server.close());

async function discovered(algorithm) {
  const at = new URL(ORIGIN);
  const described = await oauth.processDiscoveryResponse(at, await oauth.discoveryRequest(at, { algorithm, ...far }));
  assert.equal(described.issuer, ORIGIN);
  return described;
}

/// Runs the whole flow of a client, up to its tokens.
async function flow(client, proof) {
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const browser = new Browser(server.url);
  const page = await browser.authorize({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state,
    nonce,
    aud: server.base,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { location } = await through(browser, page);
  const redirected = oauth.validateAuthResponse(issuer, client, new URL(location), state);
  const response = await oauth.authorizationCodeGrantRequest(
    issuer,
    client,
    proof,
    redirected,
    REDIRECT,
    verifier,
    far,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(issuer, response, far);
  return { tokens, identity: oauth.getValidatedIdTokenClaims(tokens) };
}

/// Checks an access token by RFC 9068, and the answer to a request with it.
async function opens(tokens, path, status = 200) {
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const claims = await oauth.validateJwtAccessToken(
    issuer,
    new Request(`${server.base}/${path}`, { headers }),
    server.base,
    far,
  );
  assert.equal(claims.scope, tokens.scope);
  assert.equal((await server.ask(path, { token: tokens.access_token })).status, status);
}

test('oauth4webapi finds nothing wrong with the documents of discovery', async () => {
  const { token_endpoint: at } = await discovered('oauth2');
  assert.equal(at, issuer.token_endpoint);
});

test('oauth4webapi finds nothing wrong with a public client, its refreshes and its revocation', async () => {
  const client = { client_id: 'public' };
  const { tokens, identity } = await flow(client, oauth.None());
  assert.equal(identity.fhirUser, `${server.base}/Patient/amara-okafor`);
  assert.deepEqual([tokens.patient, tokens.expires_in], ['amara-okafor', 900]);
  await opens(tokens, 'Patient/zoe-obrien-nunez', 404);
  await opens(tokens, 'Condition');

  let next = tokens;
  for (const scope of [undefined, SCOPE, 'offline_access patient/Condition.read']) {
    const additionalParameters = scope ? { scope } : {};
    const response = await oauth.refreshTokenGrantRequest(issuer, client, oauth.None(), next.refresh_token, {
      additionalParameters,
      ...far,
    });
    next = await oauth.processRefreshTokenResponse(issuer, client, response);
    assert.equal(next.scope, scope ?? SCOPE);
    await opens(next, 'Condition');
  }
  await assert.rejects(
    async () => {
      const spent = await oauth.refreshTokenGrantRequest(issuer, client, oauth.None(), tokens.refresh_token, far);
      await oauth.processRefreshTokenResponse(issuer, client, spent);
    },
    { code: oauth.RESPONSE_BODY_ERROR, error: 'invalid_grant' },
  );

  const { tokens: others } = await flow(client, oauth.None());
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(issuer, client, oauth.None(), others.refresh_token, far),
  );
  await opens(others, 'Condition', 401);
});

test('oauth4webapi finds nothing wrong with a client that has a secret, and with its introspection', async () => {
  const client = { client_id: 'secret' };
  const proof = oauth.ClientSecretBasic('secret-secret');
  const { tokens, identity } = await flow(client, proof);
  const said = async () =>
    oauth.processIntrospectionResponse(
      issuer,
      client,
      await oauth.introspectionRequest(issuer, client, proof, tokens.access_token, far),
    );
  const { active, sub, patient } = await said();
  assert.deepEqual([active, sub, patient], [true, identity.sub, 'amara-okafor']);
  await oauth.processRevocationResponse(await oauth.revocationRequest(issuer, client, proof, tokens.access_token, far));
  assert.deepEqual(await said(), { active: false });
  await assert.rejects(
    async () => {
      const response = await oauth.refreshTokenGrantRequest(
        issuer,
        client,
        oauth.ClientSecretBasic('wrong'),
        tokens.refresh_token,
        far,
      );
      await oauth.processRefreshTokenResponse(issuer, client, response);
    },
    { code: oauth.WWW_AUTHENTICATE_CHALLENGE },
  );
});

test('oauth4webapi finds nothing wrong with a backend client that signs assertions', async () => {
  const client = { client_id: 'backend-service' };
  const jwk = keyOf('backend-service', 'ES384');
  const key = await crypto.subtle.importKey(
    'jwk',
    { ...jwk, alg: undefined },
    { name: 'ECDSA', namedCurve: 'P-384' },
    false,
    ['sign'],
  );
  const proof = oauth.PrivateKeyJwt({ key, kid: jwk.kid });
  const response = await oauth.clientCredentialsGrantRequest(issuer, client, proof, { scope: 'system/*.read' }, far);
  const tokens = await oauth.processClientCredentialsResponse(issuer, client, response);
  await opens(tokens, 'Patient/kai-nakamura');
});

// `make clients` installs this Python. The test is skipped if it is missing.
const PYTHON = '.wrangler/python/bin/python3';

test('Python fhirclient signs a practitioner in, searches, and refreshes', {
  skip: existsSync(PYTHON) ? false : 'python3 with fhirclient is not here',
}, async (t) => {
  const here = await stage({ data: ['sample'], port: await freePort() });
  t.after(here.close);
  const { stdout } = await promisify(execFile)(
    PYTHON,
    ['tests/clients/portal.py', here.base, 'grace', 'jordan-ellis'],
    { timeout: 60_000 },
  );
  const said = JSON.parse(stdout);
  assert.deepEqual(said, {
    unknown: 401,
    patient: 'jordan-ellis',
    name: said.name,
    conditions: said.conditions,
    observations: said.observations,
    foreign: 404,
    refreshed: true,
  });
  const all = (query) => here.ask(query, { token: here.token('system/*.read') });
  const total = async (type) => (await all(`${type}?patient=jordan-ellis&_summary=count`)).body.total;
  assert.deepEqual([said.conditions, said.observations], [await total('Condition'), await total('Observation')]);
  assert.match(said.name, /Ellis/);
});
