// Files that arrive in a bucket: each is loaded when its notification comes through the queue, in any order and any
// number of times, and a report is written. The test sends the notifications, since a local bucket sends none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { edgechart, found, ndjson, stage } from '../../tools/server/stage.mjs';
import { until } from '../server/until.mjs';

const QUEUE = 'edgechart-inbox';
const PATIENT = { resourceType: 'Patient', id: 'p', name: [{ family: 'Inbox' }] };

const meta = (day) => ({ lastUpdated: `2026-01-0${day}T00:00:00Z` });
const observation = (id, day, value) => ({
  ...{ resourceType: 'Observation', id, meta: meta(day), status: 'final', valueInteger: value },
  subject: { reference: 'Patient/p' },
});
const deletion = (url) => ({ resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'DELETE', url } }] });

/// Starts a server with an empty database, with functions that put files into its bucket.
async function inbox(t, options = {}) {
  const server = await stage({ vars: { FRESH_SECONDS: '0' }, ...options });
  t.after(server.close);
  const [bucket, worker] = [await server.miniflare.getR2Bucket('INBOX'), await server.jobs()];
  /// Sends the notifications of these keys as one batch of the queue.
  const notify = (...keys) =>
    worker.queue(
      QUEUE,
      keys.map((key, at) => ({
        id: `${at}-${key}`,
        timestamp: new Date(),
        attempts: 1,
        body: { account: 'a', action: 'PutObject', bucket: QUEUE, object: { key, size: 1, eTag: 'e' } },
      })),
    );
  /// Resolves to the counts and faults of a report.
  const report = async (key) => {
    const { id, status, created, ended, bytes, parts, partsDone, ...counts } =
      (await (await bucket.get(`reports/${key}.json`))?.json()) ?? {};
    return id && { ...counts };
  };
  const drop = async (key, bytes) => {
    await bucket.put(key, bytes);
    const { outcome, retryMessages } = await notify(key);
    assert.equal(outcome, 'ok');
    assert.deepEqual(retryMessages, []);
    return report(key);
  };
  const token = server.token('system/*.read');
  const values = async () => {
    const { body } = await server.ask('Observation?patient=p', { token });
    return (body.entry ?? []).map(({ resource: { id, valueInteger } }) => `${id} ${valueInteger}`).sort();
  };
  return { server, bucket, notify, drop, report, token, values };
}

test('files are loaded in any order, again, and compressed; what is newer is kept', async (t) => {
  const { server, bucket, drop, token, values, notify } = await inbox(t);
  const first = await drop('b/2.ndjson', ndjson(PATIENT, observation('o', 2, 2), observation('q', 1, 1)));
  const counts = { changed: 0, same: 0, older: 0, deleted: 0, unresolved: 0, notServed: {}, faults: [], moreFaults: 0 };
  assert.deepEqual(first, { ...counts, new: 3 });
  assert.deepEqual(await values(), ['o 2', 'q 1']);
  const { body } = await server.ask('Patient?family=inbox', { token });
  assert.deepEqual(found(body).ids, ['Patient/p']);

  // An older file that comes late, and then a newer file.
  const late = await drop('a/1.ndjson.gz', gzipSync(ndjson(observation('o', 1, 1), observation('r', 1, 7))));
  assert.deepEqual(late, { ...counts, new: 1, older: 1, olderResources: ['Observation/o'] });
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: observation('o', 3, 3) }] };
  assert.deepEqual(await drop('c/3.json', JSON.stringify(bundle)), { ...counts, new: 0, changed: 1 });
  assert.deepEqual(await values(), ['o 3', 'q 1', 'r 7']);

  // The same messages again, all at once, change nothing. The same holds for messages of reports and deleted files.
  const again = await notify('b/2.ndjson', 'a/1.ndjson.gz', 'c/3.json', 'reports/c/3.json.json', 'gone.json');
  assert.deepEqual([again.outcome, again.retryMessages], ['ok', []]);
  assert.deepEqual(await values(), ['o 3', 'q 1', 'r 7']);
  assert.deepEqual(await drop('d.json', JSON.stringify(deletion('Observation/q'))), { ...counts, new: 0, deleted: 1 });
  assert.deepEqual(await values(), ['o 3', 'r 7']);

  // A message that is not a notification is dropped. The other messages of its batch are processed.
  await bucket.put('x.ndjson', ndjson(observation('x', 1, 1)));
  const { outcome, explicitAcks, retryMessages } = await notify(undefined, 'x.ndjson');
  assert.deepEqual([outcome, explicitAcks, retryMessages], ['ok', ['1-x.ndjson'], []]);
  assert.deepEqual(await values(), ['o 3', 'r 7', 'x 1']);
});

