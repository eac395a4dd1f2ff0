// Hostile records: nothing in them runs, no link leads to another site, and the chart keeps working (CL03, CL06,
// CL08 and CL14 of docs/security.md).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchButton, open, says, show, text, unfoldLists } from './browser.mjs';
import { madeUp } from './made-up-server.mjs';

const stage = await open();
after(() => stage.close());

const EVIL = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=2">',
  '<svg onload="window.hit=3"><a xlink:href="javascript:window.hit=4">x</a></svg>',
  '<form action="https://evil.example.org"><input name="q"><button>Send</button></form>',
  '<p style="position:fixed;inset:0" onclick="window.hit=5">Kept words</p>',
  '<a href="javascript:window.hit=6">link</a>',
  '<iframe src="https://evil.example.org"></iframe>',
].join('');
const subject = { reference: 'Patient/evil' };

/// The records of the made-up server, by type.
const RECORDS = {
  Patient: [
    {
      resourceType: 'Patient',
      id: 'evil',
      name: [{ text: EVIL }],
      birthDate: 'not a date',
      gender: '<b>x</b>',
      address: [{ line: [EVIL] }],
    },
  ],
  CarePlan: [
    {
      resourceType: 'CarePlan',
      id: 'c',
      status: 'active',
      title: EVIL,
      subject,
      text: { div: `<div xmlns="http://www.w3.org/1999/xhtml">${EVIL}</div>` },
    },
  ],
  AllergyIntolerance: [
    { resourceType: 'AllergyIntolerance', id: 'a', code: { text: EVIL }, patient: subject, reaction: 'not a list' },
  ],
  Condition: [{ resourceType: 'Condition', id: 'c', code: { coding: [{ display: 'x'.repeat(1_000_000) }] }, subject }],
  Observation: [
    {
      resourceType: 'Observation',
      id: 'o',
      code: { coding: [{ code: '"><script>', display: EVIL }] },
      category: [{ coding: [{ code: 'laboratory' }] }],
      subject,
      valueQuantity: { value: 1e308, unit: EVIL },
      effectiveDateTime: '99999-99-99',
    },
  ],
  DocumentReference: [
    {
      resourceType: 'DocumentReference',
      id: 'd3',
      status: 'current',
      type: { text: 'Address' },
      subject,
      content: [{ attachment: { contentType: 'application/pdf', url: 'javascript:window.hit=8' } }],
    },
    {
      resourceType: 'DocumentReference',
      id: 'd4',
      status: 'current',
      type: { text: 'Elsewhere' },
      subject,
      content: [{ attachment: { contentType: 'application/pdf', url: 'https://evil.example.org/token' } }],
    },
  ],
};

const openHostile = (options) =>
  madeUp(stage, {
    ...{ ...options, patient: 'evil', scope: 'patient/*.read' },
    answer: (type, id) => {
      const list = RECORDS[type] ?? [];
      return id
        ? (list.find((one) => one.id === id) ?? {
            resourceType: 'OperationOutcome',
            issue: [{ details: { text: EVIL } }],
          })
        : {
            resourceType: 'Bundle',
            type: 'searchset',
            link: [],
            entry: list.map((resource) => ({ resource, search: { mode: 'match' } })),
          };
    },
  });

for (const bypassCSP of [false, true]) {
  const policy = bypassCSP ? 'without the policy' : 'under the policy';
  test(`narrative, names, codes and units are shown as text and run nothing, ${policy}`, async () => {
    const { page } = await openHostile({ bypassCSP });
    await show(page, '/#/chart/evil');
    await page.waitForFunction(() => /Kept words/.test(document.querySelector('#plan')?.textContent ?? ''));
    assert.match(await text(page, '.patient h1'), /<script>/, 'markup in a name is only letters');
    assert.match(await text(page, '.narrative'), /Kept words/);
    const rules = await page.evaluate(() =>
      document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.constructor.name),
    );
    assert.deepEqual(rules, ['CSSPageRule'], 'a name in the head of a printed page stays a name');
    const elements = ['script', 'iframe', 'img', 'form', '[onclick]', '[onerror]', '[style]', 'a[href^="javascript"]'];
    assert.equal(await page.locator(elements.map((element) => `main ${element}`).join(', ')).count(), 0);
    await page.locator('.narrative p', { hasText: 'Kept words' }).click();
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  });
}

