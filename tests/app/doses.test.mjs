// Reported medications without an order, and coded doses without text, in the user's own files: in the section, at a
// glance, in the detail, in find, on the timeline, in print and in the summary document.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { isClean } from './axe.mjs';
import { open, SIZES, says, text } from './browser.mjs';
import { ndjson, chartOf as openChart, person } from './own-files.mjs';

const stage = await open({ data: [] });
after(() => stage.close());

const subject = { reference: 'Patient/nils' };
const named = (name) => ({ medicationCodeableConcept: { text: name } });
const dose = (value, unit) => ({ doseAndRate: [{ doseQuantity: { value, unit } }] });
const repeat = (of) => ({ timing: { repeat: of } });
const daily = { frequency: 1, period: 1, periodUnit: 'd' };
const reported = (id, status, elements) => ({
  resourceType: 'MedicationStatement',
  id,
  status,
  subject,
  ...elements,
});

const PERSON = { ...person('nils', 'Halvorsen', 'Nils'), gender: 'male', birthDate: '1957-02-11' };
/// The record of a man on insulin, without a prescription.
const STATEMENTS = [
  reported('insulin', 'active', {
    medicationReference: { reference: '#pen' },
    contained: [
      {
        resourceType: 'Medication',
        id: 'pen',
        code: { text: 'Insulin glargine' },
        form: { text: 'Pen' },
        ingredient: [{ strength: { numerator: { value: 100, unit: 'units' }, denominator: { value: 1, unit: 'mL' } } }],
      },
    ],
    effectivePeriod: { start: '2021-03-04' },
    informationSource: subject,
    dosage: [
      { sequence: 1, ...dose(18, 'units'), ...repeat({ ...daily, when: ['HS'] }), route: { text: 'Subcutaneous' } },
    ],
  }),
  reported('methotrexate', 'active', {
    ...named('Methotrexate'),
    effectivePeriod: { start: '2023-05-01' },
    reasonCode: [{ text: 'Psoriatic arthritis' }],
    dosage: [{ ...dose(15, 'mg'), ...repeat({ frequency: 1, period: 1, periodUnit: 'wk', dayOfWeek: ['mon'] }) }],
  }),
  reported('prednisolone', 'active', {
    ...named('Prednisolone'),
    dosage: [{ text: '5 mg daily', ...dose(50, 'mg'), ...repeat(daily) }],
  }),
  reported('allopurinol', 'unknown', { ...named('Allopurinol'), dateAsserted: '2022-01-01' }),
  reported('warfarin', 'not-taken', { ...named('Warfarin'), statusReason: [{ text: 'Bled in 2020' }] }),
  reported('metformin', 'on-hold', { ...named('Metformin'), statusReason: [{ text: 'Kidney function' }] }),
  reported('amoxicillin', 'active', { ...named('Amoxicillin'), effectivePeriod: { start: '2019-01', end: '2019-02' } }),
];
const GIVEN = [
  {
    resourceType: 'MedicationAdministration',
    id: 'iron',
    status: 'completed',
    subject,
    ...named('Iron sucrose'),
    effectiveDateTime: '2024-06-03T09:30:00+02:00',
    dosage: { dose: { value: 200, unit: 'mg' }, rateQuantity: { value: 100, unit: 'mL/h' }, route: { text: 'IV' } },
  },
];

/// Opens records, or a Bundle, as a file, and then the chart of their only patient.
const chartOf = (records, options) => openChart(stage, ndjson([records].flat()), options);

const texts = async (locator) => (await locator.allInnerTexts()).map((one) => one.replace(/\s+/g, ' ').trim());
/// Returns the rows under a heading of the section. Without a heading, returns the rows before the first heading.
const rowsOf = (page, heading) =>
  texts(
    heading
      ? page.locator(`#medications h3:text-is("${heading}") + .rows > .row`)
      : page.locator('#medications .section-head + .rows > .row'),
  );

test('a record with reported medications alone shows each of them, with its dose from its structure', async () => {
  const { page } = await chartOf([PERSON, ...STATEMENTS, ...GIVEN]);
  await says(page, '#medications .count', /^4 current$/);
  assert.doesNotMatch(await text(page, '#medications'), /No data|No current|Not everything/);
  const current = await rowsOf(page);
  assert.equal(current.length, 4);
  assert.match(current.join('\n'), /Methotrexate 15 mg, once a week, on Monday For Psoriatic arthritis/);
  assert.match(
    current.join('\n'),
    /glargine \(Pen, 100 units\/mL\) Reported 18 units, once a day, at bedtime, route: Subcutaneous Reported by the /,
  );
  assert.match(current.join('\n'), /Prednisolone 5 mg daily · as coded: 50 mg, once a day/);
  assert.match(current.join('\n'), /Allopurinol Status unknown/);
  assert.match((await rowsOf(page, 'Not taken')).join(), /Warfarin Not taken Why this status Bled in 2020$/);
  assert.match(
    (await rowsOf(page, 'On hold')).join(),
    /Metformin On hold no dose recorded Why this status Kidney function$/,
  );
  assert.match(
    (await rowsOf(page, 'Given, without an order that is shown here')).join(),
    /^3 Jun 2024 Iron sucrose 200 mg, at 100 mL\/h, route: IV$/,
  );
  assert.match(
    (await rowsOf(page, 'Not clear whether taken')).join(),
    /Amoxicillin Source says active; its period ended Feb 2019.*Jan 2019 – Feb 2019/,
  );
  // At a glance: the current medications with their doses, then those that must not be missed.
  const glance = await texts(page.locator('#glance-medications .entry'));
  assert.match(glance.join('\n'), /Methotrexate 15 mg, once a week, on Monday/);
  assert.match(glance.join('\n'), /Allopurinol no dose recorded, status unknown, reported 1 Jan 2022/);
  assert.match(await text(page, '#glance-medications h3'), /^Medications 4$/);
  await page.locator('#glance-medications details.more summary').click();
  await page.locator('#glance-medications .entry', { hasText: 'Metformin' }).waitFor();
  const tile = await text(page, '#glance-medications');
  assert.match(tile, /Warfarin Not taken/);
  assert.match(tile, /Metformin On hold/);
  assert.match(tile, /Amoxicillin Not clear whether taken: source says active; its period ended Feb 2019/);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('#medications .detail', { hasText: '15 mg, once a week, on Monday' }).isVisible());
});

