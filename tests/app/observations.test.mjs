// Observations in the forms of other systems, opened as own files: none is hidden, and each is judged by the record's
// own flags and ranges, for this person, in its unit.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspector, testThemes } from './axe.mjs';
import { open, SIZES, says, show, text } from './browser.mjs';
import { countMarks } from './marks.mjs';
import { ABROAD, OBSERVATIONS, PATIENT, TWO_COUNTS, VISITS } from './odd-observations.mjs';
import { CATEGORY, ndjson, chartOf as openChart } from './own-files.mjs';

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
const row = (page, test) => page.locator('#labs tbody tr', { has: page.locator('th', { hasText: test }) });
const cellsOf = async (page, test) => (await row(page, test).textContent()).replace(/\s+/g, ' ').trim();

test('results in words say the one before, a status is that of the report, and one day has one column', async () => {
  const lab = (id, name, on, more) => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [{ coding: [{ system: CATEGORY, code: 'laboratory' }] }],
    code: { text: name },
    subject: { reference: 'Patient/ada' },
    effectiveDateTime: on,
    ...more,
  });
  const isolated = lab('c-1', 'Cryptosporidium antigen', '2024-03-05', { valueString: 'not found', status: 'unknown' });
  const { person, page } = await chartOf([PATIENT, isolated, { ...isolated, id: 'c-2', code: { text: 'Giardia' } }]);
  const heads = () => page.locator('#labs thead').locator('th, td').allInnerTexts();
  assert.deepEqual(
    (await heads()).map((head) => head.trim()),
    ['Test', 'Latest', 'Unit', 'Range', 'Change', 'Trend'],
  );
  assert.match(await cellsOf(page, 'Giardia'), /^Giardia ?not found ?report status: unknown/);
  await person.close();
  const other = (id, on, more) => ({ ...lab(id, 'Gait', on, more), category: [] });
  const { page: both } = await chartOf([
    PATIENT,
    lab('h-1', 'HBe antigen', '2010-04-03', { valueCodeableConcept: { text: 'Positive' } }),
    lab('h-2', 'HBe antigen', '2012-01-05', { valueString: 'negative', status: 'unknown' }),
    other('s-1', '2010-04-03', { valueString: 'unsteady' }),
    other('s-2', '2012-01-05', { valueCodeableConcept: { text: 'Steady' }, status: 'unknown' }),
  ]);
  assert.match(await cellsOf(both, 'HBe antigen'), /negative ?report status: unknown.*before: Positive \(3 Apr 2010\)/);
  const listed = await text(both, '#other-observations .row');
  assert.match(listed, /Gait Steady report status: unknown\s*before: unsteady \(3 Apr 2010\)/);
});

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
  assert.equal(await page.locator('#other-observations svg.sampled').count(), 1);
  assert.doesNotMatch(await text(page, '.sections'), /No data: no (laboratory|vital|other)/);
});

