// The words for the certainty of records: contradictions, negations and plans in the banner, at a glance, in the
// sections, in a record, in find and on the timeline. Also adverse events, imaging studies, pictures, and records of
// types without a section of their own.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isClean } from './axe.mjs';
import { open, SIZES, says, text } from './browser.mjs';
import { CERTAIN_CHART } from './certain-chart.mjs';
import { ADVERSE_CHART } from './event-chart.mjs';
import { chartOf, ndjson, person } from './own-files.mjs';

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
  await says(page, '.whose', /: Latex glove \(high risk\) · Bee venom \(severe reaction\) · Hazelnut · No known drug /);
  await says(page, '.whose', / · Hazelnut · No known drug allergies\. · contradictory/);
  assert.match(await text(page, '#allergies'), /▲Contradiction: “No known allergies” beside active entries\./);
  assert.match(await text(page, '#allergies'), /✓No known drug allergies\./);
  const latex = await rowText(page, 'allergies', 'Latex glove');
  assert.match(latex, /High risk, unconfirmed/);
  assert.match(latex, /Urticaria \(severe, Skin contact\)/);
  assert.match(latex, /Criticality high.*Onset in childhood.*Said by The patient’s mother/);
  assert.match(await text(page, '#allergies'), /1 refuted entry.*Egg Refuted/);
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
  assert.equal(details.Onset, 'in childhood');
  assert.equal(details['Said by'], 'The patient’s mother');
  assert.match(details.Reaction, /Substance.*Latex glove.*Severity.*severe.*Route of exposure.*Skin contact/);
  await page.keyboard.press('Escape');
  await page.locator('#other .record', { hasText: 'Dysphagia diet' }).click();
  await says(page, 'dialog', /Diet.*Type.*Dysphagia diet.*Foods to leave out.*Nuts/);
});

test('the chart has no violation in any theme and width', async () => {
  for (const viewport of Object.values(SIZES)) {
    const { person, page } = await chart({ viewport });
    await isClean(page, `certainty ${viewport.width}`);
    await page.locator('#other .record', { hasText: 'Dysphagia diet' }).click();
    await says(page, 'dialog', /Details/);
    await isClean(page, `a record ${viewport.width}`);
    await person.close();
    const adverse = await chart({ viewport, records: ADVERSE_CHART });
    await isClean(adverse.page, `adverse events ${viewport.width}`);
    await row(adverse.page, 'reports', 'MRI report').getByRole('button', { name: /^Read/ }).click();
    await adverse.page.locator('dialog .attachment').first().waitFor();
    await isClean(adverse.page, `a report ${viewport.width}`);
    await adverse.person.close();
  }
});

test('where only bills may tell of a medication or a problem, nothing is said to be absent', async () => {
  const bill = {
    resourceType: 'ExplanationOfBenefit',
    id: 'eob',
    status: 'active',
    type: { text: 'Pharmacy' },
    patient: { reference: 'Patient/p' },
    created: '2025-01-01',
    item: [{ sequence: 1, productOrService: { text: 'Prozac 20 MG' } }],
  };
  const { page } = await chart({ records: [person('p', 'Payer'), bill] });
  const bills = /No such record is here\. Bills and insurance claims may name some: they are under “Other records”\./;
  for (const id of ['medications', 'problems', 'glance-medications', 'glance-problems'])
    assert.match(await text(page, `#${id}`), bills, id);
  assert.match(await text(page, '.joined'), /^Nothing recorded of: .*Vital signs/);
});
