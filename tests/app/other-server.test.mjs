// The app with another server: a second edgechart at another origin, where this app is registered.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stage as serve } from '../../tools/server/stage.mjs';
import { TYPES } from '../../www/src/smart/scopes.ts';
import { launchByEhr } from '../server/sender.mjs';
import { testThemes, violations } from './axe.mjs';
import {
  allow,
  beginLaunch,
  changeAnswer,
  choosePatient,
  freePort,
  loaded,
  notedSteps,
  noteSteps,
  open,
  SIZES,
  says,
  show,
  signIn,
  text,
} from './browser.mjs';

const PATIENT = 'amara-okafor';
const CLIENT = 'from-elsewhere';
const records = (level) => TYPES.map((type) => `${level}/${type}.rs`).join(' ');
const SCOPES = `launch launch/patient openid fhirUser offline_access ${records('patient')} ${records('user')}`;

/// The app's own server, and the other server: {origin, base, server}.
const stage = await open();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const base = `${origin}/fhir/r4`;
const app = {
  client_id: CLIENT,
  name: 'edgechart of elsewhere',
  kind: 'public',
  scopes: SCOPES,
  redirect_uris: [`${stage.origin}/other.html?at=${base}`],
  launch_uri: `${stage.origin}/launch.html`,
};
const other = { origin, base, server: await serve({ data: ['sample'], apps: [app], port, vars: { ORIGIN: origin } }) };
after(async () => {
  await other.server.close();
  await stage.close();
});

/// Opens a page, and records the requests to both servers. `registered`: the device knows the other server.
async function visitor({ registered = true, scopes = SCOPES, ...options } = {}) {
  const known = [{ base: other.base, clientId: CLIENT, scopes, name: 'Elsewhere' }];
  const entry = { name: 'edgechart.servers', value: JSON.stringify(known) };
  const person = await stage.person({
    ...(registered && {
      storageState: { cookies: [], origins: [{ origin: stage.origin, localStorage: [entry] }] },
    }),
    ...options,
  });
  person.elsewhere.push(other.origin);
  const sent = [];
  person.context.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    const token = request.headers().authorization;
    if (origin.startsWith('http')) {
      sent.push({ isOther: origin === other.origin, origin, pathname, search, method: request.method(), token });
    }
  });
  return { person, page: await person.page(), sent };
}

/// Returns the address at which the other server, as an EHR, launches the app.
async function ehrLaunch(user = 'amara') {
  const { body } = await launchByEhr(other.server, { client_id: CLIENT, user, patient: PATIENT });
  return body.launch_uri;
}

const inChart = async (page) => {
  await page.waitForURL(/other\.html#\/session\/chart\//);
  await page.waitForFunction(() => document.querySelector('.patient .facts'));
  await loaded(page);
};
/// Launches the app by the EHR, up to the chart.
async function launchChart(page) {
  await page.goto(await ehrLaunch());
  await signIn(page, 'amara');
  await allow(page);
  await inChart(page);
}
/// Opens a tab that shows a chart of the other server, after a launch by its EHR.
async function inOtherChart(options) {
  const visit = await visitor(options);
  await visit.page.route(...ofTheChart());
  for (const [address, answer] of options?.routes ?? []) await visit.page.route(address, answer);
  await launchChart(visit.page);
  return visit;
}
const sessionKey = () => `edgechart.session ${other.base}`;
const stored = (page, key = sessionKey()) =>
  page.evaluate((name) => JSON.parse(sessionStorage.getItem(name) ?? 'null'), key);
/// Returns a route that changes the JSON answer of the other server at an address.
const changed = (path, change) => [
  `${other.origin}${path}`,
  async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  },
];

/// The types of R4 whose records belong in the chart's sections but are not shown there
/// (www/src/chart/section/omissions.ts).
const NOT_SHOWN =
  `AdverseEvent Appointment BodyStructure ClinicalImpression Communication CommunicationRequest Composition
  DetectedIssue DeviceRequest DeviceUseStatement DocumentManifest EpisodeOfCare FamilyMemberHistory Flag ImagingStudy
  ImmunizationEvaluation ImmunizationRecommendation MolecularSequence NutritionOrder RequestGroup RiskAssessment
  SupplyDelivery SupplyRequest VisionPrescription`.split(/\s+/);
