// Made-up records in files, and helpers that open them in the app.

import { readFileSync } from 'node:fs';
import { loaded, text } from './browser.mjs';

export const line = (resource) => `${JSON.stringify(resource)}\n`;
export const person = (id, family, given = 'Ada') => ({
  resourceType: 'Patient',
  id,
  name: [{ family, given: [given] }],
  gender: 'female',
  birthDate: '1980-04-01',
});
export const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
export const a1c = (id, patient, value = 6.1, date = '2024-03-05') => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ system: CATEGORY, code: 'laboratory' }] }],
  code: {
    coding: [{ system: 'http://loinc.org', code: '4548-4', display: 'Hemoglobin A1c' }],
    text: 'Haemoglobin A1c',
  },
  subject: { reference: `Patient/${patient}` },
  effectiveDateTime: date,
  valueQuantity: { value, unit: '%', system: 'http://unitsofmeasure.org', code: '%' },
  referenceRange: [{ low: { value: 4 }, high: { value: 5.6 } }],
});
export const file = (name, content) => ({ name, mimeType: '', buffer: Buffer.from(content) });
export const SAMPLE = ['Patient.ndjson', 'Condition.ndjson'].map((name) => file(name, readFileSync(`sample/${name}`)));
export const ndjson = (resources, name = 'record.ndjson') => file(name, resources.map(line).join(''));
export const bundle = (...resources) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) });
/// Chooses files with a button of the page, and waits until they are open.
export async function choose(page, files, button = 'Choose files…') {
  // The report of the previous files stays until the next frame. Do not wait for that report.
  const before = await page.evaluate(() => document.querySelector('[data-load]')?.dataset.load);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(files);
  await opened(page, before);
}
/// Waits for the report of the opened files. `before`: the number of the load whose report was shown before.
export const opened = (page, before = '') =>
  page.locator(`.lead[data-load]:not([data-load="${before}"])`).waitFor({ timeout: 600_000 });

export const count = async (page, type) => {
  const row = page.locator('.counts > div', { has: page.locator(`dt:text-is("${type}")`) });
  return Number((await row.locator('dd').first().textContent()).replace(/\D/g, ''));
};
export const faults = (page) =>
  page
    .locator('table.faults tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
/// Goes to the chart of the only patient in the open files, or of the patient with a name.
export async function toChart(page, name) {
  await page.getByRole('link', { name: name ? 'Choose a patient' : 'Open the chart' }).click();
  if (name) await page.getByRole('link', { name }).click();
  await page.locator('.patient h1').waitFor();
  await loaded(page);
}
/// Opens files, and then the chart of the only patient in them, or of the patient with a name.
export async function inChart(stage, files, { name, ...options } = {}) {
  const { person: visitor, page } = await stage.visit('/#/files', options);
  await choose(page, files);
  await toChart(page, name);
  return { visitor, page };
}
/// Opens the chart of the only patient in a file. Works in any language of the page.
export async function chartOf(stage, opened, options) {
  const { person, page } = await stage.visit('/#/files', options);
  const chooser = page.waitForEvent('filechooser');
  await page.locator('main button').first().click();
  await (await chooser).setFiles([opened]);
  await page.locator('main a[href*="/chart/"]').first().click({ timeout: 60_000 });
  await loaded(page);
  return { person, page };
}
/// Closes the open files, and opens others.
export async function openOthers(page, files) {
  await page.goto('/#/files');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await choose(page, files);
}
export const sectionText = (page, id) => text(page, `#${id}`);
export const about = (patient) => ({ reference: `Patient/${patient}` });
/// The words that a section may not have if records of the section are left out.
export const NOTHING = /No data|none|No current|is recorded|No open/i;
