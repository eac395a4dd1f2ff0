// The end of a session by log-out, revocation or expiry: no records stay on the page, the sample never replaces a
// patient's records, and the sign-in at the server ends too. Also the callback before a session, and its reload.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchByEhr } from '../server/sender.mjs';
import { isClean } from './axe.mjs';
import { allow, frames, loaded, open, says, signIn, text } from './browser.mjs';
import { noLogOut, PATIENT, refuse, signedInAt } from './signed-in.mjs';

const stage = await open();
after(() => stage.close());

const signedIn = (options) => signedInAt(stage, options);

/// Launches the app in the way of the EHR simulator.
async function launched(page) {
  const form = { client_id: 'demo-app', user: 'amara', patient: PATIENT };
  await page.goto((await launchByEhr(stage.server, form)).body.launch_uri);
}

/// Checks the page after a session: a sentence, three links, and no records, neither on the page nor in the storage.
async function isSignedOut(page, why) {
  await says(page, 'main h1', /^You are signed out$/);
  await says(page, 'main .lead', why);
  assert.equal(await page.locator('main a').count(), 3);
  assert.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/#/launch/patient');
  assert.equal(
    await page.getByRole('link', { name: 'Open the sample' }).getAttribute('href'),
    '/#/sample/chart/amara-okafor',
  );
  assert.doesNotMatch(await page.locator('html').textContent(), /Okafor|JH-001964|lisinopril/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem('edgechart.session')), null);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.locator('header.top').getByRole('button', { name: 'Requests' }).click();
  assert.doesNotMatch(await text(page, 'dialog'), /Okafor|AllergyIntolerance\?|lisinopril/);
  await page.keyboard.press('Escape');
}
/// The words of a tab that learned of the end from another tab, and of a tab whose token the server refused.
const ELSEWHERE = /^You logged out, or the session ended, in another tab\.$/;
const REFUSED = /^The server no longer accepts this session: it has expired, or the access was withdrawn\.$/;
test('log-out clears the page; its address shows no records afterwards, the sample has its own', async () => {
  const { page } = await signedIn({ routes: [noLogOut] });
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
  assert.match(await page.title(), /^Amara Chidinma Okafor/);
  const revoked = page.waitForResponse(/\/oauth\/revoke/);
  await page.getByRole('button', { name: 'Log out' }).click();
  assert.equal((await revoked).status(), 200);
  await isSignedOut(
    page,
    /^The access of this app has ended\. This server has no log-out: you may still be signed in there/,
  );
  assert.match(page.url(), /#\/signed-out$/, 'the history keeps no address of a chart');
  await page.reload();
  await isSignedOut(page, /^Nobody is signed in in this tab\.$/);
  await page.goto(`/#/session/chart/${PATIENT}/timeline`);
  await isSignedOut(page, /^Nobody is signed in in this tab\. The records of this address are shown to the person who/);
  await page.getByRole('link', { name: 'Open the sample' }).click();
  await says(page, '.patient h1', /Okafor/);
  assert.match(page.url(), /#\/sample\/chart\//);
  await page.goBack();
  await says(page, 'main h1', /^You are signed out$/);
});

test('CL22 a log-out clears every tab, those that slept when they wake, and revokes their tokens', async () => {
  const { person, page } = await signedIn({ routes: [noLogOut] });
  const { page: other, session } = await signedIn({ person, id: 'b', path: '/#/session/chart/amara-okafor/timeline' });
  const { page: asleep } = await signedIn({ person, id: 'c' });
  // The third tab shows no page of the app, so no message reaches it.
  await asleep.goto('/icon.svg');
  const revoked = other.waitForRequest(/\/oauth\/revoke/);
  await page.getByRole('button', { name: 'Log out' }).click();
  await isSignedOut(page, /^The access of this app has ended\./);
  await isSignedOut(other, ELSEWHERE);
  assert.match((await revoked).postData(), new RegExp(`token=${session.accessToken}`));
  await asleep.goBack();
  await isSignedOut(asleep, ELSEWHERE);
  await other.reload();
  await isSignedOut(other, /^Nobody is signed in in this tab\./);
  // The session of a later launch has not ended.
  const { page: later } = await signedIn({ person, id: 'd' });
  assert.equal(await text(later, '.patient h1'), 'Amara Chidinma Okafor');
});

test('a session that ends in one tab ends in its copies, and others look whether theirs stands', async () => {
  const { person, page } = await signedIn({ path: '/#/search' });
  const { page: copy } = await signedIn({ person });
  const { page: other } = await signedIn({ person, id: 'b' });
  const asked = other.waitForRequest(/\/Patient\/amara-okafor$/);
  await page.route('**/fhir/r4/**', refuse);
  await page.goto('/#/session/patients');
  await isSignedOut(page, /^The server no longer accepts this session/);
  await isSignedOut(copy, /^The session ended in another tab: it has expired, or it was revoked\.$/);
  await asked;
  assert.equal(await text(other, '.patient h1'), 'Amara Chidinma Okafor');
});

test('a tab that is loaded again looks whether its session still stands', async () => {
  const { page } = await signedIn({ path: '/#/scopes' });
  await page.route('**/fhir/r4/**', refuse);
  await page.reload();
  await says(page, 'body', /You are signed out\. The server no longer accepts this session/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem('edgechart.session')), null);
});

test('CL22 access that was withdrawn at the server ends a chart that is shown, or looked at again', async () => {
  const { person, page } = await signedIn({ ownClock: true });
  const { page: left } = await signedIn({ person, id: 'b' });
  await page.clock.runFor(3_000);
  await person.context.route('**/fhir/r4/**', refuse);
  await left.clock.runFor(3_000);
  await left.evaluate(() => dispatchEvent(new Event('focus')));
  await isSignedOut(left, REFUSED);
  // The other tab's message made the first tab check its own session.
  await isSignedOut(page, REFUSED);
  await person.context.unroute('**/fhir/r4/**');
  const { page: shown } = await signedIn({ person, id: 'c' });
  await person.context.route('**/fhir/r4/**', refuse);
  await shown.clock.runFor(70_000);
  await isSignedOut(shown, REFUSED);
});

test('CL22 a revocation clears every tab', async () => {
  const { person, page } = await signedIn({ path: '/#/session' });
  const { page: other, session } = await signedIn({ person, id: 'b' });
  const revoked = other.waitForRequest(/\/oauth\/revoke/);
  await page.getByRole('button', { name: 'Revoke the access token' }).click();
  await isSignedOut(other, ELSEWHERE);
  assert.match((await revoked).postData(), new RegExp(`token=${session.accessToken}`));
  await says(page, 'body', /You are signed out\. Its access token was revoked/);
});

test('CL22 an answer that comes after a log-out is not listed among the requests', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers();
  const { page } = await signedIn({ routes: [noLogOut] });
  await page.route(/\/fhir\/r4\/Patient\b/, async (route) => {
    await asked;
    await route.fulfill({ json: { resourceType: 'Bundle', entry: [] } });
  });
  const waits = page.waitForRequest(/\/Patient\b/);
  const late = page.waitForResponse(/\/Patient\b/);
  await page.evaluate(() => {
    location.hash = '#/session/patients';
  });
  await waits;
  await page.getByRole('button', { name: 'Log out' }).click();
  await says(page, 'main .lead', /^The access of this app has ended\./);
  answer();
  await (await late).finished();
  await frames(page);
  await page.locator('header.top').getByRole('button', { name: 'Requests' }).click();
  assert.doesNotMatch(await text(page, 'dialog'), /r4\/Patient\b/);
});

