// Unmodified third-party clients for FHIR servers against the running server: each sees the same as the plain
// evaluator.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { MedplumClient } from '@medplum/core';
import { Client as FhirKitClient } from 'fhir-kit-client';
import { freePort } from '../../tools/server/port.mjs';
import { EVERYTHING, SANDBOX, stage } from '../../tools/server/stage.mjs';
import { loadResources } from '../oracle/data.mjs';
import { search } from '../oracle/search.mjs';
import { temporaryFolder } from '../server/folder.mjs';

const run = promisify(execFile);
/// `make clients` installs the clients for Python. Tests are skipped if they are missing.
const PYTHON = '.wrangler/python/bin';
const skip = existsSync(PYTHON) ? false : 'the clients for Python are not here: make clients';
const PATIENT = 'amara-okafor';
const folder = temporaryFolder();

// These clients follow links unchanged, so the port is chosen before the start.
const server = await stage({ data: ['sample'], index: 'r4', port: await freePort() });
const token = server.token(EVERYTHING);
const resources = loadResources(['sample'], server.base);
after(() => server.close());

/// Returns the results of the plain evaluator.
const evaluated = (query) => search(resources, { scopes: EVERYTHING }, query, { base: server.base });
const matches = (query) => evaluated(query).ids;
const addressOf = ({ resourceType, id }) => `${resourceType}/${id}`;

test('fhirpy asks by subject, chains, _has and includes, counts, and reads every page', { skip }, async () => {
  const script = ['tests/clients/study.py', server.base, token, PATIENT];
  const { stdout } = await run(join(PYTHON, 'python3'), script, { timeout: 60_000 });
  const seen = JSON.parse(stdout);
  const of = `patient=${PATIENT}`;
  const withIncludes = (query) => {
    const { ids, includedOf } = evaluated(query);
    return [...ids, ...includedOf(ids)].sort();
  };
  assert.deepEqual(seen, {
    subject: matches(`Observation?${of}`),
    count: matches(`Observation?${of}`).length,
    some: matches(`Observation?${of}&category=laboratory`).length,
    first: matches(`Observation?${of}`).slice(0, 1),
    missing: matches(`Observation?${of}&encounter:missing=false&date=lt2020&_sort=-date`),
    chained: matches(`Condition?${of}&encounter:Encounter.status=finished`),
    has: matches(`Encounter?${of}&_has:Condition:encounter:category=encounter-diagnosis`),
    include: withIncludes(`MedicationRequest?${of}&_include=MedicationRequest:medication`),
    revinclude: withIncludes(`Condition?${of}&_revinclude=Provenance:target`),
    elements: seen.elements,
    patients: matches('Patient?birthdate=ge1990-01-01&gender:not=male&_sort=birthdate'),
    read: PATIENT,
    got: PATIENT,
    unknown: true,
    nonsense: true,
    everything: seen.everything,
  });
  for (const found of ['subject', 'missing', 'chained', 'has', 'patients']) assert.ok(seen[found].length > 1, found);
  assert.ok(seen.subject.length > 200 && seen.some > 200, 'several pages');
  assert.ok(seen.include.some((address) => address.startsWith('Medication/')));
  assert.ok(seen.revinclude.some((address) => address.startsWith('Provenance/')));
  assert.deepEqual(seen.elements, ['active', 'id', 'meta', 'name', 'resourceType']);
  assert.ok(seen.everything > 100);
});

test('medplum reads a record whole, its pages, references and versions', async () => {
  const medplum = new MedplumClient({ baseUrl: server.origin, fhirUrlPath: 'fhir/r4', fetch, cacheTime: 0 });
  medplum.setAccessToken(token);
  const record = [];
  for (let page = await medplum.readPatientEverything(PATIENT); page; ) {
    record.push(
      ...page.entry.filter(({ search }) => search.mode === 'match').map(({ resource }) => addressOf(resource)),
    );
    const next = page.link.find(({ relation }) => relation === 'next');
    page = next && (await medplum.get(next.url));
  }
  for (const type of ['Observation', 'Condition', 'Encounter', 'Immunization', 'MedicationRequest']) {
    const ofType = record.filter((address) => address.startsWith(`${type}/`));
    assert.deepEqual(ofType, matches(`${type}?patient=${PATIENT}`), type);
  }
  assert.equal(record[0], `Patient/${PATIENT}`);

  const asked = { subject: `Patient/${PATIENT}`, _count: 60 };
  const pages = [];
  for await (const page of medplum.searchResourcePages('Observation', asked)) pages.push(page.map(addressOf));
  assert.ok(pages.length > 3);
  assert.deepEqual(pages.flat(), matches(`Observation?patient=${PATIENT}`));

  const bundle = await medplum.search('Encounter', `subject=Patient/${PATIENT}&_total=accurate&_count=2`);
  assert.deepEqual([bundle.total, bundle.entry.length], [matches(`Encounter?patient=${PATIENT}`).length, 2]);
  const newest = await medplum.searchOne('Condition', { patient: PATIENT, _sort: '-recorded-date' });
  assert.equal(addressOf(newest), matches(`Condition?patient=${PATIENT}&_sort=-recorded-date`)[0]);
  const [visit] = await medplum.searchResources('Encounter', { patient: PATIENT, _count: 1 });
  assert.equal((await medplum.readReference(visit.subject)).id, PATIENT);
  const [{ individual }] = visit.participant;
  assert.equal(addressOf(await medplum.readReference(individual)), individual.reference);
  assert.deepEqual(await medplum.readVersion('Encounter', visit.id, visit.meta.versionId), visit);
  assert.equal(await medplum.searchOne('Observation', { patient: PATIENT, code: 'none' }), undefined);
  const outcomes = [medplum.readResource('Patient', 'nobody'), medplum.search('Patient', 'colour=red')];
  const codes = (await Promise.allSettled(outcomes)).map(({ reason }) => reason.outcome.issue[0].code);
  assert.deepEqual(codes, ['not-found', 'not-supported']);
});

