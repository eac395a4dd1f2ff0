// Records that lack parameters in the index: the cron trigger of the Worker reindexes them, also in several databases.
// tests/reindex.rs compares the tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';

/// Searches by parameters that the set `us-core` lacks: of rows, and of charts in both databases.
const SEARCHES = [
  'Practitioner?gender=female',
  'Observation?patient=amara-okafor&value-quantity=gt1',
  'Observation?patient=mateo-reyes&value-quantity=gt1',
  'Encounter?patient=zoe-obrien-nunez&participant-type:missing=false',
];

test('the cron trigger indexes charts and rows by another set, over two databases', async (t) => {
  // Within the window, searches would use old charts without a check.
  const vars = { INDEX: 'r4', FRESH_SECONDS: '0' };
  const server = await stage({ data: ['sample'], shards: 1, twoDatabases: true, vars });
  t.after(() => server.close());
  edgechart('shard', 'move', ...server.files, '--buckets', '2048-4095', '--to', '1', '--wait', '0');
  const whole = await stage({ data: ['sample'], index: 'r4' });
  t.after(() => whole.close());
  const searches = (asked) =>
    Promise.all(SEARCHES.map((search) => asked.ask(search, { token: asked.token(EVERYTHING) })));
  const ids = ({ body }) => body.entry.map(({ resource }) => resource.id);
  const expected = (await searches(whole)).map(ids);
  assert.ok(expected.every((found) => found.length > 0));
  const refused = (await searches(server)).map(({ status, body }) => [status, body.issue?.[0].code]);
  assert.deepEqual(
    refused,
    SEARCHES.map(() => [400, 'not-supported']),
  );

  const [worker, directory] = [await server.jobs(), await server.miniflare.getD1Database('DB')];
  const params = () => directory.prepare('SELECT params FROM format').first('params');
  const before = await params();
  await directory.prepare("UPDATE format SET wanted = 'r4'").run();
  for (let runs = 0; (await params()) === before; runs += 1) {
    assert.ok(runs < 20, `${runs} runs`);
    await worker.scheduled({ cron: '*/10 * * * *' });
  }
  assert.deepEqual((await searches(server)).map(ids), expected);
});