test('log-out ends the sign-in at the server, with the identity token as a hint, and comes back', async () => {
  const asked = [];
  const { page } = await signedIn({
    idToken: 'an.id.token',
    routes: [
      [
        '**/.well-known/*-configuration',
        async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            json: { ...(await response.json()), end_session_endpoint: `${stage.origin}/oauth/logout` },
          });
        },
      ],
      [
        '**/oauth/logout?**',
        (route) => {
          const { searchParams } = new URL(route.request().url());
          asked.push(Object.fromEntries(searchParams));
          const state = new URLSearchParams({ state: searchParams.get('state') });
          const location = `${searchParams.get('post_logout_redirect_uri')}?${state}`;
          return route.fulfill({ status: 303, headers: { location } });
        },
      ],
    ],
  });
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(/#\/signed-out$/);
  assert.equal(new URL(page.url()).search, '', 'the state is out of the address');
  await isSignedOut(page, /^The access of this app has ended, and so has your sign-in at the server\.$/);
  assert.equal(asked.length, 1);
  const { state, ...rest } = asked[0];
  assert.ok(state.length >= 43);
  assert.deepEqual(rest, {
    id_token_hint: 'an.id.token',
    client_id: 'demo-app',
    post_logout_redirect_uri: `${stage.origin}/`,
  });
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

test('an unknown log-out state is ignored', async () => {
  const page = await (await stage.person({ developer: true })).page();
  await page.goto('/?state=made-up');
  await says(page, 'main h1', /chart/i);
  assert.doesNotMatch(await text(page, 'body'), /signed out/);
});

test('the page is cleared also where the server cannot be reached, and says so', async () => {
  const { person, page } = await signedIn();
  person.expected.push(/Failed to load resource/);
  await page.route('**/oauth/revoke', (route) => route.abort());
  await page.route('**/.well-known/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Log out' }).click();
  await isSignedOut(page, /The server could not be told/);
});

