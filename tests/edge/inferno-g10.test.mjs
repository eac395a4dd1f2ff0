// The requests and the assertions of the SMART App Launch kit, and of the (g)(10) certification kit that go beyond the
// US Core kit: US Core 6.1.0, SMART 2.2.0, Bulk Data 2.0.0. A test has the number of the (g)(10) kit's test. Like a
// tester of the kit, one browser goes through all launches, so that grants of one launch persist in the next.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import * as jose from 'jose';
import { BASE, stage } from '../../tools/server/stage.mjs';
import { loadResources } from '../oracle/data.mjs';
import { chosenFor, missing, profilesOf, REQUIRED, validate } from '../sample/g10.mjs';
import { profiles } from '../sample/us-core.mjs';
import { challengeOf } from '../server/app.mjs';
import { formsOf } from '../server/browser.mjs';
import { basic } from '../server/sender.mjs';
import { areLoaded, BulkClient } from './bulk-kit.mjs';
import * as g10 from './g10-kit.mjs';

const GROUP = 'juniper-hill-patients';
const CONDITION = 'http://terminology.hl7.org/CodeSystem/condition-category';
const US_CORE_CONDITION = 'http://hl7.org/fhir/us/core/CodeSystem/condition-category';
const OBSERVATION = 'http://terminology.hl7.org/CodeSystem/observation-category';
const US_CORE = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category';
const GRANULAR = {
  1: [
    ['Condition', `${CONDITION}|encounter-diagnosis`],
    ['Condition', `${US_CORE_CONDITION}|health-concern`],
    ['Observation', `${OBSERVATION}|laboratory`],
    ['Observation', `${OBSERVATION}|social-history`],
  ],
  2: [
    ['Condition', `${CONDITION}|problem-list-item`],
    ['Observation', `${OBSERVATION}|vital-signs`],
    ['Observation', `${OBSERVATION}|survey`],
    ['Observation', `${US_CORE}|sdoh`],
  ],
};
/// The granular scopes that must be offered in place of a whole type.
const OFFERED = [
  ...GRANULAR[1],
  ...GRANULAR[2],
  // "Clinical test".
  ['Observation', `${OBSERVATION}|procedure`],
];

const INTROSPECTOR = basic('introspector', 'sandbox-introspector-secret');

const keys = createServer((_, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(g10.KEY_SET));
}).listen(0, '127.0.0.1');
await once(keys, 'listening');
const server = await stage({
  data: ['sample'],
  apps: g10.apps(`http://127.0.0.1:${keys.address().port}`),
  vars: { REFRESH_DAYS: '93' },
});
const kit = await g10.openKit(server);
const { launched, read, post } = kit;
const loaded = loadResources(['sample'], server.base).map(({ resource }) => resource);
after(async () => {
  await server.close();
  keys.close();
});

const has = (capabilities) => {
  for (const one of g10.list(capabilities)) assert.ok(kit.smart.capabilities.includes(one), one);
};
const CLAIMED = `
  client-confidential-symmetric client-confidential-asymmetric sso-openid-connect permission-offline authorize-post
  permission-v1 permission-v2`;

// ── 1 Standalone Patient App, full access ───────────────────────────────────────────────────────────────────────────

let full;

test('1.8, 3.7 discovery has every field that the three versions require', () => {
  const { smart } = kit;
  for (const name of g10.list('authorization_endpoint token_endpoint introspection_endpoint issuer jwks_uri')) {
    assert.equal(typeof smart[name], 'string', name);
  }
  assert.ok(smart.capabilities.every((one) => typeof one === 'string'));
  for (const one of ['authorization_code', 'client_credentials']) assert.ok(smart.grant_types_supported.includes(one));
  assert.deepEqual(smart.code_challenge_methods_supported, ['S256']);
  assert.ok(smart.scopes_supported.some((scope) => /^(patient|user|system)\/\w+\.c?r?u?d?s$/.test(scope)));
});

test('1.8 the endpoints answer requests without parameters', async () => {
  const authorize = await fetch(`${server.url}/oauth/authorize`, { redirect: 'manual' });
  assert.equal(authorize.status, 400);
  assert.match(authorize.headers.get('content-type'), /^text\/html/);
  assert.equal((await fetch(`${server.url}/oauth/token`)).status, 405);
});

