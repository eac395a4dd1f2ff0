// The documents that need no token: each address in /openapi.json exists, and sandbox.json names users and patients.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { servedTypes } from '../../tools/server/served.mjs';
import { EVERYTHING, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { Browser, formsOf } from '../server/browser.mjs';
import { granted, launchByEhr } from '../server/sender.mjs';

const json = async (answer) => ({ status: answer.status, body: await answer.json() });
const server = await stage({ data: ['sample'], vars: { EXPORT_V4: 'on', PUBLIC: 'system/Endpoint.rs' } });
after(() => server.close());

test('every address of /openapi.json is there', async () => {
  const document = await fetch(`${server.url}/openapi.json`);
  assert.equal(document.headers.get('access-control-allow-origin'), '*');
  const { status, body } = await json(document);
  assert.deepEqual([status, body.openapi], [200, '3.1.1']);
  const authorization = `Bearer ${server.token(EVERYTHING)}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path, item] of Object.entries(body.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const form = method === 'post' ? '_id=nothing&_count=1' : undefined;
      const asked = path === '/fhir/r4' ? '?_type=Condition&patient=nothing' : '?_id=nothing';
      const query = operation.operationId.startsWith('search') ? asked : '';
      const answer = await fetch(server.url + path.replace('{id}', 'nothing') + query, {
        method: method.toUpperCase(),
        headers,
        body: form,
      });
      assert.ok(
        Object.keys(operation.responses).includes(String(answer.status)),
        `${method} ${path}: ${answer.status}`,
      );
      assert.doesNotMatch(await answer.text(), /no Route matched/, path);
    }
  }
});

test('sandbox.json describes the sandbox with the sample', async () => {
  const { status, body } = await json(await fetch(`${server.url}/sandbox.json`));
  assert.deepEqual([status, body.issuer, body.base], [200, ORIGIN, `${ORIGIN}/fhir/r4`]);
  const client = body.clients.find(({ client_id: id }) => id === 'backend-basic');
  assert.ok((await granted(server, client)).access_token);

  // With the sample loaded, the document equals src/api/authorization/sandbox.json, where {type} stands for each type,
  // and has the name and the birth date of each patient, and whether they have died.
  const types = Object.keys(servedTypes());
  const scopes = (_, level) => types.map((type) => `${level}/${type}.read`).join(' ');
  const text = readFileSync('src/api/authorization/sandbox.json', 'utf8').replaceAll('{origin}', ORIGIN);
  const file = JSON.parse(text.replace(/(\w+)\/\{type\}\.read/g, scopes));
  assert.deepEqual(
    { ...body, patients: body.patients.map(({ name, born, deceased, ...described }) => described) },
    file,
  );
  assert.deepEqual([body.patients[0].name, body.patients[0].born], ['Amara Chidinma Okafor', '1964-08-19']);
});

const patient = (id, given) =>
  JSON.stringify({ resourceType: 'Patient', id, birthDate: '1970-02-03', name: [{ family: 'Own', given: [given] }] });
const OWN = [patient('own-1', 'Ona'), patient('own-2', 'Oto')];
const AMARA = readFileSync('sample/Patient.ndjson', 'utf8')
  .split('\n')
  .find((line) => JSON.parse(line).id === 'amara-okafor');

/// Starts a server. `offered` loads lines of NDJSON, and resolves to sandbox.json.
async function over(t, store) {
  const server = await stage({ store, vars: { FRESH_SECONDS: '0' } });
  t.after(server.close);
  const offered = async (...lines) => {
    if (lines.length > 0) server.loadText(lines.join('\n'));
    return (await fetch(`${server.url}/sandbox.json`)).json();
  };
  return { server, offered };
}

/// Resolves to the status of a launch of the demo app.
const launchStatus = async (server, user, patient) =>
  (await launchByEhr(server, { client_id: 'demo-app', user, patient })).status;

for (const store of ['d1', 'kv']) {
  test(`sandbox.json offers the loaded patients, and the users who may see them: ${store}`, async (t) => {
    const { server, offered } = await over(t, store);
    const { users, patients } = await offered(...OWN);
    assert.deepEqual(patients, [
      { id: 'own-1', name: 'Ona Own', born: '1970-02-03', deceased: false },
      { id: 'own-2', name: 'Oto Own', born: '1970-02-03', deceased: false },
    ]);
    assert.deepEqual(
      users.map(({ username, patients }) => [username, patients]),
      [['samuel', 'all']],
    );
    // The pages of the sign-in name no other user, and this user finds a chart.
    const browser = new Browser(server.url);
    const page = await browser.get('/oauth/manage');
    assert.ok(page.text.includes(users[0].password) && !/amara|grace/.test(page.text));
    const launcher = formsOf((await browser.get('/sandbox/launch')).text);
    assert.deepEqual(
      launcher.map(({ fields }) => fields[0].value),
      ['samuel'],
    );
    assert.equal(await launchStatus(server, 'samuel', 'own-2'), 200);
    // An isolate may use a value from KV for a minute.
    if (store === 'kv') return;
    // With a patient of the sample, the users who may see her are also offered.
    const more = await offered(AMARA);
    assert.deepEqual(
      more.patients.map(({ id }) => id),
      ['amara-okafor', 'own-1', 'own-2'],
    );
    assert.deepEqual(
      more.users.map(({ username, patients }) => [username, patients]),
      [
        ['amara', ['amara-okafor']],
        ['grace', ['amara-okafor']],
        ['samuel', 'all'],
      ],
    );
  });
}

test('the launcher lists and launches as users of the sandbox alone', async () => {
  server.register([{ username: 'nurse', password: 'of-the-hospital', patients: 'all' }]);
  const forms = formsOf((await new Browser(server.url).get('/sandbox/launch')).text);
  const users = forms.map(({ fields }) => fields[0].value);
  assert.ok(users.includes('samuel') && !users.includes('nurse'), users.join());
  const launch = (user) => launchStatus(server, user, 'amara-okafor');
  assert.deepEqual([await launch('samuel'), await launch('nurse')], [200, 400]);
});

test('sandbox.json of an empty server offers no patients, and one user', async (t) => {
  const { offered } = await over(t);
  const { users, patients } = await offered();
  assert.deepEqual([patients, users.map(({ username }) => username)], [[], ['samuel']]);
});
