// The stored options for servers: they match the current settings, and contain no secret.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { optionsOf } from '../../tools/server/settings.mjs';
import { temporaryFolder } from '../server/folder.mjs';

test('kept options are those of the settings, without the secrets beside them', async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'wrangler.toml');
  const settings = (greeting) => `
name = "a-worker"
compatibility_date = "2026-01-01"
[vars]
GREETING = "${greeting}"
[assets]
directory = "."
`;
  writeFileSync(join(folder, '.dev.vars'), 'PEPPER=secret\n');
  for (const greeting of ['hello', 'good morning']) {
    writeFileSync(config, settings(greeting));
    for (const time of ['read', 'kept']) {
      const [main, jobs] = [await optionsOf(config), await optionsOf(config, { jobs: true })];
      assert.deepEqual([main.bindings, jobs.bindings], [{ GREETING: greeting }, { GREETING: greeting }], time);
      assert.deepEqual([main.assets !== undefined, jobs.assets], [true, undefined], time);
    }
  }
});
