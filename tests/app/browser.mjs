// Helpers for tests of the app in a browser: the text of its elements, and the violations that axe finds.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loaded } from '../../tools/server/app.mjs';

export { allow, choosePatient, launchButton, loaded, open, SIZES, signIn } from '../../tools/server/app.mjs';
export { freePort } from '../../tools/server/port.mjs';

/// The text of an element, with white space collapsed as a page shows it.
export const text = async (page, selector) => (await page.locator(selector).textContent()).replace(/\s+/g, ' ').trim();

/// Waits until the text of an element matches, since the page is drawn a frame later.
export async function says(page, selector, expected) {
  const end = Date.now() + 10_000;
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

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/// The violations that axe finds, one a line.
export async function violations(page) {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { animation: none !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await page.evaluate(AXE);
  // Axe describes each element that passes too, unless only the violations are wanted.
  const found = await page.evaluate(async (tags) => {
    const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
    return (await globalThis.axe.run(document, options)).violations;
  }, RULES);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n').slice(1, 3).join(' ')}`,
    ),
  );
}

/// The faults of views, each opened anew: the violations that axe finds, and a page that is wider than its window.
export async function faultsOf(page, views) {
  const all = [];
  for (const view of views) {
    await page.goto('about:blank');
    await page.goto(view);
    await loaded(page);
    all.push(...(await violations(page)).map((one) => `${view} ${one}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) all.push(`${view} is ${wide} px too wide`);
  }
  return all;
}
