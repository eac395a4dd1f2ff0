// The first start on a machine, and one that was ended on the way.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const make = (folder) =>
  spawn('make', ['-o', 'native', 'database', `STATE=${join(folder, 'state')}`], { detached: true });
const ended = (child) =>
  new Promise((resolve) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('close', (code) => resolve({ code, said }));
  });

test('a first start that was killed while it made the database is followed by one that makes it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'first-run-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const first = make(folder);
  const killed = ended(first);
  const made = join(folder, 'state.new/v3/d1');
  for (let tries = 0; tries < 600 && !existsSync(made); tries += 1) await sleep(50);
  assert.ok(existsSync(made), 'it is being made');
  process.kill(-first.pid, 'SIGKILL');
  assert.notEqual((await killed).code, 0);
  assert.ok(!existsSync(join(folder, 'state/v3/d1')));
  const { code, said } = await ended(make(folder));
  assert.equal(code, 0, said);
  assert.ok(existsSync(join(folder, 'state/v3/d1')) && !existsSync(join(folder, 'state.new')));
});
