// The requests that the SMART App Launch test kit and the launches of the g(10) kit send to a server, if no other test
// sends them. The clients are registered as Inferno would be.

import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import * as jose from 'jose';
import { BASE, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { Browser, through } from '../server/browser.mjs';

const INFERNO = 'https://inferno.example';
const REDIRECT = `${INFERNO}/custom/smart/redirect`;
const SANDBOX = JSON.parse(readFileSync('src/api/sandbox.json'));
const RECORDS = { stu1: 'patient/*.read', stu2: 'patient/*.rs' };
const standalone = (records) => `launch/patient openid fhirUser offline_access ${records}`;
const ehr = (records) => `launch openid fhirUser offline_access ${records}`;
const SCOPES = `${standalone('patient/*.read patient/*.rs')} launch launch/encounter user/*.read user/*.rs`;
const TYPES = `
  AllergyIntolerance CarePlan CareTeam Condition Device DiagnosticReport DocumentReference Encounter Goal Immunization
  MedicationRequest Observation Patient Procedure Provenance`
  .trim()
  .split(/\s+/);
const apps = ['public', 'confidential', 'asymmetric']
  .map((kind) => ({
    client_id: kind,
    kind,
    redirect_uris: [REDIRECT],
    launch_uri: `${INFERNO}/custom/smart/launch`,
    scopes: SCOPES,
    origins: [INFERNO],
    ...(kind === 'confidential' && { secret: 'inferno-secret' }),
    ...(kind === 'asymmetric' && {
      jwks: SANDBOX.clients.find((client) => client.client_id === 'asymmetric-app').jwks,
    }),
  }))
  .concat({
    client_id: 'limited',
    kind: 'public',
    redirect_uris: [REDIRECT],
    scopes: 'launch/patient openid fhirUser patient/Patient.read patient/Condition.read patient/Observation.read',
  });
const INTROSPECTOR = basic('introspector', 'sandbox-introspector-secret');

let server, smart;
before(async () => {
  server = await stage({ data: ['sample'], apps });
  smart = await (
    await fetch(`${server.url}/fhir/r4/.well-known/smart-configuration`, { headers: { accept: 'application/json' } })
  ).json();
});
after(() => server?.close());

function basic(id, secret) {
  return { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
}

const challengeOf = (verifier) => createHash('sha256').update(verifier).digest('base64url');
const verifierOf = () => randomBytes(48).toString('base64url');

/// Resolves to the authentication of a client: {headers, form}.
async function proof(client, alg = 'ES384') {
  if (client === 'confidential') return { headers: basic(client, 'inferno-secret'), form: {} };
  if (client !== 'asymmetric') return { headers: { origin: INFERNO }, form: { client_id: client } };
  const key = SANDBOX.private_jwks['asymmetric-app'].keys.find((key) => key.alg === alg);
  const claims = {
    iss: client,
    sub: client,
    aud: `${ORIGIN}/oauth/token`,
    exp: Math.floor(Date.now() / 1000) + 300,
    jti: randomBytes(32).toString('hex'),
  };
  const assertion = await new jose.SignJWT(claims)
    .setProtectedHeader({ alg, kid: key.kid, typ: 'JWT' })
    .sign(await jose.importJWK(key, alg));
  return {
    headers: {},
    form: {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    },
  };
}

async function post(path, form, headers = {}) {
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
}

/// Goes through the pages, and resolves to the parameters of the redirect to the app.
async function allowed(
  client,
  scope,
  { verifier, launch, posted = false, changes = {}, user = 'grace', patient = 'amara-okafor', in: own, ...how } = {},
) {
  const state = randomUUID();
  const pkce = verifier && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
  const request = {
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    scope,
    state,
    aud: BASE,
    ...pkce,
    ...(launch && { launch }),
    ...changes,
  };
  const browser = own ?? new Browser(server.url);
  const form = {
    action: '/oauth/authorize',
    fields: Object.entries(request).map(([name, value]) => ({ name, value, type: 'hidden' })),
  };
  const page = await through(browser, posted ? await browser.submit(form) : await browser.authorize(request), {
    user,
    patient,
    ...how,
  });
  assert.equal(page.status, 303, page.text);
  const redirected = Object.fromEntries(new URL(page.location).searchParams);
  assert.ok(page.location.startsWith(`${REDIRECT}?`));
  assert.equal(redirected.state, state);
  return redirected;
}

async function exchanged(client, code, verifier, alg) {
  const { headers, form } = await proof(client, alg);
  return post(
    '/oauth/token',
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      ...(verifier && { code_verifier: verifier }),
      ...form,
    },
    headers,
  );
}

/// Runs the checks of the token response tests, for an exchange or a refresh.
function isTokenResponse({ status, headers, body }, scope) {
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(headers.get('content-type'), /^application\/json/);
  assert.match(headers.get('cache-control'), /no-store/);
  assert.match(headers.get('pragma'), /no-cache/);
  for (const name of ['access_token', 'scope']) assert.ok(typeof body[name] === 'string' && body[name].trim(), name);
  assert.equal(body.token_type.toLowerCase(), 'bearer');
  assert.equal(typeof body.expires_in, 'number');
  assert.equal(body.scope, scope, 'what was asked for is said as it was asked for');
  assert.equal(body.fhirContext, undefined);
}

async function launched(client, context = {}) {
  const { body } = await post(
    '/sandbox/launch',
    { client_id: client, user: 'grace', patient: 'amara-okafor', ...context },
    { accept: 'application/json' },
  );
  const address = new URL(body.launch_uri);
  assert.equal(address.searchParams.get('iss'), BASE);
  return address.searchParams.get('launch');
}

async function tokensOf(client, scope = standalone('patient/*.rs'), options = {}) {
  const verifier = verifierOf();
  const { code } = await allowed(client, scope, { verifier, ...options });
  const answer = await exchanged(client, code, verifier);
  isTokenResponse(answer, scope);
  return answer.body;
}

test('discovery has every field that the three versions require', () => {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'introspection_endpoint', 'issuer', 'jwks_uri']) {
    assert.equal(typeof smart[name], 'string', name);
  }
  assert.ok(smart.capabilities.length > 0 && smart.capabilities.every((one) => typeof one === 'string'));
  assert.ok(
    smart.grant_types_supported.includes('authorization_code') &&
      smart.grant_types_supported.includes('client_credentials'),
  );
  assert.deepEqual(smart.code_challenge_methods_supported, ['S256']);
  assert.ok(
    smart.scopes_supported.some((scope) => /^(patient|user|system)\/\w+\.c?r?u?d?s$/.test(scope)),
    'one in the syntax of version 2',
  );
});