test('of files that change one patient at the same time none is lost', async (t) => {
  const { bucket, notify, values } = await inbox(t);
  const keys = Array.from({ length: 8 }, (_, at) => `${at}.ndjson`);
  for (const [at, key] of keys.entries()) await bucket.put(key, ndjson(PATIENT, observation(`o${at}`, 1, at)));
  let left = keys;
  for (let rounds = 0; left.length > 0; rounds += 1) {
    assert.ok(rounds < 20, 'the messages are settled');
    const answers = await Promise.all(left.map(async (key) => [key, (await notify(key)).retryMessages.length]));
    left = answers.filter(([, retried]) => retried > 0).map(([key]) => key);
  }
  // All files are loaded in the end.
  const all = keys.map((_, at) => `o${at} ${at}`);
  await until(async () => assert.deepEqual(await values(), all));
});

test('over several databases a file is stored as the command line stores it', async (t) => {
  const { server, drop, token } = await inbox(t, { data: ['sample'], shards: 1, twoDatabases: true });
  edgechart('shard', 'move', ...server.files, '--buckets', '2048-4095', '--to', '1', '--wait', '0');
  const patients = ['a', 'b', 'c', 'd', 'e', 'f'];
  const resources = patients.flatMap((id) => [
    { ...PATIENT, id, meta: meta(1) },
    { ...observation(`of-${id}`, 1, 1), subject: { reference: `Patient/${id}` } },
  ]);
  const { new: stored } = await drop('all.ndjson', ndjson(...resources));
  assert.equal(stored, resources.length);
  const { body } = await server.ask(`Observation?patient=${patients}`, { token });
  assert.equal(found(body).ids.length, patients.length);
  assert.match(server.loadText(ndjson(...resources)), /12 resources: 0 new, 0 changed, 12 as before/);
});

test('a message of a kind that this version does not know comes again, and ends no job', async (t) => {
  const { server } = await inbox(t);
  const worker = await server.jobs();
  const lines = () => server.messages.filter((line) => JSON.parse(line).event === 'job').length;
  for (const [queue, retries, logged] of [
    [QUEUE, 1, 1],
    [`${QUEUE}-failed`, 0, 2],
  ]) {
    const message = { id: 'm', timestamp: new Date(), attempts: 1, body: { kind: 'later', job: 'j' } };
    const { outcome, retryMessages } = await worker.queue(queue, [message]);
    assert.deepEqual([outcome, retryMessages.length], ['ok', retries], queue);
    await until(() => assert.equal(lines(), logged, queue));
  }
});

test('where the database does not accept a file, its message comes again', async (t) => {
  const { server, bucket, notify, values, report } = await inbox(t);
  await bucket.put('a.ndjson', ndjson(PATIENT, observation('o', 1, 1)));
  const directory = await server.miniflare.getD1Database('DB');
  await directory.prepare("INSERT INTO format (number, params) VALUES ('another', '[]')").run();
  const refused = await notify('a.ndjson');
  assert.deepEqual([refused.outcome, refused.retryMessages.length], ['ok', 1]);
  assert.equal(await report('a.ndjson'), undefined);
  await directory.prepare('DELETE FROM format').run();
  assert.deepEqual((await notify('a.ndjson')).retryMessages, []);
  await until(async () => assert.equal((await report('a.ndjson'))?.new, 2));
  assert.deepEqual(await values(), ['o 1']);
});
