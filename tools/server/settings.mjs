// What wrangler.toml says of a Worker, as wrangler reads it.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/// The list of the packages that are installed.
const PACKAGES = join(import.meta.dirname, '../../package-lock.json');

/// The folder with what servers begin with.
export const PREPARED = 'build/prepared';

/// The options of a Worker for miniflare, without secrets. `config` is the file of the settings, of which `environment`
/// may name an environment. Loading wrangler takes a second of the processor, so that the options are kept until the
/// settings or the packages change.
export async function optionsOf(config, environment) {
  const texts = [config, PACKAGES].map((path) => readFileSync(path, 'utf8'));
  const key = createHash('sha256').update(JSON.stringify([resolve(config), environment, texts]));
  const file = join(PREPARED, `${key.digest('hex').slice(0, 16)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const { unstable_getMiniflareWorkerOptions: read } = await import('wrangler');
  // Unless another file of variables is named, wrangler adds the secrets of .dev.vars. This one does not exist.
  const { workerOptions } = read(config, environment, { envFiles: ['no-file'] });
  mkdirSync(PREPARED, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(workerOptions));
  renameSync(`${file}.${process.pid}`, file);
  return workerOptions;
}