test('a section with malformed fields says so, and the others are shown', async () => {
  const { page } = await openHostile();
  await show(page, '/#/chart/evil');
  await says(page, '#allergies', /1 record has unreadable fields: reaction\./);
  await says(page, '.chart-notice', /1 record with fields that could not be read/);
  await unfoldLists(page);
  assert.ok((await page.locator('#documents .row').count()) === 2);
  await page.goto('/#/chart/evil/timeline');
  await says(page, '.timeline', /Timeline/);
});

test('addresses in documents neither run nor lead elsewhere', async () => {
  const { page } = await openHostile();
  const asked = [];
  page.on('request', (request) => {
    if (request.url().includes('evil.example.org')) asked.push(request.url());
  });
  await show(page, '/#/chart/evil');
  await unfoldLists(page);
  const read = async (name) => {
    await page.locator('#documents .row', { hasText: name }).first().getByRole('button', { name: /^Read/ }).click();
    await page.locator('dialog .attachment').first().waitFor();
  };
  await read('Address');
  assert.equal(await page.locator('dialog .attachment a').count(), 0);
  await page.keyboard.press('Escape');
  await read('Elsewhere');
  const link = page.locator('dialog .attachment a');
  assert.match(await link.getAttribute('rel'), /noopener noreferrer/);
  assert.deepEqual(asked, []);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
});

test('a link to a further page that leads elsewhere is not followed with the token', async () => {
  const { person, page } = await openHostile();
  const asked = [];
  person.context.on('request', (request) => {
    if (new URL(request.url()).origin !== stage.origin) asked.push(request.url());
  });
  await page.route('**/fhir/r4/Immunization?**', (route) =>
    route.fulfill({
      status: 200,
      contentType: 'application/fhir+json',
      body: JSON.stringify({
        resourceType: 'Bundle',
        type: 'searchset',
        entry: [],
        link: [{ relation: 'next', url: 'https://evil.example.org/fhir/r4/Immunization?page=2' }],
      }),
    }),
  );
  await show(page, '/#/chart/evil');
  await says(page, '#immunizations', /leads elsewhere/);
  assert.deepEqual(asked, []);
});

test('an error from the authorization server is shown as text', async () => {
  const { page } = await stage.visit('/#/launch/patient');
  // The state must belong to this tab, so the test starts a launch, and then answers it itself.
  await launchButton(page).click();
  await page.locator('input[type="password"]').waitFor();
  await page.goto('/#/');
  const state = await page.evaluate(() =>
    Object.keys(sessionStorage)
      .find((key) => key.startsWith('edgechart.launch.'))
      .slice('edgechart.launch.'.length),
  );
  const answer = { state, iss: stage.origin, error: 'access_denied', error_description: EVIL };
  await page.goto(`/callback.html?${new URLSearchParams(answer)}`);
  await says(page, 'main', /access_denied.*<script>/s);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
});

test('the engine refuses hostile searches, and goes on', async () => {
  const { page } = await stage.visit('/#/search');
  for (const query of [
    'Observation?date=ge9999999999999999999-01',
    `Patient?name=${'%F0%9F%92%A9'.repeat(2000)}`,
    'Observation?%',
    'Observation?patient=amara-okafor&code=|||||',
    `Observation?patient=${'x,'.repeat(5000)}`,
    'Observation?_count=-1&patient=amara-okafor',
    '\u0000?\u0000=\u0000',
  ]) {
    await page.locator('#q').fill(query);
    await page.locator('#q').press('Enter');
    await page.waitForFunction(() => document.querySelector('.side .status'));
  }
  await page.locator('#q').fill('Immunization?patient=amara-okafor&status=not-done');
  await page.locator('#q').press('Enter');
  await says(page, '.side >> nth=0', /200 Matches1/);
});
