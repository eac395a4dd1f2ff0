// The pages of the sign-in in English and Spanish, over HTTP, in workerd: by `Accept-Language`, and by the app's
// `ui_locales`.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BASE, stage } from '../../tools/server/stage.mjs';
import { Browser, formsOf, passwordOf } from '../server/browser.mjs';

const HOSTILE = 'Bad <script>alert(1)</script> "app" {app}';
const LABORATORY =
  'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory';
const SCOPE = `launch/patient openid fhirUser offline_access patient/Immunization.read ${LABORATORY}`;
const apps = [
  {
    client_id: 'bad',
    name: HOSTILE,
    kind: 'public',
    redirect_uris: ['https://bad.example/cb'],
    post_logout_redirect_uris: ['https://bad.example/'],
    scopes: `${SCOPE} user/*.read`,
  },
];
const ESCAPED = 'Bad &lt;script&gt;alert(1)&lt;/script&gt; &quot;app&quot; {app}';

const server = await stage({ data: ['sample'], apps });
after(() => server.close());

const request = (more = {}) => ({
  response_type: 'code',
  client_id: 'bad',
  redirect_uri: 'https://bad.example/cb',
  scope: SCOPE,
  state: 'a-state-of-the-app',
  aud: BASE,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  ...more,
});
const exchanged = (code) =>
  fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: 'bad',
      redirect_uri: 'https://bad.example/cb',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
  });
const browserOf = (accepted) => new Browser(server.url, accepted === undefined ? {} : { 'accept-language': accepted });
/// Returns the form with this field.
const formWith = (page, name) => formsOf(page.text).find((form) => form.fields.some((field) => field.name === name));

/// Checks that a page and its headers have the language, and that the page contains the texts.
function says(page, language, isAsked, ...texts) {
  assert.match(page.text, new RegExp(`<html lang="${language}">`), `${page.status} ${page.location}`);
  assert.equal(page.headers.get('content-language'), language);
  assert.equal(page.headers.get('vary'), isAsked ? 'Cookie' : 'Cookie, Accept-Language');
  assert.doesNotMatch(page.text, /<script>/);
  for (const text of texts) assert.ok(page.text.includes(text), `${text}: ${page.text}`);
}

const SPANISH = {
  signIn: ['<title>Iniciar sesión</title>', `Para que <strong>${ESCAPED}</strong> pueda pedir registros médicos.`],
  wrong: ['role="alert">El nombre de usuario y la contraseña no coinciden. Inténtelo de nuevo.'],
  pick: ['<h1>Elija un paciente</h1>', 'fecha de nacimiento: <time datetime="19', ' de 19'],
  consent: [
    `<h1>¿Permitir el acceso de ${ESCAPED}?</h1>`,
    `<strong>${ESCAPED}</strong> quiere ver los registros médicos de <strong>`,
    '<strong>Medicamentos y vacunas</strong>',
    '<strong>vacunas</strong>',
    'Solo si la categoría es laboratory.',
    'Mantener el acceso cuando usted no está',
    '>Permitir</button>',
    '>Denegar</button>',
  ],
  manage: ['<h1>Qué pueden hacer las aplicaciones</h1>', `aria-label="Retirar el acceso de ${ESCAPED}"`, '>Retirar<'],
  withdrawn: ['Acceso retirado. La aplicación ya no tiene acceso.'],
  signOut: ['<h1>¿Cerrar sesión?</h1>', `<strong>${ESCAPED}</strong> pide cerrar su sesión.`],
  signedOut: ['<h1>Ha cerrado la sesión</h1>'],
};
const ENGLISH = {
  signIn: ['<title>Sign in</title>', `To let <strong>${ESCAPED}</strong> ask for health records.`],
  wrong: ['Name and password do not belong together. Please try again.'],
  pick: ['<h1>Choose a patient</h1>', 'born <time datetime="19'],
  consent: [`<h1>Allow ${ESCAPED}?</h1>`, 'Only those whose category is laboratory.', '>Allow</button>'],
  manage: ['<h1>What apps may do</h1>', `aria-label="Withdraw the access of ${ESCAPED}"`],
  withdrawn: ['Withdrawn. The app has no access any more.'],
  signOut: ['<h1>Sign out?</h1>'],
  signedOut: ['<h1>You are signed out</h1>'],
};

