// Reads charts of made-up inputs (made-up.mjs) in all views, in English and Spanish, and compares them with the
// statements of the input, and with the facts of its records.

import { loaded } from '../browser.mjs';
import { compare } from './compare.mjs';
import { openRecords } from './drawer.mjs';
import { factsOf } from './facts.mjs';
import { lookFor } from './find.mjs';
import { openChart, openFiles, readChart } from './page.mjs';
import { comparePlaces, tallied } from './places.mjs';
import { byPatient, readFiles } from './records.mjs';
import { downloads, printed } from './save-chart.mjs';
import { add } from './tally.mjs';
import { readTimeline } from './timeline.mjs';
import { hasDate, hasNumber, plain } from './words.mjs';

/// The most records that are opened.
const OPENED = 30;
const evenly = (n) => Array.from({ length: n }, (_, at) => at / n);

/// Returns the texts of the trends to which the summary links, and their opened records. Goes back to the summary.
async function readTrends(page) {
  const links = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll('main .sections a[href*="/trend/"]')].map(({ href }) => href)),
  ]);
  const summary = page.url();
  const texts = [];
  const opened = [];
  for (const link of links) {
    await page.goto(link);
    await page.locator('#trend-title').waitFor();
    await loaded(page);
    texts.push(plain(await page.locator('.trend-view').innerText()));
    opened.push(...(await openRecords(page, evenly(OPENED), 'main .trend-view')));
  }
  if (links.length > 0) {
    await page.goto(summary);
    await page.locator('main .sections').waitFor();
    await loaded(page);
  }
  return { texts, opened };
}

/// Reads all views of the open chart, and the texts of each by its letter.
async function readViews(page, names) {
  const chart = await readChart(page);
  const { sections, tiles } = chart;
  const opened = await openRecords(page, evenly(OPENED));
  const print = await printed(page);
  const found = [];
  for (const name of names) found.push(...(await lookFor(page, name)));
  await page.locator('#find').fill('');
  const trends = await readTrends(page);
  const timeline = await readTimeline(page);
  const blocks = (all, prefix) => Object.entries(all).map(([id, { text }]) => `${prefix}${id}: ${text}`);
  const texts = {
    O: [chart.banner, ...Object.values(tiles).map(({ text }) => text)],
    S: Object.values(sections).flatMap(({ entries }) => entries.map(({ group, text }) => `${group} ${text}`)),
    B: [chart.notices, ...blocks(tiles, 'glance '), ...blocks(sections, '')],
    D: [...opened, ...trends.opened].map(({ text }) => plain(text)),
    T: timeline.entries.map(({ on, whole }) => `${on} ${whole}`),
    R: trends.texts,
    F: found,
    P: Object.values(print),
  };
  return { chart, opened: [...opened, ...trends.opened], print, timeline, texts };
}

/// Returns whether a text has a word: a pattern, a number, a date, or a text. Spanish numbers have a comma.
function has(text, word) {
  if (word instanceof RegExp) return new RegExp(word, 'i').test(text);
  if (typeof word === 'number') return hasNumber(text, word) || hasNumber(text.replace(/(\d),(?=\d)/g, '$1.'), word);
  return word.date ? hasDate(text, word.date) : text.includes(plain(word));
}
const said = (word) => String(word.date ?? word);

/// Judges the statements of an input on the texts of the views.
function judged({ kind, see, not }, texts, isEnglish) {
  const facts = ([views, ...all], isWanted) => {
    const words = isWanted && !isEnglish ? all.filter((word) => !(word instanceof RegExp)) : all;
    if (words.length === 0 || (!isEnglish && words.some((word) => word instanceof RegExp))) return [];
    // A result whose summary is a line, and no test, has no trend.
    const judgedViews = [...views].filter((view) => view !== 'R' || texts.R.length > 0);
    return judgedViews.map((view) => {
      const isSaid = texts[view].some((text) => words.every((word) => has(text, word)));
      const what = `${isEnglish ? '' : 'Spanish '}${view}: ${words.map(said).join(' + ')}`;
      return { kind, what, says: isSaid === isWanted ? undefined : isSaid ? 'is said' : 'is not said' };
    });
  };
  return [...see.flatMap((one) => facts(one, true)), ...not.flatMap((one) => facts(one, false))];
}

/// Opens an input, and compares all views of its chart.
export async function readInput(page, input, inSpanish) {
  const { kind, seed, file, isLoose, see, not } = input;
  await openFiles(page, [file]);
  const read = readFiles([file]);
  const { charts, strays } = byPatient(read);
  const [patient, records] = [...charts].find(([{ resource }]) => resource.id === 'p');
  const open = () => openChart(page, { patient: patient.resource });
  await open();
  const inFind = [...see, ...not].filter(([views]) => views.includes('F')).flatMap(([, ...words]) => words);
  const names = [...new Set(inFind.filter((word) => typeof word === 'string'))];
  const views = await readViews(page, names);
  const found = tallied(judged(input, views.texts, true));
  const take = ({ tally, differences }) => {
    add(found.tally, tally);
    found.differences.push(...differences);
  };
  if (!isLoose) {
    const { chart } = views;
    take(compare(factsOf(patient, records, read.find), chart, { records, find: read.find, strays }));
    take(tallied(comparePlaces({ ...views, texts: await downloads(page) }, patient, records, read.find)));
  }
  if (inSpanish) {
    await open();
    await page.locator('button.language').click();
    await page.locator('html[lang="es"]').waitFor();
    await loaded(page);
    take(tallied(judged(input, (await readViews(page, names)).texts, false)));
    await page.locator('button.language').click();
    await page.locator('html[lang="en"]').waitFor();
  }
  const differences = found.differences.map((one) => ({ patient: `seed ${seed}`, ...one, kind, of: one.kind }));
  return { tally: found.tally, differences };
}