test('results of other countries are among the results, and judged by their words', async () => {
  const { page } = await chartOf([PATIENT, ...ABROAD]);
  await says(page, '#glance-abnormal', /Kalium/);
  const abnormal = (await entries(page, 'abnormal')).join('\n');
  for (const said of [
    /Kalium 7\.2 mmol\/L ▲▲ Significantly high/,
    /Ferritin 7,9 ng\/mL ▼▼ Far below/,
    /SpO2 84 % \(Inhaled oxygen flow: 6 L\/min\) ▼▼ urgent: below 90/,
    /Blutdruck 210\/130 mmHg ▲▲ urgent: above 180/,
    /Puls 140 ▲▲ urgent: 131 or more/,
  ])
    assert.match(abnormal, said);
  await says(page, '#glance-abnormal .count', /^7$/);
  assert.doesNotMatch(abnormal, /anti-HBs/, 'immunity is nothing abnormal');
  const signs = (await entries(page, 'vitals')).join('\n');
  assert.match(signs, /^Blutdruck 210\/130 mmHg.*\nPuls 140.*\nSpO2 84 %.*\nTemperatur 40\.2 ℃ ▲ above usual/);
  await says(page, '#labs .count', /^6 results of 6 tests$/);
  assert.match(await cellsOf(page, 'Kalium'), /7\.2.*Significantly high/);
  assert.match(await cellsOf(page, 'Schellong'), /cloudy/);
  assert.match(await cellsOf(page, 'anti-HBs'), /≤ 10.*A test of immunity: its range does not tell what is normal\./);
  assert.match(await cellsOf(page, 'HBsAg'), /positiv ?◆ Abnormal.*negativ/);
  assert.match(await cellsOf(page, 'Glucose'), /9 ?▲ High.*< 6/, 'a low end that says < is the high one');
  await page.setViewportSize({ width: 360, height: 800 });
  await page.setViewportSize({ width: 1280, height: 900 });
  await says(page, '#vitals .count', /^3 readings$/);
  await page.goto(`${CHART}/trend/8867-4`);
  await says(page, '.trend-view', /Puls.*140/);
});

