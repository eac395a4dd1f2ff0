// Records that a chart of a user's own files leaves out: noted in each section, counted at the top, and listed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { open, says, text } from './browser.mjs';
import {
  a1c,
  about,
  bundle,
  CATEGORY,
  choose,
  faults,
  file,
  inChart,
  line,
  NOTHING,
  openOthers,
  person,
  sectionText,
  toChart,
} from './own-files.mjs';

const stage = await open();
after(() => stage.close());

test('a type that is not shown, and a faulty line, are said in place of "none recorded"', async () => {
  const { page } = await inChart(stage, [
    file(
      'ips.ndjson',
      line(person('ada', 'Lovelace')) +
        line({ resourceType: 'MedicationUsage', id: 'm', status: 'active', subject: about('ada') }) +
        line({ resourceType: 'MedicationUsage', id: 'n', status: 'active', subject: about('ada') }),
    ),
  ]);
  await says(page, '#medications', /Not everything that belongs here can be shown.*Medication usage\s\(2\)/);
  assert.doesNotMatch(await sectionText(page, 'medications'), NOTHING);
  assert.match(await text(page, '#glance-medications'), /Not everything that belongs here can be shown/);
  assert.match(await text(page, 'nav.index a[href="#medications"]'), /not all shown/);
  assert.match(await sectionText(page, 'problems'), /No data: no condition is recorded/);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /Not everything can be shown: Medications\./);
  await openOthers(page, [file('a.ndjson', `${line(person('ada', 'Lovelace'))}oops\n`)]);
  await toChart(page);
  const inPlace = ['allergies', 'problems', 'medications'];
  for (const id of [...inPlace, 'labs', 'visits']) {
    if (inPlace.includes(id)) {
      await says(page, `#${id}`, /Nothing of this was read: it may be among what is left out of this chart\./);
      assert.doesNotMatch(await sectionText(page, id), NOTHING);
    } else {
      const joined = page.locator('.joined p', { has: page.locator(`#${id}`) });
      assert.match(await joined.textContent(), /^Nothing was read of these, and they may be among what is left out of/);
    }
    assert.match(await text(page, `nav.index a[href="#${id}"]`), /not all shown/);
  }
  await says(page, '.chart-notice', /Left out of this chart: 1 part of the files that could not be read/);
  assert.equal(
    await page.locator('.sections .state.incomplete').count(),
    0,
    'a box for each section says nothing more',
  );
  for (const id of ['problems', 'medications', 'vitals', 'abnormal', 'due']) {
    assert.match(await text(page, `#glance-${id}`), /Not everything that belongs here can be shown/);
  }
  assert.match(await text(page, '.allergy-line'), /^Allergies not all can be shown$/);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /More of this may be among what is left out of this chart\./);
  await page.getByRole('link', { name: 'Summary' }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await says(page, 'dialog', /More of this may be among what is left out of this chart\./);
  assert.doesNotMatch(await text(page, 'dialog'), /Not complete/);
  await page.keyboard.press('Escape');
  // If a faulty line names its type, only the sections of the type have a note. Two records with one id are both kept.
  const twice = ['Asthma', 'Gout'].map((name) =>
    line({ resourceType: 'Condition', id: 'c', subject: about('ada'), code: { text: name } }),
  );
  const faulty = '{"resourceType":"Goal","id":"g","subject":\n';
  await openOthers(
    page,
    [file('a.ndjson', line(person('ada', 'Lovelace')) + twice.join('') + faulty)],
    'Open other files…',
  );
  assert.equal((await faults(page)).length, 1);
  await toChart(page);
  await says(page, '#plan', /Parts of your files could not be taken, and may belong here: 1\./);
  assert.match(await sectionText(page, 'problems'), /Gout.*Asthma|Asthma.*Gout/s);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Not everything/);
  assert.match(await sectionText(page, 'medications'), /No data: no medication is recorded/);
});

