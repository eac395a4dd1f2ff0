import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { exchange } from './send.ts';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

test('a request that is not answered is given up, and it is said after how long', async () => {
  let signal: AbortSignal | null | undefined;
  globalThis.fetch = async (_, options) => {
    signal = options?.signal;
    throw new DOMException('signal timed out', 'TimeoutError');
  };
  const { status, text } = await exchange('https://x.example/fhir/r4/Patient/a');
  assert.ok(signal instanceof AbortSignal);
  assert.deepEqual([status, text], [0, 'There was no answer within 120 seconds.']);
});

test('CL16 the log has only the beginning of a token or a secret', async () => {
  globalThis.fetch = async () => new Response('{}');
  const { headers, sent } = await exchange('https://x.example/token', {
    method: 'POST',
    headers: { Authorization: 'Bearer abcdefghijklmnop' },
    body: 'grant_type=authorization_code&code=abcdefghijkl&code_verifier=mnopqrstuvwx&client_secret=secret-secret',
  });
  assert.equal(headers.Authorization, 'Bearer abcdefg…');
  assert.equal(sent, 'grant_type=authorization_code&code=abcdef…&code_verifier=mnopqr…&client_secret=secret…');
});

test('another failure is said in its own words', async () => {
  globalThis.fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  assert.equal((await exchange('https://x.example/')).text, 'Failed to fetch');
});
