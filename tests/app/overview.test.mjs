// The overview of a chart: allergies in the banner, and problems, medications, abnormal results, vital signs and due
// items on one screen.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isClean } from './axe.mjs';
import { loaded, open, SIZES, says, text, texts } from './browser.mjs';
import { about, CATEGORY, chartOf, ndjson, person as patientOf } from './own-files.mjs';

const chart = (patient) => `/#/sample/chart/${patient}`;
const DESK = { width: 1280, height: 900 };

const stage = await open({ data: [] });
after(() => stage.close());

const visit = (path, options) => stage.visit(path, { viewport: DESK, ...options });

test('the overview shows the patient on one screen of 900 pixels, and each title leads to its section', async () => {
  const { page } = await visit(chart('amara-okafor'));
  assert.match(
    await text(page, '.allergy-line'),
    /^Allergies ▲High risk: Allergy to penicillin Hives lisinopril Cough$/,
  );
  // A tile stands in the shortest column, and those that come first stand at the top.
  const titles = await page
    .locator('.glance-column')
    .evaluateAll((columns) => columns.map((one) => [...one.querySelectorAll('h3 a')].map((a) => a.textContent)));
  assert.deepEqual(titles, [
    ['Problems', 'Scores', 'Last visit'],
    ['Medications', 'Due'],
    ['Abnormal results', 'Vital signs'],
  ]);
  const bottom = await page.locator('.overview').evaluate((overview) => overview.getBoundingClientRect().bottom);
  assert.ok(bottom <= DESK.height, `${bottom}`);
  assert.match(await text(page, '#glance-problems'), /Type 2 diabetes\s*since 2013/);
  assert.match(
    await text(page, '#glance-abnormal'),
    /Hemoglobin A1c 7\.0% ▲ High Preliminary ↑ 0\.1up 0\.1 since 12 May 2026 11 Aug 2026/,
  );
  assert.match(await text(page, '#glance-vitals'), /Blood pressure 126\/76 mmHg/);
  assert.match(await text(page, '#glance-last-visit'), /Yearly check-up: .*19 May 2026 · Juniper Hill Family Medicine/);
  assert.equal(await page.locator('#glance-vitals .spark').count(), 3, 'a line for three readings or more');
  for (const [tile, section] of [
    ['problems', 'problems'],
    ['medications', 'medications'],
    ['abnormal', 'labs'],
    ['vitals', 'vitals'],
    ['due', 'orders'],
    ['last-visit', 'visits'],
  ]) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator(`#glance-${tile} h3 a`).click();
    await page.waitForFunction((id) => document.activeElement?.id === `${id}-title`, section);
    const top = await page.locator(`#${section}-title`).evaluate((title) => title.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < DESK.height, `${section}: ${top}`);
  }
  // The sticky bar shows name and allergies.
  await says(page, '.whose', /^Amara Chidinma Okafor .*Allergies: .*penicillin \(high risk\) · lisinopril$/);
  await page.waitForFunction(() => document.querySelector('.whose').dataset.shown === 'true');
  await page.goto(chart('mateo-reyes'));
  await says(page, '#glance-last-visit', /^Last visit Well child visit 11 Aug 2026 · Little Birch Pediatrics$/);
  assert.equal(await page.locator('#glance-abnormal ul').getAttribute('data-values'), 'below', 'of what is not judged');
});

