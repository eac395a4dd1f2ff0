// The words of a summary document in the sections of the chart, and the date of what a chart is made of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspector, testThemes } from './axe.mjs';
import { open, says, text } from './browser.mjs';
import { patientSummary } from './document-files.mjs';
import { chartOf, file, ndjson } from './own-files.mjs';

let stage;
before(async () => {
  stage = await open();
});
after(() => stage?.close());

test('the words of a summary stand in the sections of the chart, and none says that nothing is recorded', async () => {
  const { person, page } = await chartOf(stage, file('summary.json', patientSummary()));
  await says(page, '.as-of', /^Summary written 4 Mar 2019 by Inés Ríos: \d+ years old/);
  await says(
    page,
    '#plan',
    /Nothing current is coded here: the summary has words on it, below.*Continue for five years/s,
  );
  assert.doesNotMatch(await text(page, '#plan'), /No data/);
  await says(page, '#glance-due', /The summary of 4 Mar 2019 says: Continue for five years/);
  await says(page, '.allergy-line', /The summary of 4 Mar 2019 says: nil known/);
  await says(page, '#allergies', /The summary says: nil known\./);
  await says(page, '#medications .compare', /may differ: compare\. In the words alone: Metformin 1 g\./);
  await says(page, '#medications .summary-words', /2 tablets a day/);
  await says(page, '#vitals', /This summary has no such section/);
  await says(page, '#glance-vitals', /This summary has no such section/);
  await page.emulateMedia({ media: 'print' });
  const joined = page.locator('.joined', { hasText: 'The document has no sections on these' });
  assert.match(await joined.textContent(), /nothing of the kind is in it: .*Vital signs.*Visits\.$/);
  assert.doesNotMatch(await joined.textContent(), /Allergies|Care plan|Medications/);
  assert.equal(await page.locator('#vitals').isVisible(), false, 'a print has one sentence for such sections');
  await page.emulateMedia({ media: 'screen' });
  assert.equal(await page.locator('#vitals').isVisible(), true);
  const row = (name) => page.locator('#problems .row', { hasText: name });
  assert.match(await row('Cough after a cold').textContent(), /in the summary under: Past illness/);
  assert.doesNotMatch(await row('Asthma').textContent(), /in the summary under/);
  const letter = page.locator('#other .summary-words details');
  assert.equal(await letter.evaluate((one) => one.open), false);
  await letter.locator('summary').click();
  await says(page, '#other .summary-words', /A letter.*called in the evening/s);
  await page.locator('#other .row').getByRole('button', { name: 'Patient summary' }).click();
  await says(page, 'dialog', /Its sections.*Plan.*Continue for five years/s);
  assert.doesNotMatch(await text(page, 'dialog .elements >> nth=0'), /<div/);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  await person.close();
});

test('a chart from files without a document says of when its newest record is', async () => {
  const patient = { resourceType: 'Patient', id: 'ada', name: [{ family: 'Lovelace' }] };
  const result = {
    resourceType: 'Observation',
    id: 'o',
    status: 'final',
    code: { text: 'Sodium' },
    subject: { reference: 'Patient/ada' },
  };
  const { person, page } = await chartOf(stage, ndjson([patient, { ...result, effectiveDateTime: '2019-03-05' }]));
  await says(page, '.as-of', /^Newest record 5 Mar 2019$/);
  assert.equal(await page.locator('.summary-words').count(), 0);
  await person.close();
});

testThemes('axe finds nothing in the words of a summary', async () => {
  const { person, page } = await chartOf(stage, file('summary.json', patientSummary()));
  const { faults, look } = inspector(page);
  await page.locator('#other .summary-words summary').click();
  await look('summary');
  await person.close();
  return faults;
});
