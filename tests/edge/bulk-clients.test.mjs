// An unmodified third-party client for bulk exports, smart-fetch from PyPI, against the running server. It exports a
// group, continues after it was killed, exports changes since the last time, and cancels.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';
import { indexOf, loadResources } from '../oracle/data.mjs';
import { search } from '../oracle/search.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { freePort } from '../server/free-port.mjs';
import { within } from '../server/until.mjs';
import { BulkClient } from './bulk-kit.mjs';

const run = promisify(execFile);
/// `make clients` installs the client. Tests are skipped if it is missing.
const SMART_FETCH = '.wrangler/python/bin/smart-fetch';
const skip = existsSync(SMART_FETCH) ? false : 'the clients for Python are not here: make clients';
const SANDBOX = JSON.parse(readFileSync('src/api/sandbox.json'));
const GROUP = 'juniper-hill-patients';
/// The client does not request observations of other categories.
const CATEGORIES = 'social-history,vital-signs,imaging,laboratory,survey,exam,procedure,therapy,activity';

const folder = temporaryFolder();
const keys = join(folder, 'keys.jwks');

// The client follows addresses unchanged, so the port is chosen before the start.
const server = await stage({ data: ['sample'], port: await freePort() });
const resources = loadResources(['sample'], server.base);
indexOf(resources);
writeFileSync(keys, JSON.stringify(SANDBOX.private_jwks['backend-service']));
after(() => server.close());

const patients = () => resources.map(({ resource }) => resource).filter((one) => one.resourceType === 'Patient');
const matches = (query) => search(resources, { scopes: EVERYTHING }, query, { base: server.base }).ids;

/// Returns the arguments of a call of the client.
const words = (name, ...more) => [
  ...['bulk', join(folder, name), '--fhir-url', server.base],
  ...['--smart-client-id', 'backend-service', '--smart-key', keys],
  ...more,
];
const fetched = (name, ...more) => run(SMART_FETCH, words(name, ...more), { timeout: 120_000 });
const ofGroup = ['--group', GROUP];

const linesOf = (path) => {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};
/// Returns the resources in a folder, by type.
function found(name) {
  const files = readdirSync(join(folder, name)).filter((file) => /^[A-Z]\w+\.(.*\.)?ndjson(\.gz)?$/.test(file));
  return Object.groupBy(
    files.flatMap((file) => linesOf(join(folder, name, file))),
    ({ resourceType }) => resourceType,
  );
}
/// Returns the events in the client's log, by name. Of several events with a name, returns the last.
const events = (name) =>
  Object.fromEntries(
    linesOf(join(folder, name, 'log.ndjson')).map(({ eventId, eventDetail, exportId }) => [
      eventId,
      { ...eventDetail, exportId },
    ]),
  );
/// Returns the client's stored state of its export.
const noted = (name) => {
  const path = join(folder, name, '.metadata');
  return existsSync(path) ? JSON.parse(readFileSync(path)) : {};
};

/// Compares a folder with the plain evaluator's results for the members of the group.
function isWhole(name) {
  const byType = found(name);
  assert.deepEqual(
    byType.Patient.map(({ id }) => id).sort(),
    patients()
      .map(({ id }) => id)
      .sort(),
  );
  assert.ok(Object.keys(byType).length > 9, `${Object.keys(byType)}`);
  for (const [type, list] of Object.entries(byType).filter(([type]) => type !== 'Patient')) {
    const filter = type === 'Observation' ? `&category=${CATEGORIES}` : '';
    const expected = patients().flatMap(({ id }) => matches(`${type}?patient=${id}${filter}`));
    // A device without a patient may come with the records that name it.
    const ids = list.filter((one) => type !== 'Device' || one.patient).map(({ id }) => `${type}/${id}`);
    assert.deepEqual(ids.sort(), expected.sort(), type);
  }
  assert.ok(!existsSync(join(folder, name, 'error')), 'nothing is left out');
}

/// Starts an export with the client, and kills the client once it knows the status address. Returns the address.
async function killed(name) {
  const client = spawn(SMART_FETCH, words(name, ...ofGroup), { stdio: 'ignore' });
  const ended = new Promise((done) => {
    client.once('exit', (_, signal) => done(signal));
  });
  try {
    await within(60_000, () => noted(name)['bulk-status'] !== undefined, { pause: 2 });
  } finally {
    client.kill('SIGKILL');
  }
  assert.equal(await ended, 'SIGKILL', 'it was killed before its end');
  return noted(name)['bulk-status'];
}

/// Requests the status of an export as the same client.
async function statusOf(address) {
  const { body } = await BulkClient.requestToken(server, 'system/*.read');
  return (await new BulkClient(server, body.access_token).status(address)).status;
}

test('smart-fetch exports a group, with its filters, and deletes the export', { skip }, async () => {
  await fetched('whole', ...ofGroup);
  isWhole('whole');
  const { kickoff, status_complete: complete, export_complete: end } = events('whole');
  assert.equal(kickoff.errorCode, null);
  assert.match(kickoff.requestParameters._typeFilter, /^Observation\?category=/);
  assert.ok(Date.parse(complete.transactionTime) <= Date.now());
  const all = Object.values(found('whole')).flat();
  assert.equal(end.resources, all.length);
  assert.equal(await statusOf(kickoff.exportId), 404);
});

test('smart-fetch is killed, and goes on with the same export', { skip }, async () => {
  const address = await killed('resumed');
  const { stdout } = await fetched('resumed', ...ofGroup);
  assert.match(stdout, /Resuming bulk FHIR export/);
  isWhole('resumed');
  assert.equal(events('resumed').export_complete.exportId, address);
  assert.equal(noted('resumed')['bulk-status'], undefined);
});

test('smart-fetch cancels an export that it has begun', { skip }, async () => {
  const address = await killed('cancelled');
  await fetched('cancelled', '--cancel');
  assert.equal(await statusOf(address), 404);
});

test('smart-fetch asks since its last export: nothing, and then what has been loaded since', { skip }, async () => {
  const since = events('whole').status_complete.transactionTime;
  await fetched('nothing', ...ofGroup, '--since', since);
  assert.deepEqual(Object.keys(found('nothing')), []);
  const [patient] = patients();
  const changed = {
    resourceType: 'Condition',
    id: 'since-the-last-export',
    meta: { versionId: '1', lastUpdated: new Date().toISOString() },
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
    },
    code: { text: 'Asthma' },
    subject: { reference: `Patient/${patient.id}` },
  };
  const file = join(folder, 'changed.ndjson');
  writeFileSync(file, `${JSON.stringify(changed)}\n`);
  edgechart('load', file, ...server.files, '--base', server.base);
  await fetched('changed', ...ofGroup, '--since', since);
  const byType = found('changed');
  assert.deepEqual(Object.keys(byType), ['Condition']);
  assert.deepEqual(
    byType.Condition.map(({ id }) => id),
    [changed.id],
  );
});
