// Observations in the forms of other systems, opened as own files: none is hidden, and each is judged by the record's
// own flags and ranges, for this person, in its unit.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { open, SIZES, says, show, text } from './browser.mjs';
import { countMarks } from './marks.mjs';
import { OBSERVATIONS, PATIENT } from './odd-observations.mjs';
import { ndjson, chartOf as openChart } from './own-files.mjs';

const stage = await open();
after(() => stage.close());

const CHART = '/#/files/chart/ada';

/// Opens the chart of some records for a new visitor.
async function chartOf(records, options) {
  const { person, page } = await openChart(stage, ndjson(records), options);
  await page.locator('#visits').waitFor();
  return { person, page };
}
const ALL = [PATIENT, ...OBSERVATIONS];
const entries = (page, tile) =>
  page
    .locator(`#glance-${tile} .entry`)
    .evaluateAll((all) => all.map((one) => one.textContent.replace(/\s+/g, ' ').trim()));

test('critical results of any category come first, and vital signs are marked by usual ranges', async () => {
  const { page } = await chartOf(ALL);
  await says(page, '#glance-abnormal', /Leukocytes/);
  const abnormal = await entries(page, 'abnormal');
  const at = (name) => abnormal.findIndex((one) => one.startsWith(name));
  assert.match(abnormal[at('Leukocytes')], /88 ×10³\/µL ▲▲ Critically high/);
  assert.match(abnormal[at('Gas')], /pH of Arterial blood 7\.1 ▼▼ Critically low/);
  assert.doesNotMatch(abnormal[at('Gas')], /Carbon dioxide/);
  assert.match(abnormal[at('Blood pressure')], /192\/96 mmHg ▲▲ urgent: above 180 \(ACC\/AHA\)/);
  assert.match(abnormal[at('Oxygen')], /82% ▼▼ urgent: below 90 \(WHO\)/);
  assert.match(abnormal[at('Potassium')], /6\.9 mmol\/L ▲ High “Normal” by the laboratory/);
  assert.match(abnormal[at('Gait')], /unsteady ◆ Abnormal/);
  assert.deepEqual(
    abnormal.slice(-2),
    [abnormal[at('Potassium')], abnormal[at('Gait')]],
    'the critical ones are before',
  );
  for (const quiet of ['Hepatitis', 'Hemoglobin', 'Sodium', 'Digoxin', 'C reactive', 'Reflexes'])
    assert.equal(at(quiet), -1, quiet);

  const signs = await entries(page, 'vitals');
  assert.match(signs[0], /^Blood pressure 192\/96 mmHg ▲▲ urgent: above 180/, 'both numbers, of one time');
  assert.match(signs[1], /^Oxygen saturation 82%/, 'the newest of two codes');
  assert.match(signs[2], /^Body temperature 104\.2 °F ▲ above usual \(MedlinePlus\)/);
  assert.equal(signs.length, 3);
});

test('each observation is in one section: by its code among results or vital signs, or among others', async () => {
  const { page } = await chartOf(ALL);
  await says(page, '#labs .count', /^10 results of 10 tests$/);
  await says(page, '#labs', /Told to the ward by telephone/);
  await says(page, '#vitals .count', /^7 readings$/);
  await says(page, '#screening', /Pregnancy status\s*Pregnant/);
  await says(page, '#other-observations .count', /^7 results of 7 tests$/);
  const others = await text(page, '#other-observations');
  for (const said of [
    /Gait Broad-based, unsteady ◆ Abnormal Category Neurology/,
    /EKG study Series of 250 points, one every 4 ms, from -0\.08 to 1\.1 mV/,
    /Cup to disc 3 : 10 Category Without a category/,
    /Six minute walk test 300–320 m Category Clinical test/,
    /Time of waking 06:40:00 Category Activity/,
    /Grip strength Not available: asked but declined Category Examination/,
    /Reflexes Entered in error/,
  ])
    assert.match(others, said);
  assert.doesNotMatch(others, /Critically abnormal/, 'what was entered in error has no flag');
  assert.doesNotMatch(await text(page, '.sections'), /No data: no (laboratory|vital|other)/);
});

