// Helpers for tests of the app in a browser: the text of its elements.

import assert from 'node:assert/strict';

export { allow, choosePatient, launchButton, loaded, open, SIZES, show, signIn } from '../../tools/server/app.mjs';
export { freePort } from '../../tools/server/port.mjs';

/// The text of an element, with white space collapsed as a page shows it.
export const text = async (page, selector) => (await page.locator(selector).textContent()).replace(/\s+/g, ' ').trim();

/// The texts of elements, with white space collapsed as a page shows it.
export const texts = async (locator) => (await locator.allTextContents()).map((one) => one.replace(/\s+/g, ' ').trim());

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

/// Has the pages of a person note the steps of a sign-in, which are shown for less than a second.
export const noteSteps = ({ context }) =>
  context.addInitScript(() => {
    new MutationObserver(() => {
      const steps = document.querySelector('.steps');
      if (location.hash !== '' || !steps) return;
      globalThis.noted = { says: steps.textContent.replace(/\s+/g, ' ').trim(), search: location.search };
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

/// The steps that were noted, which must match, with the query of the address at that time.
export async function notedSteps(page, expected) {
  const noted = await (await page.waitForFunction(() => globalThis.noted)).jsonValue();
  assert.match(noted.says, expected);
  return noted;
}

/// Has the pages of a person, or one page, add up the layout shifts that no press or key preceded
/// (<https://web.dev/articles/cls>).
export const addShifts = (of) =>
  of.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
/// The sum of the layout shifts of a page so far.
export const shiftOf = (page) => page.evaluate(() => globalThis.shift);

/// More elements than the page may get at once. A chart of a thousand rows that is drawn as a whole has ten thousand.
export const AT_ONCE = 1_000;
/// Does an act, and resolves to the most elements that the page, and a page that it goes to, got and lost at once:
/// before anything else had its turn. A browser works as long as there is much to lay out, however fast it is.
export async function changedDuring(page, act) {
  const watch = () => {
    const seen = { added: 0, removed: 0 };
    globalThis.changes = seen;
    const sizeOf = (lists) => {
      const all = lists.flatMap((list) => [...list]).filter((node) => node instanceof Element);
      return new Set(all.flatMap((one) => [one, ...one.querySelectorAll('*')])).size;
    };
    new MutationObserver((changes) => {
      seen.added = Math.max(seen.added, sizeOf(changes.map(({ addedNodes }) => addedNodes)));
      seen.removed = Math.max(seen.removed, sizeOf(changes.map(({ removedNodes }) => removedNodes)));
    }).observe(document, { childList: true, subtree: true });
  };
  await page.addInitScript(watch);
  await page.evaluate(watch);
  await act();
  return page.evaluate(() => globalThis.changes);
}

/// Waits for some frames, so that what was asked for is drawn.
export const frames = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
      }),
  );
