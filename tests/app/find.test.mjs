// Finding records in a chart, saving the chart, and the developer mode.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { allow, choosePatient, loaded, open, SIZES, says, signIn, text } from './browser.mjs';

const AMARA = '/#/sample/chart/amara-okafor';

const stage = await open();
after(() => stage.close());

const visit = (path, options) => stage.visit(path, options);
const field = (page) => page.getByLabel('Find in this chart');
const found = async (page, words, expected) => {
  await field(page).fill('');
  await page.locator('.found').waitFor({ state: 'detached' });
  await field(page).fill(words);
  await says(page, '.find [role="status"]', expected);
  return page.locator('.found li').allTextContents();
};

test('names, codes, values, dates and notes of the patient are found as one types', async () => {
  const { page } = await visit(AMARA);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const named = await found(page, 'metf', /^5 records$/);
  assert.ok(
    named.every((one) => /^\s*(Prescription|Fill)\s.*metformin/s.test(one)),
    named.join('|'),
  );
  assert.match((await found(page, '4548-4 7.0', /record/))[0], /Result\s+Hemoglobin A1c: 7\.0%/);
  const [test, result] = await found(page, 'hemoglobin', /record/);
  assert.match(test, /Trend\s+Hemoglobin A1c\s+\d+ results/);
  assert.match(result, /Result\s+Hemoglobin A1c/);
  const [allergy, history] = await found(page, 'PENICILLIN hiv', /^2 records$/);
  assert.match(allergy, /Allergy/);
  assert.match(history, /Penicillin gave her hives at fourteen/);
  assert.ok((await found(page, '2018-03', /record/)).length > 0);
  const [note] = await found(page, 'burn', /^1 record$/);
  assert.match(note, /Artificial tears.*when they burn/s);
  await found(page, 'zzzz', /^Nothing is found$/);
  await found(page, 'a', /^The first 30 records; more words find fewer$/);
  assert.deepEqual(requests, [], 'nothing is asked');
});

test('find works by keyboard alone, from the timeline too, and opens the record', async () => {
  const { page } = await visit(`${AMARA}/timeline`);
  await field(page).focus();
  await page.keyboard.type('atorva');
  // Wait for the results of the whole word, and not of its first letters.
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('.found li')];
    return all.length > 0 && all.every((one) => one.textContent.includes('atorvastatin'));
  });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await says(page, '#drawer-title', /^(Prescription|Fill): atorvastatin/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await page.locator('.found').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
});

for (const [size, viewport] of Object.entries(SIZES)) {
  testThemes(`the records that are found, a record and the downloads have no violation, ${size}`, async (inspect) => {
    const { page } = await visit(AMARA, { viewport });
    const look = inspect(page);
    await found(page, 'metf', /^5 records$/);
    // The records cover a part of the overview until they are closed. Other tests look at the overview.
    const cover = (isCovered) => page.locator('.overview').evaluate((one, is) => (one.inert = is), isCovered);
    await cover(true);
    await look('found');
    await cover(false);
    await page.locator('.found button').first().click();
    await look('record');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Patient summary' }).waitFor();
    await look('downloads');
  });
}

const downloaded = async (page, name) => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
};

test('a chart is taken along as a patient summary, a Bundle and NDJSON, whose names name nobody', async () => {
  const { page } = await visit(AMARA, { acceptDownloads: true });
  await page.getByRole('button', { name: 'Share' }).click();
  const bundle = await downloaded(page, 'Bundle');
  const lines = await downloaded(page, 'NDJSON');
  const summary = await downloaded(page, 'Patient summary');
  for (const { name } of [bundle, lines, summary]) {
    assert.match(name, /^chart-\d{4}-\d\d-\d\d(-summary)?\.(nd)?json$/);
  }
  const { type, entry } = JSON.parse(bundle.text);
  const names = entry.map(({ resource }) => `${resource.resourceType}/${resource.id}`);
  assert.equal(type, 'collection');
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes('Patient/amara-okafor') && names.length > 400, `${names.length}`);
  assert.equal(lines.text.trimEnd().split('\n').length, names.length);
  assert.match(lines.text, /"value":7\.0,/, 'digits are kept');
  const document = JSON.parse(summary.text);
  const [composition] = document.entry.map(({ resource }) => resource);
  assert.deepEqual(
    [document.type, composition.resourceType, composition.subject.reference],
    ['document', 'Composition', `${stage.origin}/fhir/r4/Patient/amara-okafor`],
  );
  const inside = new Set(document.entry.map(({ fullUrl }) => fullUrl));
  for (const { entry: own = [], title } of composition.section) {
    for (const { reference } of own) assert.ok(inside.has(reference), `${title}: ${reference}`);
  }
});

test('a link to a page of a session opens it for another person, after the sign-in', async () => {
  const person = await stage.person();
  const page = await person.page();
  const link = '/#/session/chart/walter-lindqvist/timeline';
  await page.goto(link);
  await says(page, 'main h1', /^You are signed out$/);
  await page.goto('/#/launch/practitioner');
  await page
    .getByRole('button', { name: /^Sign in/ })
    .and(page.locator(':enabled'))
    .first()
    .click();
  await signIn(page, 'samuel');
  await choosePatient(page, 'walter-lindqvist');
  await allow(page);
  await page.waitForURL((url) => url.hash === '#/session/chart/walter-lindqvist/timeline');
  await says(page, '.patient h1', /^Walter/);
});

test('requests, JSON and scopes are folded away until the developer mode is on, and it stays on', async () => {
  const { page } = await visit('/#/scopes?s=patient/Patient.rs%20patient/Condition.rs&p=amara-okafor');
  await page.getByRole('button', { name: 'Look at the offline chart with these' }).click();
  await loaded(page);
  const shown = async () => ({
    requests: await page.getByRole('button', { name: /^Requests?\b/ }).count(),
    why: await page.locator('#labs .withheld .for-developers').isVisible(),
  });
  assert.deepEqual(await shown(), { requests: 0, why: false });
  assert.match(
    await text(page, '#labs'),
    /Not granted\. It was left out when access was given, so nothing was requested\./,
  );
  await page.locator('#problems .record').first().click();
  await says(page, '.meaning', /What.*When.*Status/);
  assert.equal(await page.locator('.record-json').getAttribute('open'), null);
  await page.keyboard.press('Escape');

  const button = page.getByRole('button', { name: 'Developer mode' });
  await button.click();
  await page.locator('button[aria-pressed="true"]').waitFor();
  const on = await shown();
  assert.ok(on.requests > 2 && on.why, JSON.stringify(on));
  await page.locator('#problems .record').first().click();
  assert.equal(await page.locator('.record-json').getAttribute('open'), '');
  await page.reload();
  await loaded(page);
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await button.click();
  await page.reload();
  await loaded(page);
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
});
