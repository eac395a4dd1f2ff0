// The timeline of a record of thousands of entries: it is drawn whole, in tasks that nobody notices.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { frames, loaded, text } from './browser.mjs';
import { tasksDuring } from './tasks.mjs';
import { openTimeline, SESSION } from './timeline-stage.mjs';

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
