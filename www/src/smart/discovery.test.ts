import assert from 'node:assert/strict';
import { test } from 'node:test';

// The module knows its server from the page's address.
Object.assign(globalThis, { location: new URL('https://app.example/other.html') });
const discovery = await import('./discovery.ts');

const BASE = 'https://fhir.example/r4';
const configuration = {
  authorization_endpoint: 'https://login.example/authorize',
  token_endpoint: 'https://login.example/token',
  code_challenge_methods_supported: ['S256'],
};
const read = (body: unknown, status = 200): ReturnType<typeof discovery.otherConfiguration> =>
  discovery.otherConfiguration(BASE, status, body);

test('the base stands for an issuer that a configuration does not name', () => {
  assert.equal(read(configuration).issuer, BASE);
  assert.equal(read({ ...configuration, issuer: 'https://login.example' }).issuer, 'https://login.example');
  assert.equal(read(configuration).authorization_response_iss_parameter_supported, undefined);
});

test('a configuration without PKCE, without addresses, or with unsafe ones begins no sign-in', () => {
  const { token_endpoint: _, ...noToken } = configuration;
  const { code_challenge_methods_supported: __, ...noPkce } = configuration;
  const refused: [unknown, RegExp, number?][] = [
    [undefined, /did not answer this page.*CORS/, 0],
    [{}, /no SMART configuration there: it answered 503/, 503],
    [undefined, /is not JSON/],
    [[], /the SMART configuration is not an object/],
    [noToken, /names no address to sign in at/],
    [noPkce, /does not announce PKCE with S256/],
    [{ ...configuration, code_challenge_methods_supported: ['plain'] }, /does not announce PKCE with S256/],
    [{ ...configuration, token_endpoint: 'http://login.example/token' }, /is not https: http:\/\/login\.example/],
    [{ ...configuration, authorization_endpoint: 'javascript:alert(1)' }, /is not https/],
    [{ ...configuration, revocation_endpoint: '/revoke' }, /is not https/],
    [{ ...configuration, issuer: 'data:x' }, /is not https/],
  ];
  for (const [body, expected, status] of refused) assert.throws(() => read(body, status), expected);
});