test('the capabilities of the g(10) launches are there', () => {
  for (const one of [
    'launch-standalone',
    'launch-ehr',
    'client-public',
    'client-confidential-symmetric',
    'client-confidential-asymmetric',
    'sso-openid-connect',
    'context-standalone-patient',
    'context-ehr-patient',
    'context-ehr-encounter',
    'context-banner',
    'context-style',
    'permission-offline',
    'permission-patient',
    'permission-user',
    'permission-v1',
    'permission-v2',
    'authorize-post',
  ]) {
    assert.ok(smart.capabilities.includes(one), one);
  }
});

test('the endpoints answer requests without parameters', async () => {
  const authorize = await fetch(`${server.url}/oauth/authorize`, { redirect: 'manual' });
  assert.equal(authorize.status, 400);
  assert.match(authorize.headers.get('content-type'), /^text\/html/);
  assert.equal((await fetch(`${server.url}/oauth/token`)).status, 405);
});

test('a page on the host of Inferno may read discovery, the user, and the tokens of a public client', async () => {
  const may = (answer) => assert.ok(['*', INFERNO].includes(answer.headers.get('access-control-allow-origin')));
  for (const path of ['metadata', '.well-known/smart-configuration']) {
    may(await fetch(`${server.url}/fhir/r4/${path}`, { headers: { origin: INFERNO } }));
  }
  const verifier = verifierOf();
  const scope = standalone('patient/*.rs');
  const { code } = await allowed('public', scope, { verifier });
  const answer = await exchanged('public', code, verifier);
  may(answer);
  const identity = jose.decodeJwt(answer.body.id_token);
  const user = await server.ask(identity.fhirUser, { token: answer.body.access_token, headers: { origin: INFERNO } });
  may(user);
  assert.equal(user.status, 200);
});

