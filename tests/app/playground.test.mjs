// The playground as a tool for developers: links to a query, two answers compared, plan and cost.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { open, says, show, text } from './browser.mjs';

const QUERY = 'Observation?patient=amara-okafor&code=http://loinc.org|4548-4&_total=accurate&_count=10';
const IN_THE_BROWSER = 'Run in this browser';
const ON_THE_SERVER = 'Run on the server';

const stage = await open();
after(() => stage.close());

const visit = (path = '/#/search', options = {}) => stage.visit(path, { developer: true, ...options });

async function withToken(page) {
  await page.getByRole('button', { name: 'Take the sandbox’s backend token' }).click();
  await says(page, '.authority', /backend token: system/);
}

/// Runs a query, and waits for its answer.
async function run(page, button, query) {
  await page.locator('#q').fill(query);
  await page.getByRole('button', { name: button }).click();
  await page.locator('.side .status').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('button.primary').disabled);
}

test('a page that is left writes nothing into the address of the next', async () => {
  for (const [path, field, entered, explained] of [
    ['/#/search', '#q', 'Patient?name=okafor', /name string/],
    ['/#/scopes', '#scope-text', 'patient/Goal.rs', /patient\/Goal\.rs/],
  ]) {
    const person = await stage.person({ developer: true });
    // A link changes the address at once, but its `hashchange` event may be delayed. The test holds the event back.
    await person.context.addInitScript(() => {
      const hold = (event) => window.holds && event.stopImmediatePropagation();
      addEventListener('hashchange', hold);
    });
    const page = await person.page();
    await show(page, path);
    await page.evaluate(
      ([selector, value]) => {
        window.holds = true;
        const input = document.querySelector(selector);
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        location.hash = '#/sandbox';
      },
      [field, entered],
    );
    await says(page, 'main', explained);
    assert.equal(new URL(page.url()).hash, '#/sandbox', path);
    await page.evaluate(() => {
      window.holds = false;
      dispatchEvent(new HashChangeEvent('hashchange'));
    });
    await page.waitForFunction(() => document.documentElement.dataset.view === 'sandbox');
    assert.equal(new URL(page.url()).hash, '#/sandbox', path);
    await person.close();
  }
});

test('a link fills in its query and explains it, and runs it only on a press', async () => {
  const { person, page } = await visit();
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const query = `${QUERY}&date=ge2020-01-01T00:00:00+01:00`;
  await page.locator('#q').fill(query);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await says(page, '#announcer', /link copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(new URL(link).origin, stage.origin);

  const other = await stage.person({ developer: true });
  const theirs = await other.page();
  const asked = [];
  theirs.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await show(theirs, link);
  assert.equal(await theirs.locator('#q').inputValue(), query);
  await says(theirs, '.criteria', /belongs to Patient\/amara-okafor/);
  assert.equal(await theirs.locator('.side .status').count(), 0);
  assert.deepEqual(
    asked.filter((path) => /^\/fhir\/r4\/(?!metadata)/.test(path)),
    [],
  );
  await theirs.getByRole('button', { name: IN_THE_BROWSER }).click();
  await says(theirs, '.side >> nth=0', /This browser 200 Matches/);
  // The first button and Enter ask the server.
  assert.equal(await text(theirs, 'button.primary'), ON_THE_SERVER);
  await theirs.locator('#q').press('Enter');
  await says(theirs, '.side >> nth=0', /The server 200 Matches/);
});

test('without a token the server is asked with the one of the sandbox, and the next page follows', async () => {
  const { page } = await visit();
  await run(page, ON_THE_SERVER, 'Observation?patient=amara-okafor&category=laboratory&_count=200');
  await says(page, '.authority', /backend token: system/);
  await says(page, '.side >> nth=0', /The server 200 Matches200 on this page, more follow/);
  await page.waitForFunction(() => {
    const { top } = document.querySelector('#results').getBoundingClientRect();
    return top < innerHeight - 100;
  });
  await page.getByRole('button', { name: 'Next page' }).click();
  await says(page, '.side >> nth=0', /_cursor=.* Matches64/);
  assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0);
});

test('a query is explained by the index of the server, and a refusal is not called an answer', async () => {
  const { page } = await visit();
  await page.locator('#q').fill('Observation?patient=amara-okafor&date=ge2026-01-01');
  await says(page, '.criteria', /date date is on or after 2026-01-01/);
  await page.locator('#q').fill('Observation?patient=amara-okafor&colour=red');
  await says(
    page,
    'section:has(#understood)',
    /It would be refused with 400\..*Observation takes: _id, _lastUpdated, patient, category/,
  );
  assert.doesNotMatch(await text(page, 'section:has(#understood)'), /The server answered|value-quantity/);
  await page.locator('#q').fill('Observation?patient=amara-okafor&value-quantity=5');
  await says(page, 'section:has(#understood)', /is not indexed by "value-quantity" here/);
});

test('the plan has the cost of the query beside it', async () => {
  const { page } = await visit();
  assert.match(await text(page, '.cost'), /It is measured when the query runs\./);
  await withToken(page);
  await page.getByLabel('Times').selectOption('5');
  await run(page, 'Run both', QUERY);
  await says(
    page,
    '.costs',
    new RegExp(
      'This browserThe server Median of 5([\\d.]+ ms){2} First time([\\d.]+ ms){2} ' +
        'Rows read in the databasenone\\d+ Exchanges with the databasenone\\d+ Size([\\d.]+ KiB){2}',
    ),
  );
  await page.locator('#q').fill(`${QUERY}&_sort=date`);
  await says(page, '.cost', /It is measured when the query runs\./);
});

for (const width of [1280, 360]) {
  testThemes(`axe finds nothing in runs and differences, ${width} px`, async (inspect) => {
    const { page } = await visit('/#/search', { viewport: { width, height: 900 } });
    const look = inspect(page);
    await withToken(page);
    await run(page, 'Run both', QUERY);
    await page.locator('.lists').waitFor();
    await look('runs');
  });
}
