// The requests and the assertions of the Bulk Data test kit, in its suite for version 2.0.0: three levels, each with
// the tests of a group in their order. A test has the number of the kit's test within the group.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stage } from '../../tools/server/stage.mjs';
import { loadResources } from '../oracle/data.mjs';
import { areLoaded, BulkClient, KICK_OFF } from './bulk-kit.mjs';

const GROUP = 'juniper-hill-patients';
const LEVELS = {
  group: `Group/${GROUP}/$export`,
  patient: 'Patient/$export',
  system: '$export',
};

const server = await stage({ data: ['sample'] });
const loaded = loadResources(['sample'], server.base).map(({ resource }) => resource);
const { body } = await BulkClient.requestToken(server, 'system/*.read');
const client = new BulkClient(server, body.access_token);
after(() => server.close());

test('backend services: a token for the preset of the kit, and each error of it', async () => {
  for (const scope of ['system/*.read', 'system/*.rs']) {
    const { status, body } = await BulkClient.requestToken(server, scope);
    assert.ok([200, 201].includes(status));
    assert.ok(body.access_token && body.scope === scope);
    assert.equal(body.token_type.toLowerCase(), 'bearer');
    assert.equal(typeof body.expires_in, 'number');
  }
  const refused = async (changes) => (await BulkClient.requestToken(server, 'system/*.read', changes)).status;
  assert.equal(await refused({ grant_type: 'not_a_grant_type' }), 400);
  assert.ok([400, 401].includes(await refused({ client_assertion_type: 'not_an_assertion_type' })));
  assert.ok([400, 401].includes(await refused({ client_assertion: 'not.an.assertion' })));
});

for (const [level, path] of Object.entries(LEVELS)) {
  test(`${level} export 2 to 12: refused without a token, accepted, finished, read, and deleted`, async () => {
    const isRefused = ({ status }) => assert.ok([400, 401].includes(status), String(status));
    isRefused(await client.kickOff(path, { token: '' }));
    const status = await client.begin(path);
    assert.ok(status.startsWith(server.origin), status);
    const answer = await client.finished(status);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get('content-type'), /application\/json/);
    const manifest = answer.body;
    for (const key of ['transactionTime', 'request', 'requiresAccessToken', 'output', 'error']) {
      assert.ok(key in manifest, key);
    }
    assert.equal(manifest.requiresAccessToken, true);
    assert.equal(manifest.request, `${server.base}/${path}`);
    const [asked, expires] = [Date.parse(manifest.transactionTime), Date.parse(answer.headers.get('expires'))];
    assert.ok(asked <= Date.now() + 1_000 && expires > Date.now(), `${manifest.transactionTime} ${expires}`);
    const told = await client.contentOf({ output: manifest.error });
    const severities = told.flatMap(({ issue }) => issue.map(({ severity }) => severity));
    assert.deepEqual(severities, ['information'], 'which stored types the wildcard does not open');
    const [{ url: file }] = manifest.output;
    isRefused(await client.ask(file, { token: '' }));
    const resources = await client.contentOf(manifest);
    areLoaded(resources, loaded);
    const patients = (all) => all.filter(({ resourceType }) => resourceType === 'Patient').length;
    assert.equal(patients(resources), patients(loaded));

    const week = new Date(Date.now() - 7 * 86_400_000 - 5 * 3_600_000).toISOString().replace(/\.\d+Z$/, '-05:00');
    const formats = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'].map((one) => `_outputFormat=${one}`);
    const begun = [status];
    for (const query of [...formats, `_since=${week}`]) {
      begun.push(await client.begin(`${path}?${query.replaceAll('+', '%2B')}`));
    }
    for (const one of begun) assert.equal((await client.cancel(one)).status, 202);
    const gone = [await client.cancel(status)];
    for (const one of [...begun, file]) gone.push(await client.ask(one, { headers: { accept: 'application/json' } }));
    for (const { status: found, headers, body } of gone) {
      assert.equal(found, 404);
      assert.match(headers.get('content-type'), /^application\/fhir\+json/);
      assert.equal(body.resourceType, 'OperationOutcome');
    }
  });
}

test('the specification of a kick-off: a parameter repeated or in a list is the same, and so is a POST', async () => {
  const types = async (path, options) => {
    const { output, request } = await client.exported(path, options);
    return [output.map(({ type }) => type).sort(), request];
  };
  const path = LEVELS.group;
  const [expected] = await types(`${path}?_type=Patient,Condition`);
  assert.deepEqual(expected, ['Condition', 'Patient']);
  assert.deepEqual((await types(`${path}?_type=Patient&_type=Condition`))[0], expected);
  const parameter = [
    { name: '_type', valueString: 'Patient' },
    { name: '_type', valueString: 'Condition' },
    { name: '_outputFormat', valueString: 'application/fhir+ndjson' },
  ];
  const [posted, request] = await types(path, {
    method: 'POST',
    headers: { ...KICK_OFF, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Parameters', parameter }),
  });
  assert.deepEqual(posted, expected);
  assert.equal(request, `${server.base}/${path}`, 'without its parameters');
});

test('an export since its own transactionTime has nothing, and is complete', async () => {
  const { transactionTime } = await client.exported(`${LEVELS.patient}?_type=Patient`);
  const next = await client.exported(`${LEVELS.patient}?_type=Patient&_since=${encodeURIComponent(transactionTime)}`);
  assert.deepEqual([next.output, next.error], [[], []]);
});
