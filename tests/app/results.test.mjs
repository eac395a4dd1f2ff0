// Results for clinicians: laboratory results by panel, usual ranges of vital signs, growth curves, and the medications
// under a trend. On the sample, without a login.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { loaded, open, says, show, text, texts } from './browser.mjs';
import { placesOfResults } from './marks.mjs';

const AMARA = '/#/sample/chart/amara-okafor';
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 780 };

const stage = await open({ data: [] });
after(() => stage.close());

const visit = (path, options) => stage.visit(path, { viewport: DESK, ...options });
const panel = (page, name) => page.locator('#labs h3', { hasText: name }).locator('xpath=following-sibling::table[1]');

test('results stand by panel, the latest four days in columns, newest first, and the change in words', async () => {
  const { page } = await visit(AMARA);
  assert.deepEqual(await texts(page.locator('#labs h3')), ['Basic metabolic panel', 'Lipid panel', 'Other results']);
  const lipids = panel(page, 'Lipid panel');
  assert.deepEqual(await texts(lipids.locator('thead th')), [
    'Test',
    '12 May 2026',
    'Unit',
    'Range',
    '13 May 2025',
    '14 May 2024',
    '16 May 2023',
    'Change',
    'Trend',
  ]);
  const row = lipids.locator('tbody tr', { hasText: 'Cholesterol in LDL' });
  assert.deepEqual(await texts(row.locator('td.value > div')), ['75', '81', '79', '84']);
  assert.deepEqual(await texts(row.locator('td.unit')), ['mg/dL']);
  assert.match(await text(page, '#labs caption >> nth=1'), /^Lipid panel: the values of the latest days/);
  // Each abnormal value has a sign and a word.
  const creatinine = panel(page, 'Basic metabolic').locator('tbody tr', { hasText: 'Creatinine' });
  assert.match((await texts(creatinine.locator('td.value > div')))[0], /^1\.17▲ High/);
  // Numbers end at one edge, with or without a flag, and a flag stands in the line of its number.
  const edges = await page.locator('#labs td.value:nth-child(2) .measured').evaluateAll((all) =>
    all.map((one) => {
      const [number, flags] = [...one.children].map((child) => child.getBoundingClientRect());
      return { right: Math.round(number.right), isInLine: flags.width === 0 || flags.bottom <= number.bottom + 4 };
    }),
  );
  assert.equal(new Set(edges.map(({ right }) => right)).size, 1);
  assert.ok(edges.every(({ isInLine }) => isInLine));
  // The test with an older formula has no value on these days, and says when its last value was.
  await says(page, '#labs td.older >> nth=0', /^62 ?Last on 16 Nov 2021$/);
  const change = lipids.locator('td.change').first();
  assert.match((await change.textContent()).replace(/\s+/g, ' ').trim(), /^↓ down by 6 mg\/dL since 13.May.2025$/);
  assert.equal(await change.locator('.arrow').getAttribute('aria-hidden'), 'true');
});

test('a phone shows the two latest values side by side, each with its date', async () => {
  const { page } = await visit(AMARA, { viewport: PHONE });
  const row = panel(page, 'Lipid panel').locator('tbody tr').first();
  assert.deepEqual(await texts(row.locator('td.value:visible')), ['15512 May 2026', '16113 May 2025']);
  const unit = (cell) => getComputedStyle(cell.querySelector('[data-unit]'), '::after').content;
  assert.equal(await row.locator('td.value').first().evaluate(unit), '" mg/dL"', 'the unit follows the latest value');
  const [a, b] = await Promise.all([0, 1].map((i) => row.locator('td.value').nth(i).boundingBox()));
  assert.ok(Math.abs(a.y - b.y) < 2 && b.x > a.x + 60, 'side by side');
  // Without a comparison, the range begins below the value.
  const alone = page.locator('#labs tbody tr:not(:has(.arrow))');
  const [value, range] = await Promise.all(
    ['td.value:visible', 'td.range'].map((cell) => alone.first().locator(cell).first().boundingBox()),
  );
  assert.equal(range.x, value.x);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
});

