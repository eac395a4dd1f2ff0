// Medications for a pharmacist: fills that differ from their order, prescriptions that follow one another, and
// administrations, done or not done.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isClean } from './axe.mjs';
import { open, SIZES, says, text, texts } from './browser.mjs';
import { ndjson, chartOf as openChart, person } from './own-files.mjs';

const stage = await open({ data: [] });
after(() => stage.close());

const subject = { reference: 'Patient/iria' };
const named = (words) => ({ medicationCodeableConcept: { text: words } });
const dose = (value, unit) => ({ doseAndRate: [{ doseQuantity: { value, unit } }] });
const often = (frequency, period, periodUnit) => ({ timing: { repeat: { frequency, period, periodUnit } } });
const record = (resourceType, id, elements) => ({ resourceType, id, subject, ...elements });
const order = (id, name, elements) =>
  record('MedicationRequest', id, {
    status: 'active',
    intent: 'order',
    authoredOn: '2026-02-01',
    ...named(name),
    ...elements,
  });
const by = (id) => ({ request: { reference: `MedicationRequest/${id}` } });
const given = (id, name, on, elements) =>
  record('MedicationAdministration', id, { status: 'completed', effectiveDateTime: on, ...named(name), ...elements });

const PERSON = { ...person('iria', 'Castro', 'Iria'), birthDate: '1949-10-02' };
const CASES = [
  order('warfarin', 'Warfarin', {
    dosageInstruction: [{ ...dose(3, 'mg'), ...often(1, 1, 'd') }],
    substitution: { allowedBoolean: false, reason: { text: 'Unstable INR' } },
    dispenseRequest: { numberOfRepeatsAllowed: 2, validityPeriod: { end: '2026-12-31' } },
  }),
  record('MedicationDispense', 'warfarin-fill', {
    status: 'completed',
    whenHandedOver: '2026-02-03',
    authorizingPrescription: [{ reference: 'MedicationRequest/warfarin' }],
    ...named('Warfarin'),
    dosageInstruction: [{ ...dose(5, 'mg'), ...often(1, 1, 'd') }],
  }),
  order('ramipril', 'Ramipril 5 mg'),
  record('MedicationDispense', 'ramipril-fill', {
    status: 'completed',
    whenHandedOver: '2026-02-04',
    authorizingPrescription: [{ reference: 'MedicationRequest/ramipril' }],
    ...named('Lisinopril 5 mg'),
    substitution: { wasSubstituted: true, reason: [{ text: 'Out of stock' }] },
    type: { text: 'Part fill' },
  }),
  order('apixaban-old', 'Apixaban', {
    authoredOn: '2025-01-01',
    dosageInstruction: [{ ...dose(5, 'mg'), ...often(2, 1, 'd') }],
  }),
  order('apixaban', 'Apixaban', {
    priorPrescription: { reference: 'MedicationRequest/apixaban-old' },
    dosageInstruction: [{ ...dose(2.5, 'mg'), ...often(2, 1, 'd') }],
  }),
  order('planned', 'Digitoxin', { status: 'draft' }),
  order('ibuprofen', 'Ibuprofen', { doNotPerform: true, authoredOn: '2020-01-01' }),
  order('stopped', 'Digoxin', {
    modifierExtension: [{ url: 'https://example.org/StructureDefinition/StopType', valueString: 'definitive' }],
  }),
  order('missing', '', {
    medicationCodeableConcept: undefined,
    medicationReference: { reference: 'Medication/nowhere' },
  }),
  order('single', 'Ondansetron', { dosageInstruction: [{ ...dose(8, 'mg'), timing: { repeat: { count: 1 } } }] }),
  order('heparin', 'Heparin', { status: 'completed', authoredOn: '2024-01-01' }),
  given('h1', 'Heparin', '2024-01-02T08:00:00Z', by('heparin')),
  given('h2', 'Heparin', '2024-01-03T08:00:00Z', { ...by('heparin'), status: 'not-done' }),
  given('h3', 'Heparin', '2024-01-04T08:00:00Z', { ...by('heparin'), status: 'entered-in-error' }),
];