for (const [why, accepted, locales, language, texts] of [
  ['Accept-Language alone', 'es-US,es;q=0.9,en;q=0.8', undefined, 'es', SPANISH],
  ['ui_locales before Accept-Language', 'en-US', 'fr es-MX en', 'es', SPANISH],
  ['ui_locales in English before Accept-Language', 'es', 'en', 'en', ENGLISH],
  ['an unknown ui_locales, which is ignored', 'es;q=0.5, fr', 'de xx_YY ,', 'es', SPANISH],
  ['no language that is known', 'fr, *;q=0', undefined, 'en', ENGLISH],
  ['no header of its own', undefined, undefined, 'en', ENGLISH],
]) {
  test(`every page of a sign-in is in one language, by ${why}`, async () => {
    const browser = browserOf(accepted);
    const isAsked = Boolean(locales) && !locales.startsWith('de');
    const first = await browser.authorize(request(locales && { ui_locales: locales }));
    says(first, language, isAsked, ...texts.signIn);
    const wrong = await browser.submit(formWith(first, 'password'), { username: 'samuel', password: 'x' });
    says(wrong, language, isAsked, ...texts.wrong);
    const named = { username: 'samuel', password: passwordOf('samuel') };
    const pick = await browser.submit(formWith(wrong, 'password'), named);
    says(pick, language, isAsked, ...texts.pick);
    const consent = await browser.submit(formWith(pick, 'patient'), { patient: 'amara-okafor' });
    says(consent, language, isAsked, ...texts.consent);
    const refused = await browser.submit(formWith(consent, 'decision'), { decision: 'neither' });
    assert.equal(refused.status, 400);
    says(refused, language, isAsked);
    const left = await browser.submit(formWith(consent, 'decision'), { decision: 'allow' });
    assert.equal(left.status, 303, left.text);
    const tokens = await exchanged(new URL(left.location).searchParams.get('code'));
    assert.deepEqual([tokens.status, tokens.headers.get('content-language')], [200, null]);

    const manage = await browser.get(isAsked ? `/oauth/manage?ui_locales=${language}` : '/oauth/manage');
    says(manage, language, isAsked, ...texts.manage);
    const withdrawn = await browser.submit(formWith(manage, 'withdraw'), { withdraw: 'bad' });
    says(withdrawn, language, isAsked, ...texts.withdrawn);
    const out = await browser.get(`/oauth/logout?client_id=bad${isAsked ? `&ui_locales=${language}` : ''}`);
    says(out, language, isAsked, ...texts.signOut);
    const ended = await browser.submit(formWith(out, 'csrf'));
    says(ended, language, isAsked, ...texts.signedOut);
  });
}

test('error pages are in Spanish, and what apps read is in English', async () => {
  const browser = browserOf('es-MX');
  for (const [path, status, text] of [
    ['/oauth/authorize?client_id=nobody', 400, 'La aplicación que lo envió no está registrada aquí (client_id).'],
    ['/oauth/sign-in?interaction=x', 400, 'Esta solicitud ha terminado'],
    ['/oauth/callback?state=x', 400, 'Esta solicitud'],
    ['/oauth/logout?state=a&state=b', 400, 'La solicitud tiene un parámetro repetido o demasiado largo.'],
    ['/sandbox/launch', 200, 'De quién es el expediente abierto'],
  ]) {
    const page = await browser.get(path);
    assert.equal(page.status, status, path);
    says(page, 'es', false, text);
  }
  const denied = new URL((await browser.authorize(request({ ui_locales: 'es', aud: 'https://x.example' }))).location);
  assert.equal(denied.searchParams.get('error_description'), 'aud is not the address of this FHIR server');
  const read = await fetch(`${server.url}/fhir/r4/Patient`, { headers: { 'accept-language': 'es' } });
  assert.match(await read.text(), /OperationOutcome.*token/s);
  for (const path of ['openid-configuration', 'oauth-authorization-server']) {
    const document = await (await fetch(`${server.url}/.well-known/${path}`)).json();
    assert.deepEqual(document.ui_locales_supported, ['en', 'es']);
  }
});
