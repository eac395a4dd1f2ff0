// Compares the documents in which the server describes itself with the contract and with its answers.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { raw } from '../../tools/server/raw.mjs';
import { BASE, EVERYTHING, edgechart, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { scopeGroups } from '../../www/src/smart/scopes.ts';
import { readRows } from '../oracle/rows.mjs';
import { basic, postForm } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const EXPECTATION = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-expectation';
const COMBINATION = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination';
const SDC_QUESTIONNAIRE = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire';
const DEFINITIONS = process.env.DEFINITIONS ?? '../shared/definitions';
const skip = existsSync(DEFINITIONS) ? false : `${DEFINITIONS} is not here`;
const resourceOf = (type) => statement.rest[0].resource.find((resource) => resource.type === type);
const get = (path, init) => raw(server.url, path, init);

/// A value that any parameter of that type accepts.
const VALUE = { token: 'x', date: '2020', string: 'x', reference: 'x' };

async function started(options) {
  const server = await stage(options);
  server.loadText(JSON.stringify({ resourceType: 'Patient', id: 'one' }));
  return server;
}

const server = await started();
after(() => server.close());
const token = server.token(EVERYTHING);
const { body: statement } = await get('/fhir/r4/metadata');
const { body: smart } = await get('/fhir/r4/.well-known/smart-configuration');

test('the capabilities are there for everyone, in JSON', async () => {
  for (const init of [
    {},
    { headers: { authorization: 'Bearer nonsense' } },
    { headers: { accept: 'text/html' } },
    { headers: { accept: 'application/fhir+json' } },
  ]) {
    const answer = await get('/fhir/r4/metadata', init);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
    assert.match(answer.headers.get('cache-control'), /^public, max-age=\d+$/);
    assert.deepEqual(answer.body, statement);
  }
  for (const query of ['mode=full', '_format=json', '_format=application/fhir%2Bjson', '_pretty=true']) {
    assert.deepEqual((await get(`/fhir/r4/metadata?${query}`)).body, statement, query);
  }
  assert.match((await get('/fhir/r4/metadata?_pretty=true')).text, /^\{\n {2}"resourceType"/);
});

test('the capabilities are not sent again to a client that has them', async () => {
  const { headers } = await get('/fhir/r4/metadata');
  const tag = headers.get('etag');
  for (const known of [tag, tag.slice(2), `"x", ${tag}`]) {
    const answer = await get('/fhir/r4/metadata', { headers: { 'if-none-match': known } });
    assert.equal(answer.status, 304, known);
    assert.equal(answer.headers.get('etag'), tag);
  }
  assert.equal((await get('/fhir/r4/metadata', { headers: { 'if-none-match': 'W/"x"' } })).status, 200);
});

test('the capabilities are those of a FHIR R4 and US Core server', () => {
  assert.equal(statement.resourceType, 'CapabilityStatement');
  assert.equal(statement.status, 'active');
  assert.equal(statement.kind, 'instance');
  assert.equal(statement.fhirVersion, '4.0.1');
  assert.deepEqual(statement.format, ['json', 'application/fhir+json']);
  assert.deepEqual(statement.instantiates, [
    'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server|6.1.0',
    'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
    'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
  ]);
  assert.equal(statement.implementation.url, BASE);
  assert.equal(statement.software.name, 'edgechart');
  assert.match(statement.date, /^\d{4}-\d{2}-\d{2}/);
  assert.equal(statement.rest.length, 1);
  const [{ mode, security, resource }] = statement.rest;
  assert.equal(mode, 'server');
  assert.equal(security.cors, true);
  assert.equal(security.service[0].coding[0].code, 'SMART-on-FHIR');
  assert.equal(new Set(resource.map(({ type }) => type)).size, resource.length);
  for (const { type, interaction, supportedProfile = [], searchParam, ...rest } of resource) {
    assert.deepEqual(
      interaction.map(({ code }) => code),
      ['read', 'vread', 'search-type'],
      type,
    );
    const operations = {
      DocumentReference: ['docref', 'docref'],
      Group: ['export', 'davinci-data-export'],
      Observation: ['lastn'],
      Patient: ['everything', 'summary', 'export'],
    };
    assert.deepEqual(
      rest.operation?.map(({ name }) => name),
      operations[type],
      type,
    );
    assert.equal(new Set(searchParam.map(({ name }) => name)).size, searchParam.length, type);
    for (const profile of supportedProfile) {
      const own = /^http:\/\/hl7\.org\/fhir\/us\/core\/StructureDefinition\/[a-z-]+\|6\.1\.0$/;
      assert.ok(own.test(profile) || profile === SDC_QUESTIONNAIRE, profile);
    }
    // FHIR does not allow empty lists.
    for (const [name, value] of Object.entries({ ...rest, searchParam })) {
      assert.ok(!Array.isArray(value) || value.length > 0, `${type}.${name}`);
    }
  }
});

/// Returns the parts of the server statement of a version of US Core that this server does not declare, in the form of
/// docs/conformance.md.
function missing({ rest: [{ resource }] }, version) {
  const folder = version === '9.0.0' ? 'guides' : '.';
  const asked = JSON.parse(readFileSync(join(DEFINITIONS, folder, `us-core-${version}.json`), 'utf8'));
  const found = {};
  for (const [type, of] of Object.entries(asked.resources)) {
    const own = resource.find((one) => one.type === type) ?? {};
    const isDeclared = {
      interactions: (code) => own.interaction?.some((one) => one.code === code),
      operations: (name) => own.operation?.some((one) => one.name === name),
      profiles: (url) => own.supportedProfile?.some((one) => one.split('|')[0] === url.split('|')[0]),
      params: (name) => own.searchParam?.some((one) => one.name === name),
      searchInclude: (name) => own.searchInclude?.some((one) => `${name}:`.startsWith(`${one}:`)),
      searchRevInclude: (name) => own.searchRevInclude?.includes(name),
    };
    for (const [kind, isThere] of Object.entries(isDeclared)) {
      for (const [name, ...more] of of[kind] ?? []) {
        const what = `${more.at(-1)}: \`${name}\``;
        if (!what.startsWith('MAY') && !isThere(name)) found[what] = [...(found[what] ?? []), type];
      }
    }
  }
  return Object.entries(found).map(
    ([what, types]) => `${what} of ${types.length > 4 ? types.length : types.join(', ')}`,
  );
}

const [, section] = readFileSync('docs/conformance.md', 'utf8').split('## What US Core asks for and is not offered');
const notOffered = [...section.split('\n## ')[0].matchAll(/^\| (SH[A-Z]+: .+?)(?: types)? \|/gm)].map(
  ([, what]) => what,
);

test('what US Core asks of a server and is not offered is told', { skip }, () => {
  assert.deepEqual(missing(statement, '6.1.0').sort(), notOffered.sort());
  assert.match(statement.description, /create is not offered/);
});

test('another version of US Core is declared where the settings say so', async () => {
  for (const [version, settings] of [
    ['7.0.0', { index: 'us-core-7.0.0' }],
    ['8.0.0', { index: 'r4', vars: { US_CORE: '8.0.0' } }],
    ['9.0.0', { index: 'us-core carin-bb-2.2.0', vars: { GUIDES: 'us-core-9.0.0' } }],
  ]) {
    const other = await started(settings);
    try {
      const { body } = await raw(other.url, '/fhir/r4/metadata');
      const guides = settings.index.includes('carin')
        ? ['http://hl7.org/fhir/us/carin-bb/CapabilityStatement/c4bb']
        : [];
      assert.deepEqual(body.instantiates, [
        `http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server|${version}`,
        'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
        ...guides,
        'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
      ]);
      assert.deepEqual(body.implementationGuide, [
        `http://hl7.org/fhir/us/core/ImplementationGuide/hl7.fhir.us.core|${version}`,
      ]);
      // 9.0.0 has FamilyMemberHistory besides.
      const told = skip ? notOffered : missing(body, version).sort();
      assert.deepEqual(version === '9.0.0' ? told.map((one) => one.replace('of 27', 'of 26')) : told, notOffered);
      const { supportedProfile, extension, searchParam } = body.rest[0].resource.find(
        ({ type }) => type === 'Observation',
      );
      assert.ok(supportedProfile.every((profile) => profile.endsWith(`|${version}`)));
      for (const [name, since] of [
        ['us-core-average-blood-pressure', '7.0.0'],
        ['us-core-observation-adi-documentation', '8.0.0'],
      ]) {
        const is = supportedProfile.includes(`http://hl7.org/fhir/us/core/StructureDefinition/${name}|${version}`);
        assert.equal(is, version >= since, `${name} in ${version}`);
      }
      const names = extension.map(({ extension: [, ...all] }) => all.map(({ valueString }) => valueString).join(' '));
      assert.ok(names.includes('patient category _lastUpdated'));
      assert.equal(searchParam.length > 10, settings.index === 'r4', version);
      const query = 'Observation?patient=one&category=vital-signs&_lastUpdated=ge2020';
      assert.equal((await other.ask(query, { token: other.token(EVERYTHING) })).status, 200, version);
    } finally {
      await other.close();
    }
  }
});

test('the addresses are the same in the capabilities and in smart-configuration', () => {
  const { extension } = statement.rest[0].security.extension.find(
    ({ url }) => url === 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
  );
  const uris = Object.fromEntries(extension.map(({ url, valueUri }) => [url, valueUri]));
  const same = {
    token: 'token_endpoint',
    authorize: 'authorization_endpoint',
    introspect: 'introspection_endpoint',
    revoke: 'revocation_endpoint',
    manage: 'management_endpoint',
  };
  for (const [uri, name] of Object.entries(same)) assert.equal(uris[uri], smart[name], name);
  assert.ok(uris.token);
});

test('every include that is declared is taken', async () => {
  for (const { type, searchInclude = [], searchRevInclude = [] } of statement.rest[0].resource) {
    for (const [parameter, values] of [
      ['_include', searchInclude],
      ['_revinclude', searchRevInclude],
    ]) {
      for (const value of values) {
        const answer = await server.ask(`${type}?_id=x&${parameter}=${value}`, { token });
        assert.equal(answer.status, 200, `${type} ${value}: ${answer.text}`);
        assert.equal(answer.body.entry, undefined);
      }
    }
    const all = [
      ...searchInclude.map((value) => `_include=${value}`),
      ...searchRevInclude.map((value) => `_revinclude=${value}`),
    ];
    // A search accepts ten of them.
    for (let at = 0; at < all.length; at += 10) {
      const some = all.slice(at, at + 10);
      assert.equal((await server.ask(`${type}?_id=x&${some.join('&')}`, { token })).status, 200, `${type} ${some}`);
    }
    const declared = new Set(searchInclude.map((value) => value.split(':')[1]));
    for (const { name } of resourceOf(type).searchParam.filter(
      (param) => param.type === 'reference' && !declared.has(param.name),
    )) {
      assert.equal(
        (await server.ask(`${type}?_id=x&_include=${type}:${name}`, { token })).status,
        400,
        `${type}:${name} is not declared`,
      );
    }
    if (searchRevInclude.length === 0) {
      assert.equal((await server.ask(`${type}?_id=x&_revinclude=Provenance:target`, { token })).status, 400, type);
    }
  }
});

test('every combination that is declared is taken', async () => {
  for (const { type, searchParam, extension = [] } of statement.rest[0].resource) {
    const kinds = Object.fromEntries(searchParam.map(({ name, type: kind }) => [name, kind]));
    for (const { url, extension: parts } of extension) {
      assert.equal(url, COMBINATION);
      const names = parts.filter((part) => part.url === 'required').map((part) => part.valueString);
      assert.ok(names.length > 1 && names.every((name) => kinds[name]), `${type} ${names}`);
      const answer = await server.ask(`${type}?${names.map((name) => `${name}=${VALUE[kinds[name]]}`).join('&')}`, {
        token,
      });
      assert.equal(answer.status, 200, `${type} ${names}: ${answer.text}`);
    }
  }
});

test('every row of the contract and of US Core is declared with its level', () => {
  for (const { id, type, level, query } of readRows()) {
    const resource = resourceOf(query.split(/[?/]/)[0]);
    assert.ok(resource, `${id}: ${type}`);
    const parameters = [...new URLSearchParams(query.split('?')[1] ?? '')];
    const names = [...new Set(parameters.map(([name]) => name.split(':')[0]))];
    for (const name of names.filter((name) => !['_include', '_revinclude'].includes(name))) {
      assert.ok(
        resource.searchParam.some((param) => param.name === name),
        `${id}: ${name} is not declared`,
      );
    }
    for (const [name, value] of parameters) {
      const declared = { _include: resource.searchInclude, _revinclude: resource.searchRevInclude }[name];
      if (name.endsWith('include')) {
        assert.ok(declared.includes(value.split(':').slice(0, 2).join(':')), `${id}: ${value} is not declared`);
      }
    }
    const together = names.filter((name) => !name.startsWith('_'));
    if (together.length < 2) continue;
    const combination = (resource.extension ?? []).find(({ extension }) => {
      const required = extension.filter((part) => part.url === 'required').map((part) => part.valueString);
      return required.length === together.length && together.every((name) => required.includes(name));
    });
    assert.ok(combination, `${id}: ${together.join(' + ')} is not declared`);
    const declared = combination.extension.find(({ url }) => url === EXPECTATION).valueCode;
    assert.ok(declared === 'SHALL' || level !== 'SHALL', `${id}: ${together.join(' + ')} is declared as ${declared}`);
  }
});

test('every type that is declared can be read and searched, and no other', async () => {
  for (const { type } of statement.rest[0].resource) {
    assert.equal((await server.ask(`${type}/nobody`, { token })).status, 404, type);
    assert.equal((await server.ask(`${type}?_id=nobody`, { token })).status, 200, type);
  }
  for (const type of ['DomainResource', 'Resource', 'MedicationOrder', 'ActorDefinition', 'account']) {
    assert.equal(resourceOf(type), undefined);
    const answer = await server.ask(type, { token });
    assert.equal(answer.status, 404, type);
    assert.equal(answer.body.issue[0].details.text, 'no Route matched with those values');
  }
});

test('smart-configuration is there for everyone, in JSON', async () => {
  for (const init of [
    {},
    { headers: { authorization: 'Bearer nonsense' } },
    { headers: { accept: 'text/html' } },
    { headers: { accept: 'application/fhir+xml' } },
    { headers: { origin: 'https://any.example' } },
  ]) {
    const answer = await get('/fhir/r4/.well-known/smart-configuration', init);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(answer.body, smart);
  }
  assert.equal(smart.issuer, ORIGIN);
  for (const [name, value] of Object.entries(smart)) {
    if (name.endsWith('_endpoint') || name === 'jwks_uri') assert.ok(value.startsWith(`${ORIGIN}/`), name);
  }
  for (const name of ['token_endpoint', 'grant_types_supported', 'capabilities', 'code_challenge_methods_supported']) {
    assert.ok(smart[name], name);
  }
  assert.deepEqual(smart.code_challenge_methods_supported, ['S256']);
});

test('every scope that is offered to a backend client is granted', async () => {
  const scopes = smart.scopes_supported.filter((scope) => scope.startsWith('system/'));
  assert.ok(scopes.length > 20);
  const { pathname } = new URL(smart.token_endpoint);
  const client = basic('backend-basic', 'sandbox-basic-secret');
  // A list of scopes has at most 8,192 characters.
  for (let at = 0; at < scopes.length; at += 40) {
    const scope = scopes.slice(at, at + 40).join(' ');
    const form = { grant_type: 'client_credentials', scope };
    const { status, body } = await postForm(server, pathname, form, client);
    assert.equal(status, 200, scope);
    assert.equal(body.scope, scope);
  }
});

test('every scope of US Core 9.0.0 is listed at each level', { skip }, () => {
  const { rows } = JSON.parse(readFileSync(join(DEFINITIONS, 'guides/us-core-9.0.0-requirements.json'), 'utf8'));
  const shalls = rows.filter(([, level, , , , gist]) => level === 'SHALL' && gist.startsWith('scope <level>/'));
  assert.equal(shalls.length, 33);
  for (const [id, , , , , gist] of shalls) {
    // CONF-0162 misspells the system.
    const [, scope] = gist.replace('//CodeSystem-', '/CodeSystem/').split('<level>/');
    for (const level of ['patient', 'user', 'system']) {
      assert.ok(smart.scopes_supported.includes(`${level}/${scope}`), `${id} ${level}/${scope}`);
    }
  }
});

test('every scope that the app asks for is offered', () => {
  for (const launch of ['patient', 'practitioner', 'ehr']) {
    const scopes = scopeGroups(launch).flatMap(({ choices }) => choices.map(({ scope }) => scope));
    assert.deepEqual(
      scopes.filter((scope) => !smart.scopes_supported.includes(scope)),
      [],
      launch,
    );
  }
});

test('health, readiness and version are answered', async () => {
  const [up, ready, version] = await Promise.all(['/healthz', '/readyz', '/version'].map((path) => get(path)));
  for (const answer of [up, ready]) {
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/health+json');
    assert.equal(answer.body.status, 'pass');
  }
  assert.equal(version.status, 200);
  assert.equal(version.body.version, statement.software.version);
  assert.equal(version.body.fhirVersion, statement.fhirVersion);
  assert.equal(version.body.environment, 'sandbox');
  for (const answer of [up, ready, version]) {
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.doesNotMatch(answer.text, /SIGN|PEPPER|"d":|sqlite|D1/i);
  }
});

test('a fault of the storage fails the requests that need it, and no answer gives details', async () => {
  const database = await server.miniflare.getD1Database('DB');
  await database.prepare('ALTER TABLE resource RENAME TO away').run();
  for (const path of ['Patient/a', 'Patient?_id=a', 'Patient?_id=a&_summary=count']) {
    const answer = await server.ask(path, { token });
    assert.equal(answer.status, 500, path);
    assert.equal(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
    assert.equal(answer.body.issue[0].code, 'transient');
    assert.doesNotMatch(answer.text, /sql|table|D1|away|resource r/i);
    assert.ok(answer.headers.get('x-request-id'));
  }
  for (const path of [
    '/healthz',
    '/version',
    '/oauth/jwks.json',
    '/fhir/r4/metadata',
    '/fhir/r4/.well-known/smart-configuration',
  ]) {
    assert.equal((await get(path)).status, 200, path);
  }
  await database.prepare('ALTER TABLE away RENAME TO resource').run();
  assert.equal((await server.ask('Patient?_id=a', { token })).status, 200);
});

test('a store of another format is not ready', async (t) => {
  const other = await started();
  t.after(other.close);
  const database = await other.miniflare.getD1Database('DB');
  await database.prepare("UPDATE format SET number = 'of long ago'").run();
  const answer = await until(async () => {
    const answer = await raw(other.url, '/readyz');
    assert.deepEqual([answer.status, answer.body.status], [503, 'fail']);
    return answer;
  });
  assert.doesNotMatch(answer.text, /format|sql|long ago/i);
  assert.equal((await other.ask('Patient?_id=a', { token: other.token(EVERYTHING) })).status, 500);
  assert.equal((await raw(other.url, '/healthz')).status, 200);
});

test('a token of one deployment opens nothing at another', async (t) => {
  const other = await started({ vars: { ORIGIN: 'https://other.example' } });
  t.after(other.close);
  const body = await (await other.reach('/fhir/r4/metadata')).json();
  assert.equal(body.implementation.url, 'https://other.example/fhir/r4');
  const foreign = edgechart('token', EVERYTHING, '--origin', ORIGIN, '--keys', other.keys, '--db', other.db).trim();
  assert.equal((await other.ask('Patient?_id=a', { token: foreign })).status, 401);
  assert.equal((await other.ask('Patient?_id=a', { token: other.token(EVERYTHING) })).status, 200);
});