test('1.8.05 capabilities of a standalone launch', () => {
  has(`launch-standalone client-public context-standalone-patient permission-patient ${CLAIMED}`);
});

test('1.9.01 to 1.9.09 a standalone launch that the user allows in full, and its scopes', async () => {
  full = (await launched('confidential', g10.STANDALONE)).tokens;
  assert.equal(full.patient, g10.PATIENT);
  g10.hasScopes(full, 'patient');
});

test('1.9.10 without a token the patient is not read', async () => {
  assert.equal((await read(`Patient/${full.patient}`)).status, 401);
});

test('1.9.11 with the token the patient is read', async () => {
  const { status, body } = await read(`Patient/${full.patient}`, full);
  assert.deepEqual([status, body.resourceType, body.id], [200, 'Patient', full.patient]);
});

test('1.6 refresh, without and with a scope, and by an unknown token', async () => {
  full = await kit.refreshes('confidential', full);
});

test('1.7.01, 1.7.02 and on: each type is opened by the scopes, and by a search', () => kit.opensEverything(full));

// ── 2 Standalone Patient App, limited access ────────────────────────────────────────────────────────────────────────

const EXPECTED = ['Patient', 'Condition', 'Observation'];
let limited;

test('2.4.01 to 2.4.06 the same request in the same browser: the user is asked again, and allows three', async () => {
  const untick = g10.TYPES.filter((type) => !EXPECTED.includes(type)).map((type) => `patient/${type}.rs`);
  const { tokens, consent } = await launched('confidential', g10.STANDALONE, { untick });
  assert.ok(consent, 'a page to choose on was shown');
  limited = tokens;
});

test('2.4.09 the patient is read with the limited token', async () => {
  assert.equal((await read(`Patient/${limited.patient}`, limited)).status, 200);
});

test('2.4.10 the granted scopes open the chosen types alone', () => {
  const looked = [...new Set([...g10.OF_PATIENT, ...g10.ACCESSED])].filter(
    (type) => !['Organization', 'Practitioner'].includes(type),
  );
  const opens = (type) => new RegExp(`(?:^|\\s)patient/(?:\\*|${type}\\.)`).test(limited.scope);
  assert.deepEqual(looked.filter(opens).sort(), [...EXPECTED].sort());
});

test('2.3.01 and on: what was chosen is found, and nothing else', async () => {
  for (const [type, query] of Object.entries(g10.TRIED(limited.patient))) {
    const { status } = await read(query, limited);
    if (EXPECTED.includes(type)) assert.equal(status, 200, query);
    else assert.ok([401, 403].includes(status), `${query}: ${status}`);
  }
});

// ── 3 EHR Practitioner App ──────────────────────────────────────────────────────────────────────────────────────────

let practitioner, encounter;

test('3.7.05 capabilities of a launch from an EHR', () => {
  has(`launch-ehr context-ehr-patient permission-user ${CLAIMED}`);
  has('context-banner context-style context-ehr-encounter');
});

test('3.8.01 to 3.8.11 an EHR launches the app with a patient and a visit, by POST, and the scopes', async () => {
  ({ id: encounter } = loaded.find(
    ({ resourceType, subject }) => resourceType === 'Encounter' && subject.reference === `Patient/${g10.PATIENT}`,
  ));
  const launch = await kit.handleOf('confidential', { encounter });
  practitioner = (await launched('confidential', g10.EHR, { launch, posted: true })).tokens;
  g10.hasScopes(practitioner, 'user', { context: 'launch' });
});

test('3.8.12, 3.8.13 the patient of the launch, without and with the token', async () => {
  assert.equal(practitioner.patient, g10.PATIENT);
  assert.equal((await read(`Patient/${practitioner.patient}`)).status, 401);
  assert.equal((await read(`Patient/${practitioner.patient}`, practitioner)).status, 200);
});

test('3.8.15 the encounter of the launch is in the token response, and read', async () => {
  assert.equal(practitioner.encounter, encounter);
  const { status, body } = await read(`Encounter/${practitioner.encounter}`, practitioner);
  assert.deepEqual([status, body.resourceType], [200, 'Encounter']);
});

