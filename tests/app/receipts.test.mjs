// `/check.html`: an answer of an assistant is compared with the receipts of the tools, in the browser, without a model
// and without an upload.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { open, says, show, text } from './browser.mjs';
import { PATIENT, signedInAt } from './signed-in.mjs';
import { called } from './tool-call.mjs';

// A load counts at once.
const stage = await open({ vars: { FRESH_SECONDS: '0' } });
after(() => stage.close());

const told = async (...asked) => (await called(stage, ...asked)).structuredContent;

async function check(page, answer, receipts) {
  await page.getByLabel('What the assistant wrote').fill(answer);
  await page.getByLabel('Receipts').fill(receipts);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

const marks = (page) =>
  page
    .locator('.judged .receipt-mark')
    .evaluateAll((all) => all.map((one) => [one.textContent.replace(/ [✓✗∅?].*/s, ''), one.dataset.mark]));

test('mcp103 mcp104 each number and date is marked, offline too, and nothing is sent', async () => {
  const { series, receipt } = await told('trend', { measure: '4548-4' });
  const [{ last }] = series;
  const date = last.when.slice(0, 10);
  const answer = `Your last hemoglobin A1c was ${last.value} % on ${date}, not 99.9 %. <b>You took 3 walks</b>.`;
  const person = await stage.person({ worker: true });
  person.expected.push(/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/);
  const page = await person.page();
  await show(page, '/check.html');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const sent = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const expected = [
    [last.value, 'same'],
    [date, 'same'],
    ['99.9', 'other'],
    ['3', 'unjudged'],
  ];
  await check(page, answer, JSON.stringify({ receipt }));
  await says(page, '.judged', /You took 3/);
  assert.deepEqual(await marks(page), expected);
  assert.deepEqual(sent, ['GET /oauth/jwks.json']);
  assert.match(await text(page, '.judged'), /<b>You took 3 \?/);
  await person.context.setOffline(true);
  await page.reload();
  await check(page, answer, receipt);
  await says(page, '.judged', /You took 3/);
  assert.deepEqual(await marks(page), expected);
  await check(
    page,
    answer,
    receipt.replace(/.(?=.{40}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
  );
  await says(page, 'main', /its signature is wrong/);
  assert.equal(await page.locator('.judged').count(), 0);
  await check(page, answer, 'nothing');
  await says(page, 'main', /There is no receipt in these texts/);
});

test('mcp105 a person who is signed in sees which records have changed since', async () => {
  const { receipt } = await told('fetch', { id: `Patient/${PATIENT}` });
  const { page } = await signedInAt(stage, { path: '/check.html' });
  const look = async () => {
    await check(page, 'Amara was born 2 May 1900.', receipt);
    await page.getByRole('button', { name: 'Look whether the records have changed since' }).click();
  };
  await look();
  await says(page, 'main', /No record has changed since/);
  const { body } = await stage.server.ask(`Patient/${PATIENT}`, {
    token: stage.server.token('patient/*.rs', { patient: PATIENT }),
  });
  const [, number] = /^(\D*\d*)$/.exec(body.meta.versionId);
  stage.server.loadText(JSON.stringify({ ...body, birthDate: '1980-01-01', meta: { versionId: `${number}9` } }));
  await look();
  await says(page, 'main', new RegExp(`Changed since:.*Patient/${PATIENT}@`));
});
