// The user's own files: opened in this browser in every form, with faults by file and line, without a request, without
// freezing the page, offline, by keyboard alone, and without a trace in the address.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../server/folder.mjs';
import { testThemes } from './axe.mjs';
import { AT_ONCE, changedDuring, loaded, open, SIZES, says, show, text } from './browser.mjs';
import { a1c, bundle, choose, count, faults, file, line, ndjson, opened, person } from './own-files.mjs';
import { signedInAt } from './signed-in.mjs';

const stage = await open();
after(() => stage.close());

const SAMPLE = readdirSync('sample')
  .filter((name) => name.endsWith('.ndjson'))
  .map((name) => file(name, readFileSync(`sample/${name}`)));

/// The ids in the sample, except short ids that may occur in any text.
const SAMPLE_IDS = SAMPLE.flatMap(({ buffer }) =>
  [...buffer.toString().matchAll(/^\{.*?"id":"([^"]{6,})"/gm)].map(([, id]) => id),
);

const visit = (path, options) => stage.visit(path, options);

/// Returns a list that collects all further requests of a person's browser.
function requestsOf({ context }) {
  const all = [];
  context.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol)) all.push(request.url());
  });
  return all;
}

const drop = (page, selector, files) =>
  page.evaluate(
    ([on, list]) => {
      const data = new DataTransfer();
      for (const [name, content] of list) data.items.add(new File([content], name));
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document
          .querySelector(on)
          .dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
      }
    },
    [selector, files],
  );

test('NDJSON, a Bundle, and both packed, in one choice: all of them are one record', async () => {
  const { page } = await visit('/#/');
  await choose(page, [
    file('observations.ndjson', line(a1c('o1', 'ada')) + line(a1c('o2', 'ada', 5.2, '2023-01-09'))),
    { ...file('more.ndjson.gz', ''), buffer: gzipSync(line(a1c('o3', 'ada', 7.4, '2025-02-01'))) },
    file('bundle.json', JSON.stringify(JSON.parse(bundle(person('ada', 'Lovelace'))), null, 2)),
    { ...file('bundle-packed', ''), buffer: gzipSync(bundle(a1c('o4', 'ada', 7.9, '2025-09-01'))) },
    file('one.json', JSON.stringify(a1c('o5', 'ada', 6.6, '2022-09-01'))),
  ]);
  assert.equal(await count(page, 'Patient'), 1);
  assert.equal(await count(page, 'Observation'), 5);
  assert.equal(await page.locator('table.faults').count(), 0);
  await page.getByRole('link', { name: 'Open the chart' }).click();
  await says(page, '.patient h1', /Ada Lovelace/);
  await says(page, '#labs .count', /^5 results of 1 test$/);
});

test('faults are listed by file and line, the rest is taken, and other types are counted', async () => {
  const { page } = await visit('/#/');
  await choose(page, [
    file(
      'a.ndjson',
      `${line(person('ada', 'Lovelace'))}oops\n${line({ resourceType: 'Foo', id: 'c' })}\n{"resourceType"`,
    ),
    file('b.ndjson', `{"resourceType":"Pat\n${line(person('bob', 'Byron', 'Bob'))}`),
    file('c.json', bundle({ resourceType: 'Patient', id: 'not an id' }, person('eve', 'Moore', 'Eve'))),
    file('d.xml', '<Patient xmlns="http://hl7.org/fhir"/>'),
    file('e.json', ''),
    { ...file('f.gz', ''), buffer: gzipSync(line(person('zoe', 'Zorn')).repeat(9)).subarray(0, 40) },
  ]);
  assert.equal(await count(page, 'Patient'), 4, 'the id that is none was replaced');
  const found = await faults(page);
  assert.deepEqual(
    found.map(([name, at]) => `${name} ${at}`),
    ['a.ndjson 2', 'a.ndjson 5', 'b.ndjson 1', 'd.xml whole file', 'e.json whole file', 'f.gz whole file'],
  );
  assert.match(found[0][2], /not JSON/);
  assert.match(found[3][2], /It is FHIR as XML/);
  assert.match(await text(page, 'section:has(#unserved)'), /Types that are not shown\s*Foo1/);
});

