// Simulates a tester of the (g)(10) kit: launches in one browser, the requests of the kit, and the tests that several
// of its groups have in common.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { BASE, SANDBOX } from '../../tools/server/stage.mjs';
import { App } from '../server/app.mjs';
import { Browser, through } from '../server/browser.mjs';
import { asserted, assertion, keyOf } from '../server/forge.mjs';
import { basic, launchByEhr, postForm } from '../server/sender.mjs';

export const KIT = 'https://inferno.example';
export const REDIRECT = `${KIT}/custom/smart/redirect`;
export const LAUNCH = `${KIT}/custom/smart/launch`;
/// A practitioner who may see every patient, and the patient who has resources in each category of granular scopes.
export const [USER, PATIENT] = ['samuel', 'amara-okafor'];

export const list = (text) => text.trim().split(/\s+/);
export const TYPES = list(`
  Medication AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter
  Goal Immunization Location MedicationDispense MedicationRequest Observation Organization Patient Practitioner
  PractitionerRole Procedure Provenance QuestionnaireResponse RelatedPerson ServiceRequest Specimen`);
const V1_TYPES = TYPES.filter((type) => !['QuestionnaireResponse', 'RelatedPerson'].includes(type));
/// The types whose scopes must be granted at the level of the launch.
export const OF_PATIENT = list(`
  Patient AllergyIntolerance CarePlan CareTeam Condition DiagnosticReport DocumentReference Goal Immunization
  MedicationRequest Observation Procedure Provenance ServiceRequest Coverage MedicationDispense Specimen`);
/// The types for which the kit checks access in the text of the scopes.
export const ACCESSED = list(`
  AllergyIntolerance CarePlan CareTeam Condition Device DiagnosticReport DocumentReference Encounter Goal Immunization
  MedicationRequest Observation Organization Procedure Patient Practitioner Provenance ServiceRequest Coverage
  MedicationDispense`);
/// The searches with which the kit tries the access, by type.
export const TRIED = (patient) => ({
  Patient: `Patient?_id=${patient}`,
  AllergyIntolerance: `AllergyIntolerance?patient=${patient}`,
  CarePlan: `CarePlan?patient=${patient}&category=assess-plan`,
  CareTeam: `CareTeam?patient=${patient}&status=proposed`,
  Condition: `Condition?patient=${patient}`,
  Device: `Device?patient=${patient}`,
  DiagnosticReport: `DiagnosticReport?patient=${patient}&category=LAB`,
  DocumentReference: `DocumentReference?patient=${patient}`,
  Goal: `Goal?patient=${patient}`,
  Immunization: `Immunization?patient=${patient}`,
  MedicationRequest: `MedicationRequest?patient=${patient}&intent=proposal`,
  Observation: `Observation?patient=${patient}&code=2708-6`,
  Procedure: `Procedure?patient=${patient}`,
  Encounter: `Encounter?patient=${patient}`,
  ServiceRequest: `ServiceRequest?patient=${patient}`,
  Coverage: `Coverage?patient=${patient}`,
  MedicationDispense: `MedicationDispense?patient=${patient}`,
});
export const IDENTITY = ['openid', 'fhirUser', 'offline_access'];
export const scopesOf = (context, level, types = TYPES, access = 'rs') =>
  [context, ...IDENTITY, ...types.map((type) => `${level}/${type}.${access}`)].join(' ');
export const STANDALONE = scopesOf('launch/patient', 'patient');
export const EHR = scopesOf('launch', 'user');
export const V1 = scopesOf('launch/patient', 'patient', V1_TYPES, 'read');

export const SECRET = 'a-secret-of-the-kit';
/// The key set with the public keys of the client with a key pair.
export const KEY_SET = SANDBOX.clients.find((client) => client.client_id === 'asymmetric-app').jwks;
/// Returns the registrations of the kit. Its key set is at `origin`.
export const apps = (origin) => [
  ...['public', 'confidential'].map((kind) => ({
    client_id: kind,
    kind,
    redirect_uris: [REDIRECT],
    launch_uri: LAUNCH,
    scopes: `launch/encounter ${STANDALONE} ${EHR} ${V1}`,
    origins: [KIT],
    ...(kind === 'confidential' && { secret: SECRET }),
  })),
  {
    client_id: 'asymmetric',
    kind: 'asymmetric',
    redirect_uris: [REDIRECT],
    launch_uri: LAUNCH,
    scopes: STANDALONE,
    jwks_uri: `${origin}/jwks.json`,
  },
];
export const isRefused = ({ status }, what) => assert.ok([400, 401].includes(status), `${what ?? ''} ${status}`);

/// Returns the scopes of resources in a text, in the parts that the kit distinguishes.
const resourceScopes = (scope) =>
  scope
    .split(' ')
    .filter((one) => one.includes('/') && !one.startsWith('launch/'))
    .map((one) => /^(patient|user|system)\/([A-Za-z]+|\*)\.([\w*]+)(\?.*)?$/.exec(one))
    .map(([, level, type, access, filter]) => ({ level, type, access, filter }));
export const isV2 = ({ access }) => /^(?=.)c?r?u?d?s?$/.test(access);