test('a result is judged by the range that is its own, and what is odd about it is said', async () => {
  const { page } = await chartOf(ALL);
  await says(page, '#labs', /Leukocytes/);
  assert.match(await cellsOf(page, 'Leukocytes'), /88 ?▲▲ Critically high.*4–11 ×10⁹\/L/);
  assert.match(await cellsOf(page, 'Hemoglobin'), /12\.4.*12–15\.5/);
  assert.doesNotMatch(await cellsOf(page, 'Hemoglobin'), /Low|13\.5/, 'the range of women');
  assert.match(await cellsOf(page, 'Sodium'), /145–135 Its range is the wrong way round, and was not used\./);
  assert.equal(await row(page, 'Sodium').locator('.flag').count(), 0);
  assert.match(
    await cellsOf(page, 'Potassium'),
    /6\.9 ?▲ High.*“Normal” by the laboratory.*Called normal, but outside/,
  );
  assert.match(await cellsOf(page, 'Digoxin'), /0\.4 ?“see comment”.*Therapeutic: 0\.8–2/);
  assert.equal(await row(page, 'Digoxin').locator('.flag').count(), 0, 'a therapeutic range flags nothing');
  assert.match(await cellsOf(page, 'Hepatitis B'), /Immune ?Positive/);
  assert.equal(await row(page, 'Hepatitis B').locator('.flag').count(), 0, 'positive is not abnormal by itself');
  assert.match(await cellsOf(page, 'C reactive'), /< 5 mg\/L.*Preliminary.*≤ 10 mg\/L.*1\.2 mg\/dL ?▲ High/);
  assert.match(await cellsOf(page, 'pH of Arterial'), /7\.1 ?▼▼ Critically low.*7\.35–7\.45/);
  assert.match(await cellsOf(page, 'Carbon dioxide'), /41.*35–45/);
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

test('without a birth date what is unusual at any age is marked, and the age is said to be unknown', async () => {
  const { birthDate: _, ...ageless } = PATIENT;
  const { page } = await chartOf([ageless, ...OBSERVATIONS, ...VISITS]);
  await says(page, '#glance-vitals .note', /^The age at the measurement is not known: only what is unusual at any age/);
  const signs = await entries(page, 'vitals');
  const sign = (name) => signs.find((one) => one.startsWith(name));
  assert.match(sign('Blood pressure'), /192\/96 mmHg ▲▲ urgent: above 180 \(ACC\/AHA\)/);
  assert.match(sign('Oxygen saturation'), /82% ▼▼ urgent: below 90 \(WHO\)/);
  assert.match(sign('Body temperature'), /104\.2 °F ▲ above usual at any age \(PedsCases\)/);
  assert.doesNotMatch(sign('Heart rate'), /usual|urgent/, 'a pulse of 150 is usual for an infant');
  const tile = page.locator('#vitals .tile', { hasText: 'Heart rate' });
  await tile.getByText('no usual range, since the age is not known').waitFor();
  await says(page, '#vitals .usual-sources', /^The age at the measurement is not known.*PedsCases, Pediatric/);
  await page.getByLabel('Find in this chart').fill('heart');
  await page.locator('.found button', { hasText: '150' }).click();
  await says(page, 'dialog', /Value\s*150.*no usual range, since the age is not known/);
});

test('the comparison of two visits marks vital signs', async () => {
  const { page } = await chartOf([PATIENT, ...VISITS]);
  await page.goto(`${CHART}/timeline`);
  await says(page, '.day >> nth=1', /Check-up/);
  for (const button of await page.locator('.visit button[aria-pressed]').all()) await button.click();
  await page.getByRole('button', { name: 'Show both' }).click();
  await page.getByRole('heading', { name: 'Two visits compared' }).waitFor();
  await says(page, 'main', /Heart rate.*88.*150 ?\/min ▲▲ urgent: 131 or more \(NEWS2\)/);
});

test('two results of one time under one name say by their codes which is which', async () => {
  const { page } = await chartOf([PATIENT, ...TWO_COUNTS]);
  await says(page, '#glance-abnormal', /Leukocytes/);
  const abnormal = (await entries(page, 'abnormal')).sort();
  assert.match(abnormal[0], /^Leukocytes LOINC 26464-8 14\.9 ×10³\/µL ▲ High/);
  assert.match(abnormal[1], /^Leukocytes code WBC2 15\.3 ×10³\/µL ▲ High/);
  const results = await text(page, '#labs');
  assert.match(results, /Leukocytes ?LOINC 26464-8.*14\.9/);
  assert.match(results, /Leukocytes ?code WBC2.*15\.3/);
  await page.goto(`${CHART}/trend/WBC2`);
  await says(page, '.trend-view .section-head', /Leukocytes ?code WBC2/);
  await says(page, '.results tbody', /15\.3/);
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

test('a newer number goes before an older blood pressure that is complete, each with its date', async () => {
  const [, , systolic] = OBSERVATIONS;
  const { page } = await chartOf([PATIENT, OBSERVATIONS[1], systolic]);
  await says(page, '#glance-vitals', /Systolic/);
  const signs = await entries(page, 'vitals');
  assert.match(signs[0], /^Systolic blood pressure 192 mmHg.*5 Mar 2024$/);
  assert.match(signs[1], /^Diastolic blood pressure 79 mmHg.*10 Jan 2023$/);
  await says(
    page,
    '#vitals .tile',
    /Systolic blood pressure, 5 Mar 2024.*192 mmHg.*Diastolic blood pressure, 10 Jan 2023.*79/,
  );
});

for (const size of Object.keys(SIZES)) {
  testThemes(`axe finds nothing in a chart of odd observations, ${size}`, async () => {
    const { person, page } = await chartOf(ALL, { size });
    const { faults, look } = inspector(page);
    await look('the summary');
    for (const part of ['trend/8480-6', 'trend/1988-5', 'timeline']) {
      await show(page, `${CHART}/${part}`);
      await look(part);
    }
    await person.close();
    return faults;
  });
}

test('in Spanish the words of flags, ranges and sections are Spanish', async () => {
  const { page } = await chartOf(ALL);
  await page.locator('button.language').click();
  await says(page, '#other-observations', /Otras observaciones/);
  const summary = await text(page, 'main');
  for (const said of [
    /urgente: menos de 90 \(WHO\)/,
    /por encima de lo habitual \(MedlinePlus\)/,
    /«Normal» según el laboratorio/,
    /Su intervalo está invertido y no se usó\./,
    /Immune\s*Positivo/,
    /Serie de 250 puntos, uno cada 4 ms, de -0,08 a 1,1 mV/,
    /Categoría\s*Exploración/,
    /Sin categoría/,
  ])
    assert.match(summary, said);
});
