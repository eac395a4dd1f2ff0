// The text of documents in a chart: in the matching sections, at a glance, in the banner, and in find.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { open, says, text } from './browser.mjs';
import { base64, documentOf, PIXEL, patientSummary } from './document-files.mjs';
import { file, ndjson, chartOf as openChart, person as personOf } from './own-files.mjs';

const stage = await open();
after(() => stage.close());

const subject = { reference: 'Patient/ada' };
const chartOfFile = (opened) => openChart(stage, opened);
const chartOf = (resources) => chartOfFile(ndjson([personOf('ada', 'Lovelace'), ...resources]));

test('the words of a summary stand in the sections of the chart, and none says that nothing is recorded', async () => {
  const { page } = await chartOfFile(file('summary.json', patientSummary()));
  await says(page, '.as-of', /^Summary written 4 Mar 2019 by Inés Ríos: \d+ years ago/);
  await says(
    page,
    '#plan',
    /Nothing current is coded here: the summary has words on it, below.*Continue for five years/s,
  );
  assert.doesNotMatch(await text(page, '#plan'), /No data/);
  await says(page, '#glance-due', /The summary of 4 Mar 2019 says: Continue for five years/);
  await says(page, '.allergy-line', /The summary of 4 Mar 2019 says: nil known/);
  await says(page, '#allergies', /The summary says: nil known\./);
  const medicines = page.locator('#medications .summary-words details').first();
  assert.equal(await medicines.evaluate((one) => one.open), true);
  await says(page, '#medications .summary-words', /Metformin ?1 g ?2 tablets a day/);
  await says(page, '#glance-medications .note', /^In the words: /);
  await says(page, '#glance-vitals', /Nothing is coded here: words of a document .* are under “Notes and documents”/);
  await says(page, '.joined', /Nothing is coded of these, but words under “Notes and documents” .*: .*Vital signs/);
  const row = (name) => page.locator('#problems .row', { hasText: name });
  assert.match(await row('Cough after a cold').textContent(), /in the summary under: Past illness/);
  assert.doesNotMatch(await row('Asthma').textContent(), /in the summary under/);
  const letter = page.locator('#documents .summary-words details');
  assert.equal(await letter.evaluate((one) => one.open), true);
  await says(page, '#documents .summary-words', /In the words of the document 1.*A letter.*called in the evening/s);
  await page.locator('#other .row').getByRole('button', { name: 'Patient summary' }).click();
  await says(page, 'dialog', /Its sections.*Plan.*Continue for five years/s);
  assert.doesNotMatch(await text(page, 'dialog .elements >> nth=0'), /<div/);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
});

test('sections without known codes stand among the notes, are told at a glance, and are found', async () => {
  const section = (title, div, entry = []) => ({
    title,
    code: { coding: [{ code: `${title.replace(/\W/g, '')}Header` }] },
    text: { status: 'additional', div: `<div xmlns="http://www.w3.org/1999/xhtml">${div}</div>` },
    entry,
  });
  const row = (...cells) => `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`;
  const allergy = {
    resourceType: 'AllergyIntolerance',
    id: 'latex',
    patient: subject,
    category: ['medication'],
    code: { text: 'Cefuroxime' },
    clinicalStatus: { coding: [{ code: 'inactive' }] },
  };
  const composition = {
    resourceType: 'Composition',
    id: 'letter',
    status: 'final',
    title: 'Letter of the ward',
    date: '2025-02-03',
    subject,
    section: [
      section('Alergias', row('Cefuroxime', 'Rash', 'Active'), [{ reference: 'AllergyIntolerance/latex' }]),
      section('Repeat medicines', row('Nefopam 30 mg', 'three times a day')),
      section('Follow-up', '<p>Chest film on 4 May</p>'),
      section('Entlassungsanweisungen', '<p>Call if the fever returns</p>'),
    ],
  };
  const note = documentOf('Note', { contentType: 'text/plain', data: base64('Her granddaughter drove her') });
  const scan = documentOf('Scan', { contentType: 'image/png', data: PIXEL });
  const { page } = await chartOf([composition, allergy, note, scan]);
  await says(
    page,
    '.allergy-line',
    /resolved or inactive: Cefuroxime; the summary has words on allergies, below: compare/,
  );
  await says(
    page,
    '#glance-medications',
    /Nothing is coded here: words of a document .* are under “Notes and documents”/,
  );
  await says(page, '.joined', /words under “Notes and documents” may say something of them: .*Medications/);
  await says(page, '#glance-due', /In the words: Repeat medicines, Follow-up, Entlassungsanweisungen/);
  await says(page, '#documents', /In the words of the document 3.*Nefopam 30 mg.*Call if the fever returns/s);
  await page.locator('#glance-due .note a', { hasText: 'Follow-up' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'documents-title');
  const find = async (words) => {
    await page.locator('#find').fill(words);
    await page.locator('.found').waitFor();
  };
  await find('nefopam');
  await says(page, '.found', /Letter of the ward.*Repeat medicines: Nefopam 30 mg/s);
  await page.locator('.found li button').first().click();
  await says(page, 'dialog', /Nefopam 30 mg/);
  await page.keyboard.press('Escape');
  await find('granddaughter');
  await says(page, '.found', /1 record.*Her granddaughter drove her/s);
  await page.locator('.found li button').first().click();
  await says(page, 'dialog .attachment', /Her granddaughter drove her/);
  await page.keyboard.press('Escape');
  await find('zzz');
  await says(page, '.found', /Nothing is found.*The content of 1 attached file was not searched\./s);
});

test('a chart from files without a document says of when its newest record is', async () => {
  const result = { resourceType: 'Observation', id: 'o', status: 'final', code: { text: 'Sodium' }, subject };
  const { page } = await chartOf([{ ...result, effectiveDateTime: '2019-03-05' }]);
  await says(page, '.as-of', /^Newest record 5 Mar 2019$/);
  assert.equal(await page.locator('.summary-words').count(), 0);
});

testThemes('axe finds nothing in the words of a summary', async (inspect) => {
  const { page } = await chartOfFile(file('summary.json', patientSummary()));
  const look = inspect(page);
  await page.locator('#documents .summary-words').waitFor();
  await look('summary');
});