test('a token that is refused, and cannot be refreshed, clears the page', async () => {
  const { page } = await signedIn();
  await page.route('**/fhir/r4/**', refuse);
  await page.locator('#allergies button.record').first().click();
  await page
    .getByRole('button', { name: 'Ask for its provenance' })
    .click()
    .catch(() => undefined);
  await page.evaluate(() => {
    location.hash = '#/session/patients';
  });
  await isSignedOut(page, REFUSED);
});

test('a refresh that is refused clears the page; one that finds no server does not', async () => {
  const { person, page } = await signedIn({ refreshToken: 'spent', expiresAt: Date.now() + 3_600_000 });
  person.expected.push(/Failed to load resource/);
  await page.route('**/fhir/r4/**', refuse);
  await page.route('**/oauth/token', (route) => route.abort());
  await page.evaluate(() => {
    location.hash = '#/session/patients';
  });
  await says(page, 'main', /answered 401/);
  assert.notEqual(
    await page.evaluate(() => sessionStorage.getItem('edgechart.session')),
    null,
    'the session is kept for when the server is back',
  );
  await page.unroute('**/oauth/token');
  await page.reload();
  await isSignedOut(page, REFUSED);
});

test('a session that cannot be refreshed ends at its time, whatever is open', async () => {
  const { person, page } = await signedIn({ ownClock: true });
  await page.locator('#allergies button.record').first().click();
  await page.locator('dialog[open]').waitFor();
  await page.clock.fastForward('01:00:00');
  await isSignedOut(page, /^The session has expired\./);
  // The timers of a hidden tab fire late, so the tab checks its session when it wakes.
  const { page: asleep } = await signedIn({ person, id: 'b' });
  await asleep.clock.setSystemTime(Date.now() + 3 * 3_600_000);
  const kept = await asleep.evaluate(() => {
    dispatchEvent(new Event('focus'));
    return sessionStorage.getItem('edgechart.session');
  });
  assert.equal(kept, null);
  await isSignedOut(asleep, /^The session has expired\./);
});

test('a signed-in user sees the sample marked as such, and finds back', async () => {
  const { page } = await signedIn({ path: '/#/sample/chart/walter-lindqvist' });
  await says(page, '.patient h1', /Lindqvist/);
  assert.match(await text(page, 'header.top'), /Offline sample/);
  await page.getByRole('link', { name: 'Back to your session' }).click();
  await says(page, '.patient h1', /Okafor/);
  assert.doesNotMatch(await text(page, 'header.top'), /Offline sample/);
});

