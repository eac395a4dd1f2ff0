// Irregular files from other systems or edited by hand: the app loses nothing in them without saying so.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { violations } from './axe.mjs';
import { loaded, open, says, text } from './browser.mjs';
import {
  about,
  bundle,
  choose,
  file,
  inChart,
  NOTHING,
  openOthers,
  person,
  sectionText,
  toChart,
} from './own-files.mjs';

const stage = await open();
after(() => stage.close());

const condition = (id, words, of = 'ada') => ({
  resourceType: 'Condition',
  id,
  code: { text: words },
  subject: about(of),
});
const AMBULATORY = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' };
const json = (name, content) => file(name, JSON.stringify(content));

test('what is whole of a file that breaks off is read, letters of Latin-1 are right, and both are said', async () => {
  const whole = bundle(person('ada', 'Núñez'), condition('a', 'Asthma'), condition('g', 'Gout'));
  const { page } = await inChart(stage, [
    { ...file('cut.json', ''), buffer: Buffer.from(whole.slice(0, -60), 'latin1') },
  ]);
  assert.match(await text(page, '.patient h1'), /Núñez/);
  await says(page, '#problems', /More of this may be among what is left out of this chart\..*Asthma/s);
  await says(
    page,
    '.joined',
    /^Nothing was read of these, and they may be among what is left .*: .*Laboratory results/,
  );
  assert.doesNotMatch(await sectionText(page, 'allergies'), NOTHING);
  await says(page, '.chart-notice', /1 part of the files that could not be read.*1 file whose letters may be wrong/);
  await page.locator('.chart-notice button').click();
  await says(page, 'dialog', /Its text breaks off\. What was whole before that was taken\..*cut\.json/s);
});

test('a page of a search, an error and parts of records are said, and nothing is called unrecorded', async () => {
  const ada = { ...person('ada', 'Lovelace'), link: [{ type: 'replaces', other: { reference: 'Patient/old' } }] };
  const subset = { ...condition('s', 'Asthma'), meta: { tag: [{ code: 'SUBSETTED' }] } };
  const searchset = (total, ...resources) => ({
    ...JSON.parse(bundle(...resources)),
    type: 'searchset',
    total,
    link: [{ relation: 'next', url: 'https://ehr.example/fhir/Condition?patient=ada&page=2' }],
  });
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', details: { text: 'No allergies today' } }],
  };
  const { page } = await inChart(stage, [json('a.json', searchset(40, ada, subset))]);
  await says(page, '#problems', /Your files lack parts that their source did not deliver.*: 1\./);
  assert.doesNotMatch(await sectionText(page, 'problems'), NOTHING);
  assert.match(await sectionText(page, 'allergies'), /No data/, 'the page is of conditions');
  await says(
    page,
    '.chart-notice',
    /1 other entry of this person.*1 part that the source did not deliver.*1 record without elements/,
  );
  await page.locator('.chart-notice button').click();
  await says(page, 'dialog', /It is one page of a search with 40 matches, and the next page is not among the files/);
  await says(page, 'dialog', /This chart has replaced it\./);
  await page.keyboard.press('Escape');
  await openOthers(page, [
    file('b.ndjson', [person('ada', 'Lovelace'), outcome].map((one) => `${JSON.stringify(one)}\n`).join('')),
  ]);
  await toChart(page);
  assert.doesNotMatch(await sectionText(page, 'allergies'), NOTHING);
  await page.locator('.chart-notice button').click();
  await says(page, 'dialog', /The source says: No allergies today/);
});

test('a report that contains its patient has a chart, and so have records that name nobody', async () => {
  const ada = (id) => ({ resourceType: 'Patient', id, name: [{ text: 'Ada Lovelace' }], birthDate: '1980-04-01' });
  const subject = { reference: '#p' };
  // Some systems write the `#` of references into the id, where it does not belong.
  const order = {
    resourceType: 'MedicationRequest',
    id: 'o',
    status: 'active',
    intent: 'order',
    contained: [ada('#p'), { resourceType: 'Medication', id: '#m', code: { text: 'Warfarin' } }],
    subject,
    medicationReference: { reference: '#m' },
  };
  const { page } = await inChart(stage, [
    file(
      'a.ndjson',
      [{ ...condition('c', 'Asthma'), contained: [ada('p')], subject }, order]
        .map((resource) => `${JSON.stringify(resource)}\n`)
        .join(''),
    ),
  ]);
  assert.match(await text(page, '.patient h1'), /Ada Lovelace/);
  assert.match(await sectionText(page, 'problems'), /Asthma/);
  assert.match(await sectionText(page, 'medications'), /Warfarin/);
  const { subject: _, ...nobodys } = condition('n', 'Gout');
  await openOthers(page, [json('b.json', nobodys)]);
  assert.match(await text(page, '.lead'), /1 resource of no known patient/);
  await toChart(page);
  assert.match(await text(page, '.patient h1'), /Unknown patient/);
  await says(page, '.chart-claimed', /1 record that names no patient is shown here\. They may be of several people\./);
  assert.match(await sectionText(page, 'problems'), /Gout/);
});

