// The words for the certainty of records: contradictions, negations and plans in the banner, at a glance, in the
// sections, in a record, in find and on the timeline. Also adverse events, imaging studies, pictures, and records of
// types without a section of their own.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspector } from './axe.mjs';
import { open, SIZES, says, text } from './browser.mjs';
import { CERTAIN_CHART } from './certain-chart.mjs';
import { ADVERSE_CHART, NONE_KNOWN } from './event-chart.mjs';
import { chartOf, ndjson } from './own-files.mjs';
import { DIRECTIVES, PAYER_CHART, US_CHART } from './us-records.mjs';

const stage = await open({ data: [] });
after(() => stage.close());

/// Opens a chart as own files.
const chart = ({ records = CERTAIN_CHART, ...options } = {}) => chartOf(stage, ndjson(records), options);

const row = (page, section, title) => page.locator(`#${section} .row`, { hasText: title });
const rowText = async (page, section, title) =>
  (await row(page, section, title).first().textContent()).replace(/\s+/g, ' ').trim();

test('the banner says alerts, high risk first, and that entries contradict each other', async () => {
  const { page } = await chart();
  assert.match(
    await text(page, '.flag-line:not(.directive-line)'),
    /^Alerts ▲ High risk of falls Safety, since 1 Jan 2025$/,
  );
  assert.match(
    await text(page, '.allergy-line'),
    /^Allergies ▲High risk: Latex glove \(unconfirmed\) Urticaria ▲ Bee venom Dizziness \(severe reaction\) Hazelnut ▲/,
  );
  assert.match(await text(page, '.allergy-line'), / Hazelnut ▲ Contradiction: “No known allergies” is/);
  assert.match(await text(page, '.allergy-line'), / is recorded too\. No known drug allergies\.$/);
  assert.match(await text(page, '.directive-line'), /^Advance directives Do not resuscitate 5 May 2025$/);
  await says(
    page,
    '.whose',
    /: high risk: Latex glove, severe reaction: Bee venom, Hazelnut · No known drug allergies\. · contradictory/,
  );
  assert.match(await text(page, '#allergies'), /▲Contradiction: “No known allergies” beside active entries\./);
  assert.match(await text(page, '#allergies'), /✓No known drug allergies\./);
  const latex = await rowText(page, 'allergies', 'Latex glove');
  assert.match(latex, /High risk, unconfirmed/);
  assert.match(latex, /Urticaria \(severe, Skin contact\)/);
  assert.match(latex, /Criticality high.*Began in childhood.*Said by The patient’s mother/);
  assert.match(await text(page, '#allergies'), /1 refuted entry.*Egg Refuted/);
});

test('a problem says remission, differential, refuted, and a status that nobody knows', async () => {
  const { page } = await chart();
  const glance = await text(page, '#glance-problems');
  assert.match(glance, /Follicular lymphoma Remission since 2018/);
  assert.match(glance, /Lupus Differential/);
  assert.match(glance, /Odd status Smouldering/);
  assert.match(glance, /Pneumonia diagnosis of a visit/);
  assert.doesNotMatch(glance, /Stroke|Gout/);
  assert.match(await text(page, '#problems .count'), /^4 current, 1 of a visit alone$/);
  assert.match(await text(page, '#problems'), /1 active diagnosis of a visit, not on the list/);
  await page.locator('#problems summary', { hasText: '1 refuted condition' }).click();
  assert.match(await rowText(page, 'problems', 'Stroke'), /Stroke Refuted/);
});

test('what was not done, and must not be, says so with its reason, its site and its side', async () => {
  const { page } = await chart();
  assert.match(await text(page, '#procedures .count'), /^1 done, 1 not done$/);
  const hip = await rowText(page, 'procedures', 'Replacement of hip');
  assert.match(hip, /Not done.*Site Left hip joint.*Why not Patient declined/);
  const knee = await rowText(page, 'procedures', 'Arthroscopy');
  assert.match(knee, /Site Right knee.*Outcome Successful.*Complication Haematoma/);
  assert.match(await rowText(page, 'immunizations', 'Influenza'), /Not given Why Allergy to egg suspected/);
  assert.match(await text(page, '#orders'), /No open order\.\s*Not to be done.*MRI of head Do not perform/);
  assert.match(await text(page, '#glance-due'), /MRI of head Not to be done/);
});

test('alerts, the family, advance directives and other records have their places', async () => {
  const { page } = await chart();
  assert.match(await text(page, '#flags'), /High risk of falls.*1 past alert.*MRSA carrier Inactive/);
  const mother = await rowText(page, 'family', 'Mother');
  assert.match(mother, /Partial Breast cancer \(at age 42 years, contributed to the death\)\s*Asthma/);
  assert.match(mother, /Died, at age 61 years/);
  assert.match(await text(page, '#consents'), /Advance directives.*Do not resuscitate.*Scope Advance directive/);
  const diet = await rowText(page, 'other', 'Dysphagia diet');
  assert.match(diet, /Fluids: Honey thick liquid; Foods to leave out: Nuts/);
  assert.match(await rowText(page, 'other', 'Heart attack'), /Preliminary Probability: 0\.02/);
  assert.match(await text(page, '#reports'), /Imaging study 1.*CT of the chest.*Modality CT/);
  assert.doesNotMatch(await text(page, '#other'), /Imaging study/);
  assert.doesNotMatch(await text(page, 'main'), /types that are not shown/);
  // Bills and claims are loaded on demand.
  assert.doesNotMatch(await text(page, '#other'), /Institutional/);
  await page.getByRole('button', { name: 'Look for bills and insurance claims' }).click();
  await says(page, '#other', /Claim 1.*Institutional/);
});

