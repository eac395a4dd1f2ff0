// The choices of the Makefile: the profile to build, the target of a load, and the refused values. Nothing is run.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../server/folder.mjs';

const place = temporaryFolder();
for (const name of readdirSync('.').filter((name) => !['.git', '.wrangler', 'build', 'Makefile'].includes(name))) {
  symlinkSync(resolve(name), join(place, name));
}
cpSync('Makefile', join(place, 'Makefile'));
mkdirSync(join(place, 'build'));
writeFileSync(join(place, 'shown.mk'), '$(info PROFILE=$(PROFILE) NATIVE_PROFILE=$(NATIVE_PROFILE))\n');

/// Returns what make would run: {status, said}.
function make(words, env = {}) {
  const { PROFILE, NATIVE_PROFILE, MAKEFLAGS, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync('make', ['-n', '-f', 'Makefile', '-f', 'shown.mk', ...words], {
    cwd: place,
    encoding: 'utf8',
    env: { ...own, ...env },
  });
  return { status, said: `${stdout}${stderr}` };
}

test('a load takes the command line that is there, and another profile only if it is named', () => {
  const profiles = (words, env) => /PROFILE=(\w*) NATIVE_PROFILE=(\w*)/.exec(make(words, env).said)?.slice(1);
  for (const there of ['cli', 'dev', 'tests']) {
    writeFileSync(join(place, 'build/native-profile'), `${there}\n`);
    assert.deepEqual(profiles(['load']), ['dev', there]);
    assert.deepEqual(profiles(['load', 'PROFILE=release']), ['release', 'cli']);
    assert.deepEqual(profiles(['load', 'PROFILE=dev']), ['dev', 'dev']);
    assert.deepEqual(profiles(['load'], { PROFILE: 'release' }), ['release', 'cli']);
    assert.deepEqual(profiles(['dev']), ['dev', 'dev']);
    assert.deepEqual(profiles(['serve']), ['release', 'cli']);
    assert.deepEqual(profiles(['test']), ['release', 'tests']);
  }
  rmSync(join(place, 'build/native-profile'));
  assert.deepEqual(profiles(['load']), ['dev', 'dev']);
});

test('a load goes into the local store, or with a target to the deployment', () => {
  assert.match(make(['load']).said, /admin\.mjs local load sample/);
  const words = ['load', 'DATA=a b', 'TARGET=remote', 'CLIENT=engine', 'KEY=key.json'];
  assert.match(make(words).said, /admin\.mjs "staging" load a b --client "engine"[\s\\]+--key "key\.json"/);
  assert.match(make([...words, 'ENV=production']).said, /admin\.mjs "production" load/);
});

test('a value that means nothing is refused', () => {
  for (const [value, text] of [
    ['STORE=KV', 'STORE is d1 or kv, not KV'],
    ['PROFILE=fast', 'PROFILE is dev or release, not fast'],
    ['TARGET=production', 'TARGET is remote or nothing'],
    ['TARGET=remote', 'set DATA to the files'],
  ]) {
    assert.ok(make(['load', value]).said.includes(text), value);
  }
});

test('the Makefile stays within 250 lines', () => {
  const { stdout } = spawnSync('wc', ['-l', 'Makefile'], { encoding: 'utf8' });
  assert.ok(Number.parseInt(stdout, 10) <= 250, stdout);
});
