// Records of thousands of entries: timeline, chart, trend and find are drawn whole, in tasks that nobody notices.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { frames, loaded, text } from './browser.mjs';
import { longObservations } from './long-record.mjs';
import { choose, file, line, person as patient } from './own-files.mjs';
import { tasksDuring } from './tasks.mjs';
import { openTimeline, SESSION } from './timeline-stage.mjs';
import { manyRows, OF_ONE_TEST, ROWS, WIDE_SECTIONS, wideRecord } from './wide-record.mjs';

/// The longest task that is not noticed, in milliseconds.
const LONGEST = 50;

let timeline;
before(async () => {
  timeline = await openTimeline();
});
after(() => timeline?.close());

test('thousands of entries are drawn whole, and no task takes 50 ms', async (t) => {
  const { person, page } = await timeline.signedIn();
  const acts = {
    load: async () => {
      await page.goto(SESSION);
      await loaded(page);
    },
    jump: async () => {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      for (const year of ['2007', '1993', '2020', '2015']) {
        await page.locator('.rail a', { hasText: year }).click();
        await frames(page);
      }
      const after = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.equal(after, height, 'the heights of days that were not seen are known');
    },
    unfold: async () => {
      await page.locator('.days summary', { hasText: /300 results/ }).click();
      await frames(page);
    },
    ...Object.fromEntries(
      ['Result', 'Visit', ''].map((kind) => [
        `filter ${kind}`,
        async () => {
          await page.locator('#kind').selectOption(kind);
          await loaded(page);
        },
      ]),
    ),
    scroll: async () => {
      for (let n = 0; n < 30; n += 1) {
        await page.mouse.move(700, 500);
        await page.mouse.wheel(0, 900);
        await frames(page);
      }
    },
  };
  await page.goto('about:blank');
  for (const [name, act] of Object.entries(acts)) {
    const [longest = Infinity] = await tasksDuring(timeline.stage.browser, page, act);
    t.diagnostic(`${name}: the longest task took ${longest.toFixed(0)} ms of the processor`);
    assert.ok(longest <= LONGEST, `${name}: ${longest} ms`);
  }
  const entries = Number((await text(page, '.timeline [role=status]')).replace(/\D/g, ''));
  assert.ok(entries > timeline.count, `${entries} entries`);
  assert.equal(await page.locator('.day li, .visit').count(), entries, 'all are in the page, for find and for print');
  await page.emulateMedia({ media: 'print' });
  for (const printed of ['.day', '.held li']) {
    const visibility = await page
      .locator(printed)
      .last()
      .evaluate((one) => getComputedStyle(one).contentVisibility);
    assert.equal(visibility, 'visible', printed);
  }
  await person.close();
});

/// The longest time until the first answer, in milliseconds.
const FIRST_FIND = 1_000;

/// Orders whose doses the page puts into words, and finds by them.
const longOrders = (patient, count) =>
  Array.from({ length: count }, (_, i) =>
    line({
      resourceType: 'MedicationRequest',
      id: `order-${i}`,
      status: i % 3 ? 'active' : 'stopped',
      intent: 'order',
      subject: { reference: `Patient/${patient}` },
      authoredOn: '2020-01-01',
      medicationCodeableConcept: { text: `Drug ${i % 40}` },
      dosageInstruction: [
        {
          ...(i % 2 ? { text: `Take ${i % 7} tablets by mouth` } : {}),
          timing: { repeat: { frequency: 1, period: 1, periodUnit: 'wk', dayOfWeek: ['mon'] } },
          doseAndRate: [{ doseQuantity: { value: i % 7, unit: 'tablet' } }],
        },
      ],
    }),
  ).join('');

