// Medications for a pharmacist: fills that differ from their order, prescriptions that follow one another, and
// administrations, done or not done, and answered later than the rest.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isClean } from './axe.mjs';
import { addShifts, frames, open, SIZES, says, shiftOf, text, texts } from './browser.mjs';
import { madeUp } from './made-up-server.mjs';
import { a1c, ndjson, chartOf as openChart } from './own-files.mjs';

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

const PERSON = {
  resourceType: 'Patient',
  id: 'iria',
  name: [{ family: 'Castro', given: ['Iria'] }],
  gender: 'female',
  birthDate: '1949-10-02',
};
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
  await page.getByText('2 past medications').click();
  await says(page, '#medications .folded[open]', /Heparin Entered in error/);
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

const dated = (name, on) => ({ ...named(name), status: 'active', dateAsserted: on, effectivePeriod: { end: on } });
const UNCLEAR = [
  order('plan', 'Metformin 500 mg', {
    intent: 'plan',
    authoredOn: '2017-11-22',
    dosageInstruction: [dose(2, 'tablets')],
  }),
  record('MedicationStatement', 'plan-report', {
    ...dated('Metformin 500 mg', '2018-09-26'),
    dosage: [dose(2, 'tablets')],
  }),
  order('drops', 'Chloramphenicol', {
    authoredOn: '2020-08-21',
    dosageInstruction: [{ timing: { repeat: { boundsDuration: { value: 7, unit: 'days', code: 'd' } } } }],
  }),
];

test('a plan whose report has ended, and a course that is over, are neither current nor left out', async () => {
  const { page } = await chartOf([PERSON, ...UNCLEAR]);
  const tile = await text(page, '#glance-medications');
  assert.match(tile, /Chloramphenicol active in the record; its course ended about 28 Aug 2020, for 7 days, ordered/);
  assert.match(
    tile,
    /Metformin 500 mg Not clear whether taken: planned in the record; source says active; its period ended 26 Sept/,
  );
  assert.match(tile, /its period ended 26 Sept 2018, 2 tablets, recorded 22 Nov 2017, reported 26 Sept 2018/);
  assert.doesNotMatch(await text(page, 'main'), /No current medication|not started/);
  assert.equal(await page.locator('#medications .count, #glance-medications .count').count(), 0, 'none is counted');
  assert.equal(await page.locator('#medications .row', { hasText: 'Metformin' }).count(), 1);
  assert.match(await row(page, 'Chloramphenicol'), /Active in the record; its course ended about 28 Aug 2020/);
});

/// Records that are not current orders, and one that is.
const BESIDE = [
  order('aspirin', 'Aspirin', { dosageInstruction: [{ ...dose(100, 'mg'), ...often(1, 1, 'd') }] }),
  order('later', 'Semaglutide', {
    dosageInstruction: [{ ...dose(1, 'mg'), timing: { repeat: { boundsPeriod: { start: '2999-01-01' } } } }],
  }),
  order('draft', 'Digoxin', { status: 'draft', authoredOn: '2026-01-30' }),
  order('proposed', 'Amiodarone', {
    intent: 'proposal',
    authoredOn: '2026-01-29',
    dosageInstruction: [dose(200, 'mg')],
  }),
  order('more', 'Aspirin', { status: 'draft', dosageInstruction: [{ ...dose(300, 'mg'), ...often(1, 1, 'd') }] }),
  order('renewal', 'Levothyroxine', { status: 'draft', authoredOn: '2026-02-02' }),
  record('MedicationDispense', 'filled', {
    ...{ status: 'completed', whenHandedOver: '2026-01-12' },
    ...named('Levothyroxine'),
  }),
  order('never', 'Ketorolac', { intent: 'plan', doNotPerform: true }),
  order('local', 'Nebivolol', { status: 'verordnet' }),
  given('chemo', 'Rituximab', '2026-01-20', { dosage: { dose: { value: 500, unit: 'mg' }, route: { text: 'IV' } } }),
  given('refused', 'Furosemide', '2026-01-21', { status: 'not-done' }),
  given('aspirin-given', 'Aspirin', '2026-01-22'),
  record('MedicationDispense', 'fill', { status: 'completed', whenHandedOver: '2026-01-10', ...named('Metformin') }),
  record('MedicationDispense', 'ready', { status: 'in-progress', whenPrepared: '2026-01-11', ...named('Oxycodone') }),
  record('MedicationStatement', 'taper', {
    status: 'active',
    ...named('Prednisolone'),
    effectivePeriod: { start: '2020-01-01' },
    dosage: [2, 1].map((sequence) => ({
      ...dose(sequence, 'mg'),
      sequence,
      timing: { repeat: { boundsDuration: { value: 5, unit: 'd', code: 'd' } } },
    })),
  }),
  record('Immunization', 'shot', {
    patient: subject,
    status: 'completed',
    vaccineCode: { text: 'Hepatitis B vaccine' },
    occurrenceDateTime: '2026-01-05',
    doseQuantity: { value: 0.5, unit: 'mL' },
    protocolApplied: [{ doseNumberPositiveInt: 2, seriesDosesPositiveInt: 3 }],
  }),
];

