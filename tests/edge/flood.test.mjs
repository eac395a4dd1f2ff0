// Rate limits: the numbers of requests to the authorization server, of sign-ins and of tokens to verify that one
// network may send per minute, and the number of requests of one client.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { minuteWith, stage } from '../../tools/server/stage.mjs';

const LIMIT = 20;
const SIGN_INS = 10;
const LOTS = 2;
const server = await stage({ data: ['sample'], limits: { NETWORK: LIMIT, AUTHORIZE: SIGN_INS, CLIENT: LOTS } });
beforeEach(() => minuteWith(20));
after(() => server.close());

const from = (network) => ({ 'cf-connecting-ip': network });
const ask = async (path, init) => {
  const answer = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init });
  return {
    status: answer.status,
    wait: answer.headers.get('retry-after'),
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
};
/// Sends requests until one has the status 429. Returns the number of answers before it, and that answer.
const flood = async (network, once) => {
  for (let n = 0; n <= LIMIT; n += 1) {
    const answer = await once({ headers: from(network) });
    if (answer.status === 429) return { n, answer };
  }
  return assert.fail('nothing was said');
};
const form = (init) => ({
  ...init,
  method: 'POST',
  headers: { ...init.headers, 'content-type': 'application/x-www-form-urlencoded' },
});

test('too many token requests get an OAuth error and Retry-After', async () => {
  const { n, answer } = await flood('192.0.2.1', (init) => ask('/oauth/token', form(init)));
  assert.equal(n, LIMIT);
  assert.deepEqual([answer.wait, JSON.parse(answer.text).error], ['60', 'temporarily_unavailable']);
  assert.equal(
    (await ask('/oauth/introspect', form({ headers: from('192.0.2.1') }))).status,
    429,
    'it is one limit for all of it',
  );
  assert.equal(
    (await ask('/oauth/token', form({ headers: from('192.0.2.2') }))).status,
    400,
    'another network is not concerned',
  );
});

test('too many sign-ins get a page; they are counted apart, with a lower limit', async () => {
  const { n, answer } = await flood('192.0.2.3', (init) => ask('/oauth/authorize', init));
  assert.equal(n, SIGN_INS);
  assert.equal(answer.wait, '60');
  assert.match(answer.type, /^text\/html/);
  assert.match(answer.text, /Please wait/);
  const manage = (network) => ask('/oauth/manage', { headers: from(network) });
  assert.equal((await manage('192.0.2.3')).status, 200);
  assert.equal((await flood('192.0.2.6', () => manage('192.0.2.6'))).n, LIMIT);
});

test('tokens that must be verified are counted, a known one is not', async () => {
  const token = server.token('patient/*.read', { patient: 'amara-okafor' });
  const read = (bearer, network) =>
    ask('/fhir/r4/Patient/amara-okafor', { headers: { ...from(network), authorization: `Bearer ${bearer}` } });
  for (let n = 0; n < 2 * LIMIT; n += 1) assert.equal((await read(token, '192.0.2.4')).status, 200);
  for (let n = 1; n < LIMIT; n += 1) assert.equal((await read(`a.b.${n}`, '192.0.2.4')).status, 401);
  const { status, wait, text } = await read('a.b.c', '192.0.2.4');
  assert.deepEqual([status, wait, JSON.parse(text).issue[0].code], [429, '60', 'throttled']);
  assert.equal((await read(token, '192.0.2.4')).status, 200);
});

test('a client with a known token is counted in lots of 64 requests', async () => {
  const [busy, quiet] = ['busy', 'quiet'].map((client) => server.token('system/Patient.read', { client }));
  const read = (bearer) => ask('/fhir/r4/Patient/amara-okafor', { headers: { authorization: `Bearer ${bearer}` } });
  // If the minute ends in between, the count starts again.
  let n = 0;
  let answer;
  for (let left = 2 * (LOTS + 1) * 64; left > 0 && answer?.status !== 429; left -= 1, n += 1) answer = await read(busy);
  assert.ok(n >= (LOTS + 1) * 64, `${n}`);
  assert.deepEqual([answer.status, answer.wait, JSON.parse(answer.text).issue[0].code], [429, '60', 'throttled']);
  assert.equal((await read(quiet)).status, 200, 'another client is not concerned');
});

test('public documents are not counted', async () => {
  for (let n = 0; n < 2 * LIMIT; n += 1) {
    for (const path of ['/oauth/jwks.json', '/oauth/style.css', '/fhir/r4/metadata', '/healthz']) {
      assert.equal((await ask(path, { headers: from('192.0.2.5') })).status, 200, path);
    }
  }
});
