// The options that are kept for servers: those of the settings as they are now, and no secret.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { optionsOf } from '../../tools/server/settings.mjs';

test('kept options are those of the settings, without the secrets beside them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-settings-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'wrangler.toml');
  const settings = (greeting) => `
name = "a-worker"
compatibility_date = "2026-01-01"
[vars]
GREETING = "${greeting}"
[env.staging.vars]
GREETING = "${greeting}, staging"
`;
  writeFileSync(join(folder, '.dev.vars'), 'PEPPER=secret\n');
  for (const greeting of ['hello', 'good morning']) {
    writeFileSync(config, settings(greeting));
    for (const time of ['read', 'kept']) {
      assert.deepEqual((await optionsOf(config)).bindings, { GREETING: greeting }, time);
      assert.deepEqual((await optionsOf(config, 'staging')).bindings, { GREETING: `${greeting}, staging` }, time);
    }
  }
});
