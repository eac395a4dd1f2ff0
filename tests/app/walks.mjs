// Walks through long records in the app, for tests that count elements and for tools/bench/chart.mjs, which measures
// times. Each takes the result of openTimeline and a function `during(page, act)`, which runs an act and resolves to a
// measure. It checks the page against the record, and resolves to the measures by the names of the acts.

import assert from 'node:assert/strict';
import { frames, loaded, show, text, unfoldLists } from './browser.mjs';
import { longObservations } from './long-record.mjs';
import { choose, file, line, person as patient } from './own-files.mjs';
import { SESSION } from './timeline-stage.mjs';
import { manyRows, OF_ONE_TEST, ROWS, WIDE_SECTIONS, wideRecord } from './wide-record.mjs';

/// Runs acts one after the other.
async function measured(page, acts, during) {
  const measures = {};
  for (const [name, act] of Object.entries(acts)) measures[name] = await during(page, act);
  return measures;
}

async function throughTimeline(timeline, during) {
  const { person, page } = await timeline.signedIn();
  const acts = {
    load: () => show(page, SESSION),
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
        `filter ${kind || 'of none'}`,
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
  const measures = await measured(page, acts, during);
  const entries = Number((await text(page, '.timeline [role=status]')).replace(/\D/g, ''));
  assert.ok(entries > timeline.count, `${entries} entries`);
  assert.equal(await page.locator('.day li, .visit').count(), entries, 'all are in the page, for find and for print');
  await page.locator('.days > .settled').first().waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  for (const printed of ['.day', '.held li']) {
    const visibility = await page
      .locator(printed)
      .last()
      .evaluate((one) => getComputedStyle(one).contentVisibility);
    assert.equal(visibility, 'visible', printed);
  }
  await person.close();
  return measures;
}

/// Opens a file of one person. Resolves to {person, page, open}, where `open` opens the chart.
async function chartOf(timeline, records) {
  const { person, page } = await timeline.stage.visit('/#/files', { viewport: { width: 1280, height: 900 } });
  await choose(page, [file('a.ndjson', records)]);
  const open = async () => {
    await page.getByRole('link', { name: 'Open the chart' }).click();
    await page.locator('#labs').waitFor();
    await loaded(page);
  };
  return { person, page, open };
}

/// Returns orders with coded doses, which the page puts into words, and finds by these words.
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

async function throughFind(timeline, during) {
  const records = line(patient('ada', 'Lovelace')) + longObservations('ada', 22_100) + longOrders('ada', 1_200);
  const { person, page, open } = await chartOf(timeline, records);
  await open();
  const field = page.getByLabel('Find in this chart');
  await field.waitFor();
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    globalThis.asked = [];
    Worker.prototype.postMessage = function (message) {
      globalThis.asked.push([message.operation, message.args]);
      postMessage.call(this, message);
    };
  });
  const measures = await measured(
    page,
    {
      'first find': () =>
        field.evaluate(
          (input) =>
            new Promise((done) => {
              input.focus();
              input.value = '4548-4 11.9';
              input.dispatchEvent(new Event('input', { bubbles: true }));
              const look = () => {
                if (/record/.test(document.querySelector('.find [role="status"]').textContent)) done();
                else requestAnimationFrame(look);
              };
              look();
            }),
        ),
    },
    during,
  );
  assert.match(await text(page, '.find [role="status"]'), /^The first 30 records; more words find fewer$/);
  await field.fill('once monday 6 drug');
  await page.locator('.found li', { hasText: '6 tablets, once a week, on Monday' }).first().waitFor();
  const asked = await page.evaluate(() => globalThis.asked);
  const of = (operation) => asked.filter(([name]) => name === operation).map(([, args]) => args);
  assert.equal(of('rememberAll').length, 1, 'the engine takes its records itself, at once');
  assert.equal(
    of('remember')
      .map(([, lines]) => lines)
      .join(''),
    '',
    'and the page sends none',
  );
  const described = of('describe').flatMap(([, words]) => words.map(([address]) => address));
  assert.ok(described.length > 0 && new Set(described).size === described.length, 'each is put into words once');
  await person.close();
  return measures;
}

/// Visits each section of a chart, and opens all folded content.
async function lookThrough(page) {
  for (const link of await page.locator('.index a').all()) {
    await link.click();
    await frames(page);
  }
  await unfoldLists(page);
  const folded = page.locator('main details:not([open]) > summary');
  for (let left = await folded.count(); left > 0; left -= 1) {
    await folded.first().click();
    await frames(page);
  }
}

async function throughLongChart(timeline, during) {
  const { person, page, open } = await chartOf(timeline, wideRecord('ada', 20_000));
  const rows = [];
  const acts = {
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
  };
  const measures = await measured(page, acts, during);
  const [tests, results] = rows;
  assert.equal(tests, 99, 'each test has a row');
  assert.ok(results > OF_ONE_TEST, `${results} rows`);
  await person.close();
  return measures;
}

async function throughWideChart(timeline, during) {
  const { person, page, open } = await chartOf(timeline, line(patient('ada', 'Wide')) + manyRows('ada'));
  const measures = await measured(page, { chart: open, unfold: () => unfoldLists(page) }, during);
  for (const section of WIDE_SECTIONS) {
    const count = await page.locator(`#${section} :is(.row, .tile, .plan, tbody tr)`).count();
    assert.ok(count >= ROWS, `${count} entries of ${section}`);
  }
  assert.equal(await page.locator('[aria-busy]').count(), 0, 'all lists are whole');
  // Wait until the browser can skip the rendering of each section that is out of view.
  await page.waitForFunction(() => !document.querySelector('.sections > :not(.settled)'));
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
  return measures;
}

export const WALKS = {
  timeline: throughTimeline,
  find: throughFind,
  'long chart': throughLongChart,
  'wide chart': throughWideChart,
};
