// SMART Health Links, by the numbers of their cases. npm's kill-the-clipboard opens them.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { base64url, compactDecrypt } from 'jose';
import { ORIGIN, stage } from '../../tools/server/stage.mjs';
import { encrypted, linkIn, linkText } from '../../www/src/smart/health-link.ts';
import { Browser, formsOf, passwordOf } from '../server/browser.mjs';
import { until } from '../server/until.mjs';

const LIBRARY = '.wrangler/npm-links/node_modules/kill-the-clipboard/dist/index.esm.js';
const skip = !existsSync(LIBRARY) && 'npm’s kill-the-clipboard is not here: make clients';
const PATIENT = 'amara-okafor';
const PASSCODE = 'cloud-7 river';
const TEXT = JSON.stringify({ resourceType: 'Bundle', type: 'document', language: 'x'.repeat(5_000) });

const server = await stage({ data: ['sample'] });
after(() => server.close());
const token = server.token('patient/*.rs', { patient: PATIENT, user: 'amara' });
const soon = (seconds = 3_600) => Math.floor(Date.now() / 1_000) + seconds;

const reach = (path, init) => fetch(path.replace(ORIGIN, server.url), init);
async function ask(path, init) {
  const answer = await reach(path, init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') && JSON.parse(text) };
}
const post = (path, body, headers = {}) => ask(path, { method: 'POST', body: JSON.stringify(body), headers });
const send = (body, bearer = token, more = {}) =>
  post(`${ORIGIN}/links`, body, { authorization: `Bearer ${bearer}`, ...more });
const manifest = ({ url }, passcode, more = {}, headers = {}) =>
  post(url, { recipient: 'Dr. X', passcode, ...more }, headers);
const fileOf = ({ url }) => ask(`${url}?recipient=Dr.%20X`);

/// Makes a link. Resolves to its payload, with its file.
async function made(own = {}, headers = {}) {
  const { file, key } = await encrypted(TEXT);
  const { passcode, ...payload } = { flag: 'U', exp: soon(), label: 'Patient summary', ...own };
  const { status, body, text } = await send({ ...payload, passcode, file }, token, headers);
  assert.equal(status, 200, text.slice(0, 200));
  return { ...payload, url: body.url, key, file };
}
const withPasscode = (own = {}, headers = {}) => made({ flag: 'P', passcode: PASSCODE, ...own }, headers);

test('25 to 27: an address of 256 bits; each file has its own key and IV, and jose decrypts it', async () => {
  assert.match((await made()).url, /^http:\/\/edge\.test\/links\/[\w-]{43}$/);
  const both = [await encrypted(TEXT), await encrypted(TEXT)];
  assert.equal(new Set(both.flatMap(({ file, key }) => [key, file.split('.')[2]])).size, 4);
  const { plaintext, protectedHeader } = await compactDecrypt(both[0].file, base64url.decode(both[0].key));
  assert.deepEqual([new TextDecoder().decode(plaintext), protectedHeader.cty], [TEXT, 'application/fhir+json']);
  const payload = { url: 'https://x.example/links/x', key: both[0].key, label: 'ñ' };
  assert.deepEqual(linkIn(`https://x.example/link.html#${linkText(payload)}`), { ...payload, v: 1 });
});

test('HL03 of 20 wrong passcodes at once ten are compared, and then the right one opens nothing (28, 29)', async () => {
  const link = await withPasscode();
  assert.equal((await manifest(link)).body.remainingAttempts, 10, 'no passcode is no guess');
  assert.equal((await manifest(link, PASSCODE, { recipient: '' })).status, 400);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => manifest(link, `wrong-${n}`)));
  const left = answers.filter(({ status }) => status === 401).map(({ body }) => body.remainingAttempts);
  assert.equal(left.sort().join(), '0,1,2,3,4,5,6,7,8,9');
  assert.equal(answers.filter(({ status }) => status === 404).length, 10);
  assert.equal((await manifest(link, PASSCODE)).status, 404);
});

test('HL01 30, 35, 70: what is no link of the guide is not made', async () => {
  const { file } = await encrypted(TEXT);
  const good = { flag: 'P', passcode: PASSCODE, exp: soon(), label: 'x', file };
  const other = base64url.encode('{"alg":"dir","enc":"A128GCM","cty":"application/fhir+json"}');
  for (const [name, ...values] of [
    ['flag', 'UP', 'LU', 'L'],
    ['passcode', '12345', ' '.repeat(6), undefined],
    ['exp', undefined, Number.NaN, `${soon()}`, soon(-1), soon(31 * 86_400)],
    ['label', 'x'.repeat(81), '', '  ', 'a\u202eb'],
    ['file', TEXT, `${file.split('.')[0]}....`, file.replace('..', '.x.'), file.replace(/^[^.]*/, other)],
  ]) {
    for (const value of values) {
      const { status, body } = await send({ ...good, [name]: value });
      assert.deepEqual([status, body.issue[0].expression], [400, [`http.${name}`]], `${value}`.slice(0, 80));
    }
  }
  assert.equal((await send({ ...good, flag: 'U' })).status, 400, 'U with a passcode');
  assert.equal((await send({ ...good, file: 'x'.repeat(1_600_000) })).status, 413);
  const narrow = server.token('patient/Goal.rs', { patient: PATIENT, user: 'amara' });
  for (const bearer of [server.token('system/*.rs'), narrow]) assert.equal((await send(good, bearer)).status, 401);
});