test('the first find in a chart of 23,300 records answers within a second, and no task takes 50 ms', async (t) => {
  const { person, page } = await timeline.stage.visit('/#/files', { viewport: { width: 1280, height: 900 } });
  await choose(page, [
    file('a.ndjson', line(patient('ada', 'Lovelace')) + longObservations('ada', 22_100) + longOrders('ada', 1_200)),
  ]);
  await page.getByRole('link', { name: 'Open the chart' }).click();
  await loaded(page);
  const field = page.getByLabel('Find in this chart');
  await field.waitFor();
  let took = Infinity;
  const [longest = Infinity] = await tasksDuring(timeline.stage.browser, page, async () => {
    took = await field.evaluate(
      (input) =>
        new Promise((done) => {
          const began = performance.now();
          input.focus();
          input.value = '4548-4 11.9';
          input.dispatchEvent(new Event('input', { bubbles: true }));
          const look = () => {
            const said = document.querySelector('.find [role="status"]').textContent;
            if (/record/.test(said)) done(performance.now() - began);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
  });
  t.diagnostic(`the first answer came after ${took.toFixed(0)} ms; the longest task took ${longest.toFixed(0)} ms`);
  assert.match(await text(page, '.find [role="status"]'), /^The first 30 records; more words find fewer$/);
  assert.ok(took <= FIRST_FIND, `${took} ms`);
  assert.ok(longest <= LONGEST, `${longest} ms`);
  await field.fill('once monday 6 drug');
  await page.locator('.found li', { hasText: '6 tablets, once a week, on Monday' }).first().waitFor();
  await person.close();
});

/// Opens the chart of a file of one person. Resolves to {person, page, open}: `open` is the press that opens it.
async function chartOf(records) {
  const { person, page } = await timeline.stage.visit('/#/files', { viewport: { width: 1280, height: 900 } });
  await choose(page, [file('a.ndjson', records)]);
  const open = async () => {
    await page.getByRole('link', { name: 'Open the chart' }).click();
    await page.locator('#labs').waitFor();
    await loaded(page);
  };
  return { person, page, open };
}

/// Looks at each section of a chart, and unfolds what is folded.
async function lookThrough(page) {
  for (const link of await page.locator('.index a').all()) {
    await link.click();
    await frames(page);
  }
  const folded = page.locator('main details:not([open]) > summary');
  for (let left = await folded.count(); left > 0; left -= 1) {
    await folded.first().click();
    await frames(page);
  }
}

/// The longest task of each act, one after the other.
async function walk(page, acts) {
  const walked = {};
  for (const [name, act] of Object.entries(acts)) {
    [walked[name] = Infinity] = await tasksDuring(timeline.stage.browser, page, act);
  }
  return walked;
}

/// A walk through a chart of 20,000 observations.
async function longWalk() {
  const { person, page, open } = await chartOf(wideRecord('ada', 20_000));
  const rows = [];
  const walked = await walk(page, {
    chart: open,
    sections: async () => {
      await lookThrough(page);
      rows.push(await page.locator('#labs tbody tr').count());
    },
    trend: async () => {
      await page.locator('#labs a', { hasText: 'Hemoglobin A1c' }).click();
      await page.locator('.trend-view').waitFor();
      await loaded(page);
      rows.push(await page.locator('.trend-view tbody tr').count());
    },
    steps: async () => {
      for (let n = 0; n < 5; n += 1) {
        await page.getByRole('button', { name: 'Earlier' }).click();
        await frames(page);
      }
    },
    back: async () => {
      await page.getByRole('link', { name: 'Summary' }).click();
      await page.locator('#labs').waitFor();
      await loaded(page);
    },
  });
  const [tests, results] = rows;
  assert.equal(tests, 99, 'each test has a row');
  assert.ok(results > OF_ONE_TEST, `${results} rows`);
  await person.close();
  return walked;
}

/// The opening of a chart whose sections have a thousand rows each, and what is there then.
async function wideWalk() {
  const { person, page, open } = await chartOf(line(patient('ada', 'Wide')) + manyRows('ada'));
  const walked = await walk(page, { chart: open });
  for (const section of WIDE_SECTIONS) {
    const count = await page.locator(`#${section} :is(.row, .tile, .plan, tbody tr)`).count();
    assert.ok(count >= ROWS, `${count} entries of ${section}, for find and for print`);
  }
  assert.equal(await page.locator('[aria-busy]').count(), 0, 'all lists are whole');
  await page.locator('#labs a').first().click();
  await page.locator('.trend-view').waitFor();
  await page.getByRole('link', { name: 'Summary' }).click();
  await page.locator('.index a[href="#plan"]').click();
  assert.equal(await page.locator('#plan').count(), 0, 'the section is not drawn yet');
  await page.locator('#plan').waitFor();
  await loaded(page);
  await page.waitForFunction(() => {
    const { id, offsetHeight } = document.activeElement;
    const { top } = document.activeElement.getBoundingClientRect();
    return id === 'plan-title' && offsetHeight > 0 && top >= 0 && top < innerHeight;
  });
  await person.close();
  return walked;
}

for (const [title, through] of [
  ['a chart of 20,000 observations, and a trend of a thousand, are drawn in tasks of less than 50 ms', longWalk],
  ['a chart whose sections have a thousand rows each is drawn in tasks of less than 50 ms', wideWalk],
]) {
  test(title, async (t) => {
    const least = {};
    // Other work of the machine makes a task longer, and none shorter: of three walks the least counts.
    for (let walks = 0; walks === 0 || (walks < 3 && Object.values(least).some((ms) => ms >= LONGEST)); walks += 1) {
      for (const [name, ms] of Object.entries(await through())) least[name] = Math.min(least[name] ?? Infinity, ms);
    }
    for (const [name, ms] of Object.entries(least)) {
      t.diagnostic(`${name}: the longest task took ${ms.toFixed(0)} ms of the processor`);
    }
    for (const [name, ms] of Object.entries(least)) assert.ok(ms < LONGEST, `${name}: ${ms} ms`);
  });
}