/// Runs the kit's test of scopes, which 1.9.09, 3.8.11, 9.22 and 9.26 have in common.
export function hasScopes({ scope }, level, { context = 'launch/patient', types = OF_PATIENT, versions = isV2 } = {}) {
  const granted = scope.split(' ');
  for (const one of [...IDENTITY, context]) assert.ok(granted.includes(one), `${one} in ${scope}`);
  const counted = resourceScopes(scope).filter(versions);
  for (const one of counted) {
    const levels = OF_PATIENT.includes(one.type) ? [level] : ['user', level];
    assert.ok(levels.includes(one.level), `${one.level}/${one.type}`);
  }
  const named = new Set(counted.map(({ type }) => type));
  assert.deepEqual(
    types.filter((type) => !named.has(type)),
    [],
  );
}

/// Opens the kit with its browser, for a server of `stage`.
export async function openKit(server) {
  const smart = await (await fetch(`${server.url}/fhir/r4/.well-known/smart-configuration`)).json();
  const browser = new Browser(server.url);

  const post = (path, form, headers) => postForm(server, path, form, headers);

  /// Resolves to the authentication of a client: {headers, form}.
  async function proof(client) {
    if (client === 'confidential') return { headers: basic(client, SECRET), form: {} };
    if (client === 'public') return { headers: {}, form: { client_id: client } };
    const key = keyOf('asymmetric-app', 'ES384');
    const claims = { aud: smart.token_endpoint };
    return { headers: {}, form: asserted(await assertion(client, { alg: 'ES384', key, claims })) };
  }

  /// Requests an authorization, and resolves to {redirected, consent, verifier}.
  async function authorized(client, scope, { posted = false, launch, changes = {}, ...how } = {}) {
    const app = new App(server, client, REDIRECT);
    const request = app.request(scope, { ...(launch && { launch }), ...changes });
    const fields = Object.entries(request).map(([name, value]) => ({ name, value, type: 'hidden' }));
    const first = posted
      ? await browser.submit({ action: '/oauth/authorize', fields })
      : await browser.authorize(request);
    const page = await through(browser, first, { user: USER, patient: PATIENT, ...how });
    assert.equal(page.status, 303, page.text);
    return { redirected: app.redirected(page.location), consent: page.consent, verifier: app.verifier };
  }

  /// Resolves to the token response to a code. `changes` to the form make the request invalid.
  async function exchanged(client, code, verifier, changes = {}) {
    const { headers, form } = await proof(client);
    const request = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...form,
      ...changes,
    };
    return post(
      '/oauth/token',
      Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)),
      headers,
    );
  }

  /// Runs a launch up to its tokens. Resolves to {tokens, consent}.
  async function launched(client, scope, how = {}) {
    const { redirected, consent, verifier } = await authorized(client, scope, how);
    assert.ok(redirected.code, JSON.stringify(redirected));
    const { status, headers, body } = await exchanged(client, redirected.code, verifier);
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(headers.get('cache-control'), /no-store/);
    for (const name of ['access_token', 'token_type', 'scope']) assert.ok(body[name]?.trim(), name);
    assert.equal(typeof body.expires_in, 'number');
    return { tokens: body, consent };
  }

  /// Resolves to the handle of a launch from an EHR, with its context.
  async function handleOf(client, context = {}) {
    const form = { client_id: client, user: USER, patient: PATIENT, ...context };
    const { status, body } = await launchByEhr(server, form);
    assert.equal(status, 200, JSON.stringify(body));
    const address = new URL(body.launch_uri);
    assert.equal(`${address.origin}${address.pathname}`, LAUNCH);
    assert.equal(address.searchParams.get('iss'), BASE, 'the address as the tester typed it');
    return address.searchParams.get('launch');
  }

  /// Reads a path under the FHIR base, with the access token of a token response.
  const read = (path, tokens) => server.ask(path, { token: tokens?.access_token });

  /// Runs the kit's tests of unrestricted access, which 1.7 and 9.22 have in common.
  async function opensEverything(tokens) {
    const granted = resourceScopes(tokens.scope);
    const alsoUser = list(
      'Device Location Medication Organization Practitioner PractitionerRole RelatedPerson ServiceRequest',
    );
    for (const type of ACCESSED) {
      const isOpen = granted.some(
        (one) =>
          [type, '*'].includes(one.type) &&
          (one.level === 'patient' || (one.level === 'user' && alsoUser.includes(type))),
      );
      assert.ok(isOpen, type);
    }
    for (const [type, query] of Object.entries(TRIED(tokens.patient))) {
      const { status, body } = await read(query, tokens);
      assert.equal(status, 200, query);
      assert.equal(body.resourceType, 'Bundle', type);
    }
  }

  /// Runs the kit's tests of a refresh: without and with a scope, and with an invalid token. Returns the last tokens.
  async function refreshes(client, tokens) {
    let last = tokens;
    for (const more of [{}, { scope: tokens.scope }]) {
      const { headers, form } = await proof(client);
      const { status, body } = await post(
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: last.refresh_token, ...more, ...form },
        headers,
      );
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.scope, tokens.scope);
      assert.equal((await read(`Patient/${tokens.patient}`, body)).status, 200);
      last = { ...tokens, ...body };
    }
    const { headers, form } = await proof(client);
    isRefused(
      await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: randomUUID(), ...form }, headers),
    );
    return last;
  }

  return { smart, browser, post, authorized, exchanged, launched, handleOf, read, refreshes, opensEverything };
}
