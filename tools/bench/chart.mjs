// Measures the chart of a patient with 2,000 resources and of the largest patient of a public population: the time
// until the patient is named and until every section is drawn, and how long the page is blocked while it loads,
// scrolls, and takes input. Then measures the longest task of each step of tests/app/walks.mjs through long records. A
// fixed loop in the same page is measured too, so that the ratio depends on the app and not on the machine. `node
// tools/bench/chart.mjs walks` runs only the walks.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTimeline } from '../../tests/app/timeline-stage.mjs';
import { WALKS } from '../../tests/app/walks.mjs';
import { allow, beginLaunch, choosePatient, open } from '../server/app.mjs';
import { shared } from '../server/stage.mjs';
import { median } from './lib/cpu.mjs';
import { linesOf } from './lib/lines.mjs';
import { tasksDuring } from './lib/tasks.mjs';

const PATIENT = 'amara-okafor';
const COPIES = 6;
const LOADS = 7;

/// Yields a copy of the patient's own observations, some years earlier and with other ids.
function* earlier(k) {
  for (const line of readFileSync('sample/Observation.ndjson', 'utf8').split('\n')) {
    if (!line.includes(`"Patient/${PATIENT}"`)) continue;
    yield line
      .replace(/"id":"([^"]+)"/, `"id":"$1-${k}"`)
      .replace(/"Observation\/([^"]+)"/g, `"Observation/$1-${k}"`)
      .replace(/"(\d{4})(-\d\d-\d\d[^"]*)"/g, (_, year, rest) => `"${year - 7 * k}${rest}"`);
  }
}

/// Runs in the page: records when content becomes visible, and what blocks the page.
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

/// Returns the id of the patient with the most resources in a folder, and their number.
function largest(folder) {
  const counts = new Map();
  for (const line of linesOf(folder)) {
    const of = new Set([...line.matchAll(/"Patient\/([^"/]+)"/g)].map(([, id]) => id));
    for (const id of of) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0];
}

const padded = (value) => value.toFixed(0).padStart(6);
const print = (value, says) => console.log(`${padded(value)}  ${says}`);

/// Resets the measurements, and returns those that are taken during `act`.
async function seenDuring(page, act) {
  await page.evaluate(() => Object.assign(globalThis.seen, { longest: 0, slowest: 0, gaps: [] }));
  await act();
  return page.evaluate(() => globalThis.seen);
}

/// Opens the chart of a patient as a practitioner who may see all patients, and prints the times.
async function measure(stage, patient, resources) {
  const person = await stage.person();
  await person.context.addInitScript(watch);
  const page = await person.page();
  await beginLaunch(page, 'practitioner', 'samuel');
  await choosePatient(page);
  await allow(page);
  await page.waitForURL(/#\/session\/chart\//);
  const address = `/#/session/chart/${patient}`;
  const loads = [];
  for (let n = 0; n < LOADS; n += 1) {
    await page.goto('about:blank');
    await page.goto(address);
    await page.waitForFunction(() => globalThis.seen.whole, undefined, { timeout: 60_000 });
    await page.waitForTimeout(500);
    loads.push(await page.evaluate(() => globalThis.seen));
  }
  const of = (name) => median(loads.map((load) => load[name]));
  const worst = Math.max(...loads.map(({ longest }) => longest));
  const labs = (await page.locator('#labs .count').textContent()).replace(/\s+/g, ' ');
  console.log(`A chart of ${resources} resources (${labs}), on workerd here, ms, median of ${LOADS} loads\n`);
  print(of('named'), 'until the patient is named');
  print(of('paint'), 'until the largest part is drawn');
  print(of('whole'), 'until every section stands');
  print(of('longest'), `longest task (0: none took 50); in the worst load ${padded(worst).trim()}`);

  const scrolled = await seenDuring(page, async () => {
    for (let n = 0; n < 60; n += 1) {
      await page.mouse.wheel(0, 400);
      await page.waitForTimeout(16);
    }
  });
  print(Math.max(...scrolled.gaps), 'longest time between two frames while it scrolls');
  await person.close();
}

/// Measures typing on the search page, and loading the first page and a chart on a slower processor.
async function others(stage) {
  const person = await stage.person();
  await person.context.addInitScript(watch);
  const page = await person.page();
  await page.goto('/#/search');
  await page.locator('#q').waitFor();
  await page.locator('#q').fill('');
  const query = `Observation?patient=${PATIENT}&category=laboratory&date=ge2020-01-01`;
  const typed = await seenDuring(page, async () => {
    await page.locator('#q').pressSequentially(query, { delay: 20 });
    await page.waitForTimeout(300);
  });
  print(typed.slowest, 'slowest answer to a key that is typed into a search (0: none took 16)');

  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const throttled = [];
  const chart = `/#/sample/chart/${PATIENT}`;
  for (let n = 0; n < LOADS; n += 1) {
    for (const path of ['/', chart]) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.waitForTimeout(3_000);
      throttled.push({ path, ...(await page.evaluate(() => globalThis.seen)) });
    }
  }
  console.log('\nOn a processor four times as slow\n');
  const slowly = (path, name) =>
    median(throttled.filter((load) => load.path === path).map((load) => load[name] ?? Infinity));
  print(slowly('/', 'paint'), 'until the largest part of the first page is drawn');
  print(slowly(chart, 'paint'), 'until that of the sample’s chart is');
  print(slowly(chart, 'named'), 'until its patient is named');
  await person.close();
}

/// Runs in the page: returns the least time of a fixed loop in many tries, in milliseconds.
function reference() {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 60; tries += 1) {
    const began = performance.now();
    for (let at = 0, last = 1; at < 5_000_000; at += 1) last = (Math.imul(last, 1_664_525) + at) | 0;
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/// Walks through long records, and prints the longest task and the total time of each step.
async function walks() {
  const timeline = await openTimeline();
  const during = async (page, act) => {
    const loop = await page.evaluate(reference);
    let whole = 0;
    const [task] = await tasksDuring(timeline.stage.browser, page, async () => {
      const began = performance.now();
      await act();
      whole = performance.now() - began;
    });
    return { loop, task, whole };
  };
  console.log(
    'The longest task of each act, in ms of the processor; a fixed loop in the same page, in ms; their ratio;',
  );
  console.log('and the whole act, in ms and beside the loop');
  for (const [name, walk] of Object.entries(WALKS)) {
    console.log(`\n${name}\n`);
    for (const [act, { loop, task, whole }] of Object.entries(await walk(timeline, during))) {
      const times = [task / loop, whole / loop].map((one) => one.toFixed(1).padStart(8));
      console.log(`${padded(task)}${loop.toFixed(1).padStart(6)}${times[0]}${padded(whole)}${times[1]}  ${act}`);
    }
  }
  await timeline.close();
}

async function charts() {
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-thousands-'));
  const file = join(folder, 'earlier.ndjson');
  writeFileSync(file, Array.from({ length: COPIES }, (_, k) => [...earlier(k + 1)].join('\n')).join('\n'));
  const resources = ['sample', folder]
    .flatMap((name) => [...linesOf(name)])
    .filter((text) => text.includes(`"Patient/${PATIENT}"`)).length;
  const synthea = shared('5-synthea-2020-normalised-derived');
  const stage = await open({ data: ['sample', file, ...(synthea ? [synthea] : [])] });
  try {
    await measure(stage, PATIENT, resources);
    if (synthea) {
      console.log();
      await measure(stage, ...largest(synthea));
    }
    console.log();
    await others(stage);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[2] !== 'walks') await charts();
await walks();
