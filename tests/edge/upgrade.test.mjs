// An upgrade with migrations, on local state. With tables of an earlier version, this Worker refuses clearly. It works
// as soon as wrangler has applied the migrations, and serves the earlier rows. With tables of a later version, it
// answers, issues tokens and accepts loads, because it runs with them until it is replaced.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { d1File } from '../../tools/server/d1-files.mjs';
import { edgechart, found, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { start } from '../../tools/server/workerd.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { basic, granted, postForm } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const MIGRATIONS = readdirSync('migrations').sort();
const SEARCHES = ['Observation?patient=amara-okafor&category=laboratory&_count=5', 'Patient?name=okafor'];

function tablesOf(database) {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '[_sd]*_*'")
    .all();
  return names.map(({ name }) => [name, database.prepare(`SELECT name FROM pragma_table_info(?)`).all(name)]);
}

/// Returns the tables that a migration makes, or, if it makes none, the first column that it adds: `table.column`.
function made(migration) {
  const tables = [...migration.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, table]) => table);
  const [, table, column] = migration.match(/^ALTER TABLE (\w+) ADD COLUMN (\w+)/m) ?? [];
  return tables.length > 0 || !table ? tables : [`${table}.${column}`];
}

/// Creates a folder with a local state, to which `apply(count)` applies the first migrations with wrangler. Returns
/// {folder, state, apply, begin, file}.
function local() {
  const folder = temporaryFolder();
  for (const name of ['build', 'www', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  writeFileSync(join(folder, 'wrangler.toml'), readFileSync('wrangler.toml'));
  mkdirSync(join(folder, 'migrations'));
  const state = join(folder, 'state');
  const copy = (count) => {
    for (const name of MIGRATIONS.slice(0, count)) cpSync(join('migrations', name), join(folder, 'migrations', name));
  };
  const apply = (count) => {
    copy(count);
    execFileSync(
      resolve('node_modules/.bin/wrangler'),
      ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state],
      { cwd: folder, env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' }, stdio: 'ignore' },
    );
  };
  /// Starts with a copy of a state to which the first `count` migrations were applied.
  const begin = (from, count) => {
    copy(count);
    cpSync(from, state, { recursive: true });
  };
  return { folder, state, apply, begin, file: d1File(state, 'edgechart') };
}

/// Copies the rows and columns that the earlier tables can hold from a complete database.
function copyRows(from, to) {
  const database = new DatabaseSync(to);
  database.exec(`ATTACH '${from}' AS whole`);
  for (const [name, columns] of tablesOf(database)) {
    const list = columns.map((column) => `"${column.name}"`).join(', ');
    database.exec(`INSERT OR IGNORE INTO main."${name}" (${list}) SELECT ${list} FROM whole."${name}"`);
  }
  database.close();
}

/// Starts this Worker over a state. Resolves to `status` of an address, `search` with a token, and the log.
async function serve(t, { folder, state, file }, keys) {
  const log = [];
  const vars = { ORIGIN, FRESH_SECONDS: '0' };
  const server = await start({ state, keys, vars, logged: (message) => log.push(message) });
  t.after(server.close);
  const token = () => edgechart('token', 'system/*.read', '--origin', ORIGIN, '--keys', keys, '--db', file).trim();
  const search = async (query, bearer) => {
    const answer = await fetch(`${server.url}/fhir/r4/${query}`, { headers: { authorization: `Bearer ${bearer}` } });
    return { status: answer.status, body: await answer.json() };
  };
  const status = async (path) => (await fetch(`${server.url}${path}`)).status;
  return { folder, log, status, search, token, url: server.url };
}

/// The numbers of migrations that may be missing: the last one, or several.
const MISSING = [1, Math.min(4, MIGRATIONS.length - 1)];
/// The folder of the states, by the number of missing migrations. Wrangler applies the migrations one by one.
const states = temporaryFolder();
const stateOf = (missing) => join(states, String(missing));
const whole = await stage({ data: ['sample'] });
after(whole.close);
const first = local();
before(() => {
  for (const missing of MISSING.toReversed()) {
    first.apply(MIGRATIONS.length - missing);
    cpSync(first.state, stateOf(missing), { recursive: true });
  }
});

for (const missing of MISSING) {
  const names = MIGRATIONS.slice(-missing);
  test(`the Worker refuses tables without ${names[0]} clearly, and goes on when they are there`, async (t) => {
    const place = local();
    place.begin(stateOf(missing), MIGRATIONS.length - missing);
    copyRows(whole.db, place.file);
    const server = await serve(t, place, whole.keys);
    assert.equal(await server.status('/healthz'), 200);
    assert.equal(await server.status('/readyz'), 503);
    // A line of the log may come after the answer.
    await until(async () => assert.match(server.log.join('\n'), /tables are missing/));
    const said = server.log.join('\n');
    for (const name of names) {
      const lacking = made(readFileSync(join('migrations', name), 'utf8'));
      assert.ok(lacking.length > 0, `what is lacking must show in /readyz: ${name}`);
      for (const wanted of lacking) assert.ok(said.includes(wanted), `${wanted}: ${said}`);
    }

    place.apply(MIGRATIONS.length);
    await until(async () => assert.equal(await server.status('/readyz'), 200));
    const token = server.token();
    const charts = await server.search(SEARCHES[0], token);
    assert.equal(charts.status, 200, JSON.stringify(charts.body));
    assert.equal(found(charts.body).ids.length, 5);
    assert.deepEqual(found((await server.search(SEARCHES[1], token)).body).ids, ['Patient/amara-okafor']);
  });
}

test('the Worker and the command line go on with tables of a later version', async (t) => {
  const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
  t.after(server.close);
  const database = new DatabaseSync(server.db);
  for (const [name] of tablesOf(database)) database.exec(`ALTER TABLE "${name}" ADD COLUMN later TEXT`);
  database.exec('CREATE TABLE later (one INTEGER PRIMARY KEY, text TEXT); INSERT INTO later (text) VALUES (1)');
  database.close();
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  const client = { client_id: 'backend-basic', secret: 'sandbox-basic-secret' };
  const { access_token: token } = await granted(server, client, 'system/*.read');
  const ids = async (query) => found((await server.ask(query, { token })).body).ids;
  assert.equal((await ids(SEARCHES[0])).length, 5);
  assert.deepEqual(await ids(SEARCHES[1]), ['Patient/amara-okafor']);
  for (const name of ['Earlier', 'Later']) {
    server.loadText(JSON.stringify({ resourceType: 'Patient', id: 'later', name: [{ family: name }] }));
    assert.deepEqual(await ids(`Patient?name=${name}`), ['Patient/later'], 'a load, and one that corrects');
  }
  server.enrol({ dr: ['later'] });
  edgechart('disable', 'client', 'backend-basic', '--db', server.db);
  await (await server.jobs()).scheduled({ cron: '*/10 * * * *' });
  const introspector = basic('introspector', 'sandbox-introspector-secret');
  assert.equal((await postForm(server, '/oauth/introspect', { token }, introspector)).body.active, false);
});
