// Accessibility: no axe violations on any view in both themes at both widths, no sideways scrolling at 320 px, use by
// keyboard alone, forced colours and reduced motion. Also the app offline, links to share, and the headers of files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import decodeQR from 'qr/decode.js';
import { testThemes, violations } from './axe.mjs';
import { AT_ONCE, addShifts, changedDuring, frames, loaded, open, SIZES, shiftOf, show, text } from './browser.mjs';
import { PAGES } from './pages.mjs';
import { signedInAt } from './signed-in.mjs';

const VIEWS = [
  ...PAGES,
  '/#/',
  '/#/sample/patients',
  '/#/sample/chart/amara-okafor',
  '/#/sample/chart/zoe-obrien-nunez',
  '/#/sample/chart/unidentified-0919',
  '/#/sample/chart/amara-okafor/timeline',
  '/#/sample/chart/amara-okafor/trend/85354-9',
  '/#/sample/chart/amara-okafor/trend/4548-4',
  '/#/sample/chart/nobody',
  '/#/session/chart/nobody',
  '/#/nonsense',
  '/callback.html',
];

const stage = await open();
after(() => stage.close());

for (const size of Object.keys(SIZES)) {
  testThemes(`axe finds nothing on any view, ${size}`, async (inspect) => {
    const page = await (await stage.person({ size })).page();
    const look = inspect(page);
    for (const view of VIEWS) {
      await show(page, view);
      await look(view);
    }
    // The drawers: a record, a note, the requests.
    await show(page, '/#/sample/chart/amara-okafor');
    const menu = page.getByRole('button', { name: 'Menu' });
    if (size === 'phone') {
      await menu.click();
      await look('menu');
    }
    await page.getByRole('button', { name: 'Developer mode' }).click();
    if (size === 'phone') await menu.click();
    await look('developer');
    for (const opener of [
      page.locator('#documents .row .title button').first(),
      page.locator('#documents').getByRole('button', { name: /^Read/ }).first(),
      page.locator('header.top').getByRole('button', { name: /^Requests/ }),
    ]) {
      if (size === 'phone' && !(await opener.isVisible())) await menu.click();
      await opener.click();
      await look('drawer');
      await page.keyboard.press('Escape');
    }
  });
}

test('by keyboard alone: skip link, navigation, a record and back, with the focus in its place', async () => {
  const { page } = await stage.visit('/#/');
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim());
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.match(await focused(), /Read a patient’s whole record/);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Open the sample chart');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  await loaded(page);
  // The heading has been redrawn with the patient's name, and keeps the focus.
  assert.equal(await focused(), 'Amara Chidinma Okafor');
  const record = page.locator('#allergies .title button').first();
  await record.focus();
  await page.keyboard.press('Enter');
  assert.match(await focused(), /^Allergy: /);
  await page.keyboard.press('Escape');
  assert.equal(await focused(), (await record.innerText()).trim());
  await page.locator('.index a', { hasText: 'Laboratory results' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'Laboratory results');
});

test('forced colours and reduced motion are respected', async () => {
  const { page } = await stage.visit('/#/sample/chart/amara-okafor/trend/4548-4', {
    forcedColors: 'active',
    reducedMotion: 'reduce',
  });
  assert.equal(await page.evaluate(() => matchMedia('(forced-colors: active)').matches), true);
  const [line, ground] = await page.evaluate(() => [
    getComputedStyle(document.querySelector('.plot .line')).stroke,
    getComputedStyle(document.body).backgroundColor,
  ]);
  assert.notEqual(line, ground);
  assert.deepEqual(await violations(page), []);
});

test('the theme is chosen once, and is there before the first paint of the next page', async () => {
  const { page } = await stage.visit('/#/', { theme: 'light' });
  const button = page.getByRole('button', { name: /^Theme/ });
  await button.click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'the first press is seen');
  await page.goto('/sandbox.html');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
});