test('3.8.17 the style of the server: an address, and JSON without a token', async () => {
  const { smart_style_url: address } = practitioner;
  assert.ok(URL.canParse(address), address);
  const answer = await fetch(`${server.url}${new URL(address).pathname}`, { headers: { origin: g10.KIT } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const style = JSON.parse(await answer.text());
  const members = g10.list(`
    color_background color_error color_highlight color_modal_backdrop color_success color_text dim_border_radius
    dim_font_size dim_spacing_size font_family_body font_family_heading`);
  assert.ok(members.some((name) => typeof style[name] === 'string'));
});

test('3.8.18 whether the app shows the patient, as the launch says', async () => {
  assert.equal(practitioner.need_patient_banner, true);
  const launch = await kit.handleOf('confidential', { need_patient_banner: 'false', intent: 'reconcile' });
  const { tokens } = await launched('confidential', g10.EHR, { launch, posted: true });
  assert.deepEqual([tokens.need_patient_banner, tokens.intent], [false, 'reconcile']);
});

test('3.10 the identity token names the practitioner, who is read with the access token', async () => {
  const described = await fetch(`${server.url}/.well-known/openid-configuration`);
  assert.match(described.headers.get('content-type'), /^application\/json/);
  const configuration = await described.json();
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    assert.equal(typeof configuration[name], 'string', name);
  }
  for (const name of ['response_types_supported', 'subject_types_supported']) {
    assert.ok(configuration[name].length > 0, name);
  }
  assert.ok(configuration.id_token_signing_alg_values_supported.includes('RS256'));
  const jwks = await (await fetch(`${server.url}/oauth/jwks.json`)).json();
  const { payload, protectedHeader } = await jose.jwtVerify(practitioner.id_token, jose.createLocalJWKSet(jwks), {
    algorithms: ['RS256'],
    issuer: configuration.issuer,
    audience: 'confidential',
    requiredClaims: ['exp', 'iat', 'sub'],
  });
  assert.ok(jwks.keys.some((key) => key.kid === protectedHeader.kid));
  assert.ok(payload.sub.length > 0 && payload.sub.length < 256);
  assert.match(payload.fhirUser, /\/Practitioner\//);
  const { status, body } = await read(payload.fhirUser, practitioner);
  assert.deepEqual([status, body.resourceType], [200, 'Practitioner']);
});

test('3.10.08 a page on the host of the kit may read discovery, the user, and tokens of a public client', async () => {
  const headers = { origin: g10.KIT };
  const may = (answer) => assert.ok(['*', g10.KIT].includes(answer.headers.get('access-control-allow-origin')));
  for (const path of ['metadata', '.well-known/smart-configuration']) may(await server.ask(path, { headers }));
  const { redirected, verifier } = await kit.authorized('public', g10.STANDALONE);
  const form = {
    grant_type: 'authorization_code',
    client_id: 'public',
    code: redirected.code,
    redirect_uri: g10.REDIRECT,
  };
  const answer = await post('/oauth/token', { ...form, code_verifier: verifier }, headers);
  may(answer);
  const { fhirUser } = jose.decodeJwt(answer.body.id_token);
  const user = await server.ask(fhirUser, { token: answer.body.access_token, headers });
  may(user);
  assert.equal(user.status, 200);
});

test('3.6 refresh, with the context of the launch', async () => {
  const next = await kit.refreshes('confidential', practitioner);
  assert.deepEqual([next.patient, next.encounter, next.need_patient_banner], [g10.PATIENT, encounter, true]);
  practitioner = next;
});

// ── 10 Single Patient API ───────────────────────────────────────────────────────────────────────────────────────────

test('10.1 the CapabilityStatement has the types and all profiles of US Core 6.1.0', async () => {
  const { body } = await server.ask('metadata');
  const { resource } = body.rest[0];
  const declared = resource.map(({ type }) => type);
  const required = g10.list(`
    Patient AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter
    Goal Immunization MedicationDispense MedicationRequest Observation Procedure ServiceRequest Specimen Organization
    Practitioner Provenance RelatedPerson`);
  assert.deepEqual(
    required.filter((type) => !declared.includes(type)),
    [],
  );
  const supported = new Set(
    resource.flatMap(({ supportedProfile = [] }) => supportedProfile.map((one) => one.replace(/\|.*$/, ''))),
  );
  const url = (profile) => `http://hl7.org/fhir/us/core/StructureDefinition/${profile.replaceAll('_', '-')}`;
  const wanted = profiles.map(({ profile }) => url(profile));
  assert.ok(wanted.length >= 42);
  assert.deepEqual(
    wanted.filter((one) => !supported.has(one)),
    [],
  );
});

test('10 reads: the practitioner’s token reads every patient, and whomever the records lead to', async () => {
  const types = ['Patient', 'Organization', 'Practitioner', 'Provenance', 'RelatedPerson'];
  for (const { resourceType, id } of loaded.filter(({ resourceType }) => types.includes(resourceType))) {
    assert.equal((await read(`${resourceType}/${id}`, practitioner)).status, 200, `${resourceType}/${id}`);
  }
});

// ── 8 Multi-Patient Authorization and API ───────────────────────────────────────────────────────────────────────────

let bulk, exported;
const EXPORT = `Group/${GROUP}/$export`;
const BULK_SCOPES = [...g10.TYPES, 'Group'].map((type) => `system/${type}.rs`).join(' ');

test('8.1.05 to 8.3.03 a token by its scopes exports the Group, and every line is as it was loaded', async () => {
  const { status, body } = await BulkClient.requestToken(server, BULK_SCOPES);
  assert.equal(status, 200, JSON.stringify(body));
  bulk = new BulkClient(server, body.access_token);
  exported = await bulk.contentOf(await bulk.exported(EXPORT));
  areLoaded(exported, loaded);
});

test('8.3.03 and on: each resource is valid in the profile that its code and category choose', () =>
  validate(exported));

for (const type of [...REQUIRED, 'Medication', 'PractitionerRole', 'QuestionnaireResponse']) {
  const names = profilesOf(type).map(({ profile }) => profile);
  test(`8.3.03 and on: ${type} has every must-support element of ${names.join(', ')}`, () => {
    assert.ok(
      exported.some((resource) => resource.resourceType === type && chosenFor(resource).length > 0),
      `a file of ${type}`,
    );
    assert.deepEqual(missing(type, exported), []);
  });
}

const idsOf = (resources) =>
  resources
    .filter(({ resourceType }) => resourceType === 'Patient')
    .map(({ id }) => id)
    .sort();

test('8.3.05 the patients are those of the Group, and no more', async () => {
  assert.deepEqual(idsOf(exported), idsOf(loaded));
  const household = await bulk.contentOf(await bulk.exported('Group/reyes-household/$export'));
  assert.deepEqual(idsOf(household), ['mateo-reyes', 'matias-reyes']);
});

test('8.5.02, 11.17 _since leaves out what is older', async () => {
  const later = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
  assert.deepEqual((await bulk.exported(`${EXPORT}?_since=${later}`)).output, []);
});

test('11.08 no type comes that the scopes do not open', async () => {
  const { body } = await BulkClient.requestToken(server, 'system/Patient.rs system/Goal.rs');
  const narrow = new BulkClient(server, body.access_token);
  const { output } = await narrow.exported(EXPORT);
  assert.deepEqual(output.map(({ type }) => type).sort(), ['Goal', 'Patient']);
  g10.isRefused(await narrow.kickOff(`${EXPORT}?_type=Patient,Condition`));
});

// ── 9 Additional authorization tests ────────────────────────────────────────────────────────────────────────────────

test('9.16 a public client: its patient is read, and it has an identity token', async () => {
  const { tokens } = await launched('public', g10.STANDALONE);
  assert.equal((await read(`Patient/${tokens.patient}`, tokens)).status, 200);
  assert.ok(tokens.id_token);
});

test('9.4 a request for another server gives no code', async () => {
  const { redirected } = await kit.authorized('confidential', g10.STANDALONE, {
    changes: { aud: 'https://inferno.healthit.gov/invalid_aud' },
  });
  assert.equal(redirected.code, undefined);
  const unknown = await kit.authorized('confidential', g10.EHR, { launch: randomUUID() });
  assert.deepEqual([unknown.redirected.error, unknown.redirected.code], ['invalid_request', undefined]);
});

test('9.17 a bad code, and a bad client', async () => {
  const { redirected, verifier } = await kit.authorized('confidential', g10.STANDALONE);
  assert.ok(redirected.code);
  assert.equal((await kit.exchanged('confidential', 'BAD_CODE', verifier)).status, 400);
  const form = {
    grant_type: 'authorization_code',
    code: redirected.code,
    redirect_uri: g10.REDIRECT,
    code_verifier: verifier,
  };
  g10.isRefused(await post('/oauth/token', form, basic('BAD_CLIENT_ID', g10.SECRET)));
});

test('9.18 no verifier, a blank one, a wrong one, and the challenge itself', async () => {
  const wrong = [() => undefined, () => '', () => `${randomUUID()}-${randomUUID()}`, challengeOf];
  for (const [client, made] of ['public', 'confidential'].flatMap((client) => wrong.map((made) => [client, made]))) {
    const { redirected, verifier } = await kit.authorized(client, g10.STANDALONE);
    g10.isRefused(await kit.exchanged(client, redirected.code, verifier, { code_verifier: made(verifier) }), client);
  }
});

test('9.19 an EHR launch with scopes of the patient', async () => {
  const launch = await kit.handleOf('confidential');
  const { tokens } = await launched('confidential', 'launch openid fhirUser offline_access patient/Patient.rs', {
    launch,
  });
  assert.equal(tokens.patient, g10.PATIENT);
  assert.match(tokens.scope, /patient\/Patient\.r?s(\s|$)/);
  assert.match(tokens.scope, /patient\/Patient\.rs?(\s|$)/);
  assert.equal((await read(`Patient/${tokens.patient}`, tokens)).status, 200);
});

test('a standalone launch asks for one of the encounters of the patient', async () => {
  const scope = 'launch/patient launch/encounter openid patient/Encounter.rs';
  for (const chosen of [encounter, '']) {
    const { tokens } = await launched('confidential', scope, { encounter: chosen });
    assert.equal(tokens.encounter ?? '', chosen);
  }
});

test('9.20 introspection agrees with the token response and the identity token', async () => {
  const launch = await kit.handleOf('confidential', { encounter });
  const { tokens } = await launched('confidential', g10.EHR, { launch });
  const ask = (token) => post('/oauth/introspect', { token }, { ...INTROSPECTOR, accept: 'application/json' });
  const { status: answered, body } = await ask(tokens.access_token);
  assert.equal(answered, 200);
  const { iss, sub, fhirUser } = jose.decodeJwt(tokens.id_token);
  assert.deepEqual(
    [body.active, body.client_id, body.patient, body.encounter, body.iss, body.sub, body.fhirUser],
    [true, 'confidential', tokens.patient, tokens.encounter, iss, sub, fhirUser],
  );
  assert.ok(tokens.encounter);
  assert.deepEqual(body.scope.split(' ').sort(), tokens.scope.split(' ').sort());
  assert.ok(Number.isInteger(body.exp) && body.exp > Date.now() / 1_000 - 600);
  const unknown = await ask('invalid_token_value');
  assert.deepEqual([unknown.status, unknown.body.active], [200, false]);
});

test('9.21 an asymmetric client by the address of its keys: launch and refresh, each with its assertion', async () => {
  const { tokens } = await launched('asymmetric', g10.STANDALONE);
  assert.equal((await read(`Patient/${tokens.patient}`, tokens)).status, 200);
  assert.ok(tokens.id_token);
  await kit.refreshes('asymmetric', tokens);
});

test('9.22 scopes of version 1', async () => {
  const { tokens } = await launched('confidential', g10.V1);
  g10.hasScopes(tokens, 'patient', { versions: (one) => g10.isV2(one) || one.access === 'read' });
  assert.equal((await read(`Patient/${tokens.patient}`)).status, 401);
  assert.equal((await read(`Patient/${tokens.patient}`, tokens)).status, 200);
  await kit.opensEverything(tokens);
});

const codesOf = ({ category = [] }) =>
  category.flatMap(({ coding = [] }) => coding.map(({ system, code }) => `${system}|${code}`));

for (const [number, parts] of Object.entries(GRANULAR)) {
  test(`9.23 granular scopes ${number}: what was granted is found and read in full, and nothing else`, async () => {
    const scopes = parts.map(([type, category]) => `patient/${type}.rs?category=${category}`);
    const asked = ['launch/patient', ...g10.IDENTITY, 'patient/Patient.rs', ...scopes].join(' ');
    const { tokens } = await launched('confidential', asked);
    for (const one of scopes) assert.ok(tokens.scope.split(' ').includes(one), one);
    assert.doesNotMatch(tokens.scope, /patient\/(Condition|Observation)\.\w+(\s|$)/);
    for (const type of ['Condition', 'Observation']) {
      const granted = parts.filter(([of]) => of === type).map(([, category]) => category);
      const all = loaded.filter(
        ({ resourceType, subject }) => resourceType === type && subject?.reference === `Patient/${g10.PATIENT}`,
      );
      for (const category of granted) {
        const expected = all.filter((resource) => codesOf(resource).includes(category)).map(({ id }) => id);
        assert.ok(expected.length > 0, `${g10.PATIENT} has ${category}`);
        const { status: found, body } = await read(
          `${type}?patient=${g10.PATIENT}&category=${encodeURIComponent(category)}&_count=200`,
          tokens,
        );
        assert.equal(found, 200);
        const ids = (body.entry ?? []).map(({ resource }) => resource.id);
        const next = body.link.some(({ relation }) => relation === 'next');
        assert.ok(ids.length === expected.length || next, category);
        assert.deepEqual(
          ids.filter((id) => !expected.includes(id)),
          [],
        );
        assert.equal((await read(`${type}/${expected[0]}`, tokens)).status, 200);
      }
      const other = all.find((resource) => !codesOf(resource).some((one) => granted.includes(one)));
      assert.notEqual((await read(`${type}/${other.id}`, tokens)).status, 200, other.id);
    }
  });
}

test('9.26 the user is offered parts of a type in place of the whole, and chooses some', async () => {
  const scope = [
    'launch/patient',
    ...g10.IDENTITY,
    ...['Condition', 'Observation', 'Patient'].map((type) => `patient/${type}.rs`),
  ];
  const partOf = ([type, category]) => `patient/${type}.rs?category=${category}`;
  const tick = [partOf(GRANULAR[1][0]), partOf(GRANULAR[1][2])];
  const { tokens, consent } = await launched('confidential', scope.join(' '), { tick });
  const offered = consent.fields.map(({ value }) => value);
  for (const part of OFFERED.map(partOf)) assert.ok(offered.includes(part), part);
  const granted = tokens.scope.split(' ');
  assert.deepEqual(
    granted.filter((one) => /(Condition|Observation)\.(\*|read|c?ru?d?s?)$/.test(one)),
    [],
  );
  for (const type of ['Condition', 'Observation']) {
    assert.ok(
      granted.some((one) => one.startsWith(`patient/${type}.`) && one.includes('?')),
      type,
    );
  }
  assert.ok(granted.includes('patient/Patient.rs'));
  g10.hasScopes(tokens, 'patient', { types: ['Patient', 'Condition', 'Observation'] });
});

test('11.19 a part for clinical tests is granted alone', async () => {
  const part = `patient/Observation.rs?category=${OBSERVATION}|procedure`;
  const scope = ['launch/patient', ...g10.IDENTITY, 'patient/Observation.rs'].join(' ');
  const { tokens } = await launched('confidential', scope, { tick: [part] });
  assert.ok(tokens.scope.split(' ').includes(part));
  assert.equal((await read(`Condition?patient=${g10.PATIENT}`, tokens)).status, 401);
});

// ── 11 Visual inspection and attestation ────────────────────────────────────────────────────────────────────────────

test('11.03, 11.04 the page names each type with a box, and that access goes on', async () => {
  const request = {
    response_type: 'code',
    client_id: 'confidential',
    redirect_uri: g10.REDIRECT,
    scope: g10.STANDALONE,
    state: randomUUID(),
    aud: BASE,
  };
  let page = await kit.browser.authorize(request);
  const form = formsOf(page.text).find(({ fields }) => fields.some(({ name }) => name === 'patient'));
  if (form) page = await kit.browser.submit(form, { patient: g10.PATIENT });
  const boxes = formsOf(page.text)
    .flatMap(({ fields }) => fields)
    .filter(({ type }) => type === 'checkbox')
    .map(({ value }) => value);
  for (const type of g10.TYPES) assert.ok(boxes.includes(`patient/${type}.rs`), type);
  assert.ok(boxes.includes('offline_access'));
  assert.match(page.text, /Keep access when you are away/);
});

test('11.05, 11.13, 11.16 refresh tokens live for three calendar months, also after a refresh', async () => {
  const days = async (token) => {
    const { body } = await post('/oauth/introspect', { token }, INTROSPECTOR);
    return (body.exp - Date.now() / 1_000) / 86_400;
  };
  for (const client of ['confidential', 'public']) {
    const { tokens } = await launched(client, g10.STANDALONE);
    assert.ok((await days(tokens.refresh_token)) > 92, client);
    const next = await kit.refreshes(client, tokens);
    assert.ok((await days(next.refresh_token)) > 92, client);
  }
});

test('11.09 the interface is described at a public address', async () => {
  const answer = await fetch(`${server.url}/openapi.json`);
  assert.equal(answer.status, 200);
  assert.ok(Object.keys((await answer.json()).paths).length > 100);
});

test('11.14 the service base URLs are public: Organizations, and Endpoints whose addresses answer', async () => {
  const answer = await fetch(`${server.url}/.well-known/service-base-urls.json`, {
    headers: { accept: 'application/json, application/fhir+json' },
  });
  assert.equal(answer.status, 200);
  const { resourceType, entry } = await answer.json();
  assert.equal(resourceType, 'Bundle');
  const of = (type) => entry.map(({ resource }) => resource).filter((one) => one.resourceType === type);
  const [organizations, endpoints] = [of('Organization'), of('Endpoint')];
  assert.equal(organizations.length + endpoints.length, entry.length);
  assert.ok(organizations.length > 0 && endpoints.length > 0);
  const known = new Set(entry.flatMap(({ fullUrl, resource }) => [fullUrl, `${resource.resourceType}/${resource.id}`]));
  const referred = organizations.flatMap(({ endpoint = [] }) => endpoint.map(({ reference }) => reference));
  for (const reference of referred) assert.ok(known.has(reference), reference);
  for (const { id, status: state, connectionType, address } of endpoints) {
    assert.ok(state && connectionType && URL.canParse(address), id);
    assert.ok(
      referred.some((reference) => reference.includes(id)),
      id,
    );
    assert.ok(!endpoints.some((other) => other.id !== id && other.id.startsWith(id)), `${id} begins another id`);
  }
  for (const { name, active, address, identifier, endpoint, partOf } of organizations) {
    assert.ok(name && active && address?.length > 0 && identifier?.length > 0 && (endpoint || partOf), name);
  }
  for (const address of new Set(endpoints.map((endpoint) => endpoint.address))) {
    assert.equal(address, BASE);
    const { status: answered, body } = await server.ask('metadata', { headers: { accept: 'application/fhir+json' } });
    assert.deepEqual([answered, body.resourceType], [200, 'CapabilityStatement']);
  }
});

// ── 9.3 ends what was granted, and comes last ───────────────────────────────────────────────────────────────────────

test('9.3 what the person withdraws at the server opens nothing any more', async () => {
  const { tokens } = await launched('confidential', g10.STANDALONE);
  const page = await kit.browser.get('/oauth/manage');
  const form = formsOf(page.text).find(({ fields }) =>
    fields.some(({ name, value }) => name === 'withdraw' && value === 'confidential'),
  );
  const done = await kit.browser.submit({ ...form, action: '/oauth/manage' }, { withdraw: 'confidential' });
  assert.equal(done.status, 200);
  assert.ok([401, 403, 404].includes((await read(`Patient/${tokens.patient}`, tokens)).status));
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  g10.isRefused(await post('/oauth/token', refresh, basic('confidential', g10.SECRET)));
});
