// Helpers for tests of the app in a browser: the text of its elements.

import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { open as openApp } from '../../tools/server/app.mjs';

export {
  allow,
  beginLaunch,
  choosePatient,
  launchButton,
  loaded,
  SIZES,
  show,
  signIn,
} from '../../tools/server/app.mjs';
export { freePort } from '../../tools/server/port.mjs';

/// Starts a server and a browser for all tests of a file. After each test, the browsers of its persons are closed.
export async function open(options) {
  const stage = await openApp(options);
  afterEach(stage.closePersons);
  return stage;
}

/// Returns the text of an element, with white space collapsed.
export const text = async (page, selector) => (await page.locator(selector).textContent()).replace(/\s+/g, ' ').trim();

/// Returns the texts of elements, with white space collapsed.
export const texts = async (locator) => (await locator.allTextContents()).map((one) => one.replace(/\s+/g, ' ').trim());

/// Waits until the text of an element matches, because the page is drawn a frame later.
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

/// Makes the pages of a person record the steps of a sign-in, which are shown for less than a second.
export const noteSteps = ({ context }) =>
  context.addInitScript(() => {
    new MutationObserver(() => {
      const steps = document.querySelector('.steps');
      if (location.hash !== '' || !steps) return;
      globalThis.noted = { says: steps.textContent.replace(/\s+/g, ' ').trim(), search: location.search };
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

/// Returns the recorded steps, whose text must match, with the query of the address at that time.
export async function notedSteps(page, expected) {
  const noted = await (await page.waitForFunction(() => globalThis.noted)).jsonValue();
  assert.match(noted.says, expected);
  return noted;
}

/// Makes the pages of a person, or one page, add up the layout shifts without recent user input
/// (<https://web.dev/articles/cls>).
export const addShifts = (of) =>
  of.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
/// Returns the sum of the layout shifts of a page so far.
export const shiftOf = (page) => page.evaluate(() => globalThis.shift);

/// The limit of elements that a page may add at once. A chart of 1,000 rows that is drawn as a whole has 10,000.
export const AT_ONCE = 1_000;
/// Runs `act`, and resolves to the largest numbers of elements that the page, or a page that it navigates to, added and
/// removed in one task. The count does not depend on the speed of the machine.
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

/// Shows all entries of the lists that show their newest ones.
export async function unfoldLists(page) {
  const lists = page.locator('main .unfold[aria-expanded="false"]');
  for (let left = await lists.count(); left > 0; left -= 1) {
    await lists.first().click();
    await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
  }
}

/// Waits for some frames, so that pending changes are drawn.
export const frames = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
      }),
  );

/// Changes the query of the server's answer to a launch on its way.
export const changeAnswer = (page, change) =>
  page.route('**/oauth/consent', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    const url = new URL(response.headers().location);
    change(url.searchParams);
    await route.fulfill({ response, headers: { ...response.headers(), location: url.href } });
  });