/// Returns a route that removes these types from the other server. A later route for the statement sees all types.
const isOfTheChart = ({ type }) => !NOT_SHOWN.includes(type);
const ofTheChart = () =>
  changed('/fhir/r4/metadata', (statement) => {
    statement.rest[0].resource = statement.rest[0].resource.filter(isOfTheChart);
    return statement;
  });

test('cl20 an EHR elsewhere launches the app: a form the first time, nothing to type the second', async () => {
  const { page, sent } = await visitor({ registered: false });
  await page.goto(await ehrLaunch());
  await says(page, 'main', /this device does not know launches this app.*127\.0\.0\.1.*Nothing was sent to it/s);
  await says(page, '.other-server', /servers of other origins\. Back to edgechart/);
  assert.deepEqual(
    sent.filter(({ isOther }) => isOther),
    [],
    'nothing is sent before somebody says so',
  );
  await page.getByRole('button', { name: 'Ask this server' }).click();
  await page.getByLabel('Client id').waitFor();
  assert.deepEqual(
    sent.filter(({ isOther }) => isOther).map(({ pathname }) => pathname),
    ['/fhir/r4/.well-known/smart-configuration', '/fhir/r4/metadata'],
  );
  await page.waitForFunction(() => document.activeElement.id === 'client');
  await says(page, 'main', new RegExp(`Redirect address ?${stage.origin}/other\\.html\\?at=${other.base} `));
  await says(page, 'main', new RegExp(`Launch address ?${stage.origin}/launch\\.html `));
  const suggested = await page.getByLabel('Scopes that it may ask for').inputValue();
  assert.deepEqual(suggested.split(' ').sort(), SCOPES.split(' ').sort());
  await page.getByLabel('Client id').fill(CLIENT);
  await page.getByRole('button', { name: 'Keep it, and sign in' }).click();
  await signIn(page, 'amara');
  const asked = new URL(sent.findLast(({ pathname }) => pathname === '/oauth/authorize').search, other.origin);
  assert.equal(asked.searchParams.get('aud'), other.base);
  assert.equal(asked.searchParams.get('ui_locales'), 'en');
  assert.doesNotMatch(asked.searchParams.get('scope'), /user\/|launch\/patient/);
  await allow(page);
  await inChart(page);
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
  assert.match(await text(page, '#labs .count'), /^264 results/);
  assert.equal(await page.locator('.state.failed, .state.withheld').count(), 0);
  await says(page, '.other-server', new RegExp(`another server: edgechart, at ${other.origin}\\.`));
  const ofRecords = sent.filter(({ pathname }) => /^\/fhir\//.test(pathname));
  assert.ok(ofRecords.length > 20 && ofRecords.every(({ isOther }) => isOther), 'records come from there alone');
  assert.ok(sent.filter(({ isOther }) => !isOther).every(({ token }) => token === undefined));
  assert.doesNotMatch(await text(page, 'body'), /Synthetic patients only/);

  const count = sent.length;
  await page.goto(await ehrLaunch());
  await allow(page);
  await inChart(page);
  assert.deepEqual(
    sent.slice(count).filter(({ isOther, pathname }) => !isOther && /^\/(?:oauth|fhir|sandbox)/.test(pathname)),
    [],
  );
  // The device stores no secret.
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.deepEqual(Object.keys(JSON.parse(kept)), ['edgechart.servers']);
  assert.doesNotMatch(kept, /eyJ|token|secret/);
});

test('a standalone launch, as a patient and as a practitioner, from the list of this device', async () => {
  const { page, sent } = await visitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Enter its address' }).click();
  await says(page, '.known-servers', /Elsewhere.*from-elsewhere/s);
  await page.getByRole('button', { name: 'Sign in as a practitioner Elsewhere' }).click();
  await signIn(page, 'samuel');
  await choosePatient(page, 'jordan-ellis');
  await allow(page);
  await inChart(page);
  assert.equal(await text(page, '.patient h1'), 'Jordan Ellis');
  const scope = new URLSearchParams(sent.findLast(({ pathname }) => pathname === '/oauth/authorize').search).get(
    'scope',
  );
  assert.match(scope, /^launch\/patient openid .*user\/Observation\.rs/);
  assert.doesNotMatch(scope, /patient\/Observation/);
  // The views of the session stay on this page. The views of the app itself do not.
  await page.getByRole('link', { name: 'Timeline' }).click();
  await loaded(page);
  assert.match(page.url(), /other\.html#\/session\/chart\/jordan-ellis\/timeline$/);
  await page.getByRole('link', { name: 'Signed in' }).click();
  await says(page, 'main', /Your session.*Elsewhere.*\d+ scopes granted/s);
  await page.getByRole('button', { name: 'Sign in as a patient Elsewhere' }).click();
  await page.locator('button[name="patient"], input[type="password"]').first().waitFor();
});

test('a typed address is asked once somebody says so; its form comes before the sign-in', async () => {
  const { page, sent } = await visitor({ registered: false });
  await page.goto('/other.html');
  await page.getByLabel('FHIR base of the server').fill(`${other.base}/`);
  assert.equal(sent.filter(({ isOther }) => isOther).length, 0);
  await page.getByRole('button', { name: 'Ask this server' }).click();
  await page.getByLabel('Client id').fill(CLIENT);
  await page.getByRole('button', { name: 'Sign in as a patient' }).click();
  await signIn(page, 'amara');
  await allow(page);
  await inChart(page);
  // Forgetting the server ends the session too.
  await page.getByRole('link', { name: 'Servers' }).click();
  const revoked = page.waitForResponse(/\/oauth\/revoke/);
  await page.getByRole('button', { name: /^Forget/ }).click();
  await revoked;
  await page.waitForURL(new RegExp(`^${other.origin}/`));
  await page.goto('/other.html');
  await says(page, 'main', /FHIR base of the server/);
  assert.equal(await page.locator('.known-servers').count(), 0);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

test('cl19 a tab has a session of each server, and neither token goes to the other', async () => {
  const { page, sent } = await visitor();
  await beginLaunch(page, 'patient', 'amara');
  await allow(page);
  await page.waitForURL(/\/#\/session\/chart\//);
  await loaded(page);
  const own = await stored(page, 'edgechart.session');
  await launchChart(page);
  const theirs = await stored(page);
  assert.notEqual(theirs.accessToken, own.accessToken);
  assert.deepEqual(await stored(page, 'edgechart.session'), own);
  await show(page, '/#/session/patients');
  await page.goto(`/#/session/chart/${PATIENT}`);
  await says(page, '.patient h1', /^Amara Chidinma Okafor$/);
  await loaded(page);
  const withToken = sent.filter(({ token }) => token);
  assert.ok(withToken.some(({ isOther }) => isOther) && withToken.some(({ isOther }) => !isOther));
  for (const { isOther, token, pathname } of withToken) {
    assert.equal(token, `Bearer ${(isOther ? theirs : own).accessToken}`, pathname);
  }
  // The end of one session does not end the other.
  await page.goto(`/other.html#/session/chart/${PATIENT}`);
  await inChart(page);
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await page.waitForURL(new RegExp(`^${other.origin}/`));
  await page.goto(`/#/session/chart/${PATIENT}`);
  await says(page, '.patient h1', /Okafor/);
  assert.deepEqual(await stored(page, 'edgechart.session'), own);
  assert.equal(await stored(page), null);
});

test('a session elsewhere is refreshed there, and log-out ends it there', async () => {
  const { page, sent } = await inOtherChart();
  const before = await stored(page);
  await page.evaluate(
    ([key, session]) => sessionStorage.setItem(key, JSON.stringify({ ...session, expiresAt: Date.now() - 1000 })),
    [sessionKey(), before],
  );
  const count = sent.length;
  await page.reload();
  await inChart(page);
  const later = await stored(page);
  assert.equal(later.generation, 1);
  assert.notEqual(later.refreshToken, before.refreshToken);
  const refreshes = sent.slice(count).filter(({ pathname }) => pathname === '/oauth/token');
  assert.deepEqual(
    refreshes.map(({ isOther }) => isOther),
    [true],
  );
  const out = page.waitForRequest(/\/oauth\/logout/);
  await page.getByRole('button', { name: 'Log out' }).first().click();
  const { searchParams, origin } = new URL((await out).url());
  assert.equal(origin, other.origin);
  assert.deepEqual([...searchParams.keys()].sort(), ['client_id', 'id_token_hint'], 'no way back is asked for');
  const answer = await fetch(`${other.base}/Patient/${PATIENT}`, {
    headers: { authorization: `Bearer ${later.accessToken}` },
  });
  assert.equal(answer.status, 401);
  await page.waitForURL(new RegExp(`^${other.origin}/`));
  await page.goto(`/other.html#/session/chart/${PATIENT}`);
  await says(page, 'main h1', /^You are signed out$/);
  assert.equal(await stored(page), null);
  assert.equal(
    await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'),
    '/other.html#/start/patient',
  );
});

test('at a server that neither revokes nor logs out, the session is forgotten here, and the page says so', async () => {
  const withoutEnd = changed(
    '/fhir/r4/.well-known/smart-configuration',
    ({ revocation_endpoint: _, end_session_endpoint: __, ...rest }) => rest,
  );
  const noOpenId = [`${other.origin}/.well-known/openid-configuration`, (route) => route.fulfill({ status: 404 })];
  const { person, page } = await inOtherChart({ routes: [withoutEnd, noOpenId] });
  person.expected.push(/Failed to load resource/);
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await says(page, 'main', /You are signed out.*This server does not revoke tokens: they last until they expire/s);
  assert.equal(await stored(page), null);
  assert.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/other.html');
});

for (const iss of ['javascript:alert(1)', 'https://user:secret@evil.example/fhir']) {
  test(`cl20 a launch by ${iss} is refused, and nothing is sent`, async () => {
    const { page, sent } = await visitor();
    for (const path of ['/launch.html', '/other.html']) {
      await page.goto(`${path}?${new URLSearchParams({ iss, launch: 'x' })}`);
      await says(
        page,
        'main',
        /does not launch at .*it takes https, and http at this machine alone\. Nothing was sent/,
      );
    }
    await page.goto('/other.html');
    const field = page.getByLabel('FHIR base of the server');
    await field.fill(iss);
    await field.evaluate((input) => input.removeAttribute('type'));
    await page.getByRole('button', { name: 'Ask this server' }).click();
    await says(page, 'main', /does not launch at .*Nothing was sent/);
    assert.deepEqual(new Set(sent.map(({ origin }) => origin)), new Set([stage.origin]));
  });
}

test('the app’s own server is no other server', async () => {
  const { page } = await visitor();
  await page.goto(`/other.html?iss=${stage.origin}/fhir/r4`);
  await says(page, 'main', /An EHR launch needs iss and launch/);
  await page.goto(`/other.html?iss=${stage.origin}/else`);
  await says(page, 'main', /does not launch at/);
});

for (const [what, change, expected] of [
  ['another issuer', (query) => query.set('iss', 'https://evil.example'), /wrong issuer/],
  ['no issuer, where one is announced', (query) => query.delete('iss'), /wrong issuer/],
  ['the address of another server', (query) => query.set('at', 'https://evil.example'), /wrong issuer/],
  ['an unknown state', (query) => query.set('state', 'A'.repeat(43)), /unknown state/],
]) {
  test(`cl19 an answer from elsewhere with ${what} is refused`, async () => {
    const { page, sent } = await visitor();
    await changeAnswer(page, change);
    await page.goto(await ehrLaunch());
    await signIn(page, 'amara');
    await allow(page);
    await says(page, 'main', expected);
    assert.equal(await stored(page), null);
    assert.ok(!sent.some(({ pathname }) => pathname === '/oauth/token'), 'the code went nowhere');
  });
}

test('cl19 a state that names a launch elsewhere is unknown on the page of our own server', async () => {
  const { page, sent } = await visitor();
  await page.goto(await ehrLaunch());
  await page.locator('input[type="password"]').waitFor();
  const authorize = sent.findLast(({ pathname }) => pathname === '/oauth/authorize');
  const state = `${new URLSearchParams(authorize.search).get('state')} ${other.base}`;
  await page.goto(`/callback.html?${new URLSearchParams({ code: 'x', state, iss: `${stage.origin}/fhir/r4` })}`);
  assert.ok(await stored(page, `edgechart.launch.${state}`), 'the launch elsewhere waits in this tab');
  await says(page, 'main', /unknown state/);
  assert.ok(!sent.some(({ pathname }) => pathname === '/oauth/token'), 'the code went nowhere');
});

test('a server that is not the one of the page is forgotten with its session, which is revoked', async () => {
  const { page } = await inOtherChart();
  const { accessToken } = await stored(page);
  await page.evaluate(() =>
    sessionStorage.setItem(
      'edgechart.server',
      JSON.stringify({ base: 'https://fhir.example', clientId: 'a', scopes: '' }),
    ),
  );
  await page.goto('about:blank');
  await page.goto('/other.html');
  const revoked = page.waitForResponse(`${other.origin}/oauth/revoke`);
  await page.getByRole('button', { name: /^Forget/ }).click();
  await revoked;
  await says(page, '#announcer', new RegExp(`Forgotten: ${other.base}`));
  await page.waitForFunction(() => document.activeElement.matches('main h1'));
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), ['edgechart.server']);
  const headers = { authorization: `Bearer ${accessToken}` };
  assert.equal((await fetch(`${other.base}/Patient/${PATIENT}`, { headers })).status, 401);
});

test('cl19 where a server does not announce its issuer in answers, state and address stand for it', async () => {
  const { person, page } = await visitor();
  await noteSteps(person);
  const [address, answer] = changed(
    '/fhir/r4/.well-known/smart-configuration',
    ({ authorization_response_iss_parameter_supported: _, ...rest }) => rest,
  );
  await page.route(address, answer);
  await changeAnswer(page, (query) => query.delete('iss'));
  await launchChart(page);
  await notedSteps(page, /to the address of this one server.*names no issuer.*gave a code/s);
});

for (const [what, [address, answer], expected] of [
  [
    'cannot be asked',
    [`${other.base}/.well-known/smart-configuration`, (route) => route.abort()],
    /did not answer this page: .*\(CORS\)/,
  ],
  [
    'has no PKCE',
    changed('/fhir/r4/.well-known/smart-configuration', ({ code_challenge_methods_supported: _, ...rest }) => rest),
    /does not announce PKCE with S256/,
  ],
]) {
  test(`a server that ${what} is told in words, and nothing is kept of it`, async () => {
    const { person, page } = await visitor({ registered: false });
    person.expected.push(/Failed to load resource/);
    await page.route(address, answer);
    await page.goto('/other.html');
    await page.getByLabel('FHIR base of the server').fill(other.base);
    await page.getByRole('button', { name: 'Ask this server' }).click();
    await says(page, 'main', expected);
    assert.equal(await page.evaluate(() => localStorage.getItem('edgechart.servers')), null);
  });
}

test('cl21 other origins may be asked by the one page alone', async () => {
  const policy = async (path) => (await fetch(stage.origin + path)).headers.get('content-security-policy');
  const connect = (text) => /connect-src ([^;]+)/.exec(text)[1];
  const pages = ['/', '/index.html', '/callback.html', '/launch.html', '/sandbox.html', '/no-such-page'];
  const narrow = await policy('/');
  for (const path of pages.slice(0, -1)) {
    const found = await policy(path);
    assert.equal(connect(found), "'self'", path);
    assert.equal(found, narrow, path);
  }
  const wide = await policy('/other.html?iss=x');
  assert.equal(connect(wide), "'self' https: http://localhost:* http://127.0.0.1:*");
  assert.equal(wide.replace(connect(wide), "'self'"), narrow, 'the policies differ in this alone');

  const { person, page } = await visitor();
  person.expected.push(
    /CSP: connect-src/,
    /Content Security Policy/,
    /Fetch API cannot load/,
    /Failed to load resource/,
  );
  const ask = () =>
    page.evaluate(
      (url) =>
        fetch(url).then(
          ({ status }) => status,
          () => 'blocked',
        ),
      `${other.base}/metadata`,
    );
  await page.goto('/');
  assert.equal(await ask(), 'blocked');
  await page.goto('/other.html');
  assert.equal(await ask(), 200);
});

test('cl21 the page for other servers opens no sample, no files and no tools: they are at the first page', async () => {
  const { page } = await visitor();
  for (const [hash, there] of [
    ['#/sample/chart/amara-okafor', /\/#\/sample\/chart\/amara-okafor$/],
    ['#/files', /\/#\/files$/],
    ['#/search', /\/#\/search/],
    ['#/session', /\/#\/session$/],
  ]) {
    await page.goto(`/other.html${hash}`);
    await page.waitForURL(there);
    assert.equal(new URL(page.url()).pathname, '/', hash);
    await page.goto('about:blank');
  }
  await page.goto('/#/start/patient');
  await says(page, 'main h1', /no such page/);
});

test('what a server cannot do is not asked of it, and the chart says so', async () => {
  const metadata = changed('/fhir/r4/metadata', (statement) => {
    const [rest] = statement.rest;
    const resource = rest.resource
      .filter(({ type }) => type !== 'CarePlan' && type !== 'Provenance')
      .map(({ searchRevInclude: _, searchInclude: __, searchParam = [], ...type }) => ({
        ...type,
        searchParam: type.type === 'Observation' ? searchParam.filter(({ name }) => name !== 'category') : searchParam,
      }));
    return { ...statement, rest: [{ ...rest, resource }] };
  });
  const scopes = SCOPES.replace(' offline_access', '');
  const { page, sent } = await inOtherChart({ routes: [metadata], scopes });
  const note = page.locator('.server-note');
  await note.locator('summary').click();
  await says(page, '.server-note', /things that this server cannot do.*It has no records of these types: Care plan/s);
  await says(page, '.server-note', /Who recorded these is not shown: this server does not offer it/);
  await says(page, '.server-note', /Staying signed in was not granted/);
  await says(page, '.server-note', /Names of some medications may be missing/);
  await says(page, '#plan', /This server has no records of the type Care plan\./);
  assert.match(await text(page, '#labs .count'), /^264 results/, 'what the server cannot choose, the page does');
  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await violations(page), []);
  await page.locator('#allergies button.record').first().click();
  await page.getByRole('button', { name: 'Ask for its provenance' }).click();
  await says(page, 'dialog', /Who recorded it is not shown/);
  const asked = sent.map(({ pathname, search }) => pathname + search).filter((path) => path.startsWith('/fhir/'));
  assert.deepEqual(
    asked.filter((path) => /CarePlan|_include|_revinclude|Provenance|category=/.test(path)),
    [],
  );
  assert.ok(asked.some((path) => path.includes('/Observation?patient=')));
  assert.equal(asked.filter((path) => path.endsWith('/metadata')).length, 1, 'it is read once a session');
});

test('a server without a statement is asked for everything', async () => {
  const none = [`${other.base}/metadata`, (route) => route.fulfill({ status: 500, body: 'no' })];
  const { person, page } = await inOtherChart({ routes: [none] });
  person.expected.push(/Failed to load resource/, /CORS/);
  person.complaints.length = 0;
  await says(page, '.server-note', /It does not say what it can do, so it is asked for everything/);
  assert.match(await text(page, '#labs .count'), /^264 results/);
});

for (const size of Object.keys(SIZES)) {
  testThemes(`axe finds nothing on the views for other servers, ${size}`, async (inspect) => {
    const { page } = await visitor({ size });
    const look = inspect(page);
    const lookWhenLoaded = async (view) => {
      await loaded(page);
      await look(view);
    };
    await page.goto('/other.html');
    await lookWhenLoaded('choice');
    await page.goto('/other.html?iss=https://fhir.example/r4&launch=x');
    await lookWhenLoaded('unknown server');
    await page.goto('/other.html?iss=evil');
    await lookWhenLoaded('refusal');
    await page.goto('/other.html');
    await page.getByRole('button', { name: /^Change/ }).click();
    await page.getByLabel('Client id').waitFor();
    await lookWhenLoaded('form');
    await launchChart(page);
    await page
      .locator('.server-note summary')
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await lookWhenLoaded('chart');
    await page.goto('/other.html');
    await lookWhenLoaded('session');
  });
}

/// Returns a route that changes the Bundles of the searches of a type at the other server.
const searches = (type, change) => [
  new RegExp(`^${other.base}/${type}\\?`),
  async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json(), route.request().url()) });
  },
];

test('outcomes among entries are no records; pages at another host are not read, the first is shown', async () => {
  const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'warning', code: 'processing' }] };
  const elsewhere = 'https://evil.example/fhir/r4/Condition?page=2';
  const { page, sent } = await inOtherChart({
    routes: [
      searches('AllergyIntolerance', (found) => ({ ...found, entry: [...(found.entry ?? []), { resource: outcome }] })),
      searches('Immunization', (found) => ({
        ...found,
        total: 0,
        entry: [{ resource: outcome, search: { mode: 'match' } }],
      })),
      searches('Condition', (found) => ({ ...found, link: [{ relation: 'next', url: elsewhere }] })),
    ],
  });
  assert.doesNotMatch(await text(page, '#allergies'), /could not be shown|Not everything/);
  assert.match(await text(page, '.joined'), /^Nothing recorded of: .*Immunizations/);
  await says(
    page,
    '#problems',
    /Not everything.*leads elsewhere, and was not followed: https:\/\/evil\.example.*Onset/s,
  );
  assert.ok(!sent.some(({ origin }) => origin.includes('evil')));
});

