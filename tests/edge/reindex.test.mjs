// Records that lack parameters: the cron trigger of the Worker indexes them again, over several databases too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';

/// The bytes before the plain ones of a stored value: the form, the checksum, and two lengths.
const PREFIX = 13;
/// The keys of charts are larger than a number of JavaScript. Those of heads end with these bits.
const CHARTS = 'SELECT CAST(k AS TEXT) AS k, data, k & 524280 = 524280 AS is_head FROM chart ORDER BY chart.k';
const SEARCHES = [
  'Practitioner?name=lindholm',
  'Condition?patient=amara-okafor&clinical-status=active',
  'Observation?patient=amara-okafor&category=laboratory',
];

/// The number that is at a place of these bytes, and the place behind it.
function varint(bytes, at) {
  let [value, shift] = [0, 0];
  for (let end = at; end < bytes.length; end += 1, shift += 7) {
    value += (bytes[end] & 0x7f) * 2 ** shift;
    if (bytes[end] < 0x80) return [value, end + 1];
  }
  return [Number.NaN, bytes.length];
}

/// The parameters of all numbers, which are their places in the table.
const PARAMETERS = readFileSync('src/tables/parameter-numbers.tsv', 'utf8')
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .flatMap(([type, names]) => names.split(' ').map((name) => [type, name]))
  .map(([type, name], at) => [at + 1, type, name]);
const TYPES = new Map(PARAMETERS.map(([number, type]) => [number, type]));
/// The type of a parameter, by the parameter's number. A modifier with a column of its own sets one of two high bits.
const typeOf = (number) => TYPES.get(number & 0x3fff);
/// The parameters that tell when the server has changed a resource, which no text tells.
const CHANGED = new Set(PARAMETERS.filter(([, , name]) => name === '_changed').map(([number]) => number));

/// The number of columns of a head that the bytes from a place on are, of parameters of one type, in their order; and
/// the bytes of the column of the server's changes. 0 if they are something else.
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

/// The row of a chart's head without its index, which comes last in it, but for the column of the server's changes. The
/// last page is behind the head.
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
  // Charts that were checked within the window would be searched as they were.
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

  // As if every parameter had been added since the load.
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
  // The difference of whole tables would be too long to be shown.
  for (const [name, table] of Object.entries(await tables())) assert.ok(isDeepStrictEqual(table, indexed[name]), name);
});
