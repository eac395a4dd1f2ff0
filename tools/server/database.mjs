// Makes the local databases of wrangler.toml in a folder of state, or applies the migrations that they lack:
//   node tools/server/database.mjs .wrangler/state
// It may be ended on the way, and run twice at once. A new database is made in a folder of the run's own, and is moved
// to its place when it is whole.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseIds } from './d1-files.mjs';

const MIGRATIONS = 'migrations';

/// The file whose presence says that a state has all migrations.
function stampOf(state) {
  const digest = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) digest.update(readFileSync(join(MIGRATIONS, name)));
  return join(state, `migrations.${digest.digest('hex').slice(0, 16)}`);
}

/// Applies the migrations that the databases of a state lack. Bindings may share one.
async function migrate(state) {
  const bindings = new Map([...(await databaseIds())].map(([binding, id]) => [id, binding]));
  for (const binding of bindings.values()) {
    const words = ['d1', 'migrations', 'apply', binding, '--local', '--persist-to', state];
    execFileSync('wrangler', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

/// The folders of runs that were ended on the way, beside a state.
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

/// Makes new databases. Where another run was faster, its databases stay.
async function make(state) {
  const own = `${state}.new.${process.pid}`;
  try {
    await migrate(own);
    renameSync(join(own, 'v3/d1'), join(state, 'v3/d1'));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
  } finally {
    // A process that was killed just now may still have its number, so that its folder is looked for at the end.
    for (const folder of [own, ...abandoned(state)]) rmSync(folder, { recursive: true, force: true });
  }
}

/// Brings databases of before up to date. Another run may apply the same migrations at the same time: then the second
/// try finds none that is lacking.
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
  // The command that failed has said why.
  if (error.status === undefined) throw error;
  console.error(`${error.stdout}${error.stderr}`.trim());
  process.exitCode = 1;
}
