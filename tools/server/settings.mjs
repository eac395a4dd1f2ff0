// Reads the settings of a Worker as wrangler does.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/// The list of installed packages and the module that computes settings. The cached options depend on both.
const OURS = ['package-lock.json', 'tools/deploy/settings.mjs'].map((path) => join(import.meta.dirname, '../..', path));

/// The folder of prepared options, states and populations for servers.
export const PREPARED = 'build/prepared';

/// Resolves to the miniflare options, without secrets, of the Worker with the settings file `config`, or with `jobs` of
/// its Worker for jobs. Loading wrangler takes a second of processor time, so the options are cached until the settings
/// or the packages change.
export async function optionsOf(config, { jobs = false } = {}) {
  const texts = [config, ...OURS].map((path) => readFileSync(path, 'utf8'));
  const key = createHash('sha256').update(JSON.stringify([resolve(config), jobs, texts]));
  const file = join(PREPARED, `${key.digest('hex').slice(0, 16)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const { unstable_getMiniflareWorkerOptions: optionsIn } = await import('wrangler');
  mkdirSync(PREPARED, { recursive: true });
  const own = `${file}.${process.pid}`;
  if (jobs) {
    const { jobsOf, read } = await import('../deploy/settings.mjs');
    writeFileSync(`${own}.json`, JSON.stringify(jobsOf(read(config))));
  }
  // By default wrangler adds the secrets of .dev.vars. Naming a file that does not exist prevents that.
  const { workerOptions } = optionsIn(jobs ? `${own}.json` : config, undefined, { envFiles: ['no-file'] });
  rmSync(`${own}.json`, { force: true });
  writeFileSync(own, JSON.stringify(workerOptions));
  renameSync(own, file);
  return workerOptions;
}