test('where an answer is incomplete or of an older FHIR, nothing is called unrecorded', async () => {
  const error = { severity: 'error', code: 'incomplete', details: { text: 'The laboratory system is down' } };
  const older = (type, more) => ({ resource: { resourceType: type, id: 'old', ...more } });
  const without = ({ entry: _, ...bundle }) => bundle;
  const { page } = await inOtherChart({
    routes: [
      changed('/fhir/r4/metadata', (statement) => {
        const types = statement.rest[0].resource.filter(isOfTheChart);
        statement.rest[0].resource = [...types, { type: 'MedicationUsage' }];
        return statement;
      }),
      searches('MedicationRequest', without),
      searches('MedicationDispense', without),
      searches('Encounter', (found) => ({
        ...without(found),
        entry: [{ resource: { resourceType: 'OperationOutcome', issue: [error] }, search: { mode: 'outcome' } }],
      })),
      searches('Condition', (found) => ({
        ...without(found),
        entry: [older('DeviceComponent', {})],
      })),
      searches('AllergyIntolerance', (found) => ({
        ...without(found),
        entry: [older('AllergyIntolerance', { status: 'odd' })],
      })),
    ],
  });
  const parts = {
    medications: /This server may have records of types that are not shown: Medication usage\./,
    visits: /The server reports an error: The laboratory system is down/,
    problems: /Records of an older FHIR \(DSTU2 or STU3\) cannot be shown: 1\./,
    allergies: /Records of an older FHIR \(DSTU2 or STU3\) cannot be shown: 1\./,
  };
  for (const [id, expected] of Object.entries(parts)) {
    await says(page, `#${id}`, expected);
    assert.doesNotMatch(await text(page, `#${id}`), /No data|No current|not named/);
  }
  assert.match(await text(page, '.allergy-line'), /not all can be shown/);
  assert.doesNotMatch(await text(page, '.allergy-line'), /nothing is recorded/);
  assert.match(await text(page, '#glance-medications'), /Not everything that belongs here can be shown/);
  await page.getByRole('button', { name: 'Share' }).click();
  await says(
    page,
    'dialog',
    /Not complete, .*: Allergies and intolerances, Problems and health concerns, Medications, /,
  );
});

