// Exports in the app: started, watched, cancelled, deleted, and opened in the browser. fake-export.mjs simulates
// answers that a real server does not give on purpose, such as a truncated file.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { inspector, testThemes } from './axe.mjs';
import { open, SIZES, says, show, text } from './browser.mjs';
import { fakeExports } from './fake-export.mjs';

const stage = await open();
after(() => stage.close());

const SAMPLE = Object.fromEntries(
  readdirSync('sample')
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => [
      name.replace('.ndjson', ''),
      readFileSync(`sample/${name}`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]),
);
const person = (id, family) => ({ resourceType: 'Patient', id, name: [{ family }] });
const FEW = {
  Patient: [person('ada', 'Lovelace'), person('bob', 'Byron')],
  Condition: [{ resourceType: 'Condition', id: 'c', subject: { reference: 'Patient/ada' }, code: { text: 'Asthma' } }],
};
const progress = (words, more = {}) => [202, { 'x-progress': words, 'retry-after': '1', ...more }, ''];
const outcome = (diagnostics) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'exception', diagnostics }],
});

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const complete = (page) => page.getByRole('button', { name: 'Open them in this browser' }).waitFor({ timeout: 60_000 });
/// Returns the counts of the table of files, by the name of the file.
const listed = async (page) =>
  Object.fromEntries(
    await page
      .locator('.export-files tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('code').textContent, row.querySelector('td').textContent]),
      ),
  );
/// Opens the page for a new visitor. The answers about exports are made in the browser.
async function opened(changes, options) {
  const visitor = await stage.person(options);
  const fake = await fakeExports(visitor, stage.origin, changes);
  const page = await visitor.page();
  await page.goto('/#/export');
  await page.locator('.export-form').waitFor();
  return { visitor, page, fake };
}

test('every patient: from the page of the sandbox to a chart, with the counts of the sample', async () => {
  const { page } = await stage.visit('/sandbox.html');
  await page.getByRole('link', { name: 'Start an export' }).click();
  await says(page, '.request-line', /^GET \/fhir\/r4\/Patient\/\$export/);
  await press(page, 'Start the export');
  await complete(page);
  const files = await listed(page);
  assert.equal(files['Patient-1.ndjson'], String(SAMPLE.Patient.length));
  // One Observation is about a household, and belongs to no patient's record.
  const ofPatients = SAMPLE.Observation.filter(({ subject }) => subject.reference.startsWith('Patient/'));
  assert.equal(files['Observation-1.ndjson'], String(ofPatients.length));
  assert.match(await text(page, '.facts'), /State of the records.*Kept until/);
  await press(page, 'Open them in this browser');
  await page.getByRole('link', { name: 'Choose a patient' }).click({ timeout: 60_000 });
  await page.getByRole('link', { name: /Amara/ }).click();
  await says(page, '#labs .count', /^264 results of 13 tests$/);
});

test('the records of a group, and the end of its export', async () => {
  const { page } = await stage.visit('/#/export');
  await page.getByLabel('A group').check();
  await says(page, '.request-line', /GET \/fhir\/r4\/Group\/reyes-household\/\$export /);
  await press(page, 'Start the export');
  await complete(page);
  assert.equal((await listed(page))['Patient-1.ndjson'], '2');
  await press(page, 'Delete this export');
  await says(page, 'main', /The export is deleted\. The server keeps nothing of it\./);
});

test('a group that is not there, in the words of the server', async () => {
  const { page } = await stage.visit('/#/export');
  await page.getByLabel('A group').check();
  await page.getByLabel('Id of the Group').fill('nobody-at-all');
  await press(page, 'Start the export');
  await says(page, '.state.failed', /The server answered 404\./);
  await page.getByRole('button', { name: 'Start the export' }).waitFor();
  await page.getByLabel('Id of the Group').fill('not an id');
  await page.locator('button:disabled', { hasText: 'Start the export' }).waitFor();
});

test('progress is shown, an export is found again after a reload, and cancelled', async () => {
  const { page, fake } = await opened({ files: FEW, polls: [progress('3 of 12 parts')] });
  await press(page, 'Start the export');
  await says(page, '.load-text', /The server says: 3 of 12 parts/);
  fake.polls = [progress('50%')];
  await page.reload();
  await says(page, '.load-text', /50%/);
  // No request is sent while another page is open, except for a request that is under way.
  await show(page, '/#/scopes');
  const asked = fake.asked.length;
  for (const view of ['/#/search', '/#/reference', '/#/sample/chart/amara-okafor', '/#/checks']) {
    await show(page, view);
  }
  assert.ok(fake.asked.length <= asked + 1, `${fake.asked.length - asked} questions`);
  await page.goto('/#/export');
  await says(page, '.load-text', /50%/);
  await press(page, 'Cancel the export');
  await says(page, 'main', /The export is cancelled\. The server keeps nothing of it\./);
  assert.equal(fake.asked.at(-1), 'DELETE /fhir/r4/$export-status/one');
  await page.reload();
  await page.locator('.export-form').waitFor();
  assert.equal(await page.locator('.load').count(), 0);
});

test('a busy server is asked again, and one that has failed says why', async () => {
  const busy = [429, { 'retry-after': '1' }, outcome('too many questions')];
  const { visitor, page, fake } = await opened({ files: FEW, polls: [busy, progress('1 of 2'), busy] });
  visitor.expected.push(/status of 500/);
  await press(page, 'Start the export');
  await says(page, '.load-text', /1 of 2/);
  fake.polls = [[500, {}, outcome('the storage did not answer')]];
  await says(page, '.state.failed', /The server answered 500\. the storage did not answer/);
  fake.kickOff = [429, { 'retry-after': '60' }, outcome('five exports are running')];
  await press(page, 'Start the export');
  await says(page, '.state.failed', /The server answered 429\. five exports are running/);
  fake.kickOff = [404, {}, outcome('there is no such operation')];
  await press(page, 'Start the export');
  await says(page, 'main', /The server answered 404\..*This server exports nothing\./);
});

