// Tokens that a test signs with the key of a server, and the checks of a refusal.

import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { base64url, decodeJwt } from 'jose';
import { raw } from '../../tools/server/raw.mjs';

const encoded = (value) => base64url.encode(JSON.stringify(value));

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
