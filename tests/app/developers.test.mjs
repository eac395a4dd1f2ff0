// The pages for developers: the first steps, whose commands run as shown, the reference with its requests in place,
// the guides, and refusals that are the same in this browser and on the server.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { testThemes } from './axe.mjs';
import { open, says, show, text } from './browser.mjs';
import { signedInAt } from './signed-in.mjs';

const run = promisify(execFile);

const stage = await open();
after(() => stage.close());

const press = (page, name) => page.getByRole('button', { name, exact: true }).first().click();

test('one entry of the header leads to the pages for developers, which lead to each other', async () => {
  const { page } = await stage.visit('/');
  assert.deepEqual(await page.locator('header.top nav a').allTextContents(), ['Chart', 'Developers']);
  await page.getByRole('link', { name: 'Build an app' }).click();
  await says(page, 'h1', /^Getting started$/);
  for (const [name, title] of [
    ['Reference', /^Reference$/],
    ['Guides', /^Guides$/],
    ['Search', /^Search$/],
    ['Checks', /^Checks$/],
  ]) {
    await page.locator('.developers-bar').getByRole('link', { name, exact: true }).click();
    await says(page, 'main h1', title);
    assert.equal(await text(page, '.developers-bar [aria-current]'), name);
    assert.equal(await text(page, 'header.top [aria-current]'), 'Developers');
  }
});

test('a token comes by one press, and the first query is answered', async () => {
  const { person, page } = await stage.visit('/#/developers');
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(page, 'Get a token');
  await says(
    page,
    'section:has(#token)',
    /is good\..*It is valid for 5 min, until \d\d:\d\d:\d\d .+: [\d mins]+ are left\./,
  );
  assert.doesNotMatch(await text(page, 'main'), /eyJ[\w-]{30}/, 'the token is shown cut off');
  await press(page, 'Copy the token');
  await says(page, '#announcer', /the token copied/);
  const token = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  await page.locator('.whole-token summary').click();
  await says(page, '.whole-token pre', new RegExp(`^${token}$`));
  const answer = await fetch(`${stage.origin}/fhir/r4/Observation?patient=amara-okafor&_count=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.equal(answer.status, 200);
  await page.locator('.pane-code').getByRole('button', { name: 'Ask the server' }).click();
  await says(page, '.in-place', /^200 3 matches on this page, more follow · the server · /);
  // A copied request says where to get a token, and contains none.
  await page.locator('.in-place .exchange summary').click();
  await page.locator('.in-place .exchange').getByRole('button', { name: 'Copy curl' }).click();
  await says(page, '#announcer', /curl copied/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /\$\{TOKEN:\?is not set; an access token comes from http:\/\/localhost:\d+\/#\/developers\}/);
  assert.doesNotMatch(copied, /eyJ/);
  const { stdout } = await run('bash', ['-c', copied], { env: { ...process.env, TOKEN: token } });
  assert.equal(JSON.parse(stdout).entry.length, 3);
  // The other pages for developers use the same token, and the header says so.
  await says(page, 'header.top .menu .chip', /^Token of the sandbox$/);
  await page.getByRole('link', { name: 'Change it in the search' }).click();
  await says(page, '.authority', /backend token: system/);
  await page.getByRole('button', { name: 'Run on the server' }).click();
  await says(page, '.side >> nth=0', /The server 200 Matches3 on this page, more follow/);
});

test('an answer stands beside each request, also for types that the sample lacks, and its command runs', async () => {
  const { page } = await stage.visit('/#/developers');
  await says(page, '.in-place', /^200 3 matches on this page, more follow · the sample in this browser · /);
  assert.equal(await page.locator('.in-place [data-token=name]').first().textContent(), '"resourceType"');
  assert.equal(await page.locator('[data-program=HTTP] [data-token=word]').first().textContent(), 'GET');
  for (const [part, expected] of [
    ['Observation', /^200 \d+ match.* · the sample in this browser · .*"Observation"/],
    ['readObservation', /^200 1 match · the sample in this browser · .*"Observation"/],
    ['vreadMedia', /^200 1 match · the sample in this browser · .*"Media"/],
    ['postObservation', /^200 \d+ match.* · the sample in this browser · /],
    ['Claim', /^200 1 match · the sample in this browser · .*"Claim".*The sample has no record of this type/],
    ['readClaim', /^200 1 match · .*"Claim".*this is an example\./],
    ['everything', /^200 5 matches.* · the sample in this browser/],
    ['capabilities', /^200 .*the server · .*"CapabilityStatement"/],
    ['smartConfiguration', /^200 the server · .*"token_endpoint"/],
    ['token', /POST \/oauth\/token.*grant_type=authorization_code.*HTTP 200 .*"access_token"/],
    ['export', /GET \/fhir\/r4\/\$export.*HTTP 202 Content-Location: /],
  ]) {
    await show(page, `/#/reference/${part}`);
    await says(page, '.pane-code', new RegExp(expected.source.replace('^', '(?:^|\\s)'), 's'));
  }
  await show(page, '/#/developers');
  await page.getByLabel('curl', { exact: true }).check();
  const { stdout } = await run('bash', ['-c', await page.locator('[data-program=curl] pre').textContent()]);
  assert.equal(JSON.parse(stdout).entry.length, 3);
});

