// Tokens that a test signs with the key of a server, assertions that it signs with the keys of the sandbox, and the
// checks of a refusal.

import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { base64url, decodeJwt, importJWK, SignJWT } from 'jose';
import { raw } from '../../tools/server/raw.mjs';
import { ORIGIN, SANDBOX } from '../../tools/server/stage.mjs';

const encoded = (value) => base64url.encode(JSON.stringify(value));

/// Returns the published private key of a sandbox client for an algorithm.
export const keyOf = (client, alg) => SANDBOX.private_jwks[client].keys.find((key) => key.alg === alg);

/// Resolves to the assertion of a client (RFC 7523), signed with its key of the sandbox, or by `sign`. An undefined
/// claim is left out.
export async function assertion(
  client,
  { alg = 'RS384', key = keyOf(client, alg), kid = key.kid, header = {}, claims = {}, sign } = {},
) {
  const own = { iss: client, sub: client, aud: `${ORIGIN}/oauth/token`, jti: crypto.randomUUID() };
  const payload = JSON.parse(JSON.stringify({ ...own, exp: Math.floor(Date.now() / 1000) + 300, ...claims }));
  const signing = sign ?? (await importJWK(key, alg));
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(signing);
}

/// Returns the members of a form with an assertion.
export const asserted = (text) => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: text,
});

/// Resolves to a server's key, and functions that make headers, claims and signed tokens.
export async function forge(server, scope, context) {
  const jwk = JSON.parse(/^SIGN_ES256_CURRENT='(.*)'$/m.exec(readFileSync(server.keys, 'utf8'))[1]);
  const own = createPrivateKey({ key: jwk, format: 'jwk' });
  const [{ kid }] = (await raw(server.url, '/oauth/jwks.json')).body.keys;
  const good = decodeJwt(server.token(scope, context));
  const header = (changes = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid, ...changes });
  /// Returns the claims of a valid token with changes. An undefined claim is left out.
  const claims = (changes = {}) => ({ ...good, ...changes });
  /// Returns a token with a header and claims, signed with the server's key.
  const signed = (head, payload, { dsaEncoding = 'ieee-p1363' } = {}) => {
    const data = `${encoded(head)}.${encoded(payload)}`;
    return `${data}.${sign('sha256', Buffer.from(data), { key: own, dsaEncoding }).toString('base64url')}`;
  };
  return { jwk, header, claims, signed, encoded };
}

/// Checks that an answer refuses a token as RFC 6750 and the contract require, without details. `error` is empty if
/// there was no token.
export function refuses(answer, { error = 'invalid_token', code = 'login' } = {}) {
  assert.equal(answer.status, 401, answer.text);
  const challenge = answer.headers.get('www-authenticate');
  if (error) assert.ok(challenge.startsWith(`Bearer realm="fhir", error="${error}"`), challenge);
  else assert.equal(challenge, 'Bearer realm="fhir"');
  assert.equal(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  for (const name of ['etag', 'last-modified', 'server-timing']) assert.ok(!answer.headers.has(name), name);
  assert.equal(answer.body.resourceType, 'OperationOutcome');
  const [issue] = answer.body.issue;
  assert.equal(issue.severity, 'error');
  assert.equal(issue.code, code);
  assert.ok(issue.details.text.length > 0);
}
