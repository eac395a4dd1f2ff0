// Reads the text of the app's pages for opened files, as a reader sees it.

import { loaded } from '../browser.mjs';
import { datePattern, list, plain } from './words.mjs';

/// Opens files of `{name, bytes}` in place of the open files, and returns the text of the report.
export async function openFiles(page, files) {
  await page.goto('/#/files');
  const choose = page.getByRole('button', { name: 'Choose files…' });
  const close = page.getByRole('button', { name: 'Close', exact: true });
  await choose.or(close).first().waitFor();
  if (await close.isVisible()) await close.click();
  await choose.waitFor();
  const chooser = page.waitForEvent('filechooser');
  await choose.click();
  await (await chooser).setFiles(files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: bytes })));
  const report = page.locator('h2', { hasText: 'What is in the files' });
  await report.or(page.locator('main .state.failed')).first().waitFor({ timeout: 300_000 });
  return plain(await page.locator('main').textContent());
}

/// Opens the chart of the only patient, or of the patient whose line in the list matches `pattern` or the Patient
/// `patient`. Returns whether there is such a patient.
export async function openChart(page, { pattern, patient } = {}) {
  await page.goto('/#/files');
  await page.locator('h2', { hasText: 'What is in the files' }).waitFor();
  const only = page.getByRole('link', { name: 'Open the chart' });
  if (await only.isVisible()) await only.click();
  else {
    const choice = page.getByRole('link', { name: 'Choose a patient' });
    if (!(await choice.isVisible())) return false;
    await choice.click();
    const link = pattern
      ? await linkOf(page, [{ hasText: pattern }])
      : await linkOf(page, wordsOf(patient), patient.id);
    if (!link) return false;
    await link.click();
  }
  await page.locator('main .patient h1').waitFor();
  await loaded(page);
  return true;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const DIED = /died|deceased/i;

/// Returns filters for the line of a patient: a name, the birth date, and whether the person has died.
const wordsOf = ({ name, birthDate, deceasedBoolean, deceasedDateTime }) => {
  const families = list(name).flatMap(({ use, family }) => (family && use !== 'old' ? [escaped(family)] : []));
  const born = datePattern(birthDate);
  return [
    ...(families.length > 0 ? [{ hasText: new RegExp(families.join('|')) }] : []),
    ...(born ? [{ hasText: new RegExp(born.replaceAll(' ', '\\s'), 'i') }] : []),
    deceasedBoolean || deceasedDateTime ? { hasText: DIED } : { hasNotText: DIED },
  ];
};

/// Filters the list by an id, and returns the link of the one line that matches. Other names may contain the id too.
async function linkOf(page, words, id) {
  await page.locator('#filter').waitFor();
  if (id) await page.locator('#filter').fill(id);
  const lines = page.locator('.people-list li');
  const fitting = words.reduce((found, has) => found.filter(has), lines);
  const end = Date.now() + 10_000;
  while (Date.now() < end) {
    if ((await fitting.count()) === 1) return fitting.locator('a').first();
    await page.waitForTimeout(50);
  }
  // The line may not show an invalid birth date.
  const only = (await lines.count()) === 1 ? lines : fitting;
  return (await only.count()) > 0 ? only.locator('a').first() : undefined;
}

/// Loads the content that a chart loads on demand, such as bills.
async function loadLater(page) {
  const buttons = page.locator('main .sections .state.later button');
  for (let turn = 0; turn < 10 && (await buttons.count()) > 0; turn += 1) {
    // A button that comes into view may disappear before the click.
    await buttons
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await loaded(page);
  }
}

/// Opens all folded content, including folded content within it.
async function unfold(page) {
  for (let turn = 0; turn < 4; turn += 1) {
    const opened = await page.evaluate(
      () =>
        new Promise((done) => {
          const lists = [...document.querySelectorAll('main .sections .unfold[aria-expanded="false"]')];
          for (const one of lists) one.click();
          const closed = [...document.querySelectorAll('main .sections details:not([open])')];
          for (const one of closed) {
            one.dataset.wasFolded = '';
            one.open = true;
          }
          requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(() => done(lists.length + closed.length))),
          );
        }),
    );
    // A long list grows over several frames.
    await page.waitForFunction(() => !document.querySelector('main .sections [aria-busy="true"]'));
    if (opened === 0) return;
  }
}

/// Reads a chart and judges it. If a fact is missing, does so once more, because a page may show it a moment later.
export async function judgeChart(page, judge) {
  const first = judge(await readChart(page));
  if (first.differences.length === 0) return first;
  await page.waitForTimeout(400);
  return judge(await readChart(page));
}

/// Returns the text of a chart by its parts.
export async function readChart(page) {
  await loadLater(page);
  await unfold(page);
  const raw = await page.evaluate(() => {
    // The texts of adjacent elements are separate words, even without white space between them.
    const said = (node) => {
      if (!node) return '';
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      let text = '';
      let before;
      for (let one = walker.nextNode(); one; one = walker.nextNode()) {
        text += before && before !== one.parentNode ? ` ${one.data}` : one.data;
        before = one.parentNode;
      }
      return text;
    };
    const clean = (node, without) => {
      if (!node) return '';
      const copy = node.cloneNode(true);
      for (const one of copy.querySelectorAll(without)) one.remove();
      return said(copy);
    };
    const groupOf = (node, section) => {
      const folded = node.closest('details');
      if (folded && section.contains(folded)) return said(folded.querySelector('summary'));
      let at = node;
      while (at && at !== section) {
        for (let one = at.previousElementSibling; one; one = one.previousElementSibling) {
          if (/^H[3-6]$/.test(one.tagName)) return said(one);
        }
        at = at.parentElement;
      }
      return '';
    };
    const ENTRIES = 'li.row, table tbody tr, li.tile, article, dl.answers > div, .statement';
    const entriesIn = (section) =>
      [...section.querySelectorAll(ENTRIES)].map((node) => ({
        text: said(node),
        title: said(node.querySelector('.title button, .title a') ?? node.querySelector('.title')),
        isRow: node.matches('li.row'),
        isFolded: Boolean(node.closest('details[data-was-folded], .unfold + *')),
        group: groupOf(node, section),
        flags: [...node.querySelectorAll('.flag')].map(said).join(' '),
      }));
    return {
      banner: said(document.querySelector('main .patient')),
      allergyLine: said(document.querySelector('main .allergy-line')),
      main: said(document.querySelector('main')),
      notices: [...document.querySelectorAll('main .banner-note, main .incomplete, main [class*="notice"]')]
        .map(said)
        .join(' '),
      tiles: Object.fromEntries(
        [...document.querySelectorAll('main .glance')].map((tile) => [
          tile.id.replace('glance-', ''),
          {
            text: said(tile),
            hasMore: tile.querySelector('.more') !== null,
            planned: said(tile.querySelector('.planned')),
          },
        ]),
      ),
      sections: Object.fromEntries(
        [...document.querySelectorAll('main section.section')].map((section) => [
          section.id,
          {
            text: said(section),
            count: said(section.querySelector('.section-head .count')),
            notice: [...section.querySelectorAll('.incomplete, [class*="notice"]')].map(said).join(' '),
            body: clean(section, '.section-head'),
            headings: [...section.querySelectorAll('h3, h4')].map(said).join(' '),
            entries: entriesIn(section),
          },
        ]),
      ),
    };
  });
  const texts = (value) =>
    typeof value === 'string'
      ? plain(value)
      : Array.isArray(value)
        ? value.map(texts)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, texts(one)]))
          : value;
  return texts(raw);
}