test('fhir-kit-client searches compartments, reads versions and pages, and finds where to sign in', async () => {
  const client = new FhirKitClient({ baseUrl: server.base });
  const { authorizeUrl, tokenUrl } = await client.smartAuthMetadata();
  assert.equal(authorizeUrl.href, `${server.origin}/oauth/authorize`);
  assert.equal(tokenUrl.href, `${server.origin}/oauth/token`);
  const statement = await client.capabilityStatement();
  assert.equal(statement.resourceType, 'CapabilityStatement');
  const offered = statement.rest[0].resource.find(({ type }) => type === 'Observation').searchParam;
  assert.ok(offered.some(({ name }) => name === 'value-quantity'));

  client.bearerToken = token;
  const compartment = { resourceType: 'Patient', id: PATIENT };
  const searchParams = { category: 'laboratory', _count: 100 };
  const seen = [];
  let page = await client.compartmentSearch({ resourceType: 'Observation', compartment, searchParams });
  const first = page;
  for (; page; page = await client.nextPage({ bundle: page }))
    seen.push(...page.entry.map(({ resource }) => addressOf(resource)));
  assert.ok(first.entry.length === 100 && seen.length > 200);
  assert.deepEqual(seen, matches(`Observation?patient=${PATIENT}&category=laboratory`));

  const [{ resource }] = first.entry;
  const { resourceType, id } = resource;
  assert.deepEqual(await client.vread({ resourceType, id, version: resource.meta.versionId }), resource);
  await assert.rejects(client.vread({ resourceType, id, version: '0' }), ({ response }) => response.status === 404);
  assert.equal((await client.resolve({ reference: resource.subject.reference })).id, PATIENT);
  const posted = await client.resourceSearch({
    resourceType: 'Condition',
    searchParams: { subject: `Patient/${PATIENT}`, 'code:not': '127013003' },
    options: { postSearch: true },
  });
  assert.deepEqual(
    posted.entry.map(({ resource }) => addressOf(resource)),
    matches(`Condition?patient=${PATIENT}&code:not=127013003`),
  );
  const several = await client.systemSearch({ searchParams: { _type: 'Goal,CarePlan', patient: PATIENT } });
  assert.deepEqual(
    several.entry.map(({ resource }) => addressOf(resource)).sort(),
    [...matches(`CarePlan?patient=${PATIENT}`), ...matches(`Goal?patient=${PATIENT}`)].sort(),
  );
  const newest = await client.operation({
    name: 'lastn',
    resourceType: 'Observation',
    method: 'GET',
    input: { patient: PATIENT, category: 'vital-signs' },
  });
  assert.ok(newest.entry.length > 5);
});

const keys = join(folder, 'keys.jwks');
writeFileSync(keys, JSON.stringify(SANDBOX.private_jwks['backend-service']));

/// Runs smart-fetch as a backend client. Resolves to the addresses of the resources in its folder, by type.
async function smartFetch(command, ...more) {
  const output = join(folder, command);
  const words = [command, output, '--fhir-url', server.base, '--smart-client-id', 'backend-service'];
  await run(join(PYTHON, 'smart-fetch'), [...words, '--smart-key', keys, ...more], { timeout: 120_000 });
  assert.ok(!existsSync(join(output, 'error')), 'nothing failed');
  const files = readdirSync(output).filter((name) => /^[A-Z]\w+\.(.*\.)?ndjson(\.gz)?$/.test(name));
  const lines = files.flatMap((name) => {
    const bytes = readFileSync(join(output, name));
    const text = name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
    return text.split('\n').filter(Boolean);
  });
  return Map.groupBy(
    lines.map((line) => addressOf(JSON.parse(line))),
    (address) => address.split('/')[0],
  );
}

/// Fails if a client has other resources of these patients than the plain evaluator finds.
function isWhole(found, patients) {
  assert.deepEqual(found.get('Patient').sort(), patients.map(addressOf).sort());
  assert.ok(found.size > 9, `${[...found.keys()]}`);
  for (const type of [...found.keys()].filter((type) => type !== 'Patient')) {
    // The client leaves out observations of categories other than those of US Core.
    const CATEGORIES = 'social-history,vital-signs,imaging,laboratory,survey,exam,procedure,therapy,activity';
    const filter = type === 'Observation' ? `&category=${CATEGORIES}` : '';
    const expected = patients.flatMap(({ id }) => matches(`${type}?patient=${id}${filter}`));
    // A device without a patient may come with the records that name it.
    const own = found.get(type).filter((address) => type !== 'Device' || expected.includes(address));
    assert.deepEqual(own.sort(), expected.sort(), type);
  }
}

const PATIENTS = resources.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === 'Patient');

test('smart-fetch signs in as a backend client for every type, and crawls the records', { skip }, async () => {
  const system = 'https://juniper-hill.example.org/mrn';
  const isOfSystem = (one) => one.system === system;
  const patients = PATIENTS.filter(({ identifier }) => identifier.some(isOfSystem));
  const numbers = join(folder, 'numbers.txt');
  const mrns = patients.flatMap(({ identifier }) => identifier.filter(isOfSystem));
  writeFileSync(numbers, mrns.map(({ value }) => value).join('\n'));
  isWhole(await smartFetch('crawl', '--mrn-system', system, '--mrn-file', numbers), patients);
});

test('smart-fetch exports a group, with its filters', { skip }, async () => {
  isWhole(await smartFetch('bulk', '--group', 'juniper-hill-patients'), PATIENTS);
});