test('a dose is in the detail, in find, in the timeline and in the summary document', async () => {
  const { page } = await chartOf([PERSON, ...STATEMENTS, ...GIVEN]);
  await page.locator('#medications').getByRole('button', { name: 'Methotrexate' }).click();
  await says(page, 'dialog', /Reported medication: Methotrexate.*Dose.*15 mg, once a week, on Monday/);
  await page.keyboard.press('Escape');
  await page.locator('search input').fill('methotrexate');
  await says(page, '.found', /Reported medication Methotrexate: 15 mg, once a week, on Monday/);
  // Find also covers the words that the page makes from the structure and from a status.
  await page.locator('search input').fill('once week monday');
  await says(page, '.found', /^1 record Reported medication Methotrexate: 15 mg, once a week, on Monday/);
  await page.locator('search input').fill('bedtime');
  await says(page, '.found', /^1 record Reported medication Insulin glargine/);
  await page.locator('search input').fill('glargine');
  await says(page, '.found', /Reported medication Insulin glargine \(Pen, 100 units\/mL\)/);
  await page.locator('search input').fill('hold');
  await says(page, '.found', /^1 record Reported medication Metformin: no dose recorded \(on hold\)/);
  await page.locator('search input').fill('fortnight');
  await says(page, '.found', /^Nothing is found in the records/);
  await page.locator('search input').fill('');
  await page.getByRole('button', { name: 'Share' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('dialog')
      .getByRole('button', { name: /summary/i })
      .first()
      .click(),
  ]);
  const document = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const [{ resource: composition }] = document.entry;
  const section = composition.section.find(({ code }) => code.coding[0].code === '10160-0');
  assert.match(section.text.div.replaceAll('\u00a0', ' '), /Methotrexate, 15 mg, once a week, on Monday, 1 May 2023/);
  assert.match(section.text.div, /Warfarin, Not taken/);
  // The profile demands the time of a statement. The others are in words.
  assert.deepEqual(
    section.entry.map(({ reference }) => reference.split('/').slice(-2).join('/')),
    ['MedicationStatement/methotrexate', 'MedicationStatement/insulin'],
  );
  for (const name of ['Prednisolone', 'Allopurinol', 'Metformin']) assert.ok(section.text.div.includes(name), name);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /Reported medication Methotrexate: 15 mg, once a week, on Monday/);
  await says(page, '.timeline', /Administration Iron sucrose: 200 mg, at 100 mL\/h/);
});

test('what is deep within a record stands in the width of the drawer, which alone scrolls', async () => {
  const deep = reported('anastrozole', 'active', {
    ...named('Anastrozole'),
    dosage: [
      {
        text: '1 tablet',
        timing: {
          repeat: {
            count: 1,
            periodUnit: 'd',
            extension: [
              {
                url: 'https://example.org/within',
                extension: [{ url: 'https://example.org/furthest-of-all', valueString: 'after breakfast, with water' }],
              },
            ],
          },
        },
      },
    ],
  });
  for (const viewport of Object.values(SIZES)) {
    const { person, page } = await chartOf([PERSON, deep], { viewport });
    await page.locator('#medications').getByRole('button', { name: 'Anastrozole' }).click();
    await says(page, 'dialog', /Repeat\s*Count\s*1.*after breakfast, with water/);
    const room = await page.locator('dialog').evaluate((dialog) => {
      const box = dialog.getBoundingClientRect();
      const words = [...dialog.querySelectorAll('.elements :is(dt, dd > p)')].map((one) => one.getBoundingClientRect());
      return {
        left: Math.min(...words.map(({ left }) => left)) - box.left,
        right: box.right - Math.max(...words.map(({ right }) => right)),
        narrowest: Math.min(...words.map(({ width }) => width)),
        isWider: dialog.scrollWidth > dialog.clientWidth,
        behind: getComputedStyle(document.documentElement).overflowY,
      };
    });
    assert.ok(room.left >= 15 && room.right >= 15, JSON.stringify(room));
    assert.ok(room.narrowest >= 60, JSON.stringify(room));
    assert.equal(room.isWider, false);
    assert.equal(room.behind, 'hidden');
    await person.close();
  }
});

test('the medications have no violation in any theme and width, and are found in Spanish', async () => {
  for (const viewport of Object.values(SIZES)) {
    const { person, page } = await chartOf([PERSON, ...STATEMENTS, ...GIVEN], { viewport });
    await isClean(page, `doses ${viewport.width}`);
    await person.close();
  }
  const { page } = await chartOf([PERSON, ...STATEMENTS, ...GIVEN], { locale: 'es-MX' });
  await page.locator('search input').fill('semana lunes');
  await says(page, '.found', /Methotrexate: 15 mg, una vez por semana, los lunes/);
});
