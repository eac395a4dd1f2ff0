// The timeline of a chart: visits as cards, the rail of years, the filter, and the comparison of two visits.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { isClean } from './axe.mjs';
import { frames, loaded, says, text } from './browser.mjs';
import { DESK, openTimeline } from './timeline-stage.mjs';

const SAMPLE = '/#/sample/chart/amara-okafor/timeline';
const PHONE = { width: 360, height: 740 };

const timeline = await openTimeline();
afterEach(timeline.stage.closePersons);
after(() => timeline.close());

const visit = (path, options) => timeline.stage.visit(path, { viewport: DESK, ...options });
const compareButton = (page, day) =>
  page.locator('.day', { hasText: day }).locator('.visit').first().locator('button[aria-pressed]');
const CHECK_UPS = ['21\u00a0May\u00a02024', '19\u00a0May\u00a02026'];

test('a visit is a card that holds its records under their counts; others stand at their day', async () => {
  const { page } = await visit(SAMPLE);
  const card = page.locator('.day', { hasText: CHECK_UPS[1] }).locator('.visit').first();
  assert.match(await card.locator('h4').textContent(), /Yearly check-up/);
  assert.match(await card.textContent(), /For\s+Type 2 diabetes mellitus/);
  const summary = card.locator('summary');
  assert.equal((await summary.textContent()).trim(), '8 results · 3 orders · 2 notes');
  assert.equal(await card.locator('li').first().isVisible(), false);
  await summary.click();
  assert.equal(await card.locator('li').count(), 13);
  assert.match(await card.locator('li', { hasText: 'Blood pressure' }).textContent(), /126\/76/);
  assert.match(await card.locator('li', { hasText: 'Summary of episode' }).textContent(), /20.May.2026/);
  await card.locator('li', { hasText: 'Blood pressure' }).getByRole('button').click();
  assert.match(await text(page, 'dialog h2'), /^Result: /);
  await page.keyboard.press('Escape');
  assert.ok((await page.locator('.day > .records li').count()) > 20, 'records without a visit stand at their day');
  const all = await page.locator('.day .kind').allTextContents();
  assert.ok(all.includes('Fill') && all.includes('Immunization'));
});

test('records without a date are counted, and listed where they are asked for', async () => {
  const { page } = await visit(SAMPLE);
  assert.match(await text(page, '.timeline'), /2 records without a date: not shown here\./);
  await page.getByRole('button', { name: 'Show them' }).click();
  const listed = page.locator('dialog .undated li');
  assert.equal(await listed.count(), 2);
  const name = await listed.first().getByRole('button').innerText();
  await listed.first().getByRole('button').click();
  await page.locator('dialog h2', { hasText: name }).waitFor();
});

