// The overview of a chart: allergies in the banner, and problems, medications, abnormal results, vital signs and things
// that are due on one screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspector } from './axe.mjs';
import { loaded, open, SIZES, says, text } from './browser.mjs';

const chart = (patient) => `/#/sample/chart/${patient}`;
const DESK = { width: 1280, height: 900 };

let stage;
before(async () => {
  stage = await open({ data: [] });
});
after(() => stage?.close());

const visit = (path, options) => stage.visit(path, { viewport: DESK, ...options });

test('the overview shows the patient on one screen of 900 pixels, and each entry leads to its section', async () => {
  const { person, page } = await visit(chart('amara-okafor'));
  assert.match(
    await text(page, '.allergy-line'),
    /^Allergies ▲High risk: Allergy to penicillin Hives lisinopril Cough$/,
  );
  const titles = await page.locator('.glance h3 a').allTextContents();
  assert.deepEqual(titles, ['Problems', 'Medications', 'Abnormal results', 'Vital signs', 'Due']);
  const bottom = await page.locator('.overview').evaluate((overview) => overview.getBoundingClientRect().bottom);
  assert.ok(bottom <= DESK.height, `${bottom}`);
  assert.match(await text(page, '#glance-problems'), /Type 2 diabetes\s*since 2013/);
  assert.match(
    await text(page, '#glance-abnormal'),
    /Hemoglobin A1c 7\.0% ▲ High Preliminary ↑ 0\.1up 0\.1 since 12 May 2026 11 Aug 2026/,
  );
  assert.match(await text(page, '#glance-vitals'), /Blood pressure 126\/76 mmHg/);
  assert.ok((await page.locator('#glance-vitals .spark').count()) > 3);
  for (const [tile, section] of [
    ['problems', 'problems'],
    ['medications', 'medications'],
    ['abnormal', 'labs'],
    ['vitals', 'vitals'],
    ['due', 'orders'],
  ]) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator(`#glance-${tile} .entry`).first().click();
    await page.waitForFunction((id) => document.activeElement?.id === `${id}-title`, section);
    const top = await page.locator(`#${section}-title`).evaluate((title) => title.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < DESK.height, `${section}: ${top}`);
  }
  // The bar that stays in sight says name and allergies.
  await says(page, '.whose', /^Amara Chidinma Okafor .*Allergies: .*penicillin, lisinopril$/);
  await page.waitForFunction(() => document.querySelector('.whose').dataset.shown === 'true');
  await person.close();
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
  const person = await stage.person({ viewport: DESK });
  const page = await person.page();
  const scopes = new URLSearchParams({ s: 'patient/Patient.rs patient/Condition.rs', p: 'amara-okafor' });
  await page.goto(`/#/scopes?${scopes}`);
  await page.getByRole('button', { name: 'Look at the offline chart with these' }).click();
  await loaded(page);
  assert.match(await text(page, '.allergy-line'), /not granted/);
  assert.match(await text(page, '#glance-medications'), /Not granted\./);
  assert.match(await text(page, '#glance-problems'), /Type 2 diabetes/);
  await person.close();
});

test('the overview has no violation in any theme and width, and works by keyboard', async () => {
  for (const viewport of Object.values(SIZES)) {
    for (const patient of ['amara-okafor', 'walter-lindqvist', 'kai-nakamura']) {
      const { person, page } = await visit(chart(patient), { viewport });
      const { faults, look } = inspector(page);
      await look(`${patient} ${viewport.width}`);
      assert.deepEqual(faults, { light: [], dark: [] });
      await person.close();
    }
  }
  const { person, page } = await visit(chart('amara-okafor'));
  await page.locator('#glance-abnormal h3 a').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'labs-title');
  await person.close();
});