test('results that were entered in error are no values', async () => {
  const { page } = await visit('/#/sample/chart/matias-reyes');
  for (const row of await page.locator('#labs tr[data-tone="error"]').all()) {
    assert.match((await row.textContent()).replace(/\s+/g, ' '), /Entered in error/);
    assert.equal(await row.locator('td.value .flag, td.value > div').count(), 0);
  }
});

test('a vital sign without a range shows the usual one of the age, with its source, not as the record’s', async () => {
  const { page } = await visit('/#/sample/chart/mateo-reyes');
  const tile = (name) => page.locator('#vitals .tile', { hasText: name });
  await says(page, '#vitals .tile >> nth=0', /Usual range: 97–115 \/ 57–76, PALS/);
  assert.match((await texts(tile('Respiratory rate')))[0], /Usual range: 18–25, PALS/);
  assert.equal(await tile('Body weight').locator('.usual').count(), 0);
  assert.equal(await page.locator('#vitals .flag').count(), 0, 'a usual range flags nothing');
  assert.match(await text(page, '#vitals .usual-sources'), /Pediatric Advanced Life Support Provider Manual, 2016/);
  await page.goto(AMARA);
  await says(page, '#vitals', /▲ Above the usual range: below 120\/80, ACC\/AHA/);
  await page.goto(`${AMARA}/trend/85354-9`);
  await says(page, '.results tbody tr >> nth=0', /usual range: below 120\/80, ACC\/AHA/);
  assert.equal(await page.locator('.plot .band').count(), 0, 'no band is drawn for it');
  // The laboratory's range is the only range.
  await page.goto(`${AMARA}/trend/4548-4`);
  await says(page, '#trend-title', /Hemoglobin A1c/);
  assert.equal(await page.locator('.usual').count(), 0);
});

