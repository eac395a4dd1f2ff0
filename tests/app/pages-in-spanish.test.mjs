// The pages of the server in a Spanish browser: axe, and the width of a phone.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { passwordOf } from '../server/browser.mjs';
import { violations } from './axe.mjs';
import { open } from './browser.mjs';
import { englishSentences } from './english.mjs';

const apps = [
  {
    client_id: 'an-app',
    name: 'An app',
    kind: 'public',
    redirect_uris: ['https://an-app.example/cb'],
    scopes: 'launch/patient openid fhirUser offline_access patient/*.read user/*.read',
  },
];

const stage = await open({ apps });
after(() => stage.close());

const request = (scope) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: 'an-app',
    redirect_uri: 'https://an-app.example/cb',
    scope,
    state: 'a-state-of-the-app',
    aud: `${stage.origin}/fhir/r4`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
async function signIn(page, password) {
  await page.getByLabel('Nombre de usuario').fill('samuel');
  await page.getByLabel('Contraseña').fill(password);
  await press(page, 'Iniciar sesión');
}

/// The pages of a sign-in: the heading of each, and the function that leads to the next.
const STEPS = [
  [
    'Iniciar sesión',
    async (page) => {
      await signIn(page, 'wrong');
      // The next page has the same heading.
      await page.getByRole('alert').waitFor();
    },
  ],
  ['Iniciar sesión', (page) => signIn(page, passwordOf('samuel'))],
  ['Elija un paciente', (page) => page.locator('button[value="dana-begay"]').click()],
  [
    '¿Permitir el acceso de An app?',
    async (page) => {
      for (const group of await page.locator('summary').all()) await group.click();
    },
  ],
  ['¿Permitir el acceso de An app?', (page) => page.goto('/oauth/manage')],
  ['Qué pueden hacer las aplicaciones', (page) => page.goto('/sandbox/launch')],
  ['Abrir una aplicación', (page) => page.goto('/oauth/logout')],
  ['¿Cerrar sesión?', (page) => press(page, 'Cerrar sesión')],
  ['Ha cerrado la sesión', async () => undefined],
];
for (const [size, theme] of [
  ['desktop', 'light'],
  ['phone', 'dark'],
]) {
  test(`axe finds nothing on the pages in Spanish, ${theme}, ${size}`, async () => {
    const page = await (await stage.person({ size, theme, locale: 'es-US' })).page();
    await page.goto(`/oauth/authorize?${request('launch/patient openid offline_access patient/*.read user/*.read')}`);
    const all = [];
    for (const [heading, goOn] of STEPS) {
      await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
      all.push(...(await violations(page)).map((one) => `${heading}: ${one}`));
      all.push(...(await englishSentences(page)).map((one) => `${heading}: in English: ${one}`));
      const seen = await page.evaluate(() => [
        document.documentElement.lang,
        document.documentElement.scrollWidth - innerWidth,
      ]);
      assert.deepEqual(seen, ['es', 0], heading);
      await goOn(page);
    }
    assert.deepEqual(all, []);
  });
}
