// The app in Spanish: by the browser's language or by choice, in every view, with dates and numbers of the region, and
// on the sign-in pages.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codes } from '../../reading/language/es/codes.ts';
import { servedTypes } from '../../tools/server/served.mjs';
import { spanish } from '../../www/src/language/es/catalogue.ts';
import { faultsOf } from './axe.mjs';
import { allow, beginLaunch, loaded, open, says, show, text } from './browser.mjs';
import { englishSentences, textsOf } from './english.mjs';
import { choose, SAMPLE } from './own-files.mjs';
import { PAGES } from './pages.mjs';

const stage = await open();
after(() => stage.close());

const PATIENT = '/#/sample/chart/amara-okafor';
const VIEWS = [
  ...PAGES,
  '/',
  '/#/files',
  '/#/nowhere',
  '/other.html',
  '/other.html?iss=https%3A%2F%2Ffhir.example.org%2Fr4&launch=x',
  '/#/sample/patients',
  PATIENT,
  `${PATIENT}/timeline`,
  `${PATIENT}/trend/4548-4`,
  '/#/sample/chart/mateo-reyes/growth',
];

const TYPES = Object.keys(servedTypes());

/// The English texts with a different translation. Left out are the words of codes, which may also occur in the data,
/// the names of FHIR types, and WHO, which is a source with an English name.
const ENGLISH = new Set(
  Object.entries(spanish)
    .filter(([english, translated]) => english !== translated && !/[{|#]/.test(english))
    .filter(([english]) => !(english in codes) && !TYPES.includes(english) && english !== 'WHO')
    .map(([english]) => english),
);

/// Returns the texts of a page that are English messages.
const englishTexts = async (page) =>
  (await textsOf(page, '[lang="en"], code, pre, option'))
    .filter(({ said, name, isLeftOut }) => ENGLISH.has(said) && (name || !isLeftOut))
    .map(({ said }) => said);

for (const [size, theme] of [
  ['desktop', 'light'],
  ['phone', 'dark'],
]) {
  test(`a browser that wants Spanish gets it in every view: ${size}, ${theme}`, async () => {
    const { page } = await stage.visit('/', { locale: 'es-MX', size, theme, developer: true });
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'es');
    const english = [];
    const faults = [];
    for (const view of VIEWS) {
      await show(page, view);
      english.push(...(await englishTexts(page)).map((said) => `${view}: ${said}`));
      if (!/sample\//.test(view)) english.push(...(await englishSentences(page)).map((said) => `${view}: ${said}`));
      faults.push(...(await faultsOf(page)).map((one) => `${view}: ${one}`));
    }
    assert.deepEqual(english, []);
    assert.deepEqual(faults, []);
  });
}

test('the language is changed by a press, in place, and is there on the next visit', async () => {
  const { person, page } = await stage.visit('/', { developer: true });
  await choose(page, SAMPLE);
  await page.getByRole('heading', { name: 'What is in the files' }).waitFor();
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await page.getByRole('link', { name: /Amara/ }).click();
  await says(page, '.index', /Problems/);
  const requests = [];
  person.context.on('request', (request) => requests.push(request.url()));
  const button = page.locator('button.language');
  assert.equal(await text(page, 'button.language'), 'Español');
  await button.click();
  await says(page, '.index', /Problemas/);
  assert.match(await text(page, '.chip:not(.narrow-only)'), /Sus archivos · 0 solicitudes enviadas/);
  assert.deepEqual(requests, [], 'the files stay open, and nothing is sent');
  assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, localStorage.getItem('language')]), [
    'es',
    'es',
  ]);
  await page.goto('about:blank');
  await page.goto('/');
  await says(page, 'header.top', /Expediente.*English/s);
  await page.getByRole('button', { name: 'English', exact: true }).click();
  await says(page, 'header.top', /Chart.*Español/s);
});

test('another language leaves a failed sign-in and a half-filled form as they are', async () => {
  const { page } = await stage.visit(`/callback.html?code=x&state=${'A'.repeat(43)}`);
  await says(page, 'main', /This sign-in is over.*Nothing was sent to the server.*unknown state/s);
  await page.locator('button.language').click();
  await says(page, 'main', /state desconocido/);
  assert.deepEqual(await englishTexts(page), []);
  await page.goto('/other.html');
  await page.locator('#base').fill('https://fhir.example.org/r4');
  await page.locator('button.language').click();
  await says(page, 'main', /FHIR base of the server/);
  assert.equal(await page.locator('#base').inputValue(), 'https://fhir.example.org/r4');
  assert.match(await page.title(), /^Another server/);
});

test('dates and numbers follow the region', async () => {
  for (const [locale, date, value] of [
    ['en-US', /Sep \d+, 20\d\d|[A-Z][a-z]{2} \d+, 20\d\d/, /\d\.\d/],
    ['en-GB', /\d+ [A-Z][a-z]+ 20\d\d/, /\d\.\d/],
    ['es-ES', /\d+ [a-z]{3,4} 20\d\d/, /\d,\d/],
    ['es-MX', /\d+ [a-z]{3,4} 20\d\d/, /\d\.\d/],
  ]) {
    const { person, page } = await stage.visit(PATIENT, { locale });
    const labs = (await text(page, '#labs')).replaceAll('\u00a0', ' ');
    assert.match(labs, date, locale);
    assert.match(labs, value, locale);
    await person.close();
  }
});

test('the pages of the sign-in have the language of the app, whatever the browser wants', async () => {
  const { page } = await stage.visit('/');
  await page.locator('button.language').click();
  await says(page, 'header.top', /Expediente/);
  await page.goto('/#/launch/patient');
  await page.locator('main form button.primary:enabled').click();
  await page.locator('input[type="password"]').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es');
  await page.locator('input[type="text"]').fill('amara');
  await page.locator('input[type="password"]').fill(await page.locator('main .note code').nth(1).textContent());
  await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
  await allow(page);
  await page.waitForURL(/#\/session\/chart\//);
  await loaded(page);
  await says(page, '.index', /Problemas/);
  assert.deepEqual(await englishTexts(page), []);
});

test('an app in English has English pages in a browser that wants Spanish', async () => {
  const { page } = await stage.visit('/', { locale: 'es-ES' });
  await page.locator('button.language').click();
  await says(page, 'header.top', /Chart/);
  await beginLaunch(page, 'patient', 'amara');
  await page.getByRole('button', { name: 'Allow' }).waitFor();
});