test('typing in the playground never waits for the engine', async () => {
  const { page } = await stage.visit('/#/search');
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    globalThis.held = [];
    Worker.prototype.postMessage = function (...given) {
      globalThis.held.push(() => postMessage.apply(this, given));
    };
  });
  await page.getByRole('button', { name: /^Run all/ }).click();
  await page.locator('#q').pressSequentially('&_count=5', { delay: 30 });
  // The query is in the address when the engine is asked to explain it.
  await page.waitForFunction(() => new URLSearchParams(location.hash.split('?')[1]).get('q')?.endsWith('&_count=5'));
  assert.match(await page.locator('#q').inputValue(), /&_count=5$/);
  assert.ok((await page.evaluate(() => globalThis.held.length)) > 0, 'the engine was asked, and has answered nothing');
});

test('nothing moves while a page loads, nor while the checks run', async () => {
  const most = {};
  for (const [width, views] of [
    [360, VIEWS],
    [1280, ['/#/', '/#/search', '/#/scopes', '/#/checks', '/#/reference', '/#/launch/patient', '/sandbox.html']],
  ]) {
    const person = await stage.person({ viewport: { width, height: 900 } });
    const page = await person.page();
    await addShifts(page);
    for (const view of views) {
      // Load the view as a visitor from another site does.
      await page.goto('about:blank');
      await show(page, view);
      await frames(page);
      const shifted = await shiftOf(page);
      if (shifted >= 0.05) most[`${width} ${view}`] = shifted;
    }
    await show(page, '/#/checks');
    await page.getByRole('button', { name: /^Run \d+ checks/ }).click();
    await page.waitForFunction(() =>
      /skipped\.$/.test(document.querySelector('main [role=status]')?.textContent.trim()),
    );
    await frames(page);
    const shifted = await shiftOf(page);
    if (shifted >= 0.05) most[`${width} checks that run`] = shifted;
    await person.close();
  }
  assert.deepEqual(most, {});
});

test('a chart is first drawn in parts', async () => {
  for (const width of [360, 1280]) {
    const person = await stage.person({ viewport: { width, height: 900 } });
    const page = await person.page();
    const { added } = await changedDuring(page, async () => {
      await show(page, '/#/sample/chart/amara-okafor');
      await frames(page);
    });
    assert.ok(added > 0 && added < AT_ONCE, `${width}: ${added} elements at once`);
    await person.close();
  }
});

test('an installed app opens offline after one visit, with the sample; no answer of the server was kept', async () => {
  const person = await stage.person({ worker: true });
  person.expected.push(/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/);
  const page = await person.page();
  await show(page, '/#/');
  const { url, data, errors } = await (await person.context.newCDPSession(page)).send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data);
  assert.deepEqual([manifest.id, manifest.scope, manifest.display], ['/', '/', 'standalone']);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(new URL(src, url));
    assert.equal(icon.headers.get('content-type')?.split(';')[0], type, src);
    const bytes = Buffer.from(await icon.arrayBuffer());
    // The header of a PNG contains its width and height.
    if (type === 'image/png') assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  const has = (size, purpose) =>
    manifest.icons.some((icon) => icon.sizes === size && icon.purpose === purpose && icon.type === 'image/png');
  assert.ok(has('192x192', 'any') && has('512x512', 'any') && has('512x512', 'maskable'));
  // Neither a chart nor another language was opened before.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.evaluate(() => fetch('/fhir/r4/metadata').then((answer) => answer.text()));
  await page.close();
  await person.context.setOffline(true);
  const app = await person.page();
  await show(app, new URL(manifest.start_url, url).pathname + new URL(manifest.start_url, url).hash);
  await app.getByRole('link', { name: 'Open the sample chart' }).click();
  await loaded(app);
  assert.equal(await text(app, '.patient h1'), 'Amara Chidinma Okafor');
  await app.locator('button.language').click();
  await app.locator('.tabs a', { hasText: 'Resumen' }).waitFor();
  for (const path of ['/#/search', '/#/scopes', '/#/files', '/#/launch/patient', '/sandbox.html', '/other.html']) {
    await app.goto(path);
    await app.locator('main h1').waitFor();
    assert.doesNotMatch(await text(app, 'main h1'), /No se pudo abrir/, path);
  }
  await app.goto('/#/search');
  await app.getByRole('button', { name: 'Ejecutar en este navegador' }).click();
  await app.waitForFunction(() => /Coincidencias/.test(document.querySelector('.side')?.textContent ?? ''));
  const kept = await app.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  assert.ok(kept.length > 10);
  assert.deepEqual(
    kept.filter((path) => /^\/(fhir|oauth|sandbox\.json|healthz)/.test(path)),
    [],
  );
});