test('a token is sent to no other origin', async () => {
  const elsewhere = 'https://elsewhere.example/status';
  const { page, fake } = await opened({ files: FEW, kickOff: [202, { 'content-location': elsewhere }, ''] });
  await press(page, 'Start the export');
  await says(page, '.state.failed', /another origin, which gets no token/);
  fake.kickOff = [202, { 'content-location': `${stage.origin}/fhir/r4/$export-status/one` }, ''];
  fake.manifest = (whole) => ({
    ...whole,
    output: [{ type: 'Patient', url: 'https://elsewhere.example/1', count: 1 }],
  });
  await press(page, 'Start the export');
  await says(page, '.state.failed', /another origin, which gets no token/);
  fake.manifest = () => ({ output: 'none' });
  await press(page, 'Start the export');
  await says(page, '.state.failed', /the manifest\.transactionTime is not a string/);
});

test('a file that comes short is no file, and the export can be opened again', async () => {
  const { page, fake } = await opened({ files: FEW });
  await press(page, 'Start the export');
  await complete(page);
  fake.text = (type, whole) => (type === 'Patient' ? whole.slice(0, whole.indexOf('\n') + 1) : whole);
  await press(page, 'Open them in this browser');
  await says(page, '.state.failed', /Patient-1\.ndjson broke off: of 2 lines 1 came\./);
  fake.text = (_type, whole) => whole;
  await press(page, 'Open them in this browser');
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await page.getByRole('link', { name: /Lovelace/ }).click();
  await says(page, '#problems', /Asthma/);
});

test('what the server has left out is said, and is no record', async () => {
  const errors = Array.from({ length: 22 }, (_, i) => outcome(`Observation/o${i} cannot be read`));
  const { page } = await opened({ files: FEW, errors });
  await press(page, 'Start the export');
  await says(page, '.state.incomplete', /The server says of this export: Observation\/o0 cannot be read.*and 2 more/);
  assert.match(await text(page, '.export-held'), /^3 resources in 2 files\./);
  await press(page, 'Open them in this browser');
  await says(page, '.lead', /3 resources of 2 patients/);
});

test('a download is stopped, and an export is deleted', async () => {
  const { visitor, page, fake } = await opened({ files: FEW });
  await press(page, 'Start the export');
  await complete(page);
  let release;
  await visitor.context.route(/\$export-file\/one\/1/, async (route) => {
    await new Promise((resolve) => {
      release = resolve;
    });
    await route.fallback().catch(() => undefined);
  });
  await press(page, 'Open them in this browser');
  await says(page, '.load', /file 2 of 2/);
  await press(page, 'Cancel');
  await complete(page);
  release();
  assert.equal(await page.locator('.state.failed').count(), 0);
  await press(page, 'Delete this export');
  await says(page, 'main', /The export is deleted/);
  assert.ok(fake.isGone);
});

test('with the keyboard alone, the focus is never lost, and each state is told', async () => {
  const { page, fake } = await opened({ files: FEW, polls: [progress('1 of 2')] });
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  const tabTo = async (name) => {
    for (let i = 0; i < 60 && !name.test(await focused()); i += 1) await page.keyboard.press('Tab');
    assert.match(await focused(), name);
  };
  await tabTo(/^Start the export$/);
  await page.keyboard.press('Enter');
  await says(page, '#announcer', /The export is running/);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  fake.polls = [];
  await complete(page);
  await says(page, '#announcer', /The export is complete: 3 resources in 2 files/);
  await tabTo(/^Open them in this browser$/);
  await page.keyboard.press('Enter');
  await says(page, '#announcer', /Your files are open: 3 resources of 2 patients/);
});

test('in Spanish, also while it runs', async () => {
  const { page, fake } = await opened(
    { files: FEW, polls: [progress('1 of 2')] },
    { locale: 'es-US', timezoneId: 'America/New_York' },
  );
  await page.locator('input[value="group"]').check();
  await press(page, 'Iniciar la exportación');
  await says(page, '.load', /El servidor prepara los archivos/);
  await press(page, 'English');
  await says(page, '.load', /The server prepares the files/);
  await press(page, 'Español');
  fake.polls = [];
  await says(page, '.export-held', /^3 recursos en 2 archivos\. Permanecen en el servidor/);
  await says(page, '.facts', /26 nov 2026, 3:30/);
});

for (const [size, viewport] of Object.entries({
  ...SIZES,
  narrow: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
})) {
  testThemes(`axe finds nothing in the states of an export, ${size}`, async () => {
    const { visitor, page, fake } = await opened(
      { files: SAMPLE, errors: [outcome('Observation/o cannot be read')], polls: [progress('1 of 2')] },
      { viewport, developer: true },
    );
    const { faults, look } = inspector(page);
    await page.getByLabel('A group').check();
    await look('form');
    await press(page, 'Start the export');
    await says(page, '.load-text', /1 of 2/);
    await look('running');
    fake.polls = [];
    await complete(page);
    await says(page, '.state.incomplete', /cannot be read/);
    await look('complete');
    fake.kickOff = [429, {}, outcome('five exports are running')];
    await press(page, 'Another export');
    await press(page, 'Start the export');
    await says(page, '.state.failed', /429/);
    await look('failed');
    await visitor.close();
    return faults;
  });
}