test('records of a patient without a Patient have a chart, which says so', async () => {
  const { page } = await inChart(stage, [
    file(
      'conditions.ndjson',
      line({ resourceType: 'Condition', id: 'c', subject: about('x-1'), code: { text: 'Asthma' } }),
    ),
    file(
      'allergies.ndjson',
      line({ resourceType: 'AllergyIntolerance', id: 'a', patient: about('x-1'), code: { text: 'Penicillin' } }),
    ),
    file(
      'signs.ndjson',
      line({
        ...a1c('o', 'x-1', 61, '2024-03-05'),
        category: [{ coding: [{ system: CATEGORY, code: 'vital-signs' }] }],
        code: { text: 'Weight' },
      }),
    ),
  ]);
  await says(page, '.patient h1', /^Patient x-1$/);
  await says(page, '#vitals', /The age is not known: there is no Patient in your files\./);
  assert.doesNotMatch(await sectionText(page, 'vitals'), /could not be loaded/);
  await says(page, '.patient', /no Patient: name, sex and birth date are not known.*Penicillin/);
  assert.match(await sectionText(page, 'problems'), /Asthma/);
  assert.match(await sectionText(page, 'medications'), /No data: no medication is recorded/);
  for (const media of ['screen', 'print']) {
    await page.emulateMedia({ media });
    assert.equal(await page.locator('.joined').isVisible(), true);
    assert.match(await text(page, '.joined'), /^Nothing recorded of: Immunizations, .*devices.*Visits\./);
    assert.doesNotMatch(await text(page, '.joined'), /Problems|Medications|Allergies|Vital signs/);
  }
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/#/files');
  await says(page, '.lead', /3 resources of 1 patient\./);
  await openOthers(page, [
    file('a.ndjson', line(person('ada', 'Lovelace'))),
    file('c.ndjson', line({ resourceType: 'Condition', id: 'c', subject: about('x-1'), code: { text: 'Asthma' } })),
  ]);
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await says(
    page,
    '.people-lists',
    /Ada Lovelace.*Named by records, without a Patient in the files Patient x-1 1 record/,
  );
  await page.getByLabel('Find by name or id').fill('x-');
  await says(page, '.people-lists', /^Named by records, without a Patient in the files Patient x-1 1 record$/);
  await page.getByRole('link', { name: /Patient x-1/ }).click();
  await says(page, '#problems', /Asthma/);
});

test('a record that names no patient is in no chart, and its section says so', async () => {
  const { page } = await inChart(stage, [
    file(
      'a.ndjson',
      line(person('ada', 'Lovelace')) +
        line({ resourceType: 'Condition', id: 'c', subject: { display: 'Ada' }, code: { text: 'Asthma' } }),
    ),
  ]);
  await says(page, '#problems', /name no patient, and are in no chart: Condition\s\(1\)/);
  assert.doesNotMatch(await sectionText(page, 'problems'), NOTHING);
  assert.match(await sectionText(page, 'medications'), /No data: no medication is recorded/);
});

const condition = (id, patient, name, more = {}) => ({
  resourceType: 'Condition',
  id,
  subject: about(patient),
  code: { text: name },
  ...more,
});
const LONG = `m${'x'.repeat(111)}`;
const LEFT_OUT = [
  file(
    'a.ndjson',
    line(person('ada', 'Lovelace')) +
      'oops\n' +
      line(condition('c', 'ada', 'Newer', { meta: { lastUpdated: '2024-06-01T00:00:00Z' } })) +
      line(condition('c', 'ada', 'Older', { meta: { lastUpdated: '2023-06-01T00:00:00Z' } })) +
      line(condition('n', 'ada', 'Gout', { recordedDate: 20240101 })) +
      line(condition('stray', 'x', 'Somebody’s')) +
      line({ resourceType: 'Condition', id: 'nobody', subject: { display: '=Ada' }, code: { text: 'Nobody’s' } }) +
      line({ resourceType: 'Order', id: 'old' }) +
      line({ resourceType: 'Foo', id: 'foo' }) +
      line({ resourceType: 'Account', id: 'bill', status: 'active', subject: [about('ada')], name: 'Hospital bill' }) +
      line({ resourceType: 'Medication', id: LONG, code: { text: 'Methotrexate' } }) +
      line({
        resourceType: 'MedicationRequest',
        id: 'm',
        status: 'active',
        intent: 'order',
        subject: about('ada'),
        medicationReference: { reference: `Medication/${LONG}` },
      }),
  ),
];

test('a notice on every view counts what is left out, lists it with its places, and is on paper', async () => {
  const { page } = await inChart(stage, LEFT_OUT, { name: /Ada/ });
  const said = [
    /1 part of the files that could not be read/,
    /1 record of an older FHIR/,
    /1 record of a patient who is not in the files/,
    /1 record that names no patient/,
    /1 resource of an unknown type/,
    /1 record with another version/,
    /1 record whose id or time of change was replaced/,
    /1 record with fields that could not be read/,
  ];
  for (const one of said) await says(page, '.chart-notice', one);
  await says(page, '#medications', /Methotrexate/);
  await says(page, '#problems', /Newer/);
  await says(page, '#problems', /Gout/);
  await says(page, '#problems', /records of patients who are not in them, in charts of their own: Condition\s\(1\)/);
  await says(page, '#problems', /1 record has unreadable fields: recordedDate\./);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Older|Somebody|Nobody/);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.chart-notice').isVisible(), true);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.chart-notice', said[0]);
  await page.getByRole('button', { name: 'Show the list' }).click();
  for (const one of [
    /Parts that could not be read 1.*it is not JSON.*a\.ndjson · line 2/i,
    /Order.*older FHIR.*a\.ndjson · line 8 · Order.old/,
    /Problem: Somebody’s.*Its patient is not in the files.*a\.ndjson · line 6 · Condition.stray/,
    /Problem: Nobody’s.*a\.ndjson · line 7 · Condition.nobody/,
    /Condition.*newer or came later, and counts.*a\.ndjson · line 4 · Condition.c/,
    /Medication: Methotrexate.*Its id in the file has signs that are not allowed.*a\.ndjson · line 11/,
    /Problem: Gout.*Left out: recordedDate.*Condition.n/,
  ]) {
    await says(page, 'dialog', one);
  }
});