test('what is known without a current order stands at a glance beside the current ones, in words', async () => {
  const { page } = await chartOf([PERSON, ...BESIDE]);
  await page.locator('#glance-medications details.more summary').click();
  await page.locator('#glance-medications .entry', { hasText: 'Semaglutide' }).waitFor();
  const all = (await texts(page.locator('#glance-medications .entry'))).join('\n');
  assert.match(all, /^Ketorolac Do not take, ordered 1 Feb 2026\n/);
  assert.match(all, /Aspirin 100 mg, once a day, ordered/);
  assert.match(all, /Nebivolol no dose recorded, verordnet, ordered/);
  assert.match(
    all,
    /Prednisolone active in the record; its course ended about 11 Jan 2020, 1 mg, for 5 days; then 2 mg/,
  );
  assert.match(all, /Rituximab 500 mg, route: IV, given 20 Jan 2026/);
  assert.match(all, /Metformin filled 10 Jan 2026/);
  assert.match(all, /Furosemide Not given, 21 Jan 2026/);
  assert.match(all, /Semaglutide Not begun yet, 1 mg, from 1 Jan 2999/);
  assert.match(all, /Levothyroxine filled 12 Jan 2026/);
  assert.doesNotMatch(all, /Oxycodone|Digoxin|Amiodarone|Aspirin.*given/);
  // Planned medications without an order are in a line below the list, whether or not the list is folded.
  assert.equal(
    await text(page, '#glance-medications > .planned'),
    'Planned, not ordered: Levothyroxine (draft); Aspirin (draft, 300 mg, once a day, also among the current ones); ' +
      'Digoxin (draft); Amiodarone (proposal)',
  );
  const headings = page.locator('#medications h3');
  assert.deepEqual(
    (await texts(headings)).filter((one) => /begun|ordered$/.test(one)),
    ['Not begun yet', 'Planned, not ordered'],
  );
  assert.match(await text(page, '#glance-medications h3'), /^Medications 2$/);
  await says(page, '#immunizations', /Hepatitis B vaccine Dose 2 of 3 ?Amount 0\.5 mL/);
  await page.locator('#glance-medications .entry', { hasText: 'Prednisolone' }).click();
  await says(page, 'dl.meaning', /Status ?Active in the record; its course ended about 11 Jan 2020/);
  await page.keyboard.press('Escape');
  await page.locator('#glance-medications > .planned').getByRole('link', { name: 'Amiodarone' }).click();
  await says(page, 'dl.meaning', /Status ?Proposal/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await says(page, '.timeline', /Immunization Hepatitis B vaccine: dose 2 of 3, 0\.5 mL/);
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

test('courses under a trend, and two visits compared, know what was reported and given', async () => {
  const encounter = (id) => ({ reference: `Encounter/${id}` });
  const visit = (id, on) =>
    record('Encounter', id, { status: 'finished', class: { code: 'AMB' }, period: { start: on } });
  const potassium = (id, on, value) =>
    record('Observation', id, {
      status: 'final',
      category: [{ coding: [{ code: 'laboratory' }] }],
      code: { text: 'Potassium', coding: [{ system: 'http://loinc.org', code: '2823-3' }] },
      effectiveDateTime: on,
      valueQuantity: { value, unit: 'mmol/L' },
    });
  const reported = (id, status, elements) =>
    record('MedicationStatement', id, { status, ...named('Spironolactone'), ...elements });
  const { page } = await chartOf([
    PERSON,
    visit('one', '2025-01-10'),
    visit('two', '2025-03-10'),
    potassium('k1', '2025-01-10', 4.1),
    potassium('k2', '2025-03-10', 5.6),
    reported('s1', 'active', { effectiveDateTime: '2025-01-10', context: encounter('one'), dosage: [dose(25, 'mg')] }),
    reported('s2', 'stopped', {
      effectivePeriod: { start: '2024-11-01', end: '2025-03-08' },
      context: encounter('two'),
      dosage: [dose(50, 'mg')],
    }),
    given('g1', 'Calcium gluconate', '2025-03-10T08:00:00Z', { context: encounter('two') }),
    given('g2', 'Calcium gluconate', '2025-03-10T09:00:00Z', { context: encounter('two') }),
    reported('s3', 'active', named('Allopurinol')),
  ]);
  const { href } = await page.evaluate(() => ({ href: location.hash.split('?')[0] }));
  await page.goto(`/${href}/trend/2823-3`);
  const rows = page.locator('.courses-table tbody tr');
  await rows.first().waitFor();
  const all = (await texts(rows)).join('\n');
  assert.match(all, /Spironolactone ?1 Nov 2024 8 Mar 2025 ?Stopped ?Reported/);
  assert.match(all, /Spironolactone ?No start recorded; reported 10 Jan 2025 No end recorded ?Active ?Reported/);
  assert.match(all, /Calcium gluconate ?10 Mar 2025 No end recorded; last given 10 Mar 2025 ?Completed ?Given 2 times/);
  assert.match(await text(page, '.trend-view'), /Without a date, and not among them: Allopurinol\./);
  await page.goto(`/${href}/timeline?compare=one&compare=two`);
  await page.getByRole('heading', { name: 'Two visits compared' }).waitFor();
  const compared = async (name) => text(page, `.compared tr:has(th:text-is("${name}"))`);
  assert.match(await compared('Spironolactone'), /Spironolactone ?Reported ?25 mg ?Reported ?Stopped ?50 mg ?At both$/);
  assert.match(await compared('Calcium gluconate'), /Given 2 times ?Only later/);
});

/// The scopes of the chart. Some of its types are not included in `*`, and are named.
const SCOPE = [
  ...['*', 'MedicationRequest', 'MedicationDispense', 'MedicationStatement', 'MedicationAdministration', 'Medication'],
  ...['Flag', 'Consent', 'FamilyMemberHistory', 'AdverseEvent', 'ImagingStudy', 'Media'],
]
  .map((type) => `patient/${type}.rs`)
  .join(' ');
/// Opens a chart from a server that answers with records, and holds the MedicationAdministrations back.
async function slowChart(records, { view = '', ...options } = {}) {
  const { promise: isToAnswer, resolve: answer } = Promise.withResolvers();
  const { person, page } = await madeUp(stage, {
    ...{ ...options, patient: 'iria', scope: SCOPE },
    answer: async (type, id) => {
      const list = records.filter(({ resourceType }) => resourceType === type);
      if (type === 'MedicationAdministration') await isToAnswer;
      return id
        ? (list.find((one) => one.id === id) ?? { resourceType: 'OperationOutcome', issue: [] })
        : { resourceType: 'Bundle', type: 'searchset', entry: list.map((resource) => ({ resource })) };
    },
  });
  await addShifts(page);
  await page.goto(`/#/chart/iria${view}`);
  return { person, page, answer };
}

const MANY = Array.from({ length: 3_000 }, (_, i) =>
  given(`many-${i}`, i % 3 ? 'Paracetamol' : 'Saline', new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString()),
);
const RUNS = given('runs', 'Heparin', '2026-06-01', { status: 'in-progress' });

test('the overview and the sections do not wait for what was given, which moves nothing when it comes', async () => {
  const [warfarin] = CASES;
  const condition = record('Condition', 'c', { code: { text: 'Atrial fibrillation' } });
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 360, height: 740 },
  ]) {
    const { person, page, answer } = await slowChart([PERSON, warfarin, condition, ...MANY, RUNS], { viewport });
    await says(
      page,
      '#glance-medications',
      /Warfarin 3 mg, once a day, ordered 1 Feb 2026 What was given is still being loaded\./,
    );
    await says(page, '#medications', /Warfarin.*What was given is still being loaded\./);
    // The sections below do not wait for them either.
    await page.locator('#visits').waitFor();
    await frames(page);
    const before = await shiftOf(page);
    answer();
    await says(
      page,
      '#glance-medications',
      /^Medications 2 Warfarin 3 mg, once a day, ordered 1 Feb 2026 Being given: Heparin$/,
    );
    await says(
      page,
      '#medications',
      /3001 administrations\. Being given: Heparin|3,001 administrations\. Being given: Heparin/,
    );
    await frames(page);
    const moved = (await shiftOf(page)) - before;
    assert.ok(moved < 0.01, `moved by ${moved} at ${viewport.width}`);
    await page.locator('#medications summary', { hasText: '3,001 administrations' }).click();
    await says(
      page,
      '#medications details[open]',
      /Heparin In progress.*Paracetamol.*1999 administrations|1,999 administrations/,
    );
    await person.close();
  }
});