for (const [suite, records] of Object.entries(RECORDS)) {
  for (const client of ['public', 'confidential', 'asymmetric']) {
    test(`${suite}: the ${client} client launches standalone, and refreshes twice`, async () => {
      const scope = standalone(records);
      // The suite for STU1 sends a challenge only for public clients.
      const verifier = suite === 'stu1' && client !== 'public' ? undefined : verifierOf();
      const { code, error } = await allowed(client, scope, { verifier, posted: suite === 'stu2' });
      assert.ok(code && error === undefined);
      const answer = await exchanged(client, code, verifier, suite === 'stu1' ? 'RS384' : 'ES384');
      isTokenResponse(answer, scope);
      assert.equal(answer.body.patient, 'amara-okafor');
      assert.equal((await server.ask('Patient/amara-okafor', { token: answer.body.access_token })).status, 200);
      let { refresh_token } = answer.body;
      for (const more of [{}, { scope: answer.body.scope }]) {
        const { headers, form } = await proof(client);
        const next = await post(
          '/oauth/token',
          { grant_type: 'refresh_token', refresh_token, ...more, ...form },
          headers,
        );
        isTokenResponse(next, scope);
        assert.equal((await server.ask('Patient/amara-okafor', { token: next.body.access_token })).status, 200);
        ({ refresh_token } = next.body);
      }
    });
  }

  test(`${suite}: an EHR launches the app, with scopes of the user`, async () => {
    const scope = ehr(records.replace('patient', 'user'));
    const tokens = await tokensOf('confidential', scope, { launch: await launched('confidential') });
    assert.equal(tokens.patient, 'amara-okafor');
    assert.equal((await server.ask('Patient/dana-begay', { token: tokens.access_token })).status, 200);
  });
}