test('each entry opens its record or its trend, by a press, by keyboard, and in a tab of its own', async () => {
  const { person, page } = await visit(chart('amara-okafor'));
  const entries = await page.locator('.glance .entry').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  assert.ok(entries.length > 15);
  const ofRecord = /^\/#\/sample\/chart\/amara-okafor\/record\/[A-Z]\w+\/[\w.-]+$/;
  for (const href of entries.filter((one) => one !== '#medications'))
    assert.match(href, /\/trend\//.test(href) ? /chart\/amara-okafor\/trend\/[\w%.-]+$/ : ofRecord);
  for (const [tile, title] of [
    ['problems', /^Problem: /],
    ['medications', /^Prescription: /],
    ['due', /: /],
  ]) {
    const entry = page.locator(`#glance-${tile} .entry`).first();
    await entry.press('Enter');
    await says(page, 'dialog #drawer-title', title);
    assert.doesNotMatch(page.url(), /record/);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    assert.ok(await entry.evaluate((link) => link === document.activeElement), 'the focus is where it was');
  }
  for (const tile of ['abnormal', 'vitals']) {
    await page.locator(`#glance-${tile} .entry`).first().click();
    await page.waitForURL(/\/trend\//);
    await page.locator('.trend-view').waitFor();
    await page.goBack();
    await page.locator('.glance').first().waitFor();
  }
  const [tab] = await Promise.all([
    person.context.waitForEvent('page'),
    page.locator('#glance-problems .entry').first().click({ button: 'middle' }),
  ]);
  await says(tab, 'dialog #drawer-title', /^Problem: /);
  assert.match(tab.url(), /\/record\/Condition\//);
  await tab.reload();
  await says(tab, 'dialog #drawer-title', /^Problem: /);
  await isClean(tab, 'a record by its address');
  await tab.locator('dialog .drawer-head button').click();
  await tab.waitForURL(/\/chart\/amara-okafor$/);
  assert.equal(await text(tab, '.patient h1'), 'Amara Chidinma Okafor');
});

test('CL23 the address of a record that is not of this chart shows no record', async () => {
  const { page } = await visit(`${chart('amara-okafor')}/record/Patient/walter-lindqvist`);
  await says(page, 'main .banner-note', /not among those of this chart/);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.doesNotMatch(await text(page, 'main'), /Lindqvist/);
  await page.goto(`${chart('amara-okafor')}/record/Condition`);
  await says(page, 'main h1', /no such page/i);
});

test('no allergy, not asked, and nothing recorded read differently', async () => {
  for (const [patient, expected] of [
    ['zoe-obrien-nunez', /^Allergies No known allergies\.$/],
    ['kai-nakamura', /^Allergies not asked$/],
    ['priya-raman', /^Allergies (?!not asked|nothing)/],
  ]) {
    const { person, page } = await visit(chart(patient));
    assert.match(await text(page, '.allergy-line'), expected, patient);
    await person.close();
  }
});

test('a type that is not granted says so in its tile and in the banner', async () => {
  const page = await (await stage.person({ viewport: DESK })).page();
  const scopes = new URLSearchParams({ s: 'patient/Patient.rs patient/Condition.rs', p: 'amara-okafor' });
  await page.goto(`/#/scopes?${scopes}`);
  await page.getByRole('button', { name: 'Look at the offline chart with these' }).click();
  await loaded(page);
  assert.match(await text(page, '.allergy-line'), /not granted/);
  assert.match(await text(page, '#glance-medications'), /Not granted\./);
  assert.match(await text(page, '#glance-problems'), /Type 2 diabetes/);
});

/// Returns a day as FHIR writes it, that is so many days from today.
const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const SNOMED = 'http://snomed.info/sct';
const observation = (id, code, more) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ system: CATEGORY, code: 'survey' }] }],
  code: { coding: [code] },
  subject: about('ada'),
  effectiveDateTime: day(-20),
  ...more,
});
const loinc = (code, display) => ({ system: 'http://loinc.org', code, display });
const answer = (code, display) => ({ valueCodeableConcept: { coding: [{ system: SNOMED, code, display }] } });
const PREGNANT = [
  patientOf('ada', 'Lovelace'),
  observation('status', loinc('82810-3', 'Pregnancy status'), answer('77386006', 'Pregnant')),
  observation('due', loinc('11778-8', 'Delivery date Estimated'), { valueDateTime: day(140) }),
  observation(
    'news',
    { system: SNOMED, code: '1104051000000101', display: 'NEWS2 total score' },
    { valueQuantity: { value: 12, unit: '{ScoreOf}' } },
  ),
];

test('a pregnancy with its due date, and scores, are at a glance', async () => {
  const { person, page } = await chartOf(stage, ndjson(PREGNANT), { viewport: DESK });
  await says(page, '#glance-pregnancy', /^Pregnancy Pregnant \d+ \w+ \d{4} ?Due date \d+ \w+ \d{4} 20\+0 weeks today$/);
  await says(page, '#glance-scores', /^Scores 1 NEWS2 total score 12 /);
  const tops = await page
    .locator('#glance-pregnancy .entry')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, 'the lines stand side by side');
  await page.locator('#glance-pregnancy .entry').nth(1).click();
  await says(page, 'dialog #drawer-title', /Delivery date/);
  await page.keyboard.press('Escape');
  await isClean(page, 'a pregnancy');
  await person.close();
  const denied = observation('denied', loinc('82810-3'), {
    ...answer('60001007', 'Not pregnant'),
    effectiveDateTime: day(-2),
  });
  const spanish = await chartOf(stage, ndjson([...PREGNANT, denied]), { viewport: DESK, locale: 'es-ES' });
  await says(spanish.page, '#glance-scores', /^Puntuaciones 1 /);
  assert.equal(await spanish.page.locator('#glance-pregnancy').count(), 0, 'a later denial');
  await spanish.person.close();
});

