// The times of files in a fresh clone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../server/folder.mjs';

const SCRIPT = fileURLToPath(new URL('../../tools/checks/source-times.mjs', import.meta.url));
const EARLIER = new Date('2020-01-01T00:00:00Z');

test('a file with the same content keeps its time in a clone at the same path, and in no other', () => {
  const folder = temporaryFolder();
  const [clone, other, target] = ['clone', 'other', 'target'].map((name) => join(folder, name));
  const run = (cwd) => execFileSync('node', [SCRIPT, target], { cwd });
  const write = (cwd, files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    execFileSync('git', ['add', '.'], { cwd });
  };
  execFileSync('git', ['init', '-q', clone]);
  write(clone, { same: 'same', changed: 'before' });
  for (const file of ['same', 'changed']) utimesSync(join(clone, file), EARLIER, EARLIER);
  run(clone);
  cpSync(clone, other, { recursive: true });
  rmSync(clone, { recursive: true });

  execFileSync('git', ['init', '-q', clone]);
  write(clone, { same: 'same', changed: 'after', new: 'new' });
  const isKept = (cwd) => ['same', 'changed', 'new'].map((file) => statSync(join(cwd, file)).mtime <= EARLIER);
  assert.deepEqual(isKept(clone), [false, false, false]);
  run(clone);
  assert.deepEqual(isKept(clone), [true, false, false]);
  writeFileSync(join(clone, 'same'), 'edited');
  run(clone);
  assert.deepEqual(isKept(clone), [false, false, false]);

  write(other, { new: 'new' });
  run(other);
  assert.deepEqual(isKept(other), [false, false, false]);
});
