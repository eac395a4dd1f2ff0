// The archive of `make release`: everything that is needed to run the release, no sources, and no secret.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archive, version } from '../../tools/release.mjs';
import { edgechart } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';

const place = temporaryFolder();
execFileSync('tar', ['--extract', '--gzip', '--file', archive, '--directory', place]);
const [name, ...others] = readdirSync(place);
const inside = (file) => join(place, name, file);
const same = (file) => assert.ok(readFileSync(inside(file)).equals(readFileSync(file)), `${file} differs`);

test('the archive is one folder that names the version', () => {
  assert.deepEqual(others, []);
  assert.ok(name.startsWith(`edgechart-${version}-`), name);
});

test('it holds Worker, app, command line, documents, migrations and sample as they were built', () => {
  const files = [
    'build/index.js',
    'build/index_bg.wasm',
    'build/reading.js',
    'build/rehearsal.js',
    'build/edgechart',
    'CHANGELOG.md',
    'LICENSE-APACHE',
    'LICENSE-MIT',
    'audit/wrangler.toml',
    'jobs/worker.js',
    'reading/wrangler.toml',
  ];
  for (const folder of ['docs', 'migrations', 'www/dist', 'www/dist/assets', 'www/dist/widgets']) {
    for (const { name: file } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      files.push(join(folder, file));
    }
  }
  files.push(
    ...readdirSync('sample')
      .filter((file) => file.endsWith('.ndjson'))
      .map((file) => join('sample', file)),
  );
  for (const file of files.filter((file) => file !== 'www/dist/openapi.json')) same(file);
  assert.ok(statSync(inside('build/edgechart')).mode & 0o100);
  assert.ok(statSync(inside('run.sh')).mode & 0o100);
});

test('it describes the search parameters that its settings offer', () => {
  const [, index] = /^INDEX = "([^"]+)"$/m.exec(readFileSync(inside('wrangler.toml'), 'utf8'));
  const described = edgechart('openapi', '--index', index);
  assert.equal(readFileSync(inside('www/dist/openapi.json'), 'utf8'), described);
});

test('its settings are the same, but for the build', () => {
  const settings = readFileSync(inside('wrangler.toml'), 'utf8');
  assert.ok(!/^\[build\]|^command =|^watch_dir/m.test(settings));
  const lines = settings.split('\n');
  const left = readFileSync('wrangler.toml', 'utf8')
    .split('\n')
    .filter((line) => !lines.includes(line));
  assert.deepEqual(left, ['[build]', 'command = "make --no-print-directory worker"', 'watch_dir = "src"']);
});

test('it has the settings of the Workers of each deployment, and of the local Worker for jobs', () => {
  const of = (file) => JSON.parse(readFileSync(inside(file), 'utf8'));
  for (const environment of ['staging', 'production']) {
    const [main, jobs] = ['', 'jobs/'].map((folder) => of(`${folder}wrangler.${environment}.json`));
    assert.deepEqual([main.name, jobs.name], [`edgechart-${environment}`, `edgechart-jobs-${environment}`]);
    assert.equal(main.build, undefined);
    assert.deepEqual(jobs.d1_databases, main.d1_databases);
    const reading = of(`wrangler.${environment}-reading.json`);
    assert.deepEqual([reading.main, reading.name], ['build/reading.js', main.services[0].service]);
  }
  assert.equal(of('jobs/wrangler.json').vars.ENVIRONMENT, 'sandbox');
});

test('nothing in it is secret, or what it is built from', () => {
  const listed = execFileSync('tar', ['--list', '--gzip', '--file', archive], { encoding: 'utf8' }).split('\n');
  assert.deepEqual(
    listed.filter((file) => /\.dev\.vars|\.rs$|Cargo|node_modules|\.sqlite/.test(file)),
    [],
  );
});

test('the command line and the changelog are of the version', () => {
  assert.match(
    execFileSync(inside('build/edgechart'), ['--version'], { encoding: 'utf8' }),
    new RegExp(`^edgechart ${version.replaceAll('.', '\\.')}\\n$`),
  );
  assert.equal(/^## \[([^\]]+)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'))[1], version);
});