test('the list beside the reference has the types by task and by name', async () => {
  const { page } = await stage.visit('/#/reference/Observation');
  const list = page.getByRole('navigation', { name: 'Reference' });
  assert.equal(await text(page, '.pane-list details[open] details[open] summary'), 'Results and measurements');
  assert.equal(await list.locator('details[open] [aria-current]').textContent(), 'Observation');
  await list.getByText('Medications and vaccinations').click();
  await list.getByRole('link', { name: 'MedicationRequest', exact: true }).first().click();
  await says(page, 'main h1', /^MedicationRequest$/);
  await list.getByText('All types by name').click();
  assert.equal(await list.locator('details').last().locator('a').count(), 146);
});

test('the reference and the guides work offline', async () => {
  const { person, page } = await stage.visit('/', { worker: true });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(async () => (await caches.match('/openapi.json')) !== undefined);
  await person.context.setOffline(true);
  person.expected.push(/Failed to load resource|net::ERR/);
  await page.goto('/#/reference/Observation');
  await page.reload();
  await says(page, '.in-place', /^200 \d+ match.* · the sample in this browser/);
  await show(page, '/#/developers');
  await says(page, 'section:has(#token)', /The server is out of reach\. The answer here is that of the sample/);
  await says(page, '.in-place', /^200 3 matches/);
  await page.goto('/guides/paging.html');
  await says(page, 'main h1', /^Paging and counts$/);
});

