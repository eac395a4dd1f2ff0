// Records that lack parameters in the index: the cron trigger of the Worker reindexes them, also in several databases.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';

/// The length of the header before the plain bytes of a stored value: the form, the checksum, and two lengths.
const PREFIX = 13;
/// The keys of charts do not fit into a JavaScript number. The keys of heads end with these bits.
const CHARTS = 'SELECT CAST(k AS TEXT) AS k, data, k & 524280 = 524280 AS is_head FROM chart ORDER BY chart.k';
const SEARCHES = [
  'Practitioner?name=lindholm',
  'Condition?patient=amara-okafor&clinical-status=active',
  'Observation?patient=amara-okafor&category=laboratory',
];

/// Returns the number at an offset, and the offset after it.
function varint(bytes, at) {
  let [value, shift] = [0, 0];
  for (let end = at; end < bytes.length; end += 1, shift += 7) {
    value += (bytes[end] & 0x7f) * 2 ** shift;
    if (bytes[end] < 0x80) return [value, end + 1];
  }
  return [Number.NaN, bytes.length];
}

/// The parameters with their numbers. A number is a position in the table.
const PARAMETERS = readFileSync('src/search/tables/parameter-numbers.tsv', 'utf8')
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .flatMap(([type, names]) => names.split(' ').map((name) => [type, name]))
  .map(([type, name], at) => [at + 1, type, name]);
const TYPES = new Map(PARAMETERS.map(([number, type]) => [number, type]));
/// Returns the type of a parameter number. A modifier with its own column sets one of two high bits.
const typeOf = (number) => TYPES.get(number & 0x3fff);
/// The numbers of parameters for the time of the server's last change, which is not in the text of a resource.
const CHANGED = new Set(PARAMETERS.filter(([, , name]) => name === '_changed').map(([number]) => number));

/// Returns the number of columns if the bytes from an offset are columns of one type's parameters, in order, and the
/// bytes of the column of the server's changes. Returns 0 and no bytes otherwise.
function columns(bytes, at) {
  const nothing = [0, Buffer.alloc(0)];
  const [count, first] = varint(bytes, at);
  const type = typeOf(varint(bytes, first)[0]);
  let [next, before, changes] = [first, -1, nothing[1]];
  for (let column = 0; column < count; column += 1) {
    const start = next;
    const [param, behind] = varint(bytes, next);
    const [length, entries] = varint(bytes, behind);
    next = entries + length;
    if (!type || typeOf(param) !== type || param <= before || !(next <= bytes.length)) return nothing;
    if (CHANGED.has(param)) changes = bytes.subarray(start, next);
    before = param;
  }
  return next === bytes.length ? [count, changes] : nothing;
}

/// Returns the row of a chart's head without its index, except for the column of the server's changes. The index is at
/// the end of the head, and the last page follows the head.
function withoutColumns(row) {
  const length = row.readUInt32LE(0);
  const [stored, page] = [row.subarray(4, 4 + length), row.subarray(4 + length)];
  const behind = PREFIX + stored.readUInt32LE(5);
  const [plain, head] = [stored.subarray(PREFIX, behind), inflateRawSync(stored.subarray(behind))];
  const found = Array.from(head, (_, place) => columns(head, place));
  const at = found.reduce((best, [count], place) => (count > found[best][0] ? place : best), 0);
  const [count, changes] = found[at];
  assert.ok(count > 1 && changes.length > 0, 'a head has columns');
  const shorter = Buffer.concat([head.subarray(0, at), Buffer.from([1]), changes]);
  const prefix = Buffer.from(stored.subarray(0, PREFIX));
  prefix.writeUInt32LE(shorter.length, 9);
  const changed = Buffer.concat([prefix, plain, deflateRawSync(shorter)]);
  changed.writeUInt32LE(crc32(changed.subarray(5)), 1);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(changed.length);
  return Buffer.concat([size, changed, page]);
}

test('the cron trigger indexes charts and rows again, over two databases', async (t) => {
  // Within the window, searches would use old charts without a check.
  const vars = { FRESH_SECONDS: '0' };
  const server = await stage({ data: ['sample'], shards: 1, twoDatabases: true, vars });
  t.after(() => server.close());
  edgechart('shard', 'move', ...server.files, '--buckets', '2048-4095', '--to', '1', '--wait', '0');
  const whole = await stage({ data: ['sample'] });
  t.after(() => whole.close());
  const searches = async (asked) => {
    const [bearer, answers] = [asked.token(EVERYTHING), []];
    for (const search of SEARCHES) answers.push(await asked.ask(search, { token: bearer }));
    return answers;
  };
  const ids = ({ body }) => body.entry.map(({ resource }) => resource.id);
  const expected = (await searches(whole)).map(ids);
  assert.ok(expected.every((found) => found.length > 0));

  const databases = await Promise.all(['DB', 'SHARD_1'].map((binding) => server.miniflare.getD1Database(binding)));
  const [directory] = databases;
  const rows = async (table) => (await directory.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;
  const charts = async () => {
    const all = databases.map((database) => database.prepare(CHARTS).all());
    return (await Promise.all(all)).map(({ results }) => results);
  };
  const tables = async () => ({
    fact: await rows('fact'),
    link: await rows('link'),
    resource: await rows('resource'),
    locator: await rows('locator'),
    format: await directory.prepare('SELECT * FROM format').first(),
    charts: await charts(),
  });
  const indexed = await tables();
  assert.ok(
    indexed.charts.every((held) => held.length > 20),
    'both databases have charts',
  );

  // Simulate that every parameter was added after the load.
  const statements = databases.map((database, at) => [
    ...indexed.charts[at]
      .filter((row) => row.is_head)
      .map(({ k, data }) =>
        database
          .prepare('UPDATE chart SET data = ? WHERE k = CAST(? AS INTEGER)')
          .bind(withoutColumns(Buffer.from(data)), k),
      ),
  ]);
  statements[0].push(
    ...[
      'DELETE FROM fact',
      'DELETE FROM link',
      "UPDATE resource SET digest = 'old'",
      "UPDATE format SET params = '[]'",
    ].map((text) => directory.prepare(text)),
  );
  for (const [at, database] of databases.entries()) await database.batch(statements[at]);
  const refused = (await searches(server)).map(({ status, body }) => [status, body.issue?.[0].code]);
  assert.deepEqual(
    refused,
    SEARCHES.map(() => [400, 'not-supported']),
  );

  const worker = await server.jobs();
  const isOutdated = async () => (await directory.prepare('SELECT params FROM format').first('params')) === '[]';
  for (let runs = 0; await isOutdated(); runs += 1) {
    assert.ok(runs < 20, `${runs} runs`);
    await worker.scheduled({ cron: '*/10 * * * *' });
  }
  assert.deepEqual((await searches(server)).map(ids), expected);
  // A difference between whole tables would be too long to show.
  for (const [name, table] of Object.entries(await tables())) assert.ok(isDeepStrictEqual(table, indexed[name]), name);
});