test('the newest results that nobody judged are listed, with their values', async () => {
  const results = Array.from({ length: 8 }, (_, i) =>
    observation(
      `r${i}`,
      { system: 'urn:lab', code: `${i}`, display: `Test ${i}` },
      {
        category: [{ coding: [{ system: CATEGORY, code: 'laboratory' }] }],
        effectiveDateTime: day(i - 30),
        valueQuantity: { value: 40 + i, unit: 'U/L' },
      },
    ),
  );
  const { page } = await chartOf(stage, ndjson([patientOf('ada', 'Lovelace'), ...results]), { viewport: DESK });
  await says(page, '#glance-abnormal', /^Abnormal results 8 tests have no mark and no range: not judged\. ?Test 7 47/);
  const names = await texts(page.locator('#glance-abnormal .entry-title'));
  assert.deepEqual(names, ['Test 7', 'Test 6', 'Test 5', 'Test 4', 'Test 3', 'Test 2']);
  await says(page, '#glance-abnormal .note', /^and 2 more$/);
});

test('fills that ended are one line, which leads to the medications', async () => {
  const all = ['Alfa', 'Beta', 'Gamma', 'Delta'].flatMap((name) => [
    {
      resourceType: 'MedicationRequest',
      id: name,
      status: 'active',
      intent: 'order',
      medicationCodeableConcept: { text: name },
      subject: about('ada'),
    },
    {
      resourceType: 'MedicationDispense',
      id: `fill-${name}`,
      status: 'completed',
      medicationCodeableConcept: { text: name },
      subject: about('ada'),
      authorizingPrescription: [{ reference: `MedicationRequest/${name}` }],
      whenHandedOver: day(-40),
      daysSupply: { value: 30, code: 'd' },
    },
  ]);
  const { page } = await chartOf(stage, ndjson([patientOf('ada', 'Lovelace'), ...all]), { viewport: DESK });
  await says(page, '#glance-due', /^Due 1 4 medications Last fills ended \d+ \w+ \d{4}$/);
  await page.locator('#glance-due .entry').click();
  await page.waitForFunction(() => document.activeElement?.id === 'medications-title');
});

test('a long word of a record does not make the page of a phone wider', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(2);
  const of = { subject: about('ada') };
  const { page } = await chartOf(
    stage,
    ndjson([
      patientOf('ada', long),
      {
        resourceType: 'AllergyIntolerance',
        id: 'a',
        patient: about('ada'),
        code: { text: long },
        reaction: [{ manifestation: [{ text: long }] }],
      },
      { resourceType: 'Flag', id: 'f', status: 'active', code: { text: long }, ...of },
      {
        resourceType: 'Observation',
        id: 'o',
        status: 'final',
        category: [{ coding: [{ system: CATEGORY, code: 'laboratory' }] }],
        code: { text: 'Culture' },
        effectiveDateTime: '2026-01-01',
        valueString: `https://laboratory.example/${long}`,
        ...of,
      },
    ]),
    { viewport: { width: 320, height: 640 } },
  );
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});

test('only a named allergy has the colour of danger in the bar', async () => {
  const colours = [];
  for (const records of [
    [],
    [{ resourceType: 'AllergyIntolerance', id: 'x', code: { text: 'Latex' }, patient: about('ada') }],
  ]) {
    const { person, page } = await chartOf(stage, ndjson([patientOf('ada', 'Lovelace'), ...records]), {
      viewport: DESK,
    });
    const alert = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--alert'));
    const bar = page.locator('.whose-allergies');
    const colour = await bar.evaluate((one, value) => {
      const probe = Object.assign(document.createElement('i'), { style: `color: ${value}` });
      one.append(probe);
      const isSame = getComputedStyle(one).color === getComputedStyle(probe).color;
      probe.remove();
      return isSame;
    }, alert);
    colours.push(colour);
    await person.close();
  }
  assert.deepEqual(colours, [false, true]);
});

