// The commands of the Makefile, with a program in the place of the command line that notes what it was given: neither
// make nor the shell reads anything in a value, and a value that means nothing is refused.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const place = mkdtempSync(join(tmpdir(), 'edgechart-make-'));
after(() => rmSync(place, { recursive: true }));
const inside = (...names) => join(place, ...names);
for (const name of readdirSync('.')) {
  if (
    !['.git', '.wrangler', '.dev.vars', 'build', 'node_modules'].includes(name) &&
    !/^(wrangler|\.secrets)\..*\.toml/.test(name)
  ) {
    symlinkSync(resolve(name), inside(name));
  }
}
for (const folder of ['build', 'node_modules/.bin']) mkdirSync(inside(folder), { recursive: true });
const program = (name, text) => writeFileSync(inside(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
/// The characters behind an argument, and behind the arguments of a run.
const [ARGUMENT, RUN] = ['\x1f', '\x1e'];
const note = `printf '%s\\037' "$@" >> '${inside('calls')}'; printf '\\036' >> '${inside('calls')}'; echo said`;
for (const name of ['build/edgechart', 'wrangler']) program(name, note);
// What the Makefile asks of node is beside the point.
program('node_modules/.bin/node', 'echo said');
writeFileSync(inside('build/native-profile'), 'cli\n');
writeFileSync(inside('wrangler.staging.toml'), '');

/// The targets of make that count as made, for a test of the commands that need them.
const THERE = ['native', 'tools', 'database', 'namespace', 'secrets', 'wrangler.staging.toml'];

/// Runs make: {status, said, calls}, of which `calls` are the arguments of each run of a program.
function make(words, env = {}) {
  rmSync(inside('calls'), { force: true });
  const { PROFILE, NATIVE_PROFILE, MAKEFLAGS, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync(
    'make',
    [...THERE.flatMap((name) => ['-o', name]), 'LEARNED=0', ...words],
    {
      cwd: place,
      encoding: 'utf8',
      env: { ...own, WRANGLER: inside('wrangler'), ...env },
    },
  );
  const noted = existsSync(inside('calls')) ? readFileSync(inside('calls'), 'utf8') : '';
  const calls = noted.split(RUN).slice(0, -1);
  return { status, said: `${stdout}${stderr}`, calls: calls.map((run) => run.split(ARGUMENT).slice(0, -1)) };
}

/// Texts in which the shell, or make, would run a program that leaves a file.
const MARK = 'mark';
const HOSTILE = [
  `a$(touch ${MARK})\`touch ${MARK}\``,
  `$(shell touch ${MARK})`,
  `"; touch ${MARK}; "`,
  `'; touch ${MARK}; '`,
  `a;touch ${MARK}|cat`,
];
/// The commands that take a value, by the name of the value.
const TAKEN = {
  CLIENT: (value) => [
    ['disable', value],
    ['enable', value],
    ['load', value, 'TARGET=remote'],
  ],
  USER: (value) => [
    ['disable', value],
    ['access', value],
    ['access', value, 'TARGET=remote'],
  ],
  APPS: (value) => [
    ['register', value],
    ['register', value, 'TARGET=remote'],
    ['data', value],
  ],
  USERS: (value) => [['user', value]],
  ACCESS: (value) => [['access', value]],
  NAME: (value) => [['group', 'SEARCH=Patient', value]],
  SEARCH: (value) => [['group', 'NAME=a', value]],
  SINCE: (value) => [['replay', value]],
  EXCEPT: (value) => [['replay', 'SINCE=2026', value]],
  STEP: (value) => [['keys', value]],
  KEYS: (value) => [['keys', 'STEP=next', value]],
  LOG: (value) => [['audit', value]],
  SECRET_FILE: (value) => [['load', 'TARGET=remote', 'CLIENT=a', value]],
  DATA: (value) => [
    ['load', value],
    ['load', value, 'TARGET=remote', 'CLIENT=a'],
    ['load', value, 'TARGET=remote'],
  ],
  STATE: (value) => [
    ['register', 'APPS=a', value],
    ['audit', value],
  ],
  ACTION: (value) => [
    ['shard', value],
    ['shard', value, 'TARGET=remote'],
  ],
  PORT: (value) => [
    ['load', value],
    ['port', value],
  ],
};
/// Values of several words are lists.
const LISTS = ['EXCEPT', 'DATA', 'ACTION'];

for (const [name, commands] of Object.entries(TAKEN)) {
  test(`no program runs that stands in ${name}`, () => {
    for (const text of HOSTILE) {
      for (const words of commands(`${name}=${text}`)) {
        const { said, calls } = make(words);
        assert.ok(!existsSync(inside(MARK)), `${words.join(' ')}\n${said}`);
        const given = calls.flat().join(' ');
        if (!['PORT', 'STATE'].includes(name) && !LISTS.includes(name))
          assert.ok(given.includes(text), `${words}\n${said}`);
      }
    }
  });
}

test('values of the environment are texts too', () => {
  for (const text of HOSTILE) {
    const { calls, said } = make(['disable'], { CLIENT: text });
    assert.ok(!existsSync(inside(MARK)), said);
    assert.equal(calls[0]?.at(-1), text, said);
  }
});

test('a target that is neither remote nor nothing is refused, and nothing is done', () => {
  const commands = [
    ...[
      'load',
      'register',
      'user',
      'access',
      'disable',
      'enable',
      'keys',
      'audit',
      'replay',
      'shard',
      'reindex',
      'dev',
    ],
  ];
  for (const command of commands) {
    for (const target of ['Remote', 'REMOTE', 'production', 'staging', 'local', 'remote staging', 'remote2']) {
      const { status, said, calls } = make([command, 'CLIENT=a', `TARGET=${target}`]);
      assert.ok(
        status !== 0 && said.includes(`TARGET is remote, or nothing for the local server, not ${target}`),
        said,
      );
      assert.deepEqual(calls, [], command);
    }
  }
  for (const words of [['ENV=prod'], ['ENV=Production'], ['ENV=staging production']]) {
    const { status, said, calls } = make(['disable', 'CLIENT=a', 'TARGET=remote', ...words]);
    assert.ok(status !== 0 && said.includes('ENV is staging or production'), said);
    assert.deepEqual(calls, []);
  }
  // A shell may have an ENV of its own.
  assert.equal(make(['disable', 'CLIENT=a'], { ENV: '/etc/shrc' }).status, 0);
  const store = make(['load', 'STORE=KV']);
  assert.ok(store.status !== 0 && store.said.includes('STORE is d1 or kv, not KV'), store.said);
});

test('without a target the local database is meant, and with remote the one of the account', () => {
  const local = make(['disable', 'CLIENT=a']);
  assert.deepEqual([local.status, local.calls.map(([first]) => first)], [0, ['disable']], local.said);
  assert.ok(local.calls[0].includes('--db'));
  const remote = make(['disable', 'CLIENT=a', 'TARGET=remote']);
  assert.deepEqual([remote.status, remote.calls.map(([first]) => first)], [0, ['disable', 'd1']], remote.said);
  assert.ok(remote.calls[0].includes('--sql') && remote.calls[1].includes('--remote'));
});

test('what administers takes the command line that is there, and another profile only if it is named', () => {
  writeFileSync(inside('shown.mk'), '$(info PROFILE=$(PROFILE) NATIVE_PROFILE=$(NATIVE_PROFILE))\n');
  const profiles = (words, env) => {
    const { said } = make(['-n', '-f', 'Makefile', '-f', 'shown.mk', ...words], env);
    return /PROFILE=(\w*) NATIVE_PROFILE=(\w*)/.exec(said)?.slice(1);
  };
  for (const there of ['cli', 'dev', 'tests']) {
    writeFileSync(inside('build/native-profile'), `${there}\n`);
    for (const command of [
      'register',
      'user',
      'access',
      'disable',
      'keys',
      'audit',
      'replay',
      'load',
      'shard',
      'reindex',
    ]) {
      assert.deepEqual(profiles([command]), ['dev', there], command);
    }
    assert.deepEqual(profiles(['load', 'PROFILE=release']), ['release', 'cli']);
    assert.deepEqual(profiles(['load', 'PROFILE=dev']), ['dev', 'dev']);
    assert.deepEqual(profiles(['load'], { PROFILE: 'release' }), ['release', 'cli']);
    assert.deepEqual(profiles(['dev']), ['dev', 'dev']);
    assert.deepEqual(profiles(['serve']), ['release', 'cli']);
  }
  rmSync(inside('build/native-profile'));
  assert.deepEqual(profiles(['register']), ['dev', 'dev']);
});
