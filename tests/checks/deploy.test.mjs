// The checks of a deployment in the account and on the network, against stand-ins for both.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { plainHttp } from '../release/plain-http.mjs';
import { temporaryFolder } from '../server/folder.mjs';

const folder = temporaryFolder();
process.env.WRANGLER = resolve('tests/release/wrangler.mjs');
process.env.ACCOUNT = folder;
const { makeFiles, makeInbox } = await import('../../tools/deploy/bucket-rules.mjs');
const { checkRedirect } = await import('../../tools/deploy/redirect.mjs');
const network = await plainHttp(join(folder, 'plain'));
process.env.http_proxy = network.url;
after(() => network.close());

const file = join(folder, 'account.json');
const account = () => JSON.parse(readFileSync(file, 'utf8'));
const SETTINGS = {
  r2_buckets: [{ binding: 'INBOX', bucket_name: 'files' }],
  queues: { producers: [{ binding: 'JOBS', queue: 'work' }] },
};
/// Makes an account that has only these settings.
const having = (rules) => writeFileSync(file, JSON.stringify({ notifications: [], rules: [], ...rules }));
const numbers = () => [account().notifications.length, account().rules.length];

test('the bucket of files notifies the queue and deletes old files, and is changed only where it does not', () => {
  having({});
  makeInbox(SETTINGS, []);
  assert.deepEqual(numbers(), [1, 1]);
  makeInbox(SETTINGS, []);
  assert.deepEqual(numbers(), [1, 1]);
  const { notifications, rules } = account();
  assert.deepEqual([notifications[0].bucket, notifications[0].queue_name], ['files', 'work']);
  assert.equal(rules[0].action, 'Expire objects after 35 days');
  for (const [member, changes] of [
    ['rules', { enabled: 'No' }],
    ['rules', { action: 'Expire objects after 5 days' }],
    ['rules', { action: 'Transition to Infrequent Access after 40 days' }],
    ['rules', { prefix: 'jobs/' }],
    ['rules', { bucket: 'another' }],
    ['notifications', { prefix: 'exports/' }],
    ['notifications', { suffix: '.json' }],
    ['notifications', { event_type: 'DeleteObject,LifecycleDeletion' }],
    ['notifications', { queue_name: 'another' }],
  ]) {
    having({ notifications, rules, [member]: [{ ...{ notifications, rules }[member][0], ...changes }] });
    makeInbox(SETTINGS, []);
    assert.equal(account()[member].length, 2, JSON.stringify(changes));
  }
  having({ notifications, rules: [{ ...rules[0], name: 'ours', action: 'Expire objects after 90 days' }] });
  makeInbox(SETTINGS, []);
  assert.deepEqual(numbers(), [1, 1], 'files that are kept longer stay');
});

test('what exports store is deleted after two weeks, and no rule is for documents', () => {
  having({});
  const settings = { r2_buckets: [{ binding: 'FILES', bucket_name: 'documents-and-exports' }] };
  makeFiles(settings, []);
  makeFiles(settings, []);
  const rules = account().rules.map(({ bucket, name, prefix, action }) => [bucket, name, prefix, action]);
  assert.deepEqual(rules, [
    ['documents-and-exports', 'parts', 'parts/', 'Expire objects after 14 days'],
    ['documents-and-exports', 'exports', 'exports/', 'Expire objects after 14 days'],
  ]);
  having({});
  makeFiles({ r2_buckets: [] }, []);
  assert.deepEqual(numbers(), [0, 0]);
});

test('a rule that the account has accepted and does not list is no success', () => {
  having({});
  process.env.FORGET = '1';
  assert.throws(() => makeInbox(SETTINGS, []), /the account does not list what was made/);
  delete process.env.FORGET;
});

test('a deployment without a bucket or a queue asks for neither', () => {
  having({});
  makeInbox({ ...SETTINGS, r2_buckets: [] }, []);
  makeInbox({ ...SETTINGS, queues: {} }, []);
  assert.deepEqual(numbers(), [0, 0]);
});

test('pages that are not redirected to https are no success, and what to do is said', () => {
  const answered = (text) => writeFileSync(join(folder, 'plain'), text);
  for (const [answer, why] of [
    ['200', /http:\/\/chart\.test\/ is answered with 200 and not redirected to https: turn on "Always Use HTTPS"/],
    ['302 http://chart.test/index.html', /is answered with 302/],
    ['301 https://chart.test.elsewhere.test/', /is answered with 301/],
    ['500', /is answered with 500/],
  ]) {
    answered(answer);
    assert.throws(() => checkRedirect('https://chart.test'), why, answer);
  }
  for (const answer of ['301 https://chart.test/', '308 https://chart.test/']) {
    answered(answer);
    checkRedirect('https://chart.test');
  }
  // Browsers never use http for an address below .dev.
  answered('200');
  checkRedirect('https://edgechart.someone.workers.dev');
  process.env.http_proxy = 'http://127.0.0.1:1';
  assert.throws(() => checkRedirect('https://chart.test'), /does not answer yet: make deploy again/);
});