test('tiles of unequal heights leave no gaps, in one column, two or three', async () => {
  const { page } = await visit(chart('walter-lindqvist'));
  for (const [width, count] of [
    [1280, 3],
    [768, 2],
    [360, 1],
  ]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction((n) => document.querySelectorAll('.glance-column').length === n, count);
    const { lefts, gaps, ends } = await page.locator('.glance-column').evaluateAll((columns) => {
      const boxes = columns.map((column) => [...column.children].map((tile) => tile.getBoundingClientRect()));
      return {
        lefts: boxes.map(([first]) => Math.round(first.left)),
        gaps: boxes.flatMap((column) => column.slice(1).map(({ top }, i) => Math.round(top - column[i].bottom))),
        ends: boxes.map((column) => column.at(-1).bottom),
      };
    });
    assert.equal(new Set(lefts).size, count);
    assert.equal(new Set(gaps).size, 1, `${width}: ${gaps}`);
    assert.ok(Math.max(...ends) - Math.min(...ends) < 120, `${width}: the columns end at ${ends}`);
  }
  // On a phone the tiles are in the order of their weight.
  assert.deepEqual((await page.locator('.glance h3 a').allTextContents()).slice(0, 4), [
    'Problems',
    'Medications',
    'Abnormal results',
    'Vital signs',
  ]);
});

test('the overview has no violation in any theme and width', async () => {
  for (const viewport of Object.values(SIZES)) {
    for (const patient of ['amara-okafor', 'walter-lindqvist', 'kai-nakamura']) {
      const { person, page } = await visit(chart(patient), { viewport });
      await isClean(page, `${patient} ${viewport.width}`);
      await person.close();
    }
  }
});

test('tabs that do not fit scroll, and the open one is in sight', async () => {
  for (const [locale, width] of [
    ['en-GB', 360],
    ['es-ES', 360],
    ['es-ES', 900],
    ['en-GB', 1280],
  ]) {
    const { person, page } = await visit(`${chart('amara-okafor')}/trend/4548-4`, {
      viewport: { width, height: 800 },
      locale,
    });
    const row = page.locator('.tabs .scroll-row');
    const isCurrentSeen = () =>
      row.evaluate((one) => {
        const box = one.querySelector('[aria-current]').getBoundingClientRect();
        const { left, right } = one.getBoundingClientRect();
        return box.right > left + 20 && box.left < right - 20;
      });
    assert.ok(await isCurrentSeen(), `${locale} ${width}`);
    assert.equal(await page.locator('.whose').getAttribute('data-shown'), 'false', 'the name is in the banner');
    // With the patient's name beside them, the tabs have less room.
    await page.evaluate(() => scrollTo(0, 400));
    if (width > 760) await page.waitForFunction(() => document.querySelector('.whose').dataset.shown === 'true');
    assert.ok(await isCurrentSeen(), `${locale} ${width}, scrolled`);
    if (locale === 'es-ES' && width === 360) {
      assert.ok(await row.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
      await isClean(page, 'tabs that scroll');
    }
    await person.close();
  }
});

test('a care plan has its text, and beside it what it says in elements of its own', async () => {
  const { page } = await visit(chart('amara-okafor'));
  const plan = page.locator('#plan article').first();
  await says(
    page,
    '#plan article[data-tone="plain"] dl',
    /For.*diabetes.*Written by\s*Dr\. Grace Ottilie Lindholm, MD/i,
  );
  const [words, facts] = [await plan.locator('.narrative').boundingBox(), await plan.locator('dl').boundingBox()];
  assert.ok(facts.x >= words.x + words.width, 'beside it');
  assert.ok(Math.abs(facts.y - words.y) < 10);
  await page.locator('#plan summary', { hasText: '1 earlier plan' }).click();
  await says(page, '#plan details', /Activities\s*Debridement · completed/i);
  await page.setViewportSize({ width: 360, height: 740 });
  const [above, below] = [await plan.locator('.narrative').boundingBox(), await plan.locator('dl').boundingBox()];
  assert.ok(below.y >= above.y + above.height, 'below it where there is no room');
});

test('what is taken along is named for its source, and spaced', async () => {
  const { page } = await visit(chart('amara-okafor'));
  await page.getByRole('button', { name: 'Share' }).click();
  await says(page, 'dialog', /The person in the sample is invented\./);
  const tops = await page.locator('.save-chart li').evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return [top, bottom];
    }),
  );
  assert.equal(tops.length, 3);
  for (const [i, [top]] of tops.entries()) if (i > 0) assert.ok(top - tops[i - 1][1] >= 8, 'room between the files');
  await isClean(page, 'take it along');
});
