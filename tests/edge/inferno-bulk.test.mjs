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

const isOutcome = ({ headers, body }) => {
  assert.match(headers.get('content-type'), /^application\/fhir\+json/);
  assert.equal(body.resourceType, 'OperationOutcome');
  assert.ok(body.issue.length > 0 && body.issue.every(({ severity, code }) => severity && code));
};

for (const [level, path] of Object.entries(LEVELS)) {
  const is = `${level} export`;
  let status, manifest, resources;

  test(`${is} 1, operation support: the CapabilityStatement declares it, without a token`, async () => {
    const { status, body } = await client.ask('metadata', { token: '' });
    assert.equal(status, 200);
    const rest = body.rest.at(-1);
    const types = { group: 'Group', patient: 'Patient' };
    const { operation = [] } = types[level] ? rest.resource.find(({ type }) => type === types[level]) : rest;
    const definition = { group: 'group-export', patient: 'patient-export', system: 'export' }[level];
    const found = operation.find(({ name }) => name === 'export');
    assert.ok(
      found?.definition.split('|')[0].endsWith(`/uv/bulkdata/OperationDefinition/${definition}`),
      JSON.stringify(operation),
    );
    assert.ok(body.instantiates.some((one) => /uv\/bulkdata\/CapabilityStatement\/bulk-data/.test(one)));
  });

  test(`${is} 2, no auth: a kick-off without a token is refused`, async () => {
    const { status } = await client.kickOff(path, { token: '' });
    assert.ok([400, 401].includes(status), String(status));
  });

  test(`${is} 3, kick-off: accepted, with the address of the status`, async () => {
    const answer = await client.kickOff(path);
    assert.equal(answer.status, 202, answer.text);
    status = answer.headers.get('content-location');
    assert.ok(URL.canParse(status) && status.startsWith(server.origin), status);
  });

  test(`${is} 4, status: in progress, then the manifest with what it must have`, async () => {
    const answer = await client.finished(status);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get('content-type'), /application\/json/);
    manifest = answer.body;
    for (const key of ['transactionTime', 'request', 'requiresAccessToken', 'output', 'error']) {
      assert.ok(key in manifest, key);
    }
    assert.equal(manifest.requiresAccessToken, true);
    assert.equal(manifest.request, `${server.base}/${path}`);
    const [asked, expires] = [Date.parse(manifest.transactionTime), Date.parse(answer.headers.get('expires'))];
    assert.ok(asked <= Date.now() + 1_000 && expires > Date.now(), `${manifest.transactionTime} ${expires}`);
    const told = await client.contentOf({ output: manifest.error });
    const severities = told.flatMap(({ issue }) => issue.map(({ severity }) => severity));
    assert.deepEqual(severities, path.startsWith('Group/') ? [] : ['information'], 'types that are not open');
  });

  test(`${is} 5, output: files with a type and an absolute address`, () => {
    assert.ok(manifest.output.length > 0);
    for (const { type, url } of manifest.output) {
      assert.ok(type && /^https?:\/\//.test(url), `${type} ${url}`);
    }
  });

  test(`${is} 6, file without token: refused`, async () => {
    const { status } = await client.ask(manifest.output[0].url, { token: '' });
    assert.ok([400, 401].includes(status), String(status));
  });

  test(`${is} 7, valid resources: every line of every file is one of its type, as it was loaded`, async () => {
    resources = await client.contentOf(manifest);
    areLoaded(resources, loaded);
    assert.ok(manifest.output.every(({ type }) => type !== 'OperationOutcome'));
  });

  test(`${is} 8, multiple patients: all of the sample`, () => {
    const idsOf = (list) =>
      list
        .filter(({ resourceType }) => resourceType === 'Patient')
        .map(({ id }) => id)
        .sort();
    assert.ok(idsOf(resources).length >= 2);
    assert.deepEqual(idsOf(resources), idsOf(loaded));
  });

  test(`${is} 9, cancel: accepted, and the status is not found from then on`, async () => {
    const begun = await client.begin(path);
    assert.equal((await client.cancel(begun)).status, 202);
    const gone = await client.status(begun);
    assert.equal(gone.status, 404);
    isOutcome(gone);
    const again = await client.cancel(begun);
    assert.equal(again.status, 404);
    isOutcome(again);
  });

  test(`${is} 10, _outputFormat: each spelling, one after the other`, async () => {
    const begun = [];
    for (const format of ['application/fhir+ndjson', 'application/ndjson', 'ndjson']) {
      begun.push(await client.begin(`${path}?_outputFormat=${encodeURIComponent(format)}`));
    }
    for (const one of begun) assert.equal((await client.cancel(one)).status, 202);
  });

  test(`${is} 11, _since: an instant of a week ago, with an offset`, async () => {
    const week = new Date(Date.now() - 7 * 86_400_000 - 5 * 3_600_000).toISOString().replace(/\.\d+Z$/, '-05:00');
    const begun = await client.begin(`${path}?_since=${encodeURIComponent(week)}`);
    assert.equal((await client.cancel(begun)).status, 202);
  });

  test(`${is}: after its deletion neither the manifest nor a file is there`, async () => {
    assert.equal((await client.cancel(status)).status, 202);
    for (const address of [status, manifest.output[0].url]) {
      const gone = await client.ask(address, { headers: { accept: 'application/json' } });
      assert.equal(gone.status, 404, address);
      isOutcome(gone);
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
