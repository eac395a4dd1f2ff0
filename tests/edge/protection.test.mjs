// The emergency stop, plain http, large scopes and disconnecting callers, over HTTP, in workerd.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';
import { App } from '../server/app.mjs';
import { Browser, formsOf, through } from '../server/browser.mjs';
import { basic, postForm } from '../server/sender.mjs';
import { within } from '../server/until.mjs';

const REDIRECT = 'https://pub.example/cb';
const SCOPE = 'launch/patient openid patient/Condition.read';
const apps = [
  { client_id: 'pub', kind: 'public', redirect_uris: [REDIRECT], scopes: SCOPE },
  { client_id: 'stopped', kind: 'backend', secret: 'the-secret-of-it', scopes: 'system/*.read' },
];

const server = await stage({ data: ['sample'], apps });
after(() => server.close());
const database = await server.miniflare.getD1Database('DB');

const app = new App(server, 'pub', REDIRECT);
const login = async (browser) => {
  const page = await browser.authorize(app.request(SCOPE, { prompt: 'login' }));
  return browser.submit(formsOf(page.text)[0], { username: 'amara', password: 'amara-sandbox' });
};

test('many filters times many values fit into a statement', async () => {
  const filters = (type, one, other) => {
    const values = Array.from({ length: 38 }, (_, m) => `${other}=x${m}`).join('&');
    const scopes = Array.from({ length: 20 }, (_, n) => `user/${type}.rs?${one}=y${n}&${values}`);
    return server.token(scopes.join(' '), { user: 'samuel' });
  };
  const values = encodeURIComponent(Array.from({ length: 125 }, (_, n) => `http://loinc.org|${n}`).join(','));
  // A search of a chart needs no SQL statement for each filter.
  const of = await server.ask(`Observation?patient=amara-okafor&code=${values}`, {
    token: filters('Observation', 'code', 'code'),
  });
  assert.equal(of.status, 200, of.text);
  const token = filters('CareTeam', 'status', 'role');
  assert.equal((await server.ask('CareTeam?patient=amara-okafor', { token })).status, 200);
  assert.equal((await server.ask(`CareTeam?role=${values}`, { token })).status, 200);
});

test('emergency stop: a client or a user is disabled, and enabled again', async () => {
  const run = (...words) => edgechart(...words, '--db', server.db);
  const form = { grant_type: 'client_credentials' };
  const asked = () => postForm(server, '/oauth/token', form, basic('stopped', 'the-secret-of-it'));
  const { access_token: token } = (await asked()).body;
  assert.equal((await server.ask('Patient/amara-okafor', { token })).status, 200);
  assert.match(run('disable', 'client', 'stopped'), /the client "stopped" is disabled/);
  assert.equal((await asked()).status, 401);
  assert.throws(() => run('disable', 'client', 'nobody'));
  assert.throws(() => run('access', '--user', 'nobody'));

  const browser = new Browser(server.url);
  const { location } = await through(browser, await browser.authorize(app.request(SCOPE)), { user: 'amara' });
  const first = await app.exchange(app.redirected(location).code);
  assert.equal((await server.ask('Condition', { token: first.access_token })).status, 200);
  assert.match(run('disable', 'user', 'amara'), /the user "amara" is disabled/);
  assert.doesNotMatch((await browser.get('/oauth/manage')).text, /Sign out/);
  assert.equal((await login(browser)).status, 200);
  assert.doesNotMatch((await browser.get('/oauth/manage')).text, /Sign out/, 'the password does not fit any more');
  // An isolate may treat a grant as active for five seconds.
  const isRefused = async () => (await server.ask('Condition', { token: first.access_token })).status === 401;
  await within(7_000, isRefused, { pause: 250 });
  assert.equal((await server.ask('Patient/amara-okafor', { token })).status, 401);

  for (const [kind, name] of [
    ['client', 'stopped'],
    ['user', 'amara'],
  ]) {
    assert.match(run('enable', kind, name), /is enabled/);
  }
  assert.equal((await asked()).status, 200);
  assert.equal((await server.ask('Patient/amara-okafor', { token })).status, 401, 'what ended stays ended');
  await login(browser);
  assert.match((await browser.get('/oauth/manage')).text, /Sign out/);
  // For a remote database, the same statements are printed, and D1 accepts them.
  const sql = edgechart('disable', 'user', "o'brien", '--sql');
  assert.match(sql, /WHERE name = 'o''brien'/);
  for (const line of sql.trim().split('\n')) await database.prepare(line.replace(/;$/, '')).run();
});