test('where one type of a section fails, the others are shown, and nothing is called unrecorded', async () => {
  const refused = (type) => [
    new RegExp(`^${other.base}/${type}\\?`),
    (route) => route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' }, body: '{}' }),
  ];
  const taken = {
    resourceType: 'MedicationStatement',
    id: 'taken',
    status: 'active',
    subject: { reference: `Patient/${PATIENT}` },
    medicationCodeableConcept: { text: 'Levothyroxine' },
    dosage: [{ doseAndRate: [{ doseQuantity: { value: 75, unit: 'ug', code: 'ug' } }] }],
  };
  const answered = (found) => ({ ...found, entry: [{ resource: taken, search: { mode: 'match' } }] });
  const { person, page } = await inOtherChart({
    routes: [refused('MedicationRequest'), searches('MedicationStatement', answered)],
  });
  person.expected.push(/Failed to load resource/);
  person.complaints.length = 0;
  await says(page, '#medications', /Not loaded, since the server did not answer: see above\..*Levothyroxine 75 µg/);
  assert.doesNotMatch(await text(page, '#medications'), /No data|No current|could not be loaded/);
  await says(page, '#glance-medications', /Levothyroxine 75 µg/);
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1, 'one for the whole chart');
  await person.close();
  // If the first search finds no records, a further search that fails might have found some.
  const empty = ({ entry: _, ...bundle }) => bundle;
  const { person: next, page: rest } = await inOtherChart({
    routes: [
      refused('MedicationStatement'),
      searches('MedicationRequest', empty),
      searches('MedicationDispense', empty),
    ],
  });
  next.expected.push(/Failed to load resource/);
  next.complaints.length = 0;
  await says(
    rest,
    '#medications',
    /Not everything that belongs here can be shown.*MedicationStatement could not be loaded/,
  );
  assert.doesNotMatch(await text(rest, '#medications'), /No data/);
  assert.match(await text(rest, '#glance-medications'), /Not everything that belongs here can be shown/);
});

