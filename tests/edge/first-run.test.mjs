// The first start on a machine, an interrupted start, and two starts at once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { d1File } from '../../tools/server/d1-files.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { until } from '../server/until.mjs';

const make = (folder) =>
  spawn('make', ['-o', 'native', 'database', `STATE=${join(folder, 'state')}`], { detached: true });
const ended = (child) =>
  new Promise((resolve) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('close', (code) => resolve({ code, said }));
  });

test('a first start that was killed while it made the database is followed by one that makes it', async () => {
  const folder = temporaryFolder();
  const first = make(folder);
  const killed = ended(first);
  const unfinished = () => readdirSync(folder).filter((name) => name.startsWith('state.new.'));
  await until(() => assert.ok(unfinished().some((name) => existsSync(join(folder, name, 'v3/d1')))), { most: 60_000 });
  process.kill(-first.pid, 'SIGKILL');
  assert.notEqual((await killed).code, 0);
  assert.ok(!existsSync(join(folder, 'state/v3/d1')));
  const { code, said } = await ended(make(folder));
  assert.equal(code, 0, said);
  assert.ok(existsSync(join(folder, 'state/v3/d1')));
  assert.deepEqual(unfinished(), []);
});

test('two starts at once, at first and after a migration was added, leave one whole database', async () => {
  const folder = temporaryFolder();
  for (const name of ['node_modules', 'www']) symlinkSync(resolve(name), join(folder, name));
  cpSync('wrangler.toml', join(folder, 'wrangler.toml'));
  mkdirSync(join(folder, 'migrations'));
  // A few migrations are enough, because wrangler starts workerd for each.
  const migrations = readdirSync('migrations').sort().slice(0, 6);
  const add = (names) => {
    for (const name of names) cpSync(join('migrations', name), join(folder, 'migrations', name));
  };
  const start = () => spawn('node', [resolve('tools/server/database.mjs'), 'state'], { cwd: folder });
  const both = async () => {
    for (const { code, said } of await Promise.all([start(), start()].map(ended))) assert.equal(code, 0, said);
    const database = new DatabaseSync(d1File(join(folder, 'state'), 'edgechart'), { readOnly: true });
    const applied = database.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
    database.close();
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('state.')));
    assert.deepEqual(readdirSync(join(folder, 'state/v3/d1')), ['miniflare-D1DatabaseObject']);
    return applied.map(({ name }) => name);
  };
  add(migrations.slice(0, -1));
  assert.deepEqual(await both(), migrations.slice(0, -1));
  add(migrations.slice(-1));
  assert.deepEqual(await both(), migrations);
});
