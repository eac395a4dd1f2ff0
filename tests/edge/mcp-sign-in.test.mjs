// Agents sign in, over HTTP, in workerd: by documents at other servers, for which tools/server/outside.mjs answers, and
// by a registration. The titles have the numbers of the cases of the resource.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ORIGIN, stage } from '../../tools/server/stage.mjs';
import { challengeOf, verifierOf } from '../server/app.mjs';
import { Browser, formsOf, passwordOf, through } from '../server/browser.mjs';

let server, metadata;
before(async () => {
  server = await stage({ data: ['sample'], vars: { AGENT_REGISTRATION: 'on' } });
  metadata = await read('/.well-known/oauth-protected-resource/mcp');
});
after(() => server?.close());

const read = async (path, init) => (await fetch(`${server.url}${path}`, init)).json();
const tokens = (form) => read('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
const verifier = verifierOf();
const authorize = (browser, client_id, redirect_uri) =>
  browser.authorize({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'patient/*.rs offline_access',
    state: 'a-state',
    resource: metadata.resource,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });

test('mcp28 the metadata lead to the authorization server, which accepts documents of clients', async () => {
  assert.deepEqual(await read('/.well-known/oauth-protected-resource'), metadata);
  assert.deepEqual([metadata.resource, metadata.authorization_servers], [`${ORIGIN}/mcp`, [ORIGIN]]);
  const issuer = await read('/.well-known/oauth-authorization-server');
  assert.equal(issuer.client_id_metadata_document_supported, true);
  assert.equal(issuer.registration_endpoint, `${ORIGIN}/oauth/register`);
});

test('mcp40 mcp44 mcp96 each kind of client signs in without a registration, and refreshes ten times', async () => {
  const [program, editor, web] = (await read('/sandbox.json')).agents;
  const registered = await read('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Cursor', redirect_uris: ['cursor://x/cb', 'http://localhost:8/cb'] }),
  });
  assert.deepEqual(registered.redirect_uris, ['http://localhost:8/cb']);
  const grants = new Set();
  for (const [client_id, redirect_uri, says] of [
    [program, 'http://localhost:51234/callback', 'which says it is “Claude Code”'],
    [editor, 'http://127.0.0.1:51234/', 'which says it is “Visual Studio Code”'],
    [web, 'https://claude.ai/api/mcp/auth_callback', 'which says it is “Claude”'],
    ['mcp-sandbox', 'http://127.0.0.1:51234/callback', 'An assistant on this computer'],
    [registered.client_id, 'http://localhost:51234/cb', 'which says it is “Cursor”'],
  ]) {
    const browser = new Browser(server.url);
    const [form] = formsOf((await authorize(browser, client_id, redirect_uri)).text);
    const page = await browser.submit(form, { username: 'amara', password: passwordOf('amara') });
    for (const words of [says, 'leaves this server', `you go back to ${redirect_uri}.`])
      assert.ok(page.text.includes(words), `${words}: ${page.text}`);
    assert.equal(page.text.includes('a program on this computer;'), redirect_uri.startsWith('http:'), client_id);
    const { searchParams } = new URL((await through(browser, page)).location);
    assert.equal(searchParams.get('iss'), ORIGIN);
    const exchange = { client_id, redirect_uri, code_verifier: verifier, code: searchParams.get('code') };
    const own = await tokens({ grant_type: 'authorization_code', ...exchange, resource: metadata.resource });
    assert.equal((await server.ask('Condition', { token: own.access_token })).status, 401, client_id);
    let next = own;
    for (let n = 0; n < 10; n += 1)
      next = await tokens({ grant_type: 'refresh_token', refresh_token: next.refresh_token, client_id });
    const { aud, scope, patient, sub } = JSON.parse(Buffer.from(next.access_token.split('.')[1], 'base64url'));
    assert.equal(aud, metadata.resource);
    grants.add(JSON.stringify([scope, patient, sub, next.expires_in]));
  }
  assert.equal(grants.size, 1, [...grants].join('\n'));
});
