// The use of the app without a mouse, from the first page through launch, overview, results, find, playground and an
// own file. Every element can be reached by keyboard alone, and the focus is always visible.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loaded, open, says } from './browser.mjs';
import { SAMPLE } from './own-files.mjs';

const stage = await open();
after(() => stage.close());

/// The most presses of Tab on the way to an element.
const MAX = 150;

/// Returns the visible or spoken name of the focused element, or undefined if the element is not visible.
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    const { width, height } = element.getBoundingClientRect();
    const label = element.labels?.[0]?.textContent;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
    return width > 0 && height > 0 ? name.replace(/\s+/g, ' ').trim() : undefined;
  });

/// Presses Tab until the focus is on an element of that name within a part of the page.
async function tabTo(page, name, within = 'body') {
  const passed = [];
  for (let n = 0; n < MAX; n += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    passed.push(now);
    const isWithin = await page.evaluate((part) => document.activeElement?.closest(part) !== null, within);
    if (now !== undefined && name.test(now) && isWithin) return;
  }
  assert.fail(`${name} is not reached in ${within}: ${passed.slice(-30).join(' | ')}`);
}

async function press(page, name, within) {
  await tabTo(page, name, within);
  await page.keyboard.press('Enter');
}

const headingHasFocus = (page, heading) =>
  page.waitForFunction(
    (text) => document.activeElement?.matches('main h1, main h2') && document.activeElement.textContent.includes(text),
    heading,
  );

test('by keyboard alone: launch, overview, results, find, playground, and a file of one’s own', async () => {
  const { page } = await stage.visit('/');
  await page.getByRole('button', { name: /^Sign in as Amara/ }).waitFor();
  await press(page, /^Sign in as Amara/, 'main');
  await page.locator('button[value="allow"]').waitFor();
  await press(page, /^Allow$/);
  await page.waitForURL(/#\/session\/chart\//);
  await loaded(page);
  await headingHasFocus(page, 'Amara Chidinma Okafor');

  // The overview has a link to the results.
  await press(page, /^Abnormal results/, '.overview');
  await headingHasFocus(page, 'Laboratory results');
  await press(page, /A1c/, '#labs');
  await page.waitForURL(/\/trend\//);
  await loaded(page);
  await headingHasFocus(page, 'Amara Chidinma Okafor');

  // Find opens a record, and closing it gives the focus back.
  await tabTo(page, /^Find in this chart/);
  await page.keyboard.type('penicillin');
  await says(page, '.find [role="status"]', /record/);
  await page.keyboard.press('ArrowDown');
  const record = await focused(page);
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
  assert.match(await focused(page), /^Allergy: /);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  assert.equal(await focused(page), record);

  // The playground.
  await press(page, /^Developers$/, 'header.top');
  await loaded(page);
  await press(page, /^Search$/, '.developers-bar');
  await loaded(page);
  await headingHasFocus(page, 'Search');
  await tabTo(page, /^Query/, 'main');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Condition?patient=amara-okafor');
  await press(page, /^Run on the server/, 'main');
  await page.locator('.sides .status', { hasText: '200' }).waitFor();

  // The user's own file.
  await press(page, /^edgechart$/, 'header.top');
  await headingHasFocus(page, 'Read a patient’s whole record');
  const chooser = page.waitForEvent('filechooser');
  await press(page, /^Choose files…$/, 'main');
  await (await chooser).setFiles(SAMPLE);
  await page.getByRole('heading', { name: 'What is in the files' }).waitFor();
  await headingHasFocus(page, 'Your own record');
  await says(page, '#announcer', /Your files are open: \d+ resources of \d+ patients/);
  await press(page, /^Choose a patient$/, 'main');
  await page.waitForURL(/#\/files\/patients/);
  await loaded(page);
  await headingHasFocus(page, 'Patients');
  await press(page, /Jordan Ellis/, 'main');
  await page.waitForURL(/#\/files\/chart\//);
  await loaded(page);
  await headingHasFocus(page, 'Jordan Ellis');
});