test('HL04 31, 32: a file that is too long for a manifest has an address that is used once', async () => {
  const link = await withPasscode();
  const most = (embeddedLengthMax) => manifest(link, PASSCODE, { embeddedLengthMax });
  for (const few of [1e1, -1, 10.5]) assert.ok((await most(few)).body.files[0].location, few);
  const [{ location, embedded }] = (await most(link.file.length - 1)).body.files;
  assert.equal(embedded, undefined);
  assert.equal((await ask(location.replace('ticket=', 'ticket=9'))).status, 404);
  assert.equal((await ask(location)).text, link.file);
  assert.equal((await ask(location)).status, 404);
  assert.equal((await most(link.file.length)).body.files[0].embedded, link.file);
});

test('HL02 34: neither the database nor the log has the key, the passcode or the text', async () => {
  const link = await withPasscode();
  await manifest(link, PASSCODE);
  const database = new DatabaseSync(server.files[3], { readOnly: true });
  const rows = JSON.stringify(database.prepare('SELECT * FROM health_links').all());
  database.close();
  assert.ok(rows.includes(link.file));
  for (const secret of [link.key, PASSCODE, TEXT.slice(0, 20), link.url.slice(-43)])
    assert.ok(![rows, ...server.messages].some((text) => text.includes(secret)), secret);
});

test('70: kill-the-clipboard opens both kinds, and says what is wrong', { skip }, async () => {
  const { SHLViewer, ...errors } = await import(`../../${LIBRARY}`);
  const opened = async (link, passcode, more) => {
    const viewer = new SHLViewer({ shlinkURI: linkText(link), fetch: reach });
    return JSON.stringify((await viewer.resolveSHL({ recipient: 'A clinic', passcode, ...more })).fhirResources);
  };
  const guarded = await withPasscode();
  assert.equal(await opened(await made()), `[${TEXT}]`);
  assert.equal(await opened(guarded, PASSCODE), `[${TEXT}]`);
  assert.equal(await opened(guarded, PASSCODE, { embeddedLengthMax: 10 }), `[${TEXT}]`);
  await assert.rejects(opened(guarded, 'wrong-1'), errors.SHLInvalidPasscodeError);
  await assert.rejects(opened({ ...guarded, exp: soon(-1) }, PASSCODE), errors.SHLExpiredError);
  await assert.rejects(opened({ ...guarded, url: `${guarded.url}x` }, PASSCODE), errors.SHLManifestNotFoundError);
});

test('HL05 33, 73: a link is ended where apps are, and its life is in the log', async () => {
  const { url } = await withPasscode({ label: 'For the <b>clinic' }, { 'x-request-id': 'link-made' });
  await manifest({ url }, 'wrong-1', {}, { 'x-request-id': 'link-wrong' });
  await manifest({ url }, PASSCODE, {}, { 'x-request-id': 'link-right' });
  const browser = new Browser(server.url);
  const login = formsOf((await browser.get('/oauth/manage')).text)[0];
  const page = await browser.submit(login, { username: 'amara', password: passwordOf('amara') });
  for (const words of [/For the &lt;b&gt;clinic/, /Of the patient Amara/, /too many wrong passcodes/])
    assert.match(page.text, words);
  const links = formsOf(page.text).filter(({ fields }) => fields.some(({ name }) => name === 'end'));
  const form = links[page.text.split('name="end"').findIndex((part) => part.includes('For the &lt;b'))];
  const end = form.fields.find(({ name }) => name === 'end').value;
  browser.headers['x-request-id'] = 'link-end';
  assert.match((await browser.submit(form, { end })).text, /Withdrawn\. It gives no access any more\./);
  const gone = await manifest({ url }, PASSCODE);
  assert.deepEqual([gone.status, gone.text], [404, (await manifest({ url: `${ORIGIN}/links/x` }, PASSCODE)).text]);
  const lines = [];
  for (const id of ['link-made', 'link-wrong', 'link-right', 'link-end']) lines.push((await server.audit(id))[0]);
  assert.deepEqual(
    lines.map(({ event, error, recipient, context, user, grant }) => [event, error, recipient, context, user, grant]),
    [
      ['link-made', undefined, undefined, PATIENT, 'amara', end],
      ['link-refused', 'wrong_passcode', 'Dr. X', PATIENT, undefined, end],
      ['link-opened', undefined, 'Dr. X', PATIENT, undefined, end],
      ['link-ended', undefined, undefined, PATIENT, 'amara', end],
    ],
  );
  assert.deepEqual(lines[2].patients, [PATIENT]);
});

test('HL06 a link ends with its time, and with the access of its user', async () => {
  const [short, link] = [await made({ exp: soon(2) }), await made()];
  const { headers } = await fileOf(link);
  const some = ['content-type', 'access-control-allow-origin', 'cache-control'].map((name) => headers.get(name));
  assert.deepEqual(some, ['application/jose', '*', 'no-store']);
  assert.deepEqual([(await manifest(link, PASSCODE)).status, (await fileOf(await withPasscode())).status], [404, 404]);
  await until(async () => assert.equal((await fileOf(short)).status, 404));
  server.enrol({ amara: ['dana-begay'] });
  assert.equal((await fileOf(link)).status, 404);
});