test('the address of another patient shows one message', async () => {
  const asked = [];
  let holds = false;
  const letGo = Promise.withResolvers();
  const { page } = await signedIn({
    path: '/#/patients',
    routes: [
      [
        '**/fhir/r4/**',
        async (route) => {
          const request = route.request();
          asked.push(request);
          // The answers to all requests except for the patient are held back.
          if (holds && !request.url().endsWith('/dana-begay')) await letGo.promise;
          await route.continue();
        },
      ],
    ],
  });
  asked.length = 0;
  holds = true;
  await page.goto('/#/session/chart/dana-begay');
  await says(page, 'main', /This session sees no such patient.*dana-begay.*not shared/s);
  letGo.resolve();
  await Promise.all(asked.map((request) => request.response()));
  await frames(page);
  assert.equal(await page.locator('.section, .index').count(), 0);
  assert.ok(asked.length < 12, `what was not asked yet is not asked: ${asked.length} requests`);
});

test('a server that is down is one error with one button, and comes back by it', async () => {
  const { person, page } = await signedIn({ path: '/#/scopes' });
  person.expected.push(/Failed to load resource/);
  const again = page.getByRole('button', { name: 'Try again' });
  await page.route('**/fhir/r4/**', (route) => route.abort());
  await page.goto(`/#/session/chart/${PATIENT}`);
  await says(page, 'main', /The server could not be reached/);
  await again.waitFor();
  assert.equal(await page.getByRole('alert').count(), 1);
  assert.equal(await page.locator('.section, .glance').count(), 0);
  await page.unroute('**/fhir/r4/**');
  await again.click();
  await loaded(page);
  await says(page, '.patient h1', /Okafor/);
  assert.equal((await page.locator('.outage').count()) + (await again.count()), 0);
  // Each failed request is marked in its section, and one notice covers all of them.
  const broken = (route) => route.fulfill({ status: 503, json: {} });
  for (const type of ['Condition', 'Observation', 'AllergyIntolerance'])
    await page.route(`**/fhir/r4/${type}?**`, broken);
  await page.reload();
  await loaded(page);
  await says(page, '.outage', /The server answered 503\./);
  for (const section of ['problems', 'labs', 'vitals', 'allergies']) {
    await says(page, `#${section}`, /Not loaded, since the server did not answer: see above\./);
    assert.doesNotMatch(await text(page, `#${section}`), /No data/);
  }
  assert.equal(await page.getByRole('alert').count(), 1);
  assert.equal(await again.count(), 1);
  await isClean(page, 'an outage');
  for (const type of ['Condition', 'Observation', 'AllergyIntolerance']) await page.unroute(`**/fhir/r4/${type}?**`);
  await again.click();
  await says(page, '#labs', /264 results|Hemoglobin/);
  await page.waitForFunction(() => !document.querySelector('.outage'));
});

test('a list of patients that could not be loaded has one error and one button, and the focus stays', async () => {
  const { person, page } = await signedIn({ path: '/#/scopes' });
  person.expected.push(/Failed to load resource/);
  const again = page.getByRole('button', { name: 'Try again' });
  await page.route('**/fhir/r4/Patient/**', (route) => route.abort());
  await page.goto('/#/session/patients');
  await says(page, 'main', /The server could not be reached/);
  await again.focus();
  await again.evaluate((button) => button.setAttribute('data-before', ''));
  await page.keyboard.press('Enter');
  // There is no button while the request is repeated.
  await page.waitForFunction(() => document.activeElement?.matches('main .retry:not([data-before])'));
  assert.deepEqual([await page.getByRole('alert').count(), await again.count()], [1, 1]);
  await page.unroute('**/fhir/r4/Patient/**');
  await page.keyboard.press('Enter');
  await says(page, '.people-list', /Amara Chidinma Okafor/);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  assert.equal((await again.count()) + (await page.getByRole('alert').count()), 0);
});