test('a server that demands a category is asked by each, and the chart says what stays unknown', async () => {
  const issue = [{ severity: 'fatal', code: 'required', details: { text: 'A category or a code is required' } }];
  const cors = { 'access-control-allow-origin': '*' };
  const strict = [
    new RegExp(`^${other.base}/Observation\\?`),
    (route) => {
      const categories = new URL(route.request().url()).searchParams.getAll('category');
      if (categories.length === 1 && !categories[0].includes(',')) return route.fallback();
      return route.fulfill({ status: 400, headers: cors, json: { resourceType: 'OperationOutcome', issue } });
    },
  ];
  const { person, page, sent } = await inOtherChart({ routes: [strict] });
  person.expected.push(/Failed to load resource/);
  person.complaints.length = 0;
  assert.match(await text(page, '#labs .count'), /^264 results/);
  for (const id of ['labs', 'vitals', 'screening', 'other-observations']) {
    await says(page, `#${id}`, /by category alone: those without one could not be asked for/);
    assert.doesNotMatch(await text(page, `#${id}`), /No data|could not be loaded|Try again/);
  }
  await says(page, '.chart-notice', /lists? that goe?s? on/);
  const asked = sent.filter(({ pathname }) => pathname.endsWith('/Observation')).map(({ search }) => search);
  assert.equal(asked.filter((search) => /category=exam&/.test(search)).length, 1);
  assert.equal(asked.filter((search) => /category(:|%3A)not/.test(search)).length <= 1, true, 'it is not asked again');
});

