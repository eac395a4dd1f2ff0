// An app of another origin that uses the npm package fhirclient. The app launches standalone and from an EHR, refreshes
// its tokens, and reads every page of a search.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { allow, open, signIn } from '../../tools/server/app.mjs';
import { launchByEhr } from '../server/sender.mjs';

const LIBRARY = '.wrangler/npm-fhirclient/package/build/fhir-client.min.js';
const skip = !existsSync(LIBRARY) && 'npm’s fhirclient is not here: make clients';
const PATIENT = 'amara-okafor';
const SCOPE = 'openid fhirUser offline_access patient/*.read';

const page = (script) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>app</title>
<script src="fhir-client.js"></script><script>${script}</script></html>`;
const authorize = (scope) =>
  page(`FHIR.oauth2.authorize({ clientId: 'other', scope: '${scope} ${SCOPE}', redirectUri: 'app.html' })`);
const FILES = {
  '/fhir-client.js': ['text/javascript', () => readFileSync(LIBRARY)],
  '/alone.html': ['text/html', () => authorize('launch/patient')],
  '/launch.html': ['text/html', () => authorize('launch')],
  '/app.html': ['text/html', () => page('globalThis.ready = FHIR.oauth2.ready()')],
};
const app = createServer((request, response) => {
  const [type, body] = FILES[new URL(request.url, 'http://app').pathname] ?? ['text/plain', () => ''];
  response.setHeader('content-type', type).end(body());
});

let stage, home;
before(async () => {
  if (skip) return;
  await new Promise((done) => app.listen(0, 'localhost', done));
  home = `http://localhost:${app.address().port}`;
  const other = {
    client_id: 'other',
    kind: 'public',
    scopes: `launch launch/patient ${SCOPE}`,
    redirect_uris: [`${home}/app.html`],
    launch_uri: `${home}/launch.html`,
  };
  stage = await open({ apps: [other] });
});
after(async () => {
  app.close();
  await stage?.close();
});

/// Reads in the app after its launch: patient, user, all pages of a search, and the same search with new tokens.
const readAll = (tab) =>
  tab.evaluate(async () => {
    const client = await globalThis.ready;
    const search = `Observation?patient=${client.patient.id}&category=laboratory&_count=100`;
    const read = async () => (await client.request(search, { pageLimit: 0, flat: true })).map(({ id }) => id);
    const [before, old] = [await read(), client.state.tokenResponse.access_token];
    const { total } = await client.request(`${search}&_summary=count`);
    const [{ family }] = (await client.patient.read()).name;
    await client.refresh();
    return {
      patient: client.patient.id,
      family,
      user: client.user.fhirUser,
      total,
      before,
      after: await read(),
      isNew: client.state.tokenResponse.access_token !== old,
    };
  });

const check = ({ patient, family, user, total, before, after, isNew }) => {
  assert.deepEqual([patient, family, user, isNew], [PATIENT, 'Okafor', `Patient/${PATIENT}`, true]);
  assert.ok(total > 200, 'several pages');
  assert.deepEqual([before.length, new Set(before).size], [total, total]);
  assert.deepEqual(after, before);
};

for (const [how, start] of [
  ['alone', () => `${home}/alone.html?iss=${encodeURIComponent(`${stage.origin}/fhir/r4`)}`],
  [
    'from an EHR',
    async () => {
      const { body } = await launchByEhr(stage.server, { client_id: 'other', user: 'amara', patient: PATIENT });
      return body.launch_uri;
    },
  ],
]) {
  test(`npm’s fhirclient, launched ${how}, refreshes and reads every page`, { skip }, async () => {
    const context = await stage.browser.newContext();
    const tab = await context.newPage();
    await tab.goto(await start());
    await signIn(tab, 'amara');
    await allow(tab);
    await tab.waitForURL(/app\.html/);
    await tab.waitForFunction(() => globalThis.ready);
    check(await readAll(tab));
    await context.close();
  });
}