test('a page of the app is where files are dropped, several at once', async () => {
  for (const path of ['/#/', '/#/files']) {
    const { person: visitor, page } = await visit(path);
    await drop(page, 'main h1', [
      ['patients.ndjson', line(person('ada', 'Lovelace')) + line(person('bob', 'Byron', 'Bob'))],
      ['labs.ndjson', line(a1c('o1', 'bob')) + line(a1c('o2', 'bob', 5.5, '2023-02-02')) + line(a1c('o3', 'ada'))],
    ]);
    await opened(page);
    assert.equal(new URL(page.url()).hash, '#/files');
    assert.equal(await count(page, 'Patient'), 2);
    await page.getByRole('link', { name: 'Choose a patient' }).click();
    await page.getByRole('link', { name: /Bob Byron/ }).click();
    await says(page, '#labs .count', /^2 results of 1 test$/);
    await page.goBack();
    await page.getByRole('link', { name: /Ada Lovelace/ }).click();
    await says(page, '#labs .count', /^1 result of one test$/);
    await visitor.close();
  }
});

test('files that could not be opened are opened by one press, without a second choice', async () => {
  const { person: visitor, page } = await visit('/#/files');
  visitor.expected.push(/Failed to load resource/);
  await visitor.context.route('**/*.wasm', (route) => route.abort());
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  await (await chooser).setFiles([file('a.ndjson', line(person('ada', 'Lovelace')))]);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  assert.equal(await page.getByRole('alert').count(), 1);
  await visitor.context.unroute('**/*.wasm');
  await again.click();
  await opened(page);
  assert.equal(await count(page, 'Patient'), 1);
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
});

test('while something is dragged over the page, it says that it may be dropped', async () => {
  const { page } = await visit('/#/');
  const drag = (type, relatedTarget) =>
    page.evaluate(
      ([kind, target]) => {
        const data = new DataTransfer();
        data.items.add(new File(['{}'], 'a.json'));
        const at = target === null ? { relatedTarget: null } : {};
        const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data, ...at });
        document.querySelector('main').dispatchEvent(event);
        return event.defaultPrevented;
      },
      [type, relatedTarget],
    );
  assert.equal(await drag('dragover'), true, 'the browser does not open the file itself');
  await says(page, '.drop-note', /Drop to open/);
  await drag('dragleave', null);
  await page.locator('.drop-note').waitFor({ state: 'detached' });
});

