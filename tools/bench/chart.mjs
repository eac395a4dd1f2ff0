// What a person waits for who opens the chart of a patient with 2,000 resources: until the patient is named, until
// every section stands, and how long anything keeps the page from answering, while it loads, scrolls, and is typed
// into.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allow, launchButton, open, signIn } from '../server/app.mjs';
import { median } from './lib/cpu.mjs';
import { linesOf } from './lib/lines.mjs';

const PATIENT = 'amara-okafor';
const COPIES = 6;
const LOADS = 7;

/// The patient's own observations once more, some years earlier, under other names.
function* earlier(k) {
  for (const line of readFileSync('sample/Observation.ndjson', 'utf8').split('\n')) {
    if (!line.includes(`"Patient/${PATIENT}"`)) continue;
    yield line
      .replace(/"id":"([^"]+)"/, `"id":"$1-${k}"`)
      .replace(/"Observation\/([^"]+)"/g, `"Observation/$1-${k}"`)
      .replace(/"(\d{4})(-\d\d-\d\d[^"]*)"/g, (_, year, rest) => `"${year - 7 * k}${rest}"`);
  }
}

/// In the page: when what could be seen first, and what kept it from answering.
function watch() {
  const seen = { longest: 0, gaps: [] };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    seen.paint = list.getEntries().at(-1).startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.slowest = Math.max(seen.slowest ?? 0, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  let last = performance.now();
  const frame = () => {
    const now = performance.now();
    seen.gaps.push(now - last);
    last = now;
    if (!seen.named && document.querySelector('.patient .facts')) seen.named = now;
    if (!seen.whole && seen.named && !document.querySelector('main .state.waiting')) seen.whole = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const folder = mkdtempSync(join(tmpdir(), 'edgechart-thousands-'));
const file = join(folder, 'earlier.ndjson');
writeFileSync(file, Array.from({ length: COPIES }, (_, k) => [...earlier(k + 1)].join('\n')).join('\n'));
const resources = ['sample', folder]
  .flatMap((name) => [...linesOf(name)])
  .filter((text) => text.includes(`"Patient/${PATIENT}"`)).length;
const stage = await open({ data: ['sample', file] });
try {
  const person = await stage.person();
  await person.context.addInitScript(watch);
  const page = await person.page();
  await page.goto('/#/launch/patient');
  await launchButton(page).click();
  await signIn(page, 'amara');
  await allow(page);
  await page.waitForURL(/#\/chart\//);
  await page.waitForFunction(() => globalThis.seen.whole, undefined, { timeout: 60_000 });
  const loads = [];
  for (let n = 0; n < LOADS; n += 1) {
    await page.reload();
    await page.waitForFunction(() => globalThis.seen.whole, undefined, { timeout: 60_000 });
    await page.waitForTimeout(500);
    loads.push(await page.evaluate(() => globalThis.seen));
  }
  const of = (name) =>
    median(loads.map((load) => load[name]))
      .toFixed(0)
      .padStart(6);
  console.log(
    `A chart of ${resources} resources (${await page.locator('#labs .count').textContent()}), on workerd here, milliseconds, median of ${LOADS} loads\n`,
  );
  console.log(`${of('named')}  until the patient is named`);
  console.log(`${of('paint')}  until the largest part is drawn`);
  console.log(`${of('whole')}  until every section stands`);
  console.log(`${of('longest')}  longest task`);

  await page.evaluate(() => {
    Object.assign(globalThis.seen, { longest: 0, slowest: 0, gaps: [] });
  });
  for (let n = 0; n < 60; n += 1) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  const scrolled = await page.evaluate(() => globalThis.seen);
  console.log(
    `${Math.max(...scrolled.gaps)
      .toFixed(0)
      .padStart(6)}  longest time between two frames while it scrolls`,
  );

  await page.goto('/#/search');
  await page.locator('#q').waitFor();
  await page.evaluate(() => {
    Object.assign(globalThis.seen, { longest: 0, slowest: 0, gaps: [] });
  });
  await page.locator('#q').fill('');
  await page
    .locator('#q')
    .pressSequentially(`Observation?patient=${PATIENT}&category=laboratory&date=ge2020-01-01`, { delay: 20 });
  await page.waitForTimeout(300);
  const typed = await page.evaluate(() => globalThis.seen);
  console.log(
    `${typed.slowest.toFixed(0).padStart(6)}  slowest answer to a key that is typed into a search (0: none took 16)`,
  );

  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const throttled = [];
  for (let n = 0; n < LOADS; n += 1) {
    for (const path of ['/', `/#/chart/${PATIENT}`]) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.waitForTimeout(3_000);
      throttled.push({ path, ...(await page.evaluate(() => globalThis.seen)) });
    }
  }
  console.log('\nOn a processor four times as slow\n');
  const slowly = (path, name) =>
    median(throttled.filter((load) => load.path === path).map((load) => load[name] ?? Infinity))
      .toFixed(0)
      .padStart(6);
  console.log(`${slowly('/', 'paint')}  until the largest part of the first page is drawn`);
  console.log(`${slowly(`/#/chart/${PATIENT}`, 'paint')}  until that of the chart is`);
  console.log(`${slowly(`/#/chart/${PATIENT}`, 'named')}  until its patient is named`);
  await person.close();
} finally {
  await stage.close();
  rmSync(folder, { recursive: true });
}