test('a copy that is not allowed is said beside its button', async () => {
  const person = await stage.person();
  await person.context.addInitScript(() => {
    if (navigator.clipboard)
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  const page = await person.page();
  await show(page, '/#/developers');
  await press(page, 'Copy the request');
  const notice = page.locator('.pane-code .copy-failed').first();
  await notice.waitFor();
  assert.match(await notice.textContent(), /Copying is not allowed here: select the text instead/);
});

test('the reference has sentences without marks of Markdown', async () => {
  const { page } = await stage.visit('/#/reference');
  // The rules for all requests are a list, and each item is one sentence.
  await says(page, 'section:has(#general)', /nothing can be written\./);
  const facts = await page.locator('section:has(#general) li').allTextContents();
  assert.ok(facts.length > 6, `${facts.length}`);
  for (const fact of facts) assert.match(fact, /^[^.]*(?:\.\S[^.]*)*\.$/);
  await show(page, '/#/reference/Observation');
  await says(page, 'main h1', /^Observation$/);
  assert.match(await text(page, '.parameters >> nth=0'), /category Token Only those with this category\./);
  for (const part of ['', '/Observation', '/token', '/everythingOfPatient']) {
    await show(page, `/#/reference${part}`);
    for (const details of await page.locator('main details').all()) await details.evaluate((one) => (one.open = true));
    assert.doesNotMatch(await text(page, 'main'), /`|\*\*|\]\(|<http/, part);
  }
});

test('requests of the reference are sent in place, to the server and to the sample', async () => {
  const { person, page } = await stage.visit('/#/reference/Observation');
  await page.getByLabel('Request', { exact: true }).fill('/fhir/r4/Observation?patient=amara-okafor&_count=2');
  await press(page, 'Ask the sample in this browser');
  await says(page, '.in-place', /^200 2 matches/);
  await press(page, 'Ask the server');
  await says(page, '.in-place', /^200 2 matches.*the server ·/);
  await page.getByLabel('Request', { exact: true }).fill('/fhir/r4/Observation?patient=amara-okafor&colour=red');
  await press(page, 'Ask the server');
  await says(page, '.in-place', /The server answered 400.*no search parameter "colour".*Observation takes:/s);
  // The sample refuses the same request, and the page does not say that a server answered.
  const slip = '/fhir/r4/Observation?patient=amara-okafor&statsu=final';
  await page.getByLabel('Request', { exact: true }).fill(slip);
  await press(page, 'Ask the sample in this browser');
  await says(page, '.in-place', /^!? ?This browser answered 400.*no search parameter "statsu"/s);
  await show(page, '/#/reference/everythingOfPatient');
  await press(page, 'Ask the server');
  await says(page, '.in-place', /^200 5 matches/);
  // If the server cannot be reached, the page says so in words, without a status.
  person.expected.push(/Failed to load resource/);
  await page.route('**/.well-known/smart-configuration', (route) => route.abort());
  await show(page, '/#/reference/Observation');
  await page.reload();
  await press(page, 'Ask the server');
  await says(page, '.state.failed', /The server is out of reach\.$/);
});

test('the reference marks the parameters that the server is not indexed by', async () => {
  const { page } = await stage.visit('/#/reference/MedicationRequest');
  const shown = page.locator('section:has(#parameters) > .parameters dt > code');
  await says(page, 'section:has(#parameters)', /The records of this server are indexed by these\./);
  const { rest } = await (await fetch(`${stage.origin}/fhir/r4/metadata`)).json();
  const { searchParam } = rest[0].resource.find(({ type }) => type === 'MedicationRequest');
  assert.deepEqual(
    (await shown.allTextContents()).sort(),
    searchParam
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('_'))
      .sort(),
  );
  const others = page.locator('section:has(#parameters) details', { hasText: 'is not indexed by' }).first();
  assert.match(await others.locator('summary').textContent(), /not indexed by: \d+$/);
  assert.match(await others.textContent(), /intended-dispenser/);
  const names = await shown.allTextContents();
  assert.deepEqual(names, names.toSorted(), 'parameters are in the order of the alphabet');
  // The example has a patient, and one further parameter.
  assert.match(await page.getByLabel('Request', { exact: true }).inputValue(), /\?patient=[^&]+&intent=order,plan$/);
  await page.getByLabel('Request', { exact: true }).fill('/fhir/r4/MedicationRequest?subject=amara-okafor');
  await press(page, 'Ask the server');
  await says(
    page,
    '.in-place',
    /is not indexed by "subject" here\..*The index us-core of MedicationRequest has: _id,/s,
  );
});

test('a guide is a page of its own, whose sections can be linked to, without comments', async () => {
  const { page } = await stage.visit('/#/guides', { viewport: { width: 360, height: 740 } });
  await page.getByRole('link', { name: 'The contract' }).click();
  await says(page, 'main h1', /^The contract$/);
  await page.getByRole('link', { name: 'Paging, order and shape' }).click();
  await page.waitForFunction(() => {
    const { top } = document.getElementById('paging-order-and-shape').getBoundingClientRect();
    return top >= 0 && top < 300;
  });
  await page.goto('/guides/search-parameters.html');
  assert.doesNotMatch(await text(page, 'main'), /<!--|written by tests/);
  await page.locator('header .brand').click();
  await says(page, 'main h1', /^Guides$/);
});

test('a link to a guide has its title, and one thing is called scopes', async () => {
  const { page } = await stage.visit('/#/developers');
  const links = page.locator('.pane-list a[href*="guides/"]');
  const wanted = await links.evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.textContent]));
  assert.equal(wanted.length, 4);
  for (const [href, title] of wanted) {
    await page.goto(href);
    assert.equal(await text(page, 'main h1'), title);
  }
  await show(page, '/#/developers');
  await page.locator('.developers-bar').getByRole('link', { name: 'Scope explorer' }).click();
  await says(page, 'main h1', /^Scope explorer$/);
});

/// Returns whether the right edge of an element is within the page.
const endsInSight = (locator) => locator.evaluate((one) => one.getBoundingClientRect().right <= innerWidth);

test('on a phone the bar has one row, and a table is stacked or shows that it goes on', async () => {
  const { person, page } = await stage.visit('/#/session', {
    viewport: { width: 360, height: 740 },
    locale: 'es-ES',
  });
  const tops = await page
    .locator('.developers-bar li')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1);
  assert.ok(await endsInSight(page.locator('.developers-bar [aria-current]')));
  await show(page, '/#/scopes');
  assert.ok(await endsInSight(page.locator('.matrix .why').first()));
  await show(page, '/sandbox.html');
  for (const frame of await page.locator('.table-frame').all())
    assert.equal(
      await frame.evaluate((one) => one.scrollWidth - one.clientWidth),
      0,
      'no table of the sandbox scrolls',
    );
  const patients = page.locator('.table-frame').nth(1);
  assert.ok(await endsInSight(patients.locator('tbody td').first()));
  await page.goto('/guides/scopes.html');
  const wide = await page
    .locator('.guide .table-frame')
    .first()
    .evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).backgroundAttachment]);
  // The shades stay at the ends, and their covers scroll with the table.
  assert.deepEqual(wide, [true, 'local, local, scroll, scroll']);
  const { page: own } = await signedInAt(stage, { person, path: '/#/session' });
  const scopes = own.locator('section:has(#granted)');
  assert.ok(await endsInSight(scopes.locator('td.wide').first()));
  assert.match(await scopes.locator('tbody tr').first().innerText(), /^launch\/patient\s+✓/);
});

test('in Spanish, kinds of refusals and the sandbox are Spanish, and descriptions are marked as English', async () => {
  const { page } = await stage.visit('/#/search', { locale: 'es-MX', developer: true });
  await page.locator('#q').fill('Observation?patient=amara-okafor&colour=red');
  await press(page, 'Ejecutar en este navegador');
  await says(
    page,
    '.side >> nth=0',
    /La solicitud pide algo que aquí no se ofrece\..*Observation has no search parameter "colour".*Observation takes:/,
  );
  await show(page, '/sandbox.html');
  await says(page, 'section:has(#patients)', /diabetes tipo 2.*un expediente casi vacío/s);
  await show(page, '/#/reference/Observation');
  await says(page, '.lead [lang="en"]', /Needs one of _id, patient, to say whose records are wanted\./);
  await show(page, '/#/guides');
  await says(page, 'main', /Las guías están en inglés\./);
});

const VIEWS = ['/#/developers', '/#/reference', '/#/reference/Observation', '/#/reference/token', '/#/guides'];

for (const [width, locale] of [
  [1280, 'en-GB'],
  [360, 'en-GB'],
  [360, 'es-MX'],
]) {
  testThemes(`axe finds nothing on the pages for developers, ${width}, ${locale}`, async (inspect) => {
    const page = await (await stage.person({ viewport: { width, height: 800 }, locale })).page();
    const look = inspect(page);
    for (const view of VIEWS) {
      await show(page, view);
      await look(view);
      if (view === '/#/developers') {
        await page.locator('section:has(#token) button.primary').click();
        await page.locator('.pane-code').getByRole('button').first().click();
        await says(page, '.in-place', /^200 .* · (?:the server|el servidor) · /);
        await look('answered');
      }
    }
    await page.goto('/guides/sign-in.html');
    await look('a guide');
  });
}