test('of a type that was allowed in part no section says that nothing is recorded', async () => {
  const only = (type, code) => `patient/${type}.rs?category=http://terminology.hl7.org/CodeSystem/${code}`;
  const { page } = await signedIn({
    scope: `launch/patient patient/Patient.read ${only('Observation', 'observation-category|laboratory')} ${only(
      'Condition',
      'condition-category|encounter-diagnosis',
    )}`,
  });
  assert.match(
    await text(page, '#vitals'),
    /can be shown\..*Of Observation only some may be read: category laboratory\./,
  );
  assert.match(await text(page, '#problems'), /Of Condition only some may be read: category encounter-diagnosis\./);
  for (const section of ['#vitals', '#problems', '#other-observations', '#glance-vitals', '#glance-problems'])
    assert.doesNotMatch(await text(page, section), /No data|No current problem is recorded|No vital sign is recorded/);
  assert.match(await text(page, '#glance-vitals'), /Not everything that belongs here can be shown\./);
  assert.match(await text(page, '.chart-notice'), /\d+ areas left out when access was given, or parts/);
});

test('a chart without records of allergies says that this is no statement', async () => {
  const empty = (route) =>
    route.fulfill({
      contentType: 'application/fhir+json',
      json: { resourceType: 'Bundle', type: 'searchset', entry: [] },
    });
  const { page } = await signedIn({ routes: [['**/fhir/r4/AllergyIntolerance?**', empty]] });
  await says(page, '#allergies', /No data: .*does not mean that there are none/);
  assert.doesNotMatch(await text(page, '#allergies'), /No known|Not asked/);
});

test('after a launch the focus is on the patient’s name, and the callback leads to the session', async () => {
  const { page } = await stage.visit('/#/', { developer: true });
  await launched(page);
  await signIn(page, 'amara');
  await allow(page);
  await page.waitForURL(new RegExp(`/#/session/chart/${PATIENT}$`));
  await loaded(page);
  await says(page, '.patient h1', /Okafor/);
  await page.waitForFunction(() => document.activeElement.textContent === 'Amara Chidinma Okafor');
  assert.match(await page.title(), /^Amara Chidinma Okafor/);
  await page.goto('/callback.html');
  await page.waitForURL(new RegExp(`/#/session/chart/${PATIENT}$`));
  await says(page, '.patient h1', /Okafor/);
  // The log-out navigates to the server and back. Then the server asks for the password again.
  const { accessToken } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('edgechart.session')));
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(/#\/signed-out$/);
  await says(page, 'main', /You are signed out.*so has your sign-in at the server/s);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.doesNotMatch(JSON.stringify(await page.evaluate(() => ({ ...localStorage }))), /eyJ/);
  const headers = { authorization: `Bearer ${accessToken}` };
  assert.equal((await fetch(`${stage.origin}/fhir/r4/Patient/${PATIENT}`, { headers })).status, 401);
  assert.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/#/ehr');
  await launched(page);
  await page.locator('input[type="password"]').waitFor();
});

test('a callback that is reloaded before it has a session says that the sign-in was interrupted', async () => {
  const page = await (await stage.person({ developer: true })).page();
  await page.goto('/callback.html');
  await says(page, 'main', /Not signed in.*interrupted.*sign in again/s);
  assert.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/#/launch/patient');
});

test('the playground has no answers of a session that has ended', async () => {
  const { page } = await signedIn({ path: '/#/search' });
  await page.route('**/fhir/r4/**', refuse);
  await page.locator('#q').fill(`Observation?patient=${PATIENT}`);
  await page.getByRole('button', { name: 'Run both' }).click();
  await says(page, 'body', /You are signed out\. The server no longer accepts this session/);
  assert.equal(await page.locator('.side .facts').count(), 0);
});