test('adverse events are among the allergies by cause and seriousness, and say nothing of allergies', async () => {
  const { page } = await chart({ records: ADVERSE_CHART });
  assert.match(await text(page, '.allergy-line'), /^Allergies nothing is recorded, which does not mean that there are/);
  assert.match(
    await text(page, '.event-line'),
    /^Serious adverse events ▲ Anaphylactic shock suspected: Amoxicillin 500 mg \(probable\), 6 May 2024$/,
  );
  assert.match(
    await text(page, '#allergies'),
    /No data: this chart holds no entry about allergies\..* events 3 An adverse event is not an allergy entry/,
  );
  assert.match(await text(page, '.index'), /Allergies and intolerances\s*3 adverse events/);
  assert.doesNotMatch(await text(page, '#other'), /Anaphylactic/);
  const shock = await rowText(page, 'allergies', 'Anaphylactic shock');
  assert.match(shock, /^6 May 2024 Anaphylactic shock Serious Suspected cause Amoxicillin 500 mg \(probable\)/);
  assert.match(shock, /Seriousness serious: a danger to life ?Severity severe ?Outcome resolved ?It led to Hypoxia/);
  const mixUp = await rowText(page, 'allergies', 'Wrong strength');
  assert.match(mixUp, /Potential, did not happen Suspected cause Potassium chloride ?Seriousness serious/);
  await page.locator('.event-line .record').click();
  await says(page, 'dialog', /Adverse event: Anaphylactic shock.*Suspected cause: Amoxicillin 500 mg \(probable\)/);
  await page.keyboard.press('Escape');
  await page.locator('#find').fill('strength');
  await says(page, '.found', /Adverse event Wrong strength was prepared \(potential, did not happen\)/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /Wrong strength was prepared\s*Potential, did not happen/i);
});

test('"no known allergies" stays as it is beside an adverse event', async () => {
  const { page } = await chart({ records: [...ADVERSE_CHART, NONE_KNOWN] });
  assert.match(await text(page, '.allergy-line'), /^Allergies No known allergies\.$/);
  assert.match(await text(page, '#allergies'), /✓No known allergies\..*Adverse events 3/);
  assert.match(await text(page, '.index'), /Allergies and intolerances\s*none known/);
});

test('imaging studies and pictures are among the reports, with what each is of', async () => {
  const { page } = await chart({ records: ADVERSE_CHART });
  const study = await rowText(page, 'reports', 'MRI of both knees');
  assert.match(study, /Modality MR ?Site Knee \(left\), Knee \(right\) ?2 series, 148 images/);
  assert.match(study, /Reason Pain after a fall ?Report MRI report/);
  const wound = row(page, 'reports', 'Wound').last();
  assert.match(await wound.textContent(), /Left heel/);
  assert.equal(await wound.locator('img').getAttribute('alt'), 'Wound at day 3, clean');
  await page.waitForFunction(() => document.querySelector('#reports img')?.naturalWidth === 1);
  // Pictures that a report names are shown only with the report.
  assert.match(await text(page, '#reports'), /Pictures and recordings 2/);
  await row(page, 'reports', 'MRI of both knees').getByRole('button', { name: 'MRI report' }).click();
  await says(page, 'dialog', /Effusion\s*Small.*The tear, sagittal.*Picture Media none not shown here/);
  await says(page, 'dialog', /Imaging study MRI of both knees, MR, 8 Aug 2025, 2 series, 148 im/);
  await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth === 1);
});

test('a record says its elements with the labels of its type, and its certainty first', async () => {
  const { page } = await chart();
  await page.locator('.allergy .record').first().click();
  await says(page, 'dialog', /Unconfirmed.*Details/);
  const lines = await page
    .locator('dialog .elements > div')
    .evaluateAll((all) =>
      all.map((line) => [...line.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())),
    );
  const details = Object.fromEntries(lines);
  assert.equal(details.Certainty, 'unconfirmed');
  assert.equal(details.Criticality, 'high');
  assert.equal(details.Began, 'in childhood');
  assert.equal(details['Said by'], 'The patient’s mother');
  assert.match(details.Reaction, /Substance.*Latex glove.*Severity.*severe.*Route of exposure.*Skin contact/);
  await page.keyboard.press('Escape');
  await page.locator('#other .record', { hasText: 'Dysphagia diet' }).click();
  await says(page, 'dialog', /Diet.*Type.*Dysphagia diet.*Foods to leave out.*Nuts/);
});

