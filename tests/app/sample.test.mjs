// The offline sample, without a login: every section of a chart, the difference between missing and unknown records,
// trends, the timeline, the playground and the scope explorer.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loaded, open, says, text, unfoldLists } from './browser.mjs';
import { countMarks } from './marks.mjs';
import { CATEGORY } from './own-files.mjs';

const stage = await open();
after(() => stage.close());

const visit = (path, options) => stage.visit(path, { developer: true, ...options });

const SECTIONS = [
  'allergies',
  'problems',
  'medications',
  'immunizations',
  'vitals',
  'labs',
  'reports',
  'documents',
  'procedures',
  'screening',
  'plan',
  'team',
  'orders',
  'visits',
];

test('the chart shows every section with its records, such as fills, and the request behind each', async () => {
  const { page } = await visit('/#/sample/chart/amara-okafor');
  assert.equal(await text(page, '.patient h1'), 'Amara Chidinma Okafor');
  for (const section of SECTIONS) {
    const heading = page.locator(`#${section} h2`);
    assert.ok((await heading.textContent()).length > 3, section);
    assert.ok(
      (await page.locator(`#${section}`).locator('li, tr, article, dl').count()) > 0,
      `${section} shows records`,
    );
    assert.ok((await page.locator(`#${section} button.request`).count()) > 0, `${section} has its request`);
  }
  assert.match(await text(page, '#immunizations .row >> nth=0'), /Hep B, adult Not given Reason patient objection/);
  const metformin = page.locator('#medications .row', { hasText: 'metformin' }).first();
  assert.match((await metformin.textContent()).replace(/\s+/g, ' '), /3 fills, latest 2 Jun 2026/);
  await page.locator('#labs button.request').click();
  assert.match(await text(page, 'dialog'), /Observation\?patient=amara-okafor&category=laboratory/);
});

test('records entered in error are never shown as active', async () => {
  const { page } = await visit('/#/sample/chart/dana-begay');
  const errors = await page.locator('.row[data-tone="error"]').allTextContents();
  assert.ok(
    errors.some((row) => /Entered in error/.test(row)),
    'it is there to be found, and struck through',
  );
  for (const row of await page.locator('.row:not([data-tone="error"])').allTextContents()) {
    assert.doesNotMatch(row, /entered in error/i);
  }
});

test('a screening shows its members, also the declined ones', async () => {
  const { page } = await visit('/#/sample/chart/jordan-ellis');
  const panels = await text(page, '#screening');
  assert.match(panels, /Hunger Vital Sign/);
  assert.match(panels, /PHQ-9 quick depression/);
  assert.match(panels, /Not available: asked but declined/);
});

test('what the patient prefers stands before the screenings', async () => {
  const { page } = await visit('/#/sample/chart/walter-lindqvist');
  await page.locator('#screening h3').first().waitFor();
  assert.equal(await text(page, '#screening h3 >> nth=0'), 'Preferences');
  const wishes = await text(page, '#screening');
  assert.match(wishes, /Not for resuscitation/);
  assert.match(wishes, /No breathing machine, no shocks/);
  assert.match(wishes, /Karin is in the room when doctors talk/);
});

test('a trend has a description, a band, points of different shapes, and a table with every digit', async () => {
  const { page } = await visit('/#/sample/chart/amara-okafor/trend/4548-4');
  const plot = page.locator('svg.plot');
  assert.match(await plot.getAttribute('aria-label'), /37 results, 2016 to 2026\. Latest 7\.0%, high/);
  assert.equal(await plot.locator('.band').count(), 1);
  assert.ok((await countMarks(page, '.out')) > 30);
  assert.equal(await page.locator('table.results tbody tr').count(), 37);
  assert.match(await text(page, 'table.results tbody tr >> nth=0'), /7\.0%/);
  await page.locator('#step').focus();
  await page.keyboard.press('ArrowLeft');
  await says(page, '.readout', /6\.9% ▲ High, 12 May 2026/);
  assert.match(await page.locator('#step').getAttribute('aria-valuetext'), /6\.9%.*12.May.2026/);
  await page.getByRole('button', { name: 'Compare with this one' }).click();
  await page.locator('#step').focus();
  await page.keyboard.press('Home');
  await says(page, '.readout', /\+3\.1% in 9\.6 years/);
});

test('the timeline is by day, newest first, and can be narrowed to one kind', async () => {
  const { page } = await visit('/#/sample/chart/amara-okafor/timeline');
  await page.waitForFunction(() => /entr/.test(document.querySelector('.timeline [role=status]')?.textContent ?? ''));
  const days = await page.locator('.day h3').allTextContents();
  const dates = days.filter((day) => /\d+\s\w+\s\d{4}/.test(day)).map((day) => Date.parse(day.replace(/\u00a0/g, ' ')));
  assert.deepEqual(
    dates,
    [...dates].sort((a, b) => b - a),
  );
  await page.evaluate(() => {
    window.fewest = Infinity;
    new MutationObserver(() => {
      window.fewest = Math.min(window.fewest, document.querySelectorAll('.kind').length);
    }).observe(document.querySelector('.timeline'), { childList: true, subtree: true });
  });
  await page.getByLabel('Show').selectOption('Immunization');
  await page.waitForFunction(() => {
    const kinds = [...document.querySelectorAll('.kind')];
    return kinds.length > 0 && kinds.every((kind) => kind.textContent === 'Immunization');
  });
  const shown = await page.locator('.kind').count();
  assert.match(await text(page, '.timeline [role=status]'), new RegExp(`^${shown} entries$`));
  assert.equal(await page.evaluate(() => window.fewest), shown, 'no frame is empty on the way');
});

