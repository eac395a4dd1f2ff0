// Signing in, over HTTP, in workerd: whole flows of a browser and an app.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BASE, stage } from '../../tools/server/stage.mjs';
import { App } from '../server/app.mjs';
import { Browser, formsOf, passwordOf, through } from '../server/browser.mjs';
import { basic, postForm } from '../server/sender.mjs';
import { within } from '../server/until.mjs';

const PATIENT_SCOPES = 'launch/patient openid fhirUser offline_access patient/*.read';
const apps = [
  {
    client_id: 'pub',
    name: 'Public <b>app</b>',
    kind: 'public',
    redirect_uris: ['https://pub.example/cb'],
    launch_uri: 'https://pub.example/launch',
    scopes: `launch online_access ${PATIENT_SCOPES}`,
  },
];

const server = await stage({ data: ['sample'], apps });
after(() => server.close());

const pub = () => new App(server, 'pub', 'https://pub.example/cb');

async function signedIn(app, scope, { more, ...how } = {}) {
  const browser = new Browser(server.url);
  const page = await through(browser, await browser.authorize(app.request(scope, more)), how);
  assert.equal(page.status, 303, page.text);
  return { browser, ...app.redirected(page.location) };
}

test('a trusted backend client launches an app, which somebody else does not sign in to', async () => {
  const post = async (path, headers, form) => (await postForm(server, path, form, headers)).body;
  const asked = { grant_type: 'client_credentials', scope: 'launch' };
  const { access_token } = await post('/oauth/token', basic('ehr', 'sandbox-ehr-secret'), asked);
  const wanted = { client_id: 'pub', user: 'grace', patient: 'jordan-ellis' };
  assert.equal((await post('/oauth/launch', { authorization: 'Bearer x' }, wanted)).error, 'invalid_token');
  const launched = await post('/oauth/launch', { authorization: `Bearer ${access_token}` }, wanted);
  const { origin, pathname, searchParams } = new URL(launched.launch_uri);
  const [iss, launch] = [searchParams.get('iss'), searchParams.get('launch')];
  assert.deepEqual([origin + pathname, iss, launch], ['https://pub.example/launch', BASE, launched.launch]);
  const [app, browser] = [pub(), new Browser(server.url)];
  const page = await browser.authorize(app.request('launch openid patient/*.read', { launch }));
  const other = await browser.submit(formsOf(page.text)[0], { username: 'samuel', password: passwordOf('samuel') });
  assert.match(other.text, /somebody else/);
  const done = await through(browser, other, { user: 'grace' });
  assert.equal((await app.exchange(app.redirected(done.location).code)).patient, 'jordan-ellis');
});

test('ar27 ar28 a user who denies all of it sends the app away with access_denied', async () => {
  for (const how of [
    { decision: 'deny' },
    { untick: ['patient/Condition.read', 'openid'] },
    { untick: ['patient/Condition.read'] },
  ]) {
    const { error, code } = await signedIn(pub(), 'openid patient/Condition.read', how);
    assert.deepEqual([error, code], ['access_denied', undefined]);
  }
});

test('prompt=none shows no page; its error names the missing step', async () => {
  const scope = 'openid launch/patient patient/Condition.read';
  const silent = async (browser, asked) => {
    const app = pub();
    return app.redirected((await browser.authorize(app.request(asked, { prompt: 'none' }))).location);
  };
  assert.equal((await silent(new Browser(server.url), scope)).error, 'login_required');
  const { browser } = await signedIn(pub(), scope);
  assert.ok((await silent(browser, scope)).code, 'scopes that were allowed in this session are allowed again');
  assert.equal((await silent(browser, `${scope} patient/Observation.read`)).error, 'consent_required');
});

test('ac10 of twenty exchanges of one code one succeeds, and the others revoke its tokens', async () => {
  const app = pub();
  const { code } = await signedIn(app, PATIENT_SCOPES);
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.exchange(code)));
  const good = answers.filter((answer) => answer.status === 200);
  assert.equal(good.length, 1);
  assert.ok(answers.every((answer) => answer.status === 200 || answer.error === 'invalid_grant'));
  assert.equal((await server.ask('Condition', { token: good[0].access_token })).status, 401);
  assert.equal((await app.refresh(good[0].refresh_token)).error, 'invalid_grant');
});

test('rf08 rf09 refreshes at once have one answer, and one that comes later ends the family', async () => {
  const app = pub();
  const { code } = await signedIn(app, PATIENT_SCOPES);
  const { refresh_token } = await app.exchange(code);
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.refresh(refresh_token)));
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  for (const member of ['access_token', 'refresh_token']) {
    assert.equal(new Set(answers.map((answer) => answer[member])).size, 1, member);
  }
  const next = await app.refresh(answers[0].refresh_token);
  assert.equal(next.status, 200);
  assert.equal((await app.refresh(refresh_token)).error, 'invalid_grant');
  assert.equal((await app.refresh(next.refresh_token)).error, 'invalid_grant');
  assert.equal((await server.ask('Condition', { token: next.access_token })).status, 401);
});

test('cs05 a consent that is sent twice gives one code', async () => {
  const browser = new Browser(server.url);
  const app = pub();
  const page = await browser.authorize(app.request('patient/Condition.read'));
  const consent = await browser.submit(formsOf(page.text)[0], { username: 'amara', password: passwordOf('amara') });
  const form = formsOf(consent.text)[0];
  const answers = await Promise.all([1, 2, 3].map(() => browser.submit(form, { decision: 'allow' })));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [303, 400, 400]);
});