test('“All records” has those of types that no section shows, and not those of others', async () => {
  const { page } = await inChart(stage, LEFT_OUT, { name: /Ada/, acceptDownloads: true });
  await page.getByRole('button', { name: 'Share' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'NDJSON' }).click(),
  ]);
  const all = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one));
  const names = all.map(({ resourceType, id }) => `${resourceType} ${id.slice(0, 5)}`).sort();
  assert.deepEqual(names, [
    'Account bill',
    'Condition c',
    'Condition n',
    'Medication mxxxx',
    'MedicationRequest m',
    'Patient ada',
  ]);
  assert.equal(all.find(({ id }) => id === 'n').recordedDate, 20240101, 'a record is taken along as it is');
});

const UNCLAIMED = [
  file(
    'unclaimed.json',
    bundle(
      person('ada', 'Lovelace'),
      condition('c', 'ada', 'Asthma'),
      { ...a1c('o', 'ada', 7.4), subject: undefined },
      {
        resourceType: 'MedicationRequest',
        id: 'm',
        status: 'active',
        intent: 'order',
        medicationCodeableConcept: { text: 'Amlodipine 5 mg' },
        authoredOn: '2024-02-01',
        dosageInstruction: [{ text: '1 tablet daily' }],
      },
    ),
  ),
];

test('records that name no patient are listed in words, open, and are said where one finds', async () => {
  const { page } = await inChart(stage, UNCLAIMED);
  await says(page, '.chart-notice', /^! Left out of this chart: 2 records that name no patient/);
  await page.getByLabel('Find in this chart').fill('amlodipine');
  await says(page, '.found', /2 records that name no patient were not searched/);
  await page.locator('.unsearched').getByRole('button', { name: 'Show the list' }).click();
  await says(page, 'dialog', /Result: Haemoglobin A1c 7\.4.?%.*5 Mar 2024.*unclaimed\.json · line 1/);
  await says(page, 'dialog', /Prescription: Amlodipine 5 mg 1 tablet daily · 1 Feb 2024/);
  await page.getByRole('button', { name: 'Prescription: Amlodipine 5 mg' }).click();
  await says(page, '#drawer-title', /^Prescription: Amlodipine 5 mg$/);
  await says(page, 'dialog', /Dose ?1 tablet daily/);
});

test('two people of one id in two files are kept apart, and told apart where they are chosen', async () => {
  const { page } = await stage.visit('/#/files');
  const alder = { ...person('1', 'Alder'), identifier: [{ system: 'https://a.example/mrn', value: 'A-17' }] };
  const birch = { ...person('1', 'Alder', 'Bea'), birthDate: '1975-01-09' };
  await choose(page, [
    file('a.json', bundle(alder, condition('c', '1', 'Asthma'))),
    file('b.json', bundle(birch, condition('c', '1', 'Gout'))),
    file('c.ndjson', line(condition('d', '1', 'Migraine'))),
  ]);
  await says(page, '.files-notes', /Some ids stand for different records or people in these files\./);
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await says(page, '.people-lists', /Ada Alder Female · born 1 Apr 1980 · .* · Record number\sA-17/);
  await says(page, '.people-lists', /Bea Alder Female · born 9 Jan 1975/);
  await says(page, '.people-lists', /Named by records, without a Patient in the files Patient 1 1 record/);
  await page.getByRole('link', { name: /^Ada Alder/ }).click();
  await says(page, '#problems', /Asthma/);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Gout|Migraine/);
  await says(page, '.chart-alike', /same person\?.*Ada Alder, 1980-04-01 \(a\.json\) · Patient 1 \(c\.ndjson\)/);
  await page.goBack();
  await page.getByRole('link', { name: /^Bea Alder/ }).click();
  await says(page, '#problems', /Gout/);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Asthma|Migraine/);
  // The button assigns the records of the third file to Ada. The chart with a name is kept, and shown.
  await page.goBack();
  await page.getByRole('link', { name: /^Patient 1/ }).click();
  await says(page, '#problems', /Migraine/);
  await page.locator('li', { hasText: 'Ada' }).getByRole('button', { name: 'These are the same person' }).click();
  await says(page, '.patient h1', /^Ada Alder$/);
  await says(page, '#problems', /Asthma.*Migraine|Migraine.*Asthma/);
  assert.doesNotMatch(await sectionText(page, 'problems'), /Gout/);
});

