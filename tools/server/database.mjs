// Creates the local databases of wrangler.toml in a state folder, or applies missing migrations:
//   node tools/server/database.mjs .wrangler/state
// It may be interrupted, and may run twice at once. New databases are created in a separate folder of the run, which is
// moved to its place when they are complete.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseIds } from './d1-files.mjs';

const MIGRATIONS = 'migrations';

/// Returns the path of a file that exists if a state has all migrations.
function stampOf(state) {
  const digest = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) digest.update(readFileSync(join(MIGRATIONS, name)));
  return join(state, `migrations.${digest.digest('hex').slice(0, 16)}`);
}

/// Applies missing migrations to the databases of a state. Several bindings may share a database.
async function migrate(state) {
  const bindings = new Map([...(await databaseIds())].map(([binding, id]) => [id, binding]));
  for (const binding of bindings.values()) {
    const words = ['d1', 'migrations', 'apply', binding, '--local', '--persist-to', state];
    execFileSync('wrangler', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

/// Returns the folders of interrupted runs beside a state.
function abandoned(state) {
  const isRunning = (pid) => {
    try {
      return process.kill(Number(pid), 0);
    } catch (error) {
      return error.code === 'EPERM';
    }
  };
  const begin = `${basename(state)}.new.`;
  return readdirSync(dirname(state))
    .filter((name) => name.startsWith(begin) && !isRunning(name.slice(begin.length)))
    .map((name) => join(dirname(state), name));
}

/// Creates new databases. If another run was faster, its databases stay.
async function make(state) {
  const own = `${state}.new.${process.pid}`;
  try {
    await migrate(own);
    renameSync(join(own, 'v3/d1'), join(state, 'v3/d1'));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  } finally {
    // A process that was just killed may still have its id, so its folder is searched at the end.
    for (const folder of [own, ...abandoned(state)]) rmSync(folder, { recursive: true, force: true });
  }
}

/// Updates existing databases. If another run applies the same migrations at the same time, the first try may fail, and
/// the second try finds nothing to do.
async function update(state) {
  try {
    await migrate(state);
  } catch {
    await migrate(state);
  }
}

async function main([state]) {
  const stamp = stampOf(state);
  if (existsSync(stamp)) return;
  console.log('· making the local database');
  mkdirSync(join(state, 'v3'), { recursive: true });
  await (existsSync(join(state, 'v3/d1')) ? update : make)(state);
  writeFileSync(stamp, '');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // The failed command has printed the reason.
  if (error.status === undefined) throw error;
  console.error(`${error.stdout}${error.stderr}`.trim());
  process.exitCode = 1;
}