test('cs21 rf16 online access ends with the session', async () => {
  const app = pub();
  const { browser, code } = await signedIn(app, 'online_access patient/Condition.read');
  const tokens = await app.exchange(code);
  const next = await app.refresh(tokens.refresh_token);
  assert.equal(next.status, 200);
  const page = await browser.get('/oauth/manage');
  const form = formsOf(page.text).find((form) => form.fields.some((field) => field.value === 'sign-out'));
  await browser.submit(form, { action: 'sign-out' });
  assert.equal((await app.refresh(next.refresh_token)).error, 'invalid_grant');
  assert.equal((await server.ask('Condition', { token: next.access_token })).status, 401);
  assert.match((await browser.get('/oauth/manage')).text, /name="password"/);
});

test('a new password ends the user’s session and the grants in it; the same password again ends nothing', async () => {
  const nora = { username: 'nora', fhirUser: 'Patient/zoe-obrien-nunez', patients: ['zoe-obrien-nunez'] };
  const person = (password) => server.register([{ ...nora, password }]);
  const signIn = async (browser, page, password) => {
    const consent = await browser.submit(formsOf(page.text)[0], { username: 'nora', password });
    return consent.status === 200 && /name="decision"/.test(consent.text)
      ? browser.submit(formsOf(consent.text)[0], { decision: 'allow' })
      : consent;
  };
  person('the password of nora');
  const app = pub();
  const browser = new Browser(server.url);
  const tokens = await app.exchange(
    app.redirected(
      (await signIn(browser, await browser.authorize(app.request(PATIENT_SCOPES)), 'the password of nora')).location,
    ).code,
  );
  const unspent = pub();
  const { code } = unspent.redirected(
    (await through(browser, await browser.authorize(unspent.request(PATIENT_SCOPES)))).location,
  );
  person('the password of nora');
  assert.equal((await server.ask('Condition', { token: tokens.access_token })).status, 200);
  assert.doesNotMatch((await browser.get('/oauth/manage')).text, /name="password"/);
  person('another password of nora');
  assert.equal((await unspent.exchange(code)).error, 'invalid_grant');
  assert.equal((await app.refresh(tokens.refresh_token)).error, 'invalid_grant');
  assert.match((await browser.get('/oauth/manage')).text, /name="password"/);
  const page = await browser.authorize(pub().request(PATIENT_SCOPES));
  assert.match((await signIn(browser, page, 'the password of nora')).text, /do not belong together/);
  assert.equal((await signIn(browser, page, 'another password of nora')).status, 303);
  // The command line is another process, so an isolate may treat the grant as active for five more seconds.
  await within(10_000, async () => (await server.ask('Condition', { token: tokens.access_token })).status === 401);
});

test('cs10 cs11 wrong names and wrong passwords look alike, and are slowed', async () => {
  const browser = new Browser(server.url);
  const page = await browser.authorize(pub().request('patient/Condition.read'));
  const form = formsOf(page.text)[0];
  const wrong = await browser.submit(form, { username: 'kim', password: 'x' });
  const unknown = await browser.submit(form, { username: 'lee', password: 'x' });
  assert.equal(wrong.status, 200);
  assert.equal(unknown.text.replaceAll('lee', 'kim'), wrong.text);
  let slowed;
  for (let guess = 0; guess < 25 && !slowed; guess += 1) {
    const answer = await browser.submit(form, { username: 'samuel', password: `guess-${guess}` });
    if (answer.status === 429) slowed = answer;
  }
  assert.ok(Number(slowed?.headers.get('retry-after')) > 0);
});

test('cs13 cs14 cs15 cs16 every page has the headers that protect it', async () => {
  const browser = new Browser(server.url);
  const page = await browser.authorize(pub().request('patient/Condition.read'));
  const header = (name) => page.headers.get(name);
  const policy = (leadsTo) => [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    `form-action 'self'${leadsTo}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  assert.equal(header('content-security-policy'), policy(' https://pub.example').join('; '));
  const other = await fetch(`${server.url}/oauth/logout`);
  assert.equal(other.headers.get('content-security-policy'), policy('').join('; '));
  assert.deepEqual(
    [header('x-frame-options'), header('referrer-policy'), header('x-content-type-options'), header('cache-control')],
    ['DENY', 'no-referrer', 'nosniff', 'no-store'],
  );
  assert.equal(header('access-control-allow-origin'), null);
  assert.match(header('set-cookie'), /^visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.match(page.text, /Public &lt;b&gt;app&lt;\/b&gt;/);
  assert.equal((await fetch(`${server.url}/oauth/style.css`)).headers.get('content-type'), 'text/css; charset=utf-8');
});

test('authorize takes a POST from another site, and login does not', async () => {
  const body = (fields) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { origin: 'https://pub.example', 'sec-fetch-site': 'cross-site' },
  });
  // The server redirects the form to the same request as a GET, so that the browser sends its cookie.
  const again = await fetch(`${server.url}/oauth/authorize`, body(pub().request('patient/Condition.read')));
  assert.deepEqual([again.status, again.headers.get('set-cookie'), await again.text()], [303, null, '']);
  const page = await fetch(server.url + again.headers.get('location'));
  assert.equal(page.status, 200);
  const cookie = page.headers.get('set-cookie').split(';')[0];
  const form = formsOf(await page.text())[0];
  const fields = Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
  const posted = (headers) =>
    fetch(`${server.url}/oauth/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...headers },
      body: new URLSearchParams({ ...fields, username: 'amara', password: passwordOf('amara') }),
    });
  assert.equal((await posted({ origin: 'https://evil.example' })).status, 400);
  assert.equal((await posted({ origin: 'null', 'sec-fetch-site': 'cross-site' })).status, 400);
  const own = await posted({ origin: 'null', 'sec-fetch-site': 'same-origin' });
  assert.equal(own.status, 303);
});
