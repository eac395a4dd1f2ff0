// Writes the settings of the Worker that does the jobs beside `wrangler dev`, which has its `--var` for the first
// Worker alone, and prints their path:
//   node tools/server/jobs-settings.mjs .wrangler/state ORIGIN=http://localhost:8787 STORE=d1 INDEX=us-core

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const TOML = 'jobs/wrangler.toml';

/// The local settings with other variables, for a file anywhere.
export function localSettings(text, variables) {
  const [local] = text.split(/^\[env\./m);
  const moved = local.replace(/^main = "(.*)"$/m, (_, main) => `main = ${JSON.stringify(resolve('jobs', main))}`);
  return Object.entries(variables).reduce((settings, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(settings)) throw new Error(`${TOML} has no variable ${name}`);
    return settings.replace(line, () => `${name} = ${JSON.stringify(value)}`);
  }, moved);
}

if (import.meta.filename === process.argv[1]) {
  const [state, ...words] = process.argv.slice(2);
  const variables = Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  const file = join(state, 'jobs.toml');
  mkdirSync(state, { recursive: true });
  writeFileSync(file, localSettings(readFileSync(TOML, 'utf8'), variables));
  console.log(file);
}