test('nothing says that there is no medication before what was given has come', async () => {
  const { person, page, answer } = await slowChart([PERSON, ...MANY]);
  await says(page, '#glance-medications', /^Medications What was given is still being loaded\.$/);
  assert.doesNotMatch(await text(page, 'main'), /No current medication|no medication is recorded/);
  await frames(page);
  const before = await shiftOf(page);
  answer();
  await says(page, '#glance-medications', /Paracetamol given .*Last given: Paracetamol/);
  await says(page, '#medications', /Given, without an order that is shown here.*Paracetamol.*Saline/);
  const moved = (await shiftOf(page)) - before;
  assert.ok(moved < 0.01, `moved by ${moved}`);
  await person.close();
  const { page: empty, answer: now } = await slowChart([PERSON]);
  await says(empty, '#glance-medications', /^Medications What was given is still being loaded\.$/);
  now();
  await says(empty, '#glance-medications', /No current medication is recorded\./);
  await says(empty, '#medications', /No data: no medication is recorded/);
});

test('a trend does not wait for what was given, which is drawn under it at a press when it came later', async () => {
  const results = Array.from({ length: 70 }, (_, i) =>
    a1c(`a1c-${i}`, 'iria', 6 + (i % 9) / 10, new Date(Date.UTC(2026, 0, 1 + 2 * i)).toISOString()),
  );
  const [warfarin] = CASES;
  const { page, answer } = await slowChart([PERSON, warfarin, ...results, ...MANY], {
    viewport: { width: 1280, height: 900 },
    view: '/trend/4548-4',
  });
  await says(page, '.administration-wait', /^What was given is still being loaded\.$/);
  await page.waitForFunction(() => document.querySelectorAll('table.results tbody tr').length === 70);
  await says(page, '.courses-table', /^((?!Saline).)*Warfarin((?!Saline).)*$/s);
  await frames(page);
  const before = await shiftOf(page);
  answer();
  await says(page, '.administration-wait', /^What was given came later, and is not drawn\. Draw it$/);
  assert.doesNotMatch(await text(page, '.courses-table'), /Saline/);
  const moved = (await shiftOf(page)) - before;
  assert.ok(moved < 0.01, `moved by ${moved}`);
  await page.getByRole('button', { name: 'Draw it' }).click();
  await says(page, '.courses-table', /Saline/);
  assert.equal(await page.locator('.administration-wait').count(), 0);
});