const chartOf = (resources, options) => openChart(stage, ndjson(resources), options);
const row = async (page, name) => (await texts(page.locator('#medications .row', { hasText: name }))).join('\n');

test('a fill unlike its order, a substitution, and a prescription that follows another are said', async () => {
  const { page } = await chartOf([PERSON, ...CASES]);
  const warfarin = await row(page, 'Warfarin');
  assert.match(warfarin, /3 mg, once a day/);
  assert.match(warfarin, /Latest fill 5 mg, once a day/);
  assert.match(warfarin, /Supply 2 refills, valid until 31 Dec 2026/);
  assert.match(warfarin, /Substitution not allowed, Unstable INR/);
  const ramipril = await row(page, 'Ramipril');
  assert.match(ramipril, /Latest fill Lisinopril 5 mg/);
  const fills = page.locator('#medications .row', { hasText: 'Ramipril' }).locator('.folded-list');
  await fills.locator('summary').click();
  await fills.locator('li').waitFor();
  assert.match(await row(page, 'Ramipril'), /Part fill, substituted \(Out of stock\)/);
  const [newer, older] = await texts(page.locator('#medications .row', { hasText: 'Apixaban' }));
  assert.match(newer, /2\.5 mg, 2 times a day.*Follows The prescription of 1 Jan 2025/);
  assert.match(older, /5 mg, 2 times a day.*Followed by The prescription of 1 Feb 2026/);
  assert.match(await row(page, 'Digoxin'), /Changed by something not understood: stop type: definitive/);
  assert.match(await row(page, 'nowhere'), /Medication not named \(Medication\/nowhere\)/);
  await page.getByText('1 entry made in error').click();
  await says(page, '#medications .folded[open]', /Heparin Entered in error/);
  await page.getByText('1 entry made in error').click();
  await page.getByText('1 past medication').click();
  await says(page, '#medications .folded[open]', /Heparin.*1 administration, latest 2 Jan 2024, not given once/);
});

test('at a glance: what must not be taken comes first, and no dose without its end', async () => {
  const { person, page } = await chartOf([PERSON, ...CASES]);
  const entries = await texts(page.locator('#glance-medications .entry'));
  assert.match(entries[0], /Ibuprofen Do not take/);
  const whole = entries.join('\n');
  assert.match(await text(page, '#glance-medications h3'), /^Medications 7$/);
  assert.match(whole, /Apixaban 2\.5 mg, 2 times a day, ordered 1 Feb 2026\n/);
  await person.close();
  const few = CASES.filter(({ id }) =>
    ['warfarin', 'warfarin-fill', 'single', 'apixaban', 'apixaban-old', 'stopped'].includes(id),
  );
  const { page: fewer } = await chartOf([PERSON, ...few]);
  const all = (await texts(fewer.locator('#glance-medications .entry'))).join('\n');
  assert.match(all, /Warfarin 3 mg, once a day, latest fill: 5 mg, once a day/);
  assert.match(all, /Ondansetron 8 mg, once in all/);
  assert.match(all, /Apixaban 5 mg, 2 times a day, followed by another prescription/);
  assert.match(all, /Digoxin no dose recorded, changed by something not understood/);
});

test('fills, prohibitions and what was given have no violation in any theme and width', async () => {
  for (const viewport of Object.values(SIZES)) {
    const { person, page } = await chartOf([PERSON, ...CASES], { viewport });
    await page.locator('#medications .folded-list summary').first().click();
    await isClean(page, `medications ${viewport.width}`);
    await person.close();
  }
});

test('fills alone are medications: nothing says that there is none', async () => {
  const fills = ['2025-01-01', '2025-02-01', '2025-03-01'].map((on) =>
    record('MedicationDispense', `f-${on}`, { status: 'completed', whenHandedOver: on, ...named('Metformin') }),
  );
  const { page } = await chartOf([PERSON, ...fills]);
  assert.match(await text(page, '#glance-medications'), /Metformin filled 1 Mar 2025/);
  const rows = await texts(page.locator('#medications .row'));
  assert.equal(rows.length, 1);
  assert.match(rows[0], /^1 Mar 2025 Metformin.*2 earlier fills/);
  assert.doesNotMatch(await text(page, '#medications'), /No current/);
});