test('find and the timeline say it too, of other records as well', async () => {
  const { page } = await chart();
  const find = async (words, expected) => {
    await page.locator('#find').fill(words);
    await says(page, '.found', expected);
  };
  await find('stroke', /Problem Stroke \(refuted\)/);
  await find('lymphoma', /Problem Follicular lymphoma \(remission\)/);
  await find('hip', /Procedure Replacement of hip, Left hip joint \(not done\)/);
  await find('MRI', /Order MRI of head \(do not perform\)/);
  await find('falls', /Alert High risk of falls/);
  await find('breast', /Family history mother \(partial\)/);
  await find('resuscitate', /Consent Do not resuscitate/);
  await find('honey', /Nutrition order Dysphagia diet/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline [role=status]', /entries/);
  const days = await text(page, '.timeline');
  assert.match(days, /Follicular lymphoma\s*Remission/i);
  assert.match(days, /Replacement of hip, Left hip joint\s*Not done/i);
  assert.match(days, /Influenza vaccine\s*Not given/i);
  assert.match(days, /MRI of head\s*Do not perform/i);
  assert.match(days, /Do not resuscitate/);
  assert.match(days, /Dysphagia diet/);
  assert.match(days, /CT of the chest/);
});

test('the chart has no violation in any theme and width', async () => {
  for (const viewport of Object.values(SIZES)) {
    const { person, page } = await chart({ viewport });
    const { faults, look } = inspector(page);
    await look(`certainty ${viewport.width}`);
    await page.locator('#other .record', { hasText: 'Dysphagia diet' }).click();
    await says(page, 'dialog', /Details/);
    await look(`a record ${viewport.width}`);
    await person.close();
    const adverse = await chart({ viewport, records: ADVERSE_CHART });
    const more = inspector(adverse.page);
    await more.look(`adverse events ${viewport.width}`);
    await row(adverse.page, 'reports', 'MRI report').getByRole('button', { name: /^Read/ }).click();
    await adverse.page.locator('dialog .attachment').first().waitFor();
    await more.look(`a report ${viewport.width}`);
    await adverse.person.close();
    assert.deepEqual(
      [faults, more.faults],
      [
        { light: [], dark: [] },
        { light: [], dark: [] },
      ],
    );
  }
});

test('an order not to resuscitate is in the banner and among the directives, in whatever record', async () => {
  const { page } = await chart({ records: DIRECTIVES });
  assert.equal(
    await text(page, '.directive-line'),
    'Advance directives ▲ Do not perform: Cardiopulmonary resuscitation 4 Apr 2025 ' +
      'Request for intubation: No 2 Feb 2024 Do not resuscitate status 3 Mar 2023',
  );
  assert.match(await text(page, '#consents .count'), /^3$/);
  assert.match(
    await rowText(page, 'consents', 'Cardiopulmonary'),
    /Do not perform: Cardiopulmonary resuscitation Recorded as Order/,
  );
  assert.match(await rowText(page, 'consents', 'intubation'), /Request for intubation: No Recorded as Result/);
  assert.match(await rowText(page, 'consents', 'Do not resuscitate'), /Recorded as Problem/);
  await page.locator('.directive-line').getByRole('button', { name: 'Cardiopulmonary resuscitation' }).click();
  await says(page, 'dialog[open]', /Do not perform/i);
});

test('a list that names more than came along, and substances and drugs by their whole names, are read', async () => {
  const { page } = await chart({ records: US_CHART });
  const medicines = await text(page, '#medications');
  assert.match(medicines, /Not everything that belongs here can be shown/);
  assert.match(medicines, /“Home medicines” names.*: sertraline 25 MG Oral Tablet and furosemide 20 MG Oral Tablet\./);
  assert.doesNotMatch(medicines, /warfarin|Lantus/);
  assert.match(medicines, /insulin glargine 100 UNT\/ML Pen Injector.*for 90 days/);
  assert.match(await text(page, '#glance-medications'), /100 UNT\/ML.*Not everything that belongs here/);
  await says(page, '.index', /Medications\s*1 filled/);
  await says(page, '.index', /Procedures and devices\s*2 devices/);
  assert.match(await text(page, '.allergy-line'), /^Allergies Latex No known allergy to Peanut\.$/);
  assert.match(await text(page, '#vitals'), /Oxygen saturation 97% \(Inhaled oxygen flow rate: 3\sL\/min\)/);
  assert.doesNotMatch(await text(page, '#vitals'), /MDC_|at least 95/);
  assert.match(await text(page, '#procedures'), /Implanted devices.*Hip joint.*Devices.*Wound pump/);
});

test('where only bills may tell of a medication or a problem, nothing is said to be absent', async () => {
  const { page } = await chart({ records: PAYER_CHART });
  const bills = /No such record is here\. Bills and insurance claims may name some: they are under “Other records”\./;
  for (const id of ['medications', 'problems', 'glance-medications', 'glance-problems'])
    assert.match(await text(page, `#${id}`), bills, id);
  assert.match(await text(page, '.joined'), /^Nothing recorded of: .*Vital signs/);
});
