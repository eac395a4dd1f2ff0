// Bulk Data export against the Worker: from the request to the files, with the queue and the buckets of the local
// runtime. The content of exports is compared with the results of searches with the same token.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { EVERYTHING, edgechart, ndjson, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const SECRET = 'a-secret-of-a-registry';
const SCOPES =
  'system/*.read system/Coverage.read system/MedicationDispense.read system/Specimen.read system/Media.read';
const APPS = ['etl', 'other', 'stopped'].map((id) => ({
  ...{ client_id: id, kind: 'backend', secret: SECRET },
  scopes: `${SCOPES} system/Observation.rs?category=laboratory`,
}));
const PAYER = { client_id: 'payer', kind: 'backend', secret: SECRET, scopes: SCOPES, purpose: 'payer-to-payer' };
const MEMBERS = ['mateo-reyes', 'matias-reyes'];
/// The types for which a search by `patient` finds all resources that belong to a patient.
const TYPES = [
  ...['AllergyIntolerance', 'CarePlan', 'Condition', 'Coverage', 'DiagnosticReport', 'DocumentReference'],
  ...['Encounter', 'Goal', 'Immunization', 'MedicationRequest', 'Observation', 'Procedure'],
];
const DIRECTORY = ['Location', 'Medication', 'Organization', 'Practitioner', 'PractitionerRole'];

