// What the settings of a Worker say, as wrangler reads them.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/// The list of the packages that are installed, and what makes settings.
const OURS = ['package-lock.json', 'tools/deploy/settings.mjs'].map((path) => join(import.meta.dirname, '../..', path));

/// The folder with what servers begin with.
export const PREPARED = 'build/prepared';

/// The options for miniflare, without secrets, of the Worker whose settings are in the file `config`, or of the one
/// that does its `jobs`. Loading wrangler takes a second of the processor, so that the options are kept until the
/// settings or the packages change.
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
  // Unless another file of variables is named, wrangler adds the secrets of .dev.vars. This one does not exist.
  const { workerOptions } = optionsIn(jobs ? `${own}.json` : config, undefined, { envFiles: ['no-file'] });
  rmSync(`${own}.json`, { force: true });
  writeFileSync(own, JSON.stringify(workerOptions));
  renameSync(own, file);
  return workerOptions;
}