test('a note is shown as text, its provenance on demand; an address elsewhere is not fetched', async () => {
  const { page } = await visit('/#/sample/chart/amara-okafor');
  await unfoldLists(page);
  await page
    .locator('#documents .row', { hasText: 'History and physical' })
    .first()
    .getByRole('button', { name: /^Read/ })
    .click();
  assert.match(await text(page, 'dialog .document-text'), /^New patient\. Diabetes since the spring of 2013/);
  await page.keyboard.press('Escape');
  // The title is a larger target, and opens the same text.
  await page.locator('#documents .row', { hasText: 'History and physical' }).first().locator('.title button').click();
  assert.match(await text(page, 'dialog .document-text'), /^New patient\. Diabetes since the spring of 2013/);
  await page.getByRole('button', { name: 'The whole record' }).click();
  assert.doesNotMatch(await text(page, 'dialog'), /Juniper Hill Family Medicine.*revision/);
  await page.getByRole('button', { name: 'Ask for its provenance' }).click();
  await page.locator('dialog .provenance').first().waitFor();
  assert.match(await text(page, 'dialog'), /23 May 2018, 08:16 · revise.*revision/);
  await page.keyboard.press('Escape');
  await page
    .locator('#reports .row', { hasText: 'Laboratory report' })
    .first()
    .getByRole('button', { name: /^Read/ })
    .click();
  assert.match(await text(page, 'dialog'), /at another address, documents\.example\.org\. It is not fetched/);
});

test('a link within a record opens what it refers to', async () => {
  const { page } = await visit('/#/sample/chart/amara-okafor');
  await page.locator('#medications .row', { hasText: 'atorvastatin' }).first().locator('.title button').click();
  await page
    .locator('dialog')
    .getByRole('button', { name: /^Practitioner/ })
    .click();
  await page.waitForFunction(() =>
    /^Practitioner: .*Lindholm/.test(document.querySelector('#drawer-title')?.textContent),
  );
});

test('with other scopes the same chart marks what is not granted, and requests none of it', async () => {
  const { page } = await visit('/#/scopes?s=patient/Patient.read%20patient/Immunization.read&p=amara-okafor');
  await page.getByRole('button', { name: 'Look at the offline chart with these' }).click();
  await page.waitForFunction(() => /Hep B/.test(document.querySelector('#immunizations')?.textContent ?? ''));
  await loaded(page);
  assert.match(await text(page, '#labs'), /Not granted\..*so nothing was requested\..*Observation/);
  assert.equal(await page.locator('#labs button.request').count(), 0);
  await page
    .getByRole('button', { name: /^Requests/ })
    .first()
    .click();
  assert.doesNotMatch(await text(page, 'dialog'), /Observation\?/);
});

test('the scope explorer names the scope that opens a type, or a part of it, and why others are shut', async () => {
  const { page } = await visit('/#/scopes');
  await page
    .getByLabel('Scopes', { exact: true })
    .fill(`patient/*.read patient/Observation.rs?category=${CATEGORY}|laboratory`);
  await page.waitForFunction(() => document.querySelectorAll('.scope-lines li').length === 2);
  const row = (type) => page.locator('table.matrix tr', { has: page.locator(`th:text-is("${type}")`) });
  assert.match((await row('Immunization').textContent()).replace(/\s+/g, ' '), /open.*open.*patient\/\*\.read/);
  assert.match(
    (await row('MedicationDispense').textContent()).replace(/\s+/g, ' '),
    /shut.*shut.*MedicationDispense is not in patient\/\*\.read/,
  );
  await page.getByLabel('Scopes', { exact: true }).fill('patient/Observation.rs?category=laboratory pateint/X.read');
  await page.waitForFunction(() => document.querySelector('.scope-lines li[data-ok="false"]'));
  assert.match((await row('Observation').textContent()).replace(/\s+/g, ' '), /in part/);
});

test('where the engine cannot be had, the scope explorer says so, and asks again', async () => {
  const { person, page } = await visit('/#/');
  person.expected.push(/Failed to load resource/);
  await person.context.route('**/*.wasm', (route) => route.abort());
  await page.goto('/#/scopes');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  assert.equal(await page.getByRole('alert').count(), 1);
  await person.context.unroute('**/*.wasm');
  await again.click();
  await page.locator('.scope-lines li').first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('the playground builds, explains, runs and copies a query', async () => {
  const { page } = await visit('/#/search');
  await page.getByRole('button', { name: 'Run in this browser' }).click();
  await page.waitForFunction(() => /Matches/.test(document.querySelector('.side')?.textContent ?? ''));
  assert.match(await text(page, '.side >> nth=0'), /This browser 200 Matches/);
  await page.getByRole('button', { name: 'Remove date' }).click();
  await page.waitForFunction(
    () => document.querySelector('#q').value === 'Observation?patient=amara-okafor&category=laboratory',
  );
  await page.getByLabel('Value of category').fill('vital-signs');
  await page.waitForFunction(() =>
    /category is vital-signs/.test(document.querySelector('.criteria')?.textContent ?? ''),
  );
  await page.locator('#q').fill('Observation?patient=amara-okafor&colour=red');
  await page.waitForFunction(() => document.querySelector('.state.failed'));
  assert.match(await text(page, '.state.failed'), /colour/);
  await page.locator('#q').fill('Immunization?patient=amara-okafor&status=not-done');
  await page.locator('#q').press('Enter');
  await page.waitForFunction(() => /Matches\s*1/.test(document.querySelector('.side')?.textContent ?? ''));
});