test('growth: curves of the WHO to two years, a percentile of each measurement, the sources', async () => {
  const { page } = await visit('/#/sample/chart/finn-obrien-nunez');
  await page.getByRole('link', { name: 'Growth curves' }).click();
  await says(page, '#growth-title', /^Growth$/);
  await loaded(page);
  assert.equal(await text(page, '.tabs [aria-current="page"]'), 'Growth');
  assert.deepEqual(await texts(page.locator('.growth-view h3')), ['Weight', 'Length or height', 'Head circumference']);
  assert.match(
    await text(page, '.growth-note'),
    /Percentiles for boys.*WHO Child Growth Standards, 2006 \(to two years\)\. Ages are not corrected for preterm/,
  );
  const plot = page.locator('svg.growth').first();
  assert.match(
    (await plot.getAttribute('aria-label')).replaceAll('\u00a0', ' '),
    /^Weight: 4 measurements on the percentile curves of the WHO .* Latest 7\.05 kg at 4 mo, 49th percentile\.$/,
  );
  assert.equal(await plot.locator('.curve').count(), 5);
  assert.equal(await plot.locator('.mark').count(), 4);
  const rows = page.locator('.growth-table').first().locator('tbody tr');
  assert.match((await texts(rows)).at(-1), /^27 May 2026, 04:40\s*birth\s*3\.48 kg\s*61st percentile\s*WHO$/);
  // The button of a measurement opens its record.
  await rows.first().getByRole('button').click();
  await says(page, 'dialog', /Observation\//);
});

test('a child of two years is on the curves of the CDC; the percentile agrees with the recorded one', async () => {
  const { page } = await visit('/#/sample/chart/mateo-reyes/growth');
  await says(page, '.growth-note', /CDC Growth Charts, 2000 \(from two years\)/);
  assert.equal(await page.locator('svg.growth').first().locator('.curve').count(), 7);
  const bmi = page.locator('.growth-table').nth(2).locator('tbody tr').first();
  assert.match((await texts(bmi))[0], /15\.9 kg\/m²\s*52nd percentile/);
  await page.goto('/#/sample/chart/mateo-reyes/trend/59576-9');
  await says(page, '.results tbody tr >> nth=0', /52%/);
});

test('adults have no growth, and their charts no link to it', async () => {
  const { page } = await visit(AMARA);
  await says(page, '#vitals', /Body weight/);
  assert.equal(await page.getByRole('link', { name: 'Growth curves' }).count(), 0);
  await page.goto(`${AMARA}/growth`);
  await says(page, '.growth-view', /No measurement of growth before the age of 20 is recorded/);
});

test('a trend and an opened result say in plain words what the test, its marks and its status are', async () => {
  const { page } = await visit(`${AMARA}/trend/4548-4`);
  await says(page, '.plain-words >> nth=0', /^Average blood sugar \(HbA1c\): How much .* In edgechart’s own words/);
  await says(
    page,
    '.plain-words >> nth=1',
    /▲ High\s*Above the range\..*Preliminary\s*Not final: it may still change\./,
  );
  await page.locator('.results tbody tr th button').first().click();
  await says(page, 'dialog', /Average blood sugar \(HbA1c\): .*Above the range.*Not final: it may still change\./s);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Español' }).click();
  await says(page, '.plain-words >> nth=0', /^Azúcar promedio en la sangre \(HbA1c\): Cuánta .* Con palabras propias/);
  await says(page, '.plain-words >> nth=1', /Preliminar\s*No es definitivo: todavía puede cambiar\./);
});

test('medications stand under a trend on its time axis, and in a table with their ends', async () => {
  const { page } = await visit(`${AMARA}/trend/4548-4`);
  const bars = page.locator('svg.courses');
  assert.match(await bars.getAttribute('aria-label'), /^9 medications in the time of the plot, 6 of them active/);
  assert.equal(await bars.locator('.course[data-end="active"]').count(), 6);
  assert.equal(await bars.locator('.course-dots').count(), 3);
  const row = (name) => page.locator('.courses-table tbody tr', { hasText: name });
  assert.match(
    (await texts(row('lisinopril')))[0],
    /18 Jan 2018\s*No end recorded; ordered for the time until 13 Jan 2019\s*Stopped: Cough/,
  );
  assert.match((await texts(row('losartan')))[0], /22 May 2018\s*No end recorded\s*Active/);
  assert.equal(
    await page.locator('.courses-table tbody tr', { hasText: 'insulin' }).count(),
    0,
    'a draft is not taken',
  );
  // The bars use the time axis of the plot: a course from November 2022 begins between the results around that date.
  const glipizide = await bars.locator('g', { hasText: 'Glipizide' }).locator('.course').boundingBox();
  const places = await placesOfResults(page);
  const [before, after] = [places.at(-17), places.at(-15)];
  assert.ok(glipizide.x > before && glipizide.x < after, `${glipizide.x} between ${before} and ${after}`);
  await row('lisinopril').getByRole('button').click();
  await says(page, 'dialog', /MedicationRequest\/amara-lisinopril/);
});

test('names of medications stay in the picture, and never stand on the dots of an open end', async () => {
  for (const viewport of [DESK, PHONE]) {
    const { person, page } = await visit(`${AMARA}/trend/4548-4`, { viewport });
    const problems = await page.locator('svg.courses').evaluate((picture) => {
      const frame = picture.getBoundingClientRect();
      return [...picture.querySelectorAll('g')].flatMap((line) => {
        const name = line.querySelector('text').getBoundingClientRect();
        const dots = line.querySelector('.course-dots')?.getBoundingClientRect();
        return [
          name.left < frame.left - 1 || name.right > frame.right + 1 ? `${line.textContent} leaves the picture` : '',
          dots && name.left < dots.right && name.right > dots.left ? `${line.textContent} is on dots` : '',
        ].filter(Boolean);
      });
    });
    assert.deepEqual(problems, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
    await person.close();
  }
});

const VIEWS = [
  AMARA,
  '/#/sample/chart/mateo-reyes',
  '/#/sample/chart/mateo-reyes/growth',
  '/#/sample/chart/finn-obrien-nunez/growth',
  `${AMARA}/trend/85354-9`,
];
for (const viewport of [DESK, PHONE]) {
  testThemes(`axe finds nothing, ${viewport.width} px`, async (inspect) => {
    const page = await (await stage.person({ viewport })).page();
    const look = inspect(page);
    for (const view of VIEWS) {
      await show(page, view);
      await look(view);
    }
  });
}