const of = (reference) => ({ entity: { reference } });
const group = (id, members, more = {}) => ({
  ...{ resourceType: 'Group', id, type: 'person', actual: true, ...more },
  ...(members && { member: members }),
});
const GROUPS = [
  group('empty'),
  group('left', [{ ...of('Patient/mateo-reyes'), inactive: true }]),
  group('gone', [of('Patient/mateo-reyes'), of('Patient/nobody-here')]),
  group('described', undefined, { actual: false, characteristic: [{ code: { text: 'x' }, valueBoolean: true }] }),
  group('nested', [of('Group/reyes-household')]),
];
const DOCUMENT = [
  { resourceType: 'Binary', id: 'only-hers', contentType: 'text/plain', data: 'aGVycw==' },
  {
    ...{ resourceType: 'DocumentReference', id: 'hers', status: 'current' },
    ...{ subject: { reference: 'Patient/amara-okafor' }, content: [{ attachment: { url: 'Binary/only-hers' } }] },
  },
];
const groups = join(temporaryFolder(), 'groups.ndjson');
writeFileSync(groups, ndjson(...GROUPS, ...DOCUMENT));
const server = await stage({ data: ['sample', groups], vars: { FRESH_SECONDS: '0' }, apps: [...APPS, PAYER, EHR] });
after(() => server.close());
const token = server.token(SCOPES, { client: 'etl' });
const ask = (path, { token: own = token, ...init } = {}) => server.ask(path, { token: own, ...init });
/// Starts an export, and resolves to the address of its status.
const begin = async (path, init) => {
  const answer = await ask(path, init);
  assert.equal(answer.status, 202, `${path}: ${answer.text}`);
  const location = answer.headers.get('content-location');
  assert.ok(location.startsWith(`${ORIGIN}/fhir/r4/$export-status/`), location);
  return location;
};
/// Waits for the manifest of an export.
const ended = async (status, init) => {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const answer = await ask(status, init);
    if (answer.status !== 202) return answer;
    assert.ok(answer.headers.get('x-progress').length < 100);
    assert.equal(answer.headers.get('retry-after'), '1');
    await sleep(100);
  }
  throw new Error('the export has not ended');
};
/// Resolves to an answer unchanged.
const bytes = (address, { headers = {}, method = 'GET', token: own = token } = {}) => {
  const { pathname } = new URL(address);
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${own}`, ...headers };
    const sent = request({ hostname, port, path: pathname, method, headers: all }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
};
/// Resolves to the lines of each type, as resources.
const lines = async (items, init) => {
  const all = {};
  for (const { type, url, count } of items) {
    const answer = await bytes(url, init);
    assert.equal(answer.status, 200, url);
    assert.equal(answer.headers['content-type'], 'application/fhir+ndjson');
    const text = answer.bytes.toString();
    assert.ok(text.endsWith('\n') && !text.includes('\n\n'), `${type} has a blank line, or no end`);
    const own = text.slice(0, -1).split('\n');
    assert.equal(own.length, count, type);
    all[type] = [...(all[type] ?? []), ...own.map((line) => JSON.parse(line))];
  }
  return all;
};
/// Runs an export, and resolves to its manifest and its resources by type.
const exported = async (path, init) => {
  const answer = await ended(await begin(path, init));
  assert.equal(answer.status, 200, answer.text);
  return { manifest: answer.body, all: await lines(answer.body.output) };
};
/// Resolves to all matches of a search.
const searched = async (query) => {
  const resources = [];
  for (let next = query; next; ) {
    const { status, body, text } = await ask(next);
    assert.equal(status, 200, text);
    resources.push(...(body.entry ?? []).filter(({ search }) => search.mode === 'match').map((one) => one.resource));
    next = body.link.find(({ relation }) => relation === 'next')?.url;
  }
  return resources;
};

const names = (resources = []) => resources.map(({ resourceType, id }) => `${resourceType}/${id}`).sort();
const byName = (a, b) => (names([a])[0] < names([b])[0] ? -1 : 1);

test('an export of a Group, from the request to its end', async (t) => {
  let status;
  let manifest;
  let files;
  await t.test('the request is answered at once, and the status says how far it is', async () => {
    const asked = Date.now();
    const kicked = await ask('Group/reyes-household/$export', {
      headers: { accept: 'application/fhir+json', prefer: 'respond-async' },
    });
    assert.deepEqual([kicked.status, kicked.headers.get('preference-applied')], [202, 'respond-async']);
    status = kicked.headers.get('content-location');
    const answer = await ended(status, { headers: { accept: 'application/json' } });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get('content-type'), /^application\/json/);
    assert.ok(Date.parse(answer.headers.get('expires')) > Date.now());
    manifest = answer.body;
    assert.deepEqual(Object.keys(manifest), ['transactionTime', 'request', 'requiresAccessToken', 'output', 'error']);
    assert.equal(manifest.request, `${server.base}/Group/reyes-household/$export`);
    const at = Date.parse(manifest.transactionTime);
    assert.ok(at > asked - 120_000 && at <= Date.now(), manifest.transactionTime);
    assert.equal(manifest.requiresAccessToken, true);
    const [line] = await server.audit(kicked.headers.get('x-request-id'));
    assert.deepEqual([line.event, line.client, line.type, line.id], ['export', 'etl', 'Group', 'reyes-household']);
    assert.ok(line.types.includes('Observation'));
    assert.deepEqual(line.patients, [...MEMBERS].sort());
    // The request id of a part is the id of the job.
    const parts = await server.audit(status.split('/').at(-1));
    assert.deepEqual([...new Set(parts.map(({ event }) => event))], ['export-part']);
    assert.deepEqual(parts.flatMap(({ patients }) => patients).sort(), [...MEMBERS].sort());
  });
  await t.test('it has what searches of the members find, each once and as it is', async () => {
    files = await lines(manifest.output);
    assert.deepEqual(names(files.Patient), MEMBERS.map((id) => `Patient/${id}`).sort());
    for (const type of TYPES) {
      const found = (await Promise.all(MEMBERS.map((id) => searched(`${type}?patient=${id}&_count=200`)))).flat();
      const unique = [...new Map(found.map((one) => [one.id, one])).values()];
      assert.deepEqual((files[type] ?? []).sort(byName), unique.sort(byName), type);
    }
    // A search by patient does not find a Provenance of several patients.
    const exported = new Set(Object.values(files).flatMap(names));
    const targets = ({ target }) => target.some(({ reference }) => exported.has(reference));
    assert.ok(files.Provenance.every(targets));
    assert.ok(exported.has('Provenance/matias-and-mateo-flu-provenance'));
    for (const id of MEMBERS) {
      for (const name of names(await searched(`Provenance?patient=${id}&_count=200`)))
        assert.ok(exported.has(name), name);
    }
    for (const [type, resources] of Object.entries(files)) {
      assert.equal(new Set(resources.map(({ id }) => id)).size, resources.length, `${type} has something twice`);
    }
  });
  await t.test('of the directory it has what the records refer to, and no more', () => {
    const text = JSON.stringify(files);
    for (const type of DIRECTORY) {
      const referred = new Set(
        [...text.matchAll(new RegExp(`"reference":"(${type}/[^"/]+)`, 'g'))].map(([, to]) => to),
      );
      const own = names(files[type]);
      assert.ok(
        own.every((name) => referred.has(name)),
        `${type} to which nothing refers`,
      );
      assert.deepEqual(own, [...referred].sort(), type);
    }
    assert.ok((files.Practitioner ?? []).length > 0);
  });
  await t.test('a file is there as gzip and as text, whole and by range', async () => {
    const { url } = manifest.output.find(({ type }) => type === 'Observation');
    const [plain, gzip] = [await bytes(url), await bytes(url, { headers: { 'accept-encoding': 'gzip' } })];
    assert.deepEqual([plain.headers['content-encoding'], gzip.headers['content-encoding']], [undefined, 'gzip']);
    assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
    assert.notEqual(plain.headers.etag, gzip.headers.etag);
    for (const [encoding, { headers, bytes: whole }] of [
      ['identity', plain],
      ['gzip', gzip],
    ]) {
      assert.equal(headers['content-length'], String(whole.length));
      assert.deepEqual([headers['accept-ranges'], headers['access-control-allow-origin']], ['bytes', '*']);
      const middle = Math.floor(whole.length / 2);
      const resume = { 'accept-encoding': encoding, range: `bytes=${middle}-`, 'if-range': headers.etag };
      const rest = await bytes(url, { headers: resume });
      assert.deepEqual([rest.status, rest.bytes], [206, whole.subarray(middle)]);
      assert.equal(rest.headers['content-range'], `bytes ${middle}-${whole.length - 1}/${whole.length}`);
      const first = await bytes(url, { headers: { 'accept-encoding': encoding, range: 'bytes=0-9' } });
      assert.deepEqual([first.status, first.bytes], [206, whole.subarray(0, 10)]);
      const changed = await bytes(url, { headers: { ...resume, 'if-range': '"another"' } });
      assert.deepEqual([changed.status, changed.bytes], [200, whole]);
      const behind = await bytes(url, { headers: { 'accept-encoding': encoding, range: `bytes=${whole.length}-` } });
      assert.deepEqual([behind.status, behind.headers['content-range']], [416, `bytes */${whole.length}`]);
      const head = await bytes(url, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
      assert.deepEqual([head.headers['content-length'], head.bytes.length], [String(whole.length), 0]);
      const same = await bytes(url, { headers: { 'accept-encoding': encoding, 'if-none-match': headers.etag } });
      assert.equal(same.status, 304);
    }
    const [line] = await server.audit(plain.headers['x-request-id']);
    assert.deepEqual([line.event, line.types], ['export-file', ['Observation']]);
  });
  await t.test('a second export of the same has the same files', async () => {
    const again = await ended(await begin('Group/reyes-household/$export'));
    const counts = (items) => items.map(({ type, count }) => [type, count]);
    assert.deepEqual(counts(again.body.output), counts(manifest.output));
    const [one, other] = await Promise.all([manifest, again.body].map(({ output }) => bytes(output[0].url)));
    assert.deepEqual([other.bytes, other.headers.etag], [one.bytes, one.headers.etag]);
  });
  await t.test('it is nobody else’s, and needs a token', async () => {
    const [{ url }] = manifest.output;
    const other = server.token(SCOPES, { client: 'other' });
    const unknown = await ask('$export-status/unknown');
    for (const [method, address] of [
      ['GET', status],
      ['DELETE', status],
      ['GET', url],
    ]) {
      const answer = await ask(address, { method, token: other });
      assert.deepEqual([answer.status, answer.text], [404, unknown.text]);
      const none = await server.ask(address, { method });
      assert.deepEqual([none.status, none.body.resourceType], [401, 'OperationOutcome']);
    }
    const poor = server.token('system/Patient.read', { client: 'etl' });
    const { url: observations } = manifest.output.find(({ type }) => type === 'Observation');
    assert.equal((await ask(observations, { token: poor })).status, 401);
    assert.equal((await ask(url, { token: server.token('patient/*.read', { patient: 'mateo-reyes' }) })).status, 401);
  });
});

test('the parameters of an export choose what it has', async (t) => {
  await t.test('a Group without members exports nobody, and one that is no list is refused', async () => {
    for (const id of ['empty', 'left']) {
      const { manifest } = await exported(`Group/${id}/$export`);
      assert.deepEqual([manifest.output, manifest.error], [[], []], id);
    }
    const { all, manifest } = await exported('Group/gone/$export?_type=Patient');
    assert.deepEqual(names(all.Patient), ['Patient/mateo-reyes']);
    const errors = await lines(manifest.error);
    assert.match(JSON.stringify(errors.OperationOutcome), /Patient\/nobody-here/);
    for (const [id, status] of [
      ['described', 400],
      ['nested', 400],
      ['unknown', 404],
    ]) {
      const answer = await ask(`Group/${id}/$export`);
      assert.deepEqual([answer.status, answer.body.resourceType], [status, 'OperationOutcome'], id);
    }
  });
  await t.test('patients are named by POST', async () => {
    const post = (path, ...patients) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify({
          resourceType: 'Parameters',
          parameter: [
            { name: '_type', valueString: 'Patient,Condition' },
            ...patients.map((id) => ({ name: 'patient', valueReference: { reference: `Patient/${id}` } })),
          ],
        }),
      });
    const answer = await post('Patient/$export', 'mateo-reyes');
    assert.equal(answer.status, 202, answer.text);
    const { body } = await ended(answer.headers.get('content-location'));
    assert.equal(body.request, `${server.base}/Patient/$export`);
    assert.deepEqual(names((await lines(body.output)).Patient), ['Patient/mateo-reyes']);
    assert.equal((await post('Group/reyes-household/$export', 'amara-okafor')).status, 400);
    assert.equal((await post('Patient/$export', 'nobody-here')).status, 400);
    assert.equal((await ask('Patient/$export?patient=Patient/mateo-reyes')).status, 400);
    const daVinci = async (...patients) => {
      const begun = await post('Group/reyes-household/$davinci-data-export', ...patients);
      assert.equal(begun.status, 202, begun.text);
      const { output, error } = (await ended(begun.headers.get('content-location'))).body;
      return [names((await lines(output)).Patient), (await lines(error)).OperationOutcome?.length];
    };
    assert.deepEqual(await daVinci('mateo-reyes', 'amara-okafor', 'a b'), [['Patient/mateo-reyes'], 2]);
    assert.deepEqual(await daVinci('amara-okafor'), [[], 1]);
  });
  await t.test('filters are searches of their types', async () => {
    const filter = encodeURIComponent('Observation?category=laboratory');
    const other = encodeURIComponent('Observation?category=vital-signs');
    const { all } = await exported(
      `Group/reyes-household/$export?_type=Observation,Condition&_typeFilter=${filter},${other}`,
    );
    const found = await Promise.all(
      MEMBERS.map((id) => searched(`Observation?patient=${id}&category=laboratory,vital-signs&_count=200`)),
    );
    assert.deepEqual(names(all.Observation), names(found.flat()));
    const conditions = await Promise.all(MEMBERS.map((id) => searched(`Condition?patient=${id}&_count=200`)));
    assert.deepEqual(names(all.Condition), names(conditions.flat()), 'a type without a filter comes whole');
    for (const odd of ['Observation?_include=Observation:encounter', 'Observation?_sort=date', 'Observation?x=y']) {
      assert.equal((await ask(`$export?_typeFilter=${encodeURIComponent(odd)}`)).status, 400, odd);
    }
  });
  await t.test('elements are cut, and mandatory ones stay', async () => {
    const { all } = await exported('Group/reyes-household/$export?_type=Patient,Observation&_elements=Patient.gender');
    for (const patient of all.Patient) {
      assert.ok(patient.gender && patient.id && !patient.name && !patient.address, JSON.stringify(patient));
      assert.ok(patient.meta.tag.some(({ code }) => code === 'SUBSETTED'));
    }
    assert.ok(all.Observation.every(({ code, subject }) => code && subject));
  });
  await t.test('files are organized by patient', async () => {
    const path = 'Group/reyes-household/$export?_type=Patient,Condition,Provenance&organizeOutputBy=Patient';
    const { body } = await ended(await begin(path));
    assert.equal(body.outputOrganizedBy, 'Patient');
    const { undefined: blocks, ...files } = await lines(body.output);
    assert.deepEqual(names(files.Provenance), ['Provenance/matias-and-mateo-flu-provenance']);
    const seen = [];
    for (const resource of blocks) {
      const { resourceType, id, subject, parameter } = resource;
      if (resourceType === 'Parameters') seen.push(parameter[0].valueReference.reference);
      else if (resourceType !== 'Provenance')
        assert.equal(resourceType === 'Patient' ? `Patient/${id}` : subject.reference, seen.at(-1));
    }
    assert.deepEqual(seen.sort(), MEMBERS.map((id) => `Patient/${id}`).sort());
    const found = await Promise.all(MEMBERS.map((id) => searched(`Condition?patient=${id}&_count=200`)));
    const conditions = blocks.filter(({ resourceType }) => resourceType === 'Condition');
    assert.deepEqual(names(conditions), names(found.flat()));
  });
  await t.test('what cannot be exported is refused, with the name of the parameter', async () => {
    const { status, body: refused } = await ask('$export?colour=red');
    assert.deepEqual([status, refused.issue[0].expression], [400, ['http.colour']]);
    const lenient = await begin('Group/reyes-household/$export?_type=Patient&colour=red', {
      headers: { prefer: 'respond-async, handling=lenient' },
    });
    const { body } = await ended(lenient);
    assert.match(JSON.stringify(await lines(body.error)), /colour/);
  });
});

test('a client finds nothing of patients who have opted out of its purpose', async () => {
  const whole = 'Patient/amara-okafor';
  const payer = server.token(SCOPES, { client: 'payer' });
  const optOut = (change) => {
    const file = server.write('opt-out.json', [{ purpose: 'payer-to-payer', add: [], remove: [], ...change }]);
    edgechart('opt-out', file, '--db', server.files[server.files.indexOf('--auth-db') + 1]);
  };
  const paths = [
    ...['Condition?patient=amara-okafor', 'Patient?_id=amara-okafor', 'Observation?patient=amara-okafor&_count=5'],
    ...[whole, `${whole}/$everything`, `${whole}/Condition`, 'Condition?patient=amara-okafor,mateo-reyes'],
  ];
  const tags = {};
  const found = async (client) => {
    const all = [];
    for (const path of paths) {
      const headers = tags[path] ? { 'if-none-match': tags[path] } : {};
      const { status, text, headers: own } = await ask(path, { token: client, headers });
      tags[path] ??= own.get('etag');
      all.push(status === 304 || /"id":"amara-okafor"|"Patient\/amara-okafor"/.test(text));
    }
    return all;
  };
  const [every, none] = [paths.map(() => true), paths.map(() => false)];
  assert.deepEqual(await found(payer), every);
  optOut({ add: ['amara-okafor'] });
  assert.deepEqual(await found(payer), none);
  assert.equal((await ask('Condition?patient=mateo-reyes', { token: payer })).status, 200);
  // Her documents are read neither, and a Group stays as it is, for reads as for exports.
  for (const [client, status] of [
    [token, 200],
    [payer, 404],
  ])
    assert.equal((await ask('Binary/only-hers', { token: client })).status, status);
  assert.equal((await ask('Group/juniper-hill-patients', { token: payer })).status, 200);
  // Who asks about patients by name does not learn who they are.
  for (const of of [whole, 'Patient/nobody']) {
    const parameter = [
      { name: 'patient', valueReference: { reference: of } },
      { name: '_type', valueString: 'Patient' },
    ];
    const headers = { 'content-type': 'application/fhir+json' };
    const body = JSON.stringify({ resourceType: 'Parameters', parameter });
    const named = await begin('Patient/$export', { method: 'POST', headers, body, token: payer });
    const { output, error } = (await ended(named, { token: payer })).body;
    assert.deepEqual([output, error], [[], []], of);
  }
  // The other members of a Group are exported.
  const begun = await ask('Group/juniper-hill-patients/$export?_type=Patient', { token: payer });
  assert.equal(begun.status, 202, begun.text);
  assert.deepEqual(await found(token), every);
  optOut({ remove: ['amara-okafor'] });
  assert.deepEqual(await found(payer), every);
});

test('the next export has what has changed since, and names what was deleted', async () => {
  const first = await exported('Patient/$export?_type=Patient,Observation');
  const gone = first.all.Observation.find(({ subject }) => subject.reference === 'Patient/amara-okafor');
  const added = {
    ...{ resourceType: 'Observation', id: 'added-later', status: 'final', code: { text: 'later' } },
    ...{ subject: { reference: 'Patient/mateo-reyes' }, meta: { lastUpdated: new Date().toISOString() } },
  };
  const entry = [{ request: { method: 'DELETE', url: `Observation/${gone.id}` } }];
  await (await senderOf(server)).send(ndjson(added, { resourceType: 'Bundle', type: 'batch', entry }));
  const since = encodeURIComponent(first.manifest.transactionTime);
  const next = await ended(await begin(`Patient/$export?_type=Patient,Observation&_since=${since}`));
  assert.deepEqual(names((await lines(next.body.output)).Observation), ['Observation/added-later']);
  const { Bundle: deleted } = await lines(next.body.deleted);
  const urls = deleted.flatMap(({ type, entry }) => {
    assert.equal(type, 'transaction');
    return entry.map((one) => `${one.request.method} ${one.request.url}`);
  });
  assert.deepEqual(urls, [`DELETE Observation/${gone.id}`]);
  const whole = await exported('Patient/$export?_type=Observation');
  assert.ok(!names(whole.all.Observation).includes(`Observation/${gone.id}`));
  const future = await exported('Patient/$export?_since=2199-01-01T00:00:00Z');
  const [note, ...others] = (await lines(future.manifest.error)).OperationOutcome;
  assert.deepEqual([future.manifest.output, others], [[], []]);
  assert.match(note.issue[0].details.text, /types that the scopes do not open.*: Composition, Consent,/);
});

test('twenty exports at once are served, or told to wait', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('Group/reyes-household/$export?_type=Patient,Condition')),
  );
  const [served, waiting] = [202, 429].map((wanted) => answers.filter(({ status }) => status === wanted));
  assert.equal(served.length + waiting.length, 20, answers.map(({ status }) => status).join(' '));
  assert.ok(served.length >= 3, 'test kits begin three in quick succession');
  for (const answer of waiting) {
    assert.match(answer.headers.get('retry-after'), /^\d+$/);
    assert.equal(answer.body.issue[0].code, 'throttled');
  }
  const statuses = served.map(({ headers }) => headers.get('content-location'));
  assert.equal(new Set(statuses).size, served.length, 'each is its own');
  // Ending one export does not end the others.
  assert.equal((await ask(statuses[0], { method: 'DELETE' })).status, 202);
  const manifests = await Promise.all(statuses.slice(1).map((status) => ended(status)));
  for (const { status, body, text } of manifests) {
    assert.equal(status, 200, text);
    assert.deepEqual(
      body.output.map(({ type, count }) => [type, count]),
      manifests[0].body.output.map(({ type, count }) => [type, count]),
    );
  }
  // Ended exports do not count towards the limit.
  assert.equal((await ask('Group/reyes-household/$export')).status, 202);
});

test('an export ends with its time, and with its client', async (t) => {
  const own = server.token(SCOPES, { client: 'stopped' });
  const status = await begin('Group/reyes-household/$export?_type=Patient', { token: own });
  const { body } = await ended(status, { token: own });
  const kept = await begin('Group/reyes-household/$export?_type=Patient');
  const { body: other } = await ended(kept);
  await t.test('a client that is stopped gets nothing more', async () => {
    edgechart('disable', 'client', 'stopped', '--db', server.db);
    await until(async () => {
      for (const address of [status, body.output[0].url]) {
        assert.equal((await ask(address, { token: own })).status, 401, address);
      }
    });
  });
  await t.test('an expired one is 404', async () => {
    const database = new DatabaseSync(server.db);
    const day = 25 * 3_600 * 1_000_000;
    database.prepare("UPDATE job SET ended_at = ended_at - ? WHERE kind = 'export'").run(day);
    database.close();
    for (const address of [kept, other.output[0].url]) {
      const answer = await ask(address);
      assert.deepEqual([answer.status, answer.body.resourceType], [404, 'OperationOutcome'], address);
    }
  });
});

test('a deployment without a bucket of files exports nothing', async (t) => {
  const server = await stage({ store: 'kv' });
  t.after(server.close);
  const token = server.token(EVERYTHING);
  for (const path of ['$export', 'Patient/$export', '$export-status/x']) {
    const answer = await server.ask(path, { token });
    assert.deepEqual([answer.status, answer.body.issue[0].code], [404, 'not-supported'], path);
  }
  const { text } = await server.ask('metadata');
  assert.ok(!text.includes('uv/bulkdata'));
});