test('a network that does not answer is waited for no longer than a few seconds', async () => {
  const { person, page } = await stage.visit('/#/', { worker: true });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  // Only the routes of the context apply to the requests of the service worker.
  await person.context.route(/\/(index\.html|theme\.js)?$/, () => new Promise(() => undefined));
  await show(page, '/');
  await page.locator('.hero').waitFor();
});

test('files have their headers, and the Worker answers at its own addresses', async () => {
  const get = (path) => fetch(`${stage.origin}${path}`, { redirect: 'manual' });
  for (const path of [
    '/',
    '/index.html',
    '/callback.html?code=x&state=y',
    '/launch.html?iss=x&launch=y',
    '/sandbox.html',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/, path);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.match(answer.headers.get('cache-control') ?? '', /no-cache/, path);
    assert.match(answer.headers.get('strict-transport-security') ?? '', /^max-age=31536000/, path);
  }
  const page = await (await get('/')).text();
  const script = /<script type="module" src="([^"]+)"/.exec(page)[1];
  assert.match((await get(script)).headers.get('cache-control') ?? '', /immutable/);
  assert.doesNotMatch(page, /<script>|style="|onclick=/);
  assert.equal((await get('/healthz')).headers.get('content-type'), 'application/health+json');
  assert.equal((await get('/fhir/r4/metadata')).status, 200);
  const wasm = readFileSync('www/dist/sw.js', 'utf8').match(/assets\/edgechart\.\w+\.wasm/)[0];
  assert.equal((await get(`/${wasm}`)).headers.get('content-type'), 'application/wasm');
  assert.equal((await get('/no-such-page')).status, 404);
});

test('HL07 71: some sections are shared by a link, and the viewer opens it without sending the key', async () => {
  const { page } = await signedInAt(stage);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('checkbox', { name: 'Problems', exact: true }).uncheck();
  await page.getByLabel('Passcode, at least 6 characters').fill('river-42');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = await page.getByRole('link', { name: 'Open the link' }).getAttribute('href');
  assert.deepEqual(await violations(page), []);
  assert.doesNotMatch(await text(page, '.drawer [role=status]'), /Problems/);
  const size = Number((await page.locator('.qr').getAttribute('viewBox')).split(' ').at(-1)) * 4;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y] of (await page.locator('.qr path').getAttribute('d')).matchAll(/M(\d+) (\d+)/g))
    for (let row = 0; row < 4; row += 1)
      data.fill(0, ((y * 4 + row) * size + x * 4) * 4, ((y * 4 + row) * size + x * 4 + 4) * 4);
  assert.equal(decodeQR({ width: size, height: size, data }), link);

  const reader = await stage.person({ worker: true });
  reader.expected.push(/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/);
  const viewer = await reader.page();
  const sent = [];
  reader.context.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`));
  await show(viewer, '/');
  await viewer.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await reader.context.setOffline(true);
  await viewer.goto(link);
  const enter = async (passcode) => {
    await viewer.getByLabel('Passcode').fill(passcode);
    await viewer.getByRole('button', { name: 'Open the link' }).click();
  };
  await enter('river-41');
  await viewer.getByText('The server is out of reach.').waitFor();
  await reader.context.setOffline(false);
  await enter('river-41');
  await viewer.getByText('This passcode is wrong. 9 attempts are left.').waitFor();
  assert.deepEqual(await violations(viewer), []);
  await enter('river-42');
  await viewer.getByRole('link', { name: 'Open the chart' }).click();
  await viewer.locator('#problems').getByText('The summary says: ').waitFor();
  const { key } = JSON.parse(Buffer.from(link.split('shlink:/')[1], 'base64url'));
  const hits = (part) => sent.filter((one) => one.includes(part)).length;
  assert.deepEqual([hits('/links/') > 0, hits(key), hits('shlink')], [true, 0, 0]);
});