test('two people of one id in one Bundle are both offered, and what is of either is in neither chart', async () => {
  const { page } = await stage.visit('/#/files', { acceptDownloads: true });
  const entry = [
    { fullUrl: 'urn:uuid:6f1f6a3e-0000-4000-8000-000000000001', resource: person('1', 'Alder') },
    {
      fullUrl: 'https://b.example/fhir/Patient/1',
      resource: { ...person('1', 'Birch', 'Bea'), birthDate: '1975-01-09' },
    },
    {
      resource: condition('c', '1', 'Asthma', {
        subject: { reference: 'urn:uuid:6f1f6a3e-0000-4000-8000-000000000001' },
      }),
    },
    { fullUrl: 'https://b.example/fhir/Condition/c', resource: condition('c', '1', 'Gout') },
    { resource: condition('m', '1', 'Migraine') },
  ];
  await choose(page, [file('both.json', JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }))]);
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await says(page, '.people-lists', /Ada Alder .*Bea Birch .*Patient 1-unclear 1 record/);
  for (const [name, own, others] of [
    [/^Ada Alder/, /Asthma/, /Gout|Migraine|No data/],
    [/^Bea Birch/, /Gout/, /Asthma|Migraine|No data/],
  ]) {
    await page.getByRole('link', { name }).click();
    await says(page, '#problems', own);
    assert.doesNotMatch(await sectionText(page, 'problems'), others);
    await says(page, '.chart-alike', /Patient 1 \(both\.json\)/);
    await page.goBack();
  }
  // The chart of unclear records names both patients, links to them, and can be saved.
  await page.getByRole('link', { name: /^Patient 1-unclear/ }).click();
  await says(page, '.chart-alike', /Ada Alder, 1980-04-01 \(both\.json\).*Bea Birch, 1975-01-09 \(both\.json\)/);
  await says(page, '#problems', /Migraine/);
  await page.getByRole('button', { name: 'Share' }).click();
  await says(page, 'dialog', /1 record of this chart.*There is no Patient here/);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Patient summary' }).click(),
  ]);
  const [composition, patient] = JSON.parse(readFileSync(await saved.path(), 'utf8')).entry.map((one) => one.resource);
  assert.equal(composition.subject.reference, `${stage.origin}/fhir/r4/Patient/${patient.id}`);
  assert.deepEqual(patient.name, [{ text: 'Unknown patient' }]);
  assert.match(JSON.stringify(composition.section), /Migraine/);
  await page.keyboard.press('Escape');
  const printed = await page.evaluate(() =>
    document.adoptedStyleSheets.map((sheet) => sheet.cssRules[0]?.cssText).join(),
  );
  assert.match(printed, /Unknown patient · Patient 1-unclear/);
  await page.getByRole('link', { name: /^Bea Birch, 1975-01-09/ }).click();
  await says(page, '.patient h1', /^Bea Birch$/);
});

test('a list of more than 4,000 entries is whole: in section, trend, find, and in what is taken', async () => {
  const day = (i) => new Date(Date.UTC(1980, 0, 1) + i * 86_400_000).toISOString().slice(0, 10);
  const results = Array.from({ length: 4_300 }, (_, i) => line(a1c(`o${i}`, 'ada', 4 + (i % 40) / 10, day(i))));
  const { page } = await inChart(stage, [file('a.ndjson', line(person('ada', 'Lovelace')) + results.join(''))]);
  await says(page, '#labs .count', /^4,300 results of 1 test$/);
  assert.equal(await page.locator('.chart-notice').count(), 0, 'nothing is left out');
  await page.getByLabel('Find in this chart').fill('1980-01-01');
  await says(page, '.find [role="status"]', /^1 record$/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share' }).click();
  await says(page, 'dialog', /4,301 records of this chart/);
});

testThemes('axe finds nothing in the notice and its list', async (inspect) => {
  const { page } = await inChart(stage, LEFT_OUT, { name: /Ada/, size: 'phone' });
  const look = inspect(page);
  await says(page, '.chart-notice', /1 record that names no patient/);
  await look('notice');
  await page.getByRole('button', { name: 'Show the list' }).click();
  await says(page, 'dialog', /Records that name no patient/);
  await look('list');
});