test('records that name no patient are with the only one of their document', async () => {
  const { subject: _, ...listed } = condition('c', 'Asthma');
  const encounter = { reference: 'Encounter/e' };
  const summary = json('summary.json', {
    resourceType: 'Bundle',
    type: 'document',
    entry: [
      person('ada', 'Lovelace'),
      {
        resourceType: 'Composition',
        id: 'd',
        status: 'final',
        title: 'A summary',
        subject: about('ada'),
        author: [{ reference: 'Device/v' }],
        section: [{ title: 'Problems', entry: [{ reference: 'Condition/c' }] }],
      },
      { ...listed, encounter },
      { resourceType: 'Encounter', id: 'e', status: 'finished', class: AMBULATORY, period: { start: '2024-03-05' } },
      { resourceType: 'Device', id: 'v', deviceName: [{ name: 'A ward system', type: 'model-name' }] },
    ].map((resource) => ({ resource })),
  });
  const { page } = await inChart(stage, [summary]);
  await says(page, '#glance-problems', /Asthma/);
  await says(page, '#visits', /Ambulatory/);
  await says(
    page,
    '.chart-notice',
    /1 record that names no patient.*Nothing is missing: 2 records of the only patients of their/,
  );
  await page.locator('.chart-notice button').click();
  await says(page, 'dialog', /A ward system.*Asthma.*Its document has one Patient alone\./s);
  await page.keyboard.press('Escape');
  // A line without a type may belong to any section, so the chart does not say that the document lacks a section.
  await openOthers(page, [summary, file('a.ndjson', 'oops\n')]);
  await toChart(page);
  await says(page, '.joined', /^Nothing was read of these, and they may be among what is left .*: .*Immunizations/);
  assert.doesNotMatch(await text(page, '.sections'), /No data/);
});

test('two charts of one name and birth date are put together by a press, and taken apart again', async () => {
  const { page } = await stage.visit('/#/files');
  await choose(page, [
    file('a.json', bundle(person('ada', 'Lovelace'), condition('c', 'Asthma'))),
    file('b.json', bundle(person('eda', 'Lovelace'), condition('d', 'Gout', 'eda'))),
    file(
      'c.json',
      bundle({ ...person('bob', 'Lovelace'), birthDate: '1981-01-01' }, condition('e', 'Migraine', 'bob')),
    ),
  ]);
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  const alike = page.locator('.people-list li', { hasText: 'another one here may be the same person' });
  await alike.first().waitFor();
  assert.equal(await alike.count(), 2);
  await alike.first().locator('a').click();
  await loaded(page);
  await says(
    page,
    '.chart-alike',
    /not joined\..*Ada Lovelace, 1980-04-01 \(a\.json\) · Ada Lovelace, 1980-04-01 \(b\.json\)/s,
  );
  assert.match(await sectionText(page, 'problems'), /Asthma/);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Gout/);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'These are the same person' }).click();
  await says(page, '#problems', /Asthma.*Gout|Gout.*Asthma/);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Migraine/);
  await says(page, '.chart-alike', /You put the records of Ada Lovelace, 1980-04-01 \(b\.json\) into this chart\./);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Other patients' }).click();
  await page.locator('.people-list li').nth(1).waitFor();
  assert.equal(await page.locator('.people-list li').count(), 2);
  await page.locator('.people-list a', { hasText: 'born 1 Jan 1981' }).click();
  await says(page, '#problems', /Migraine/);
  assert.equal(await page.locator('.chart-alike').count(), 0);
  await page.goBack();
  await page.locator('.people-list a', { hasText: 'born 1 Apr 1980' }).click();
  await page.getByRole('button', { name: 'Keep apart' }).click();
  await says(page, '#problems', /^(?!.*Gout).*Asthma/s);
  await says(page, '.chart-alike', /^!Are these the same person\?/);
});