test('cl17 no request is sent from the choice on, the page says so, and no address names a file', async () => {
  const { person: visitor, page } = await visit('/#/files');
  // The first choice fetches the rest of the app. After it, nothing is fetched.
  await choose(page, [file('secret-name.ndjson', line(person('jane-doe-1', 'Doe', 'Jane')))]);
  const requests = requestsOf(visitor);
  const addresses = [];
  const note = async () => addresses.push(page.url(), await page.title());
  await choose(page, SAMPLE, 'Open other files…');
  await note();
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await page.locator('.people-list li').nth(10).waitFor();
  await note();
  await page.getByRole('link', { name: /Amara/ }).click();
  await says(page, '#labs .count', /^264 results of 13 tests$/);
  await loaded(page);
  await note();
  await page.getByRole('button', { name: 'Share' }).click();
  await says(page, 'dialog', /They are made in this tab, and nothing is sent.*All records in one FHIR Bundle/);
  assert.equal(await page.locator('dialog').getByRole('button', { name: /link/ }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline [role=status]', /entries/);
  await note();
  for (const at of [0, 1])
    await page
      .getByRole('button', { name: /^Compare/ })
      .nth(at)
      .click();
  await note();
  await page.getByRole('button', { name: 'Show both' }).click();
  await page.getByRole('heading', { name: 'Two visits compared' }).waitFor();
  await page.locator('.compared').first().waitFor();
  await note();
  await page.goBack();
  await page.getByRole('button', { name: 'Show both' }).waitFor();
  await page.getByRole('link', { name: 'Summary' }).click();
  await loaded(page);
  await page.locator('#labs a[href*="/trend/"]').first().click();
  await page.locator('svg.plot').first().waitFor();
  await note();
  await page.getByRole('link', { name: 'Developers' }).click();
  await note();
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await page.locator('#q').fill('Observation?patient=amara-okafor&category=laboratory');
  await page.getByRole('button', { name: 'Run in this browser' }).click();
  await says(page, '.side >> nth=0', /200 Matches/);
  assert.equal(await page.getByRole('button', { name: /edge/ }).count(), 0);
  await note();
  await page.locator('a.brand').click();
  await says(page, 'main', /this page sends nothing by itself/);
  await page.getByRole('link', { name: 'Your own record' }).click();
  await opened(page);
  assert.match(await text(page, '.proof'), /Requests sent since you opened your files:\s*0/);
  assert.match(await text(page, '.top .menu .chip'), /Your files\s*· 0 requests sent/);
  assert.deepEqual(requests, []);
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
  for (const place of [...addresses, kept]) {
    assert.doesNotMatch(decodeURIComponent(place), /amara|okafor|4548|Observation|ndjson|secret|jane/i);
    for (const id of SAMPLE_IDS) assert.ok(!decodeURIComponent(place).includes(id), `${id} is in ${place}`);
  }
});

test('cl17 the service worker has what it keeps before files are read, and fetches nothing behind', async () => {
  for (const isLate of [false, true]) {
    const { person: visitor, page } = await visit('/#/files', { worker: true });
    // The worker's installation begins half a second after the page. Choose files before it, or during it.
    if (isLate) {
      await page.evaluate(async () => {
        while (!(await navigator.serviceWorker.getRegistration())) await new Promise((done) => setTimeout(done, 5));
      });
    }
    await choose(page, [file('a.ndjson', line(person('ada', 'Lovelace')) + line(a1c('o', 'ada')))]);
    if (isLate) {
      const [kept, isInstalling] = await page.evaluate(async () => {
        const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
        return [kept.flat().length, Boolean((await navigator.serviceWorker.getRegistration()).installing)];
      });
      assert.ok(kept > 5, `the worker keeps ${kept} answers`);
      assert.ok(!isInstalling);
    }
    const requests = requestsOf(visitor);
    await page.getByRole('link', { name: 'Open the chart' }).click();
    await says(page, '#labs .count', /^1 result/);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await says(page, '.timeline [role=status]', /entr/);
    await page.getByRole('link', { name: 'Summary' }).click();
    await says(page, '#labs .count', /^1 result/);
    await page.getByLabel('Find in this chart').fill('a1c');
    await says(page, '.find [role="status"]', /1 record/);
    await page.keyboard.press('Escape');
    await page.locator('button.language').click();
    await says(page, '#labs .count', /resultado/);
    // By then, an installation that was not held back would have begun.
    await page.waitForFunction(() => performance.now() > 2_500);
    assert.deepEqual(requests, []);
    await visitor.close();
  }
});

test('cl17 a request is counted and named: the count is no constant', async () => {
  const { page } = await visit('/#/files');
  await choose(page, [file('a.ndjson', line(person('ada', 'Lovelace')))]);
  await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
  await says(page, '.proof', /since you opened your files:\s*1/);
  await page.locator('.proof summary').click();
  assert.match(await text(page, '.proof'), /\/healthz/);
  // The proof also lists the requests of the engine's thread, which fetches the sample on demand.
  await page.goto('/#/sample/patients');
  await page.locator('.people-list li').first().waitFor();
  await page.goto('/#/files');
  await says(page, '.proof ul', /sample\.[0-9a-f]+\.ndjson\.gz/);
});

test('cl18 files are gone when they are closed, a load is cancelled, or the page is loaded again', async () => {
  const { page } = await visit('/#/files');
  await choose(page, [file('a.ndjson', line(person('ada', 'Lovelace')))]);
  await page.getByRole('link', { name: 'Open the chart' }).click();
  await says(page, '.patient h1', /Ada Lovelace/);
  await page.reload();
  await says(page, 'main', /not open any more/);
  assert.doesNotMatch(await text(page, 'main'), /Lovelace/);
  await page.goto('/#/files');
  await choose(page, [file('a.ndjson', line(person('ada', 'Lovelace')))]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await says(page, 'main', /Your files are closed\. Nothing of them was kept\./);
  await page.getByRole('button', { name: 'Developer mode' }).click();
  await page.getByRole('button', { name: /^Requests/ }).click();
  assert.match(await text(page, 'dialog'), /Nothing yet/);
  await page.keyboard.press('Escape');
  const many = Array.from({ length: 60_000 }, (_, i) => line(a1c(`o${i}`, 'ada'))).join('');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  await (await chooser).setFiles([file('many.ndjson', many)]);
  await says(page, '.load-text', /resources indexed/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await says(page, 'main', /Cancelled\. Nothing of the files was kept\./);
  // The engine is restarted for other files and for the sample.
  await choose(page, [file('b.ndjson', line(person('bob', 'Byron')))]);
  assert.equal(await count(page, 'Patient'), 1);
});

test('100,000 resources open with progress, and the page reads none of them and lists a part', async () => {
  const { page } = await visit('/#/files');
  await choose(page, [file('first.ndjson', line(person('warm', 'Up')))]);
  const patients = 5_000;
  const text100k = [
    ...Array.from({ length: patients }, (_, i) => line(person(`p${i}`, `Family${i}`, `Given${i}`))),
    ...Array.from({ length: 100_000 - patients }, (_, i) => line(a1c(`o${i}`, `p${i % patients}`, 4 + (i % 40) / 10))),
  ].join('');
  await page.evaluate(() => {
    globalThis.reads = [];
    for (const name of ['arrayBuffer', 'bytes', 'slice', 'stream', 'text']) {
      Blob.prototype[name] = () => globalThis.reads.push(name);
    }
    globalThis.steps = new Set();
    new MutationObserver(() => {
      const said = document.querySelector('.load-text')?.textContent;
      if (said) globalThis.steps.add(said);
    }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
  });
  // With a path, the browser reads the file itself. Otherwise the page would have to decode the content from the test.
  const path = join(temporaryFolder(), 'all.ndjson');
  writeFileSync(path, text100k);
  const { added } = await changedDuring(page, async () => {
    await choose(page, [path], 'Open other files…');
    assert.match(await text(page, '.lead'), /100,000 resources of 5,000 patients/);
    await page.getByRole('link', { name: 'Choose a patient' }).click();
    await says(page, 'main', /The first 100 of 5,000 patients/);
    await page.getByLabel('Find by name or id').pressSequentially('family4321');
    await page.getByRole('link', { name: /Given4321 Family4321/ }).waitFor();
    await page.getByLabel('Find by name or id').fill('p77');
    await page.getByRole('link', { name: /Given77 Family77/ }).waitFor();
  });
  assert.ok((await page.evaluate(() => globalThis.steps.size)) > 1, 'its progress is shown');
  assert.deepEqual(await page.evaluate(() => globalThis.reads), [], 'the engine reads the file');
  assert.ok(added < AT_ONCE, `${added} elements came at once`);
  await page.getByRole('link', { name: /Given77 Family77/ }).click();
  await says(page, '#labs .count', /^19 results of 1 test$/);
});

test('offline, files are opened by the kept app', async () => {
  const { person: visitor, page } = await visit('/#/', { worker: true });
  visitor.expected.push(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await visitor.context.setOffline(true);
  await choose(page, SAMPLE);
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await page.getByRole('link', { name: /Amara/ }).click();
  await says(page, '#labs .count', /^264 results of 13 tests$/);
});

const FAULTY = [
  ...SAMPLE,
  file('a-file-with-a-long-name-2024-05-11T10-00-00.ndjson', `${line(person('q', 'Last'))}oops\n{"resourceType"`),
];
for (const size of [...Object.keys(SIZES), 'narrow']) {
  testThemes(`axe finds nothing in the views of files, ${size}`, async (inspect) => {
    const viewport = size === 'narrow' ? { viewport: { width: 360, height: 740 } } : { size };
    const { page } = await visit('/#/files', viewport);
    const look = inspect(page);
    await look('closed');
    await choose(page, FAULTY);
    await look('open');
    await page.getByRole('link', { name: 'Choose a patient' }).click();
    await page.locator('.people-list li').first().waitFor();
    await look('patients');
    await page.goto('/#/search');
    await page.getByLabel('Records').waitFor();
    await look('search');
    await show(page, '/#/');
    await look('home');
  });
}

test('opened files name the one patient, count who is only named, and tell two of one name apart', async () => {
  const { page } = await stage.visit('/#/files');
  await choose(page, [file('ada.ndjson', line(person('ada', 'Lovelace')))]);
  await says(page, '.files-person', /^Ada Lovelace Female · born 1 Apr 1980 · ada\.ndjson$/);
  const both = line(person('ada', 'Lovelace')) + line(a1c('o', 'x'));
  // A small file may be read within one frame, so the page without a report may never be drawn.
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open other files…' }).click();
  await (await chooser).setFiles([file('both.ndjson', both)]);
  await says(page, '.lead', /2 resources of 1 patient and 1 only named\./);
  assert.equal(await page.locator('.files-person').count(), 0);
  const twins = [file('a.ndjson', line(person('one', 'Lovelace')) + line(person('two', 'Lovelace')))];
  await choose(page, twins, 'Open other files…');
  await page.getByRole('link', { name: 'Choose a patient' }).click();
  await says(page, '.people-lists', /Id\sone.*Id\stwo/);
});

test('a session in the same tab asks nothing while files are open, also when the tab is looked at again', async () => {
  const { person: visitor, page } = await signedInAt(stage, { path: '/#/files', ownClock: true });
  await choose(page, [ndjson([person('ada', 'Ada')])]);
  await opened(page);
  const asked = requestsOf(visitor);
  await page.clock.runFor(70_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.locator('.proof').waitFor();
  assert.deepEqual(asked, []);
  assert.match(await text(page, '.proof'), /Requests sent since you opened your files:\s*0/);
});