test('g10 3.8.15 3.8.17 3.8.18 a launch gives encounter, style and banner, and a refresh repeats them', async () => {
  const scope = ehr('user/Patient.rs user/Encounter.rs');
  const context = { encounter: '$latest', need_patient_banner: 'false', intent: 'reconcile' };
  const tokens = await tokensOf('confidential', scope, { launch: await launched('confidential', context) });
  const secret = basic('confidential', 'inferno-secret');
  const refreshed = await post(
    '/oauth/token',
    { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
    secret,
  );
  for (const body of [tokens, refreshed.body]) {
    assert.match(body.encounter, /^[A-Za-z0-9.-]{1,64}$/);
    const encounter = await server.ask(`Encounter/${body.encounter}`, { token: body.access_token });
    assert.deepEqual([encounter.status, encounter.body.resourceType], [200, 'Encounter']);
    assert.equal(encounter.body.subject.reference, 'Patient/amara-okafor');
    assert.deepEqual([body.need_patient_banner, body.intent], [false, 'reconcile']);
    const style = await fetch(body.smart_style_url.replace(ORIGIN, server.url));
    assert.equal(style.status, 200);
    assert.equal(style.headers.get('access-control-allow-origin'), '*');
    assert.equal(typeof (await style.json()).color_background, 'string');
  }
  const { body } = await post('/oauth/introspect', { token: tokens.access_token }, INTROSPECTOR);
  assert.equal(body.encounter, tokens.encounter, 'g10 9.20');
  const plain = await tokensOf('confidential', scope, { launch: await launched('confidential') });
  assert.deepEqual([plain.encounter, plain.need_patient_banner], [undefined, true]);
});

test('a standalone launch asks for one of the encounters of the patient', async () => {
  const scope = 'launch/patient launch/encounter openid fhirUser patient/*.rs';
  const known = await tokensOf('confidential');
  const found = await server.ask('Encounter?_count=1', { token: known.access_token });
  const { id: encounter } = found.body.entry[0].resource;
  assert.equal((await tokensOf('confidential', scope, { encounter })).encounter, encounter);
  assert.equal((await tokensOf('confidential', scope, { encounter: '' })).encounter, undefined);
});

test('g10 1 2.4 2.3 9.26 in one browser full, then limited access, then parts of types can be chosen', async () => {
  const browser = new Browser(server.url);
  const types = ['Patient', 'Condition', 'Observation', ...TYPES.filter((type) => !/^(Patient|Con|Obs)/.test(type))];
  const scope = standalone(types.map((type) => `patient/${type}.rs`).join(' '));
  const verifier = verifierOf();
  const tokens = async (asked, how) => {
    const { code } = await allowed('confidential', asked, { verifier, in: browser, ...how });
    const { status, body } = await exchanged('confidential', code, verifier);
    assert.equal(status, 200);
    return body;
  };
  assert.equal((await tokens(scope)).scope, scope);
  const untick = types.slice(3).map((type) => `patient/${type}.rs`);
  const limited = await tokens(scope, { untick });
  assert.equal(limited.scope, standalone('patient/Patient.rs patient/Condition.rs patient/Observation.rs'));
  for (const type of types) {
    const query = type === 'Patient' ? `Patient?_id=${limited.patient}` : `${type}?patient=${limited.patient}`;
    const { status } = await server.ask(query, { token: limited.access_token });
    assert.equal(status, untick.includes(`patient/${type}.rs`) ? 401 : 200, type);
  }
  const hl7 = 'http://terminology.hl7.org/CodeSystem';
  const parts = [
    `patient/Condition.rs?category=${hl7}/condition-category|problem-list-item`,
    `patient/Observation.rs?category=${hl7}/observation-category|laboratory`,
  ];
  const asked = standalone('patient/Condition.rs patient/Observation.rs patient/Patient.rs');
  const narrowed = await tokens(asked, { tick: parts });
  assert.equal(narrowed.scope, standalone(`${parts.join(' ')} patient/Patient.rs`));
  for (const type of ['Condition', 'Observation']) {
    assert.doesNotMatch(narrowed.scope, new RegExp(`${type}\\.(\\*|read|c?ru?d?s?)( |$)`), type);
  }
  const found = await server.ask('Observation?_count=200', { token: narrowed.access_token });
  assert.ok(found.body.entry.length > 0);
  for (const { resource } of found.body.entry) {
    assert.ok(resource.category.some(({ coding }) => coding.some(({ code }) => code === 'laboratory')));
  }
});

test('g10 11.14 the service base URLs are a Bundle of this server, without a token', async () => {
  const accept = 'application/json, application/fhir+json';
  const answer = await fetch(`${server.url}/.well-known/service-base-urls.json`, { headers: { accept } });
  assert.equal(answer.status, 200);
  const entries = (await answer.json()).entry.map(({ resource }) => resource);
  const endpoints = entries.filter(({ resourceType }) => resourceType === 'Endpoint');
  const organizations = entries.filter(({ resourceType }) => resourceType === 'Organization');
  assert.deepEqual(
    endpoints.map(({ address }) => address),
    [BASE],
  );
  assert.ok(organizations.length > 0 && endpoints.length + organizations.length === entries.length);
  for (const { address, endpoint } of organizations) {
    assert.ok(address[0].city && endpoint[0].reference.endsWith(endpoints[0].id));
  }
});

test('the identity token verifies by the published key, and its user can be read', async () => {
  const { access_token: token, id_token: identity } = await tokensOf('confidential');
  const described = await fetch(`${server.url}/.well-known/openid-configuration`);
  assert.match(described.headers.get('content-type'), /^application\/json/);
  const configuration = await described.json();
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    assert.equal(typeof configuration[name], 'string', name);
  }
  for (const name of ['response_types_supported', 'subject_types_supported']) {
    assert.ok(configuration[name].length > 0, name);
  }
  assert.ok(configuration.id_token_signing_alg_values_supported.includes('RS256'));
  const jwks = await (await fetch(`${server.url}/oauth/jwks.json`)).json();
  assert.ok(jwks.keys.some((key) => key.kty === 'RSA'));
  const { payload, protectedHeader } = await jose.jwtVerify(identity, jose.createLocalJWKSet(jwks), {
    algorithms: ['RS256'],
    issuer: configuration.issuer,
    audience: 'confidential',
    requiredClaims: ['exp', 'iat', 'sub', 'fhirUser'],
  });
  assert.ok(jwks.keys.some((key) => key.kid === protectedHeader.kid));
  assert.ok(payload.sub.length > 0 && payload.sub.length < 256);
  assert.match(payload.fhirUser, /\/(Patient|Practitioner|RelatedPerson|Person)\/[\w.-]+$/);
  const user = await server.ask(payload.fhirUser, { token });
  assert.equal(user.status, 200);
  assert.ok(payload.fhirUser.endsWith(`/${user.body.resourceType}/${user.body.id}`));
});

test('a backend asks in both syntaxes, and is refused for each error', async () => {
  const key = SANDBOX.private_jwks['backend-service'].keys.find((key) => key.alg === 'RS384');
  const form = async (scope, changes = {}) => {
    const claims = {
      iss: 'backend-service',
      sub: 'backend-service',
      aud: smart.token_endpoint,
      exp: Math.floor(Date.now() / 1000) + 300,
      jti: randomBytes(32).toString('hex'),
    };
    const assertion = await new jose.SignJWT(claims)
      .setProtectedHeader({ alg: 'RS384', kid: key.kid, typ: 'JWT' })
      .sign(await jose.importJWK(key, 'RS384'));
    return {
      grant_type: 'client_credentials',
      scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      ...changes,
    };
  };
  for (const scope of ['system/*.read', 'system/*.rs']) {
    isTokenResponse(await post('/oauth/token', await form(scope)), scope);
  }
  assert.equal((await post('/oauth/token', await form('system/*.rs', { grant_type: 'not_a_grant_type' }))).status, 400);
  assert.ok(
    [400, 401].includes(
      (await post('/oauth/token', await form('system/*.rs', { client_assertion_type: 'not_an_assertion_type' })))
        .status,
    ),
  );
});