for (const viewport of [DESK, PHONE]) {
  test(`the rail leads to a year, and marks the year that is read, ${viewport.width} px`, async () => {
    const { page } = await visit(SAMPLE, { viewport });
    const years = await page.locator('.rail a .year').allTextContents();
    assert.deepEqual(years, years.toSorted().toReversed());
    const counts = await page.locator('.rail a .count').allTextContents();
    assert.match(
      await text(page, '.timeline [role=status]'),
      new RegExp(`^${counts.reduce((a, b) => a + +b, 0)} entries`),
    );
    for (const year of ['2022', '2018', years.at(-1), '2025']) {
      await page.locator('.rail a', { hasText: year }).click();
      await frames(page);
      const seen = await page.evaluate(() => {
        const box = document.activeElement.getBoundingClientRect();
        const bar = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
        const at = document.elementFromPoint(box.left + 5, box.top + box.height / 2);
        return { day: document.activeElement.textContent, covered: at !== document.activeElement, top: box.top - bar };
      });
      assert.match(seen.day, new RegExp(`${year}$`));
      assert.equal(seen.covered, false, `${year} is behind the bar`);
      assert.ok(year === years.at(-1) || Math.abs(seen.top) < 40, `${year} is ${seen.top} px below the bar`);
      await page.waitForFunction(
        (wanted) => document.querySelector('.rail a[aria-current="location"]')?.textContent.includes(wanted),
        year,
      );
      const inSight = await page.locator('.rail a[aria-current="location"]').evaluate((link) => {
        const [own, rail] = [link.getBoundingClientRect(), link.closest('ol').getBoundingClientRect()];
        return own.left >= rail.left - 1 && own.right <= rail.right + 1 && own.bottom <= rail.bottom + 1;
      });
      assert.ok(inSight, `${year} is in sight in the rail`);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(
      (wanted) => document.querySelector('.rail a[aria-current="location"]')?.textContent.includes(wanted),
      years[0],
    );
  });
}

test('the filter is in the address, and there again after a reload', async () => {
  const { page } = await visit(SAMPLE);
  await page.locator('#kind').selectOption('Visit');
  await says(page, '.timeline [role=status]', /^\d+ visits with \d+ records$/);
  assert.equal(await page.locator('.day > .records').count(), 0);
  assert.match(page.url(), /timeline\?kind=Visit$/);
  await page.reload();
  await loaded(page);
  assert.equal(await page.locator('#kind').inputValue(), 'Visit');
  await says(page, '.timeline [role=status]', /^\d+ visits with/);
});

test('two visits are chosen and compared by keyboard alone, and Back leads to them', async () => {
  const { page } = await visit(SAMPLE);
  // The visit that is chosen last gets the focus back.
  for (const day of CHECK_UPS) {
    await compareButton(page, day).focus();
    await page.keyboard.press('Space');
    await frames(page);
    assert.equal(await compareButton(page, day).getAttribute('aria-pressed'), 'true');
  }
  await says(page, '#announcer', /Two visits are chosen/);
  await page.getByRole('button', { name: 'Show both' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Two visits compared' }).waitFor();
  await loaded(page);
  const heads = await page.locator('#compared-results ~ table thead th').allTextContents();
  assert.match(heads.join('|'), /^21.May.2024.*\|19.May.2026.*\|Change$/s);
  const row = async (name) =>
    (await page.locator('.compared tr', { hasText: name }).textContent()).replace(/\s+/g, ' ').trim();
  const above = '▲ above usual (ACC/AHA)';
  const pressures = `132/80 mmHg ${above} 126/76 mmHg ${above}`;
  assert.match((await row('Blood pressure')).replace(pressures, 'both'), /both ?−6\/−4 mmHg$/);
  assert.match(await row('Body height'), /165\.1 cm 165\.1 cm Same/);
  assert.match(await row('Reason'), /^Reason ?Type 2 diabetes mellitus ?Type 2 diabetes mellitus$/);
  await page.reload();
  await loaded(page);
  assert.match(await row('Blood pressure'), /−6\/−4/);
  await page.goBack();
  await says(page, '.chosen', /and/);
  await loaded(page);
  assert.equal(await page.locator('button[aria-pressed=true]').count(), 2);
  await page.waitForFunction((day) => {
    const card = document.activeElement.closest('.visit');
    const { top, bottom } = card?.getBoundingClientRect() ?? {};
    return card?.closest('.day').textContent.includes(day) && top > 0 && bottom < innerHeight;
  }, CHECK_UPS[1]);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForFunction(() => !document.querySelector('.chosen, button[aria-pressed=true]'));
});

test('a third visit takes the place of the first; visits of an address that are not there are a message', async () => {
  const { page } = await visit(SAMPLE);
  const buttons = page.locator('.visit button[aria-pressed]');
  for (const n of [0, 1, 2]) await buttons.nth(n).click();
  await page.waitForFunction(() => {
    const pressed = [...document.querySelectorAll('.visit button[aria-pressed]')].map((one) => one.ariaPressed);
    return pressed.slice(0, 3).join() === 'false,true,true';
  });
  await page.goto(`${SAMPLE}?compare=nothing&compare=nobody`);
  await says(page, '.timeline', /These two visits are not in this chart/);
  await page.getByRole('link', { name: 'The timeline' }).click();
  await page.locator('.day').first().waitFor();
});

test('axe finds nothing on cards, chosen visits and a comparison, in both themes and sizes', async () => {
  for (const viewport of [DESK, PHONE]) {
    const { person, page } = await visit(SAMPLE, { viewport });
    for (const day of CHECK_UPS) await compareButton(page, day).click();
    await page.locator('.visit summary').first().click();
    await isClean(page, `cards, ${viewport.width} px`);
    // All that is folded is opened.
    await page.locator('.day details').evaluateAll((all) => {
      for (const one of all) one.open = true;
    });
    await frames(page);
    await isClean(page, `unfolded, ${viewport.width} px`);
    await page.getByRole('button', { name: 'Show both' }).click();
    await page.getByRole('heading', { name: 'Two visits compared' }).waitFor();
    await loaded(page);
    await isClean(page, `comparison, ${viewport.width} px`);
    await person.close();
  }
});

test('an empty chart says so, and what was not granted is named', async () => {
  const { page } = await timeline.signedIn({
    without: ['patient/Immunization.read', 'patient/AdverseEvent.read'],
  });
  assert.match(await text(page, '.timeline'), /Not granted, and not shown here: Adverse event, Immunizations\./);
  await page.route('**/fhir/r4/**', (route) =>
    /\/Patient\//.test(route.request().url())
      ? route.continue()
      : route.fulfill({ json: { resourceType: 'Bundle', type: 'searchset', entry: [] } }),
  );
  await page.reload();
  await says(page, '.timeline', /Nothing with a date is shown\./);
  assert.equal(await page.locator('.rail').count(), 0);
  assert.match(await text(page, '.timeline [role=status]'), /^0 entries$/);
});