test('plain http is redirected to https or refused, where the origin is https', async (t) => {
  const secure = await stage({ data: ['sample'], vars: { ORIGIN: 'https://chart.example' } });
  t.after(secure.close);
  const authorization = `Bearer ${secure.token(EVERYTHING)}`;
  const plain = (path, init) => fetch(`${secure.url}${path}`, { redirect: 'manual', ...init });
  for (const path of ['/fhir/r4/Patient?_id=amara-okafor', '/fhir/r4/metadata', '/oauth/manage', '/healthz']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await plain(path, { method, headers: { authorization } });
      assert.deepEqual(
        [answer.status, answer.headers.get('location'), await answer.text()],
        [308, `https://chart.example${path}`, ''],
        path,
      );
      assert.match(answer.headers.get('strict-transport-security'), /max-age/);
    }
    // A proxy has terminated TLS.
    const forwarded = await plain(path, { headers: { authorization, 'x-forwarded-proto': 'https' } });
    assert.ok([200, 303].includes(forwarded.status), `${path} ${forwarded.status}`);
  }
  for (const path of ['/fhir/r4/Patient/_search', '/oauth/token', '/oauth/login']) {
    const answer = await plain(path, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ _id: 'amara-okafor' }),
    });
    assert.equal(answer.status, 403, path);
    assert.doesNotMatch(await answer.text(), /Okafor/);
  }
  assert.equal((await secure.reach('/fhir/r4/Patient?_id=amara-okafor', { headers: { authorization } })).status, 200);
  const page = await secure.reach('/oauth/manage', { redirect: 'manual' });
  assert.match(page.headers.get('set-cookie'), /^__Host-visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const [form] = formsOf(await page.text());
  const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
  const signedIn = await secure.reach('/oauth/login', {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: page.headers.get('set-cookie').split(';')[0] },
    body: new URLSearchParams({ ...fields, username: 'amara', password: 'amara-sandbox' }),
  });
  const cookies = signedIn.headers.getSetCookie();
  assert.ok(
    cookies.some((line) => /^__Host-session=[\w-]{43}; /.test(line)),
    `${cookies}`,
  );
  assert.ok(
    cookies.some((line) =>
      /^__Host-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=15552000$/.test(line),
    ),
    `${cookies}`,
  );
});

/// The Worker with a caller that disconnects during the nth call of D1, with n from a header. Answers with the status
/// of the Worker's answer, and with the number of calls of D1.
const LEAVING = {
  type: 'ESModule',
  path: 'build/leaving.js',
  contents: `
  import worker from './index.js';
  let asked = 0;
  let leaves = 0;
  let caller = new AbortController();
  class D1Database {
    constructor(on) { this.on = on; }
    withSession(start) { return new D1Database(this.on.withSession(start)); }
    prepare(sql) { return this.on.prepare(sql); }
    batch(statements) {
      asked += 1;
      if (asked === leaves) caller.abort();
      return this.on.batch(statements);
    }
  }
  export default {
    async fetch(request, env, context) {
      asked = 0;
      leaves = Number(request.headers.get('x-leave'));
      caller = new AbortController();
      const [DB, AUTH_DB] = [env.DB, env.AUTH_DB].map((database) => new D1Database(database));
      const observed = { ...env, DB, AUTH_DB };
      const answer = await worker.fetch(new Request(request, { signal: caller.signal }), observed, context);
      await answer.text();
      return Response.json({ status: answer.status, asked });
    },
  };`,
};

test('a read stops when its caller disconnects, and a write does not', async (t) => {
  // With a cached chart, a search would not call D1, and the caller would not disconnect.
  const leaving = await stage({ data: ['sample'], modules: [LEAVING, ...built()], vars: { FRESH_SECONDS: '0' } });
  t.after(leaving.close);
  const token = leaving.token(EVERYTHING);
  const asked = async (leave, path, init = { headers: { authorization: `Bearer ${token}` } }) =>
    (await fetch(`${leaving.url}${path}`, { ...init, headers: { ...init.headers, 'x-leave': String(leave) } })).json();
  const search = '/fhir/r4/Observation?patient=amara-okafor';
  for (const [leave, status] of [
    [1, 499],
    [0, 200],
    [1, 499],
  ]) {
    assert.equal((await asked(leave, search)).status, status);
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'none',
    redirect_uri: 'https://app.example',
    client_id: 'nobody',
    code_verifier: 'x'.repeat(43),
  });
  const form = { method: 'POST', body };
  const refused = await asked(0, '/oauth/token', form);
  assert.ok(refused.asked > 0, JSON.stringify(refused));
  assert.deepEqual(await asked(1, '/oauth/token', form), refused, 'it goes on to its end');
});

test('the server answers on after callers disconnected', async () => {
  const token = server.token(EVERYTHING);
  for (let n = 0; n < 50; n += 1) {
    const search = fetch(`${server.url}/fhir/r4/Observation?patient=amara-okafor&_count=100`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(1 + (n % 10)),
    });
    await search.then((answer) => answer.text()).catch(() => {});
  }
  assert.equal((await server.ask('Observation?patient=amara-okafor', { token })).status, 200);
});
