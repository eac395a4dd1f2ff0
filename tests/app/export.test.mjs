// The export of the sandbox in the app. The answers that a real server does not give on purpose are made here.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { open, says } from './browser.mjs';

const stage = await open();
after(() => stage.close());

const STATUS = `${stage.origin}/fhir/r4/$export-status/one`;
const FILE = `${stage.origin}/fhir/r4/$export-file/one`;
const line = (resource) => `${JSON.stringify(resource)}\n`;
const outcome = (diagnostics) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'exception', diagnostics }],
});
const PATIENTS = ['ada', 'bob'].map((id) => line({ resourceType: 'Patient', id, name: [{ family: id }] })).join('');
const FILES = { Patient: PATIENTS, OperationOutcome: line(outcome('Observation/o cannot be read')) };
const listed = (type, count, url = `${FILE}/${type}`) => ({ type, url, count });
const MANIFEST = { output: [listed('Patient', 2)], error: [listed('OperationOutcome', 1)] };

/// Opens the page for a new visitor. `answers`: the status, headers and body of the kick-off and of the status.
async function opened(answers = {}) {
  const visitor = await stage.person();
  const fake = { kickOff: [202, { 'content-location': STATUS }, ''], status: [200, {}, MANIFEST], ...answers };
  fake.files = FILES;
  fake.asked = [];
  const reply = (route, [status, headers, body]) => {
    fake.asked.push(route.request().method());
    return route.fulfill({ status, headers, ...(typeof body === 'string' ? { body } : { json: body }) });
  };
  await visitor.context.route(/\$export$/, (route) => reply(route, fake.kickOff));
  await visitor.context.route(/\$export-status\//, (route) => reply(route, fake.status));
  await visitor.context.route(/\$export-file\//, (route) =>
    reply(route, [200, {}, fake.files[new URL(route.request().url()).pathname.split('/').at(-1)]]),
  );
  const page = await visitor.page();
  await page.goto('/#/export');
  return { visitor, page, fake };
}

const start = (page) => page.getByRole('button', { name: 'Export every patient' }).click();

test('from the page of the sandbox to a chart', async () => {
  const { page } = await stage.visit('/sandbox.html');
  await page.getByRole('link', { name: 'Start an export' }).click();
  await start(page);
  await page.getByRole('link', { name: 'Choose a patient' }).click({ timeout: 60_000 });
  await page.getByRole('link', { name: /Amara/ }).click();
  await says(page, '#labs .count', /^264 results of 13 tests$/);
});

test('progress is shown, a busy server is asked again, and the export is deleted where it is cancelled', async () => {
  const { page, fake } = await opened({ status: [202, { 'x-progress': '3 of 12 parts', 'retry-after': '1' }, ''] });
  await start(page);
  await says(page, '#announcer', /The export is running/);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  await says(page, '.load-text', /The server says: 3 of 12 parts/);
  fake.status = [429, { 'retry-after': '1' }, outcome('too many questions')];
  await page.waitForResponse((answer) => answer.status() === 429);
  await page.getByRole('button', { name: 'Cancel the export' }).click();
  await page.getByRole('button', { name: 'Export every patient' }).waitFor();
  if (fake.asked.at(-1) !== 'DELETE') await page.waitForRequest((request) => request.method() === 'DELETE');
  assert.equal(await page.locator('.state.failed').count(), 0);
});

test('what the server has left out is said with the files, and the export is deleted', async () => {
  const { page, fake } = await opened();
  await start(page);
  await says(page, '.files-notes', /their source did not deliver all: 1, listed in the chart/);
  assert.equal(fake.asked.at(-1), 'DELETE');
});

test('a refusal, an address of another origin and a file that breaks off end the export', async () => {
  const { visitor, page, fake } = await opened();
  visitor.expected.push(/status of 500/);
  const elsewhere = 'https://elsewhere.example/1';
  const whole = { ...fake, files: FILES };
  for (const [change, why] of [
    [{ kickOff: [429, {}, outcome('five exports are running')] }, /answered 429\. five exports are running/],
    [{ kickOff: [202, { 'content-location': elsewhere }, ''] }, /another origin, which gets no token/],
    [{ status: [500, {}, outcome('the storage did not answer')] }, /answered 500\. the storage did not answer/],
    [{ status: [200, {}, { ...MANIFEST, output: [listed('Patient', 2, elsewhere)] }] }, /another origin/],
    [{ status: [200, {}, { output: 'none' }] }, /the manifest\.output is not a list/],
    [{ status: [200, {}, { ...MANIFEST, output: [] }] }, /There is nothing to export/],
    [{ files: { ...FILES, Patient: PATIENTS.split('\n')[0] } }, /Patient-1\.ndjson broke off: of 2 lines 1 came\./],
  ]) {
    Object.assign(fake, whole, change);
    await start(page);
    await says(page, '.state.failed', why);
  }
});