test('a trend has one unit, draws a bound as an open mark, and says what is preliminary', async () => {
  const { page } = await chartOf(ALL);
  await page.goto(`${CHART}/trend/1988-5`);
  await says(page, '.readout', /< 5 mg\/L \(preliminary\)/);
  assert.equal(await countMarks(page), 2);
  assert.equal(await countMarks(page, '.bound'), 1);
  await says(page, 'figcaption', /○ only a bound/);
  await page.getByRole('button', { name: 'Earlier' }).click();
  await says(page, '.readout', /1\.2 mg\/dL \(12 mg\/L\) ▲ High/);
  await page.goto(`${CHART}/trend/8310-5`);
  await says(page, '.results tbody', /104\.2 °F ▲ Above the usual range: 97\.7–99\.1.*37 °C Usual range: 36\.5–37\.3/);
  assert.equal(await page.locator('figure').count(), 1, 'degrees of both scales in one picture');
  // The trend of one number of a blood pressure shows both numbers.
  await page.goto(`${CHART}/trend/8480-6`);
  await says(page, '#trend-title', /Blood pressure/);
  await says(
    page,
    '.results tbody',
    /Systolic blood pressure 192 mmHg.*Diastolic blood pressure 96 mmHg.*128\/79 mmHg/,
  );
  await page.goto(`${CHART}/trend/Gait`);
  await says(page, '#trend-title', /Gait/);
});

test('find, timeline and the record itself say the same', async () => {
  const { page } = await chartOf(ALL);
  await page.getByLabel('Find in this chart').fill('leukocytes');
  await says(page, '.found', /Leukocytes: 88 ×10³\/µL, critically high, range 4–11 ×10⁹\/L/);
  await page.locator('.found button').click();
  await says(page, 'dialog', /Value\s*88 ×10³\/µL, critically high/);
  await page.keyboard.press('Escape');
  await page.getByLabel('Find in this chart').fill('oxygen');
  await says(page, '.found', /Oxygen saturation: 82%, urgent: below 90 \(WHO\)/);
  await page.locator('.found button', { hasText: '82%' }).click();
  await says(page, 'dialog', /Value\s*82%, urgent: below 90 \(WHO\)/);
  await says(page, 'dialog', /▼▼ Below the usual range: at least 95, Mayo; urgent: below 90 \(WHO\)/);
  await says(page, 'dialog .usual-sources', /Mayo: Mayo Clinic, Hypoxemia.*WHO: World Health Organization/);
  await page.keyboard.press('Escape');
  await page.getByLabel('Find in this chart').fill('gait');
  await says(page, '.found', /Gait: Broad-based, unsteady, abnormal/);
  await page.getByLabel('Find in this chart').fill('');
  await page.goto(`${CHART}/timeline`);
  await says(page, '.day >> nth=0', /Results 20 results, 4 abnormal/);
  await page.locator('.day details summary').first().click();
  for (const said of [
    /Leukocytes: 88 ×10³\/µL ▲▲ Critically high/,
    /Gait: Broad-based, unsteady ◆ Abnormal/,
    /Oxygen saturation: 82% ▼▼ urgent: below 90 \(WHO\)/,
    /Antinuclear antibody titer: 1 : 320/,
    /pH of Arterial blood ▼▼ Critically low/,
  ])
    await says(page, '.day >> nth=0', said);
  assert.doesNotMatch(await text(page, '.day >> nth=0'), /Reflexes/);
});

for (const width of [360, 768, 1280]) {
  test(`at a glance values and dates stand in columns, the date of all in the heading, ${width} px`, async () => {
    const { page } = await chartOf(ALL, { viewport: { width, height: 900 } });
    for (const tile of ['abnormal', 'vitals']) {
      await says(page, `#glance-${tile}`, /urgent/);
      const rows = await page.locator(`#glance-${tile} .entry`).evaluateAll((all) =>
        all.map((one) => {
          const box = (selector) => one.querySelector(selector).getBoundingClientRect();
          const [title, value, date] = ['.entry-title', '.entry-value', '.entry-aside'].map(box);
          return {
            value: Math.round(value.left),
            right: Math.round(date.right),
            below: Math.abs(date.top - title.top),
          };
        }),
      );
      assert.ok(rows.length > 2);
      assert.equal(new Set(rows.map(({ value }) => value)).size, 1, `${tile}: values begin at one place`);
      if (tile === 'vitals') {
        await says(page, '#glance-vitals h3', /^Vital signs \d+ 5 Mar 2024$/);
        continue;
      }
      assert.equal(new Set(rows.map(({ right }) => right)).size, 1, `${tile}: dates end at one place`);
      for (const { below } of rows) assert.ok(below < 8, `${tile}: a date stands beside its name, not ${below} below`);
    }
  });
}

for (const size of Object.keys(SIZES)) {
  testThemes(`axe finds nothing in a chart of odd observations, ${size}`, async (inspect) => {
    const { page } = await chartOf(ALL, { size });
    const look = inspect(page);
    await look('the summary');
    for (const part of ['trend/8480-6', 'trend/1988-5', 'timeline']) {
      await show(page, `${CHART}/${part}`);
      await look(part);
    }
  });
}
