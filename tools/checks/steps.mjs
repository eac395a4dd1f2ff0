// The steps of `make test`.

import { readdirSync, readFileSync } from 'node:fs';

/// Returns a step that runs a make target. A step is `{name, command, needs, lock, idle, tests}`: `area/name`, the
/// words of the command, the names of the steps that it needs, the cargo folder that it locks, whether it mostly waits,
/// and whether it runs tests, so that it fails if it runs none. Long steps come first in the lists.
const make = (name, target, { needs = [], ...rest } = {}) => ({
  name,
  command: ['make', '--no-print-directory', target],
  needs,
  ...rest,
});

const BUILDS = [
  make('build/bindgen', 'bindgen', { lock: 'tools' }),
  make('build/worker', 'worker', { needs: ['build/bindgen'] }),
  make('build/browser', 'browser', { needs: ['build/bindgen'] }),
  make('build/native', 'native'),
  make('build/app', 'app', { needs: ['build/browser', 'build/native'] }),
  make('build/sizes', 'sizes', { needs: ['build/worker', 'build/app'] }),
  make('build/clients', 'clients'),
  make('build/chromium', 'chromium'),
];
const SERVER = ['build/worker', 'build/native', 'build/app'];

const LINTS = [
  make('lint/rust', 'lint-rust', { lock: 'debug' }),
  make('lint/tools', 'lint-tools', { lock: 'tools' }),
  make('lint/web', 'lint-web'),
  make('lint/doc', 'doc', { lock: 'debug' }),
];

/// The modules of the test program, except shared ones and those that `tests/oracle/trials.test.mjs` runs.
const modules = [...readFileSync('tests/main.rs', 'utf8').matchAll(/^mod (\w+);$/gm)]
  .map(([, name]) => name)
  .filter((name) => !['support', 'world', 'trials', 'export_trials'].includes(name));
const unit = (name, words) => ({
  name: `unit/${name}`,
  command: words,
  tests: true,
  needs: ['build/native'],
});
const UNITS = [
  unit('members', ['bash', '-ec', 'for program in build/tests/members/*; do "$program"; done']),
  ...modules.map((name) => unit(name, ['build/tests/integration', `${name}::`])),
  make('unit/examples', 'unit-examples', { needs: ['build/native'], tests: true }),
  make('unit/wasm', 'wasm', { lock: 'debug', tests: true }),
  make('unit/app', 'unit-app', { tests: true }),
];

/// Tests that mostly wait for time to pass: for the minute of a rate limit, or for the seconds for which a value is
/// cached.
const IDLE = ['edge/flood', 'edge/audit', 'edge/databases', 'edge/corrections', 'edge/window'];
const NEEDS = {
  definitions: ['build/native'],
  oracle: ['build/native'],
  sample: ['build/native'],
  checks: [],
  browser: ['build/native', 'build/browser', 'build/chromium'],
  edge: [...SERVER, 'build/clients'],
  app: [...SERVER, 'build/clients', 'build/chromium'],
  release: [...SERVER, 'build/archive'],
};
const MORE = { 'edge/agree': ['build/chromium'] };
const files = Object.keys(NEEDS).flatMap((area) =>
  readdirSync(`tests/${area}`)
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => {
      const name = `${area}/${file.replace('.test.mjs', '')}`;
      return {
        name,
        command: ['node', '--test', '--test-reporter=spec', `tests/${area}/${file}`],
        tests: true,
        needs: [...NEEDS[area], ...(MORE[name] ?? [])],
        idle: IDLE.includes(name),
      };
    }),
);

export const steps = [...BUILDS, make('build/archive', 'release', { needs: SERVER }), ...LINTS, ...UNITS, ...files];
