// Helpers that collect the violations that axe finds on a page, in one theme or in both.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const ALL_RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/// The themes, and the rules that run in each, one theme after the other on the same page. Only colours differ between
/// the themes, so the other rules run in the first theme only.
const THEMES = { light: ALL_RULES, dark: COLOR_RULES };

/// Returns the violations of these rules, one string for each element.
export async function violations(page, rules = ALL_RULES) {
  const isThere = await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    // Axe does not judge the contrast of text on a gradient. Without the gradients, it judges the colour behind them.
    sheet.replaceSync(
      `* { animation: none !important; transition: none !important }
      .table-frame, .narrative, .document-page, .code { background-image: none !important }`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    // Axe mistakes a link that is scrolled out of a row to the left for a skip link.
    for (const row of document.querySelectorAll('.scroll-row')) row.scrollLeft = 0;
    return 'axe' in globalThis;
  });
  if (!isThere) await page.evaluate(AXE);
  // Without `resultTypes`, axe also describes each element that passes.
  const found = await page.evaluate(
    async (runOnly) => (await globalThis.axe.run(document, { runOnly, resultTypes: ['violations'] })).violations,
    rules,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n').slice(1, 3).join(' ')}`,
    ),
  );
}

/// Returns a list with one fault if the page is wider than its window, or else an empty list.
async function excess(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return wide > 0 ? [`${wide} px too wide`] : [];
}

/// Returns the faults of a page in its current theme: violations, and a page that is wider than its window.
export const faultsOf = async (page) => [...(await violations(page)), ...(await excess(page))];

/// Returns a function that adds the faults of the current view of a page to `faults`, by theme, and leaves the page in
/// the light theme.
function inspector(page, faults) {
  return async (view) => {
    faults.light.push(...(await excess(page)).map((one) => `${view} is ${one}`));
    for (const [theme, rules] of Object.entries(THEMES)) {
      await page.emulateMedia({ colorScheme: theme });
      faults[theme].push(...(await violations(page, rules)).map((one) => `${view} ${one}`));
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
}

/// Asserts that the current view of a page has no faults in either theme.
export async function isClean(page, view) {
  const faults = { light: [], dark: [] };
  await inspector(page, faults)(view);
  assert.deepEqual(faults, { light: [], dark: [] });
}

/// Defines a test for each theme. `walk` runs once. It gets a function that takes a page and returns one that looks for
/// faults in the current view.
export function testThemes(name, walk) {
  const faults = { light: [], dark: [] };
  let walked;
  for (const theme of Object.keys(THEMES)) {
    test(`${name}, ${theme}`, async () => {
      walked ??= walk((page) => inspector(page, faults));
      await walked;
      assert.deepEqual(faults[theme], []);
    });
  }
}