test('introspection agrees with the token response and the identity token', async () => {
  const { access_token: token, id_token: identity, scope, patient } = await tokensOf('confidential');
  const { status, body } = await post('/oauth/introspect', { token }, INTROSPECTOR);
  const { iss, sub, fhirUser } = jose.decodeJwt(identity);
  assert.equal(status, 200);
  assert.deepEqual(
    [body.active, body.client_id, body.scope, body.patient, body.iss, body.sub, body.fhirUser],
    [true, 'confidential', scope, patient, iss, sub, fhirUser],
  );
  assert.ok(body.exp > Date.now() / 1000);
  const unknown = await post('/oauth/introspect', { token: 'invalid_token_value' }, INTROSPECTOR);
  assert.deepEqual([unknown.status, unknown.body], [200, { active: false }]);
});

test('a request for another server gives no code', async () => {
  const redirected = await allowed('public', standalone('patient/*.rs'), {
    verifier: verifierOf(),
    changes: { aud: 'https://inferno.example/invalid_aud' },
  });
  assert.deepEqual([redirected.error, redirected.code], ['invalid_request', undefined]);
  const launch = await allowed('public', ehr('patient/*.rs'), { verifier: verifierOf(), launch: randomUUID() });
  assert.deepEqual([launch.error, launch.code], ['invalid_request', undefined]);
});

test('a bad code, client, or refresh token is refused', async () => {
  const verifier = verifierOf();
  const { code } = await allowed('public', standalone('patient/*.rs'), { verifier });
  assert.equal((await exchanged('public', 'BAD_CODE', verifier)).status, 400);
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
  assert.ok([400, 401].includes((await post('/oauth/token', { ...form, client_id: 'BAD_CLIENT_ID' })).status));
  const refresh = { grant_type: 'refresh_token', refresh_token: 'BAD_REFRESH_TOKEN' };
  assert.ok([400, 401].includes((await post('/oauth/token', { ...refresh, client_id: 'public' })).status));
  assert.ok([400, 401].includes((await post('/oauth/token', refresh, basic('confidential', 'inferno-secret'))).status));
});

test('a verifier that is missing, blank, wrong, or the challenge itself is refused', async () => {
  for (const client of ['public', 'confidential']) {
    for (const wrong of [() => undefined, () => '', verifierOf, challengeOf]) {
      const verifier = verifierOf();
      const { code } = await allowed(client, standalone('patient/*.rs'), { verifier });
      const shown = wrong(verifier);
      const { headers, form } = await proof(client);
      const answer = await post(
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT,
          ...(shown !== undefined && { code_verifier: shown }),
          ...form,
        },
        headers,
      );
      assert.ok([400, 401].includes(answer.status), `${client}: ${wrong.name || 'none'}`);
    }
  }
});

test('without a token nothing is read', async () => {
  assert.equal((await server.ask('Patient/amara-okafor')).status, 401);
});

test('a limited app searches what it may, and nothing else', async () => {
  const { access_token: token, patient } = await tokensOf(
    'limited',
    'launch/patient openid fhirUser patient/Patient.read patient/Condition.read patient/Observation.read',
  );
  for (const type of TYPES) {
    const query = type === 'Patient' ? `Patient?_id=${patient}` : `${type}?patient=${patient}`;
    const may = ['Patient', 'Condition', 'Observation'].includes(type);
    assert.equal((await server.ask(query, { token })).status, may ? 200 : 401, type);
  }
});

test('after a revocation neither token is accepted', async () => {
  const { access_token: token, refresh_token, patient } = await tokensOf('confidential');
  const secret = basic('confidential', 'inferno-secret');
  assert.equal((await post('/oauth/revoke', { token: refresh_token }, secret)).status, 200);
  assert.equal((await server.ask(`Patient/${patient}`, { token })).status, 401);
  assert.ok(
    [400, 401].includes((await post('/oauth/token', { grant_type: 'refresh_token', refresh_token }, secret)).status),
  );
});