test('a sign-in elsewhere that cannot begin has one error and one way to try again, and the focus stays', async () => {
  const { person, page } = await visitor();
  person.expected.push(/Failed to load resource/);
  const configuration = `${other.base}/.well-known/smart-configuration`;
  await page.goto('/other.html');
  await page.route(configuration, (route) => route.abort());
  await page.getByRole('button', { name: 'Sign in as a patient Elsewhere' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.click();
  await page.waitForFunction(() => document.activeElement?.matches('main .retry'));
  assert.deepEqual([await page.getByRole('alert').count(), await again.count()], [1, 1]);
  await page.unroute(configuration);
  await again.click();
  await page.locator('input[type="password"]').waitFor();
});

test('a server of an older FHIR is called so in each section', async () => {
  const { page } = await inOtherChart({
    routes: [
      changed('/fhir/r4/metadata', (statement) => {
        const [rest] = statement.rest;
        rest.resource = rest.resource.filter((one) => isOfTheChart(one) && one.type !== 'MedicationRequest');
        rest.resource.push({ type: 'MedicationOrder' });
        return { ...statement, resourceType: 'Conformance', fhirVersion: '1.0.2' };
      }),
      searches('Immunization', ({ entry: _, ...bundle }) => bundle),
    ],
  });
  await says(page, '#immunizations', /This server speaks FHIR 1\.0\.2\. Records in another form/);
  assert.doesNotMatch(await text(page, '#immunizations'), /No data/);
  await says(page, '#medications', /types that are not shown: Medication order\./);
  assert.doesNotMatch(await text(page, '#medications'), /records of the type Medication request\.|No data/);
  assert.doesNotMatch(await text(page, '.server-note'), /It has no/);
});
