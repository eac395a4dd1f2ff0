// Helpers for tests of the app in a browser: the text of its elements.

import assert from 'node:assert/strict';

export { allow, choosePatient, launchButton, loaded, open, SIZES, signIn } from '../../tools/server/app.mjs';
export { freePort } from '../../tools/server/port.mjs';

/// The text of an element, with white space collapsed as a page shows it.
export const text = async (page, selector) => (await page.locator(selector).textContent()).replace(/\s+/g, ' ').trim();

/// Waits until the text of an element matches, since the page is drawn a frame later.
export async function says(page, selector, expected) {
  const end = Date.now() + 30_000;
  let last = '';
  while (Date.now() < end) {
    last = await text(page, selector).catch(() => '');
    if (expected.test(last)) return;
    await page.waitForTimeout(50);
  }
  assert.match(last, expected);
}

/// Waits for some frames, so that what was asked for is drawn.
export const frames = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
      }),
  );
