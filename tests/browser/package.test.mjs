// The npm package in the hands of a new user: installed from its file into an empty project, in Node and in a page that
// Vite builds. Records outside of the scopes are hidden.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { open } from '../../tools/server/chromium.mjs';
import { temporaryFolder } from '../server/folder.mjs';

const PACKED = resolve(execFileSync('node', ['tools/package.mjs'], { encoding: 'utf8' }).trim());
const project = temporaryFolder();
const run = (program, ...words) => execFileSync(program, words, { cwd: project, encoding: 'utf8' });
const write = (name, text) => writeFileSync(join(project, name), text);

const SEARCH = `
  const chart = new Chart('https://records.example/fhir', { scopes: 'patient/Observation.rs', patient: 'a' });
  chart.load([
    { resourceType: 'Patient', id: 'a' },
    { resourceType: 'Patient', id: 'b' },
    { resourceType: 'Observation', id: 'own', status: 'final', subject: { reference: 'Patient/a' } },
    { resourceType: 'Observation', id: 'hidden', status: 'final', subject: { reference: 'Patient/b' } },
  ].map((resource) => JSON.stringify(resource)).join('\\n'));
  let refusal;
  try { chart.search('Patient?_id=a'); } catch (outcome) { refusal = outcome.issue[0].code; }
  const { entry } = JSON.parse(chart.search('Observation?status=final'));
  const found = JSON.stringify([entry.map(({ resource }) => resource.id), refusal]);`;
const FOUND = '[["own"],"forbidden"]';

write('package.json', '{ "type": "module", "private": true }');
run('npm', 'install', '--offline', '--no-audit', '--no-fund', PACKED);

test('a script of Node searches with a scope that hides something', () => {
  write(
    'search.js',
    `import { readFileSync } from 'node:fs';
  import { Chart, initSync } from 'edgechart';
  initSync({ module: readFileSync(new URL(import.meta.resolve('edgechart/edgechart_bg.wasm'))) });
  ${SEARCH}
  console.log(found);`,
  );
  assert.equal(run('node', 'search.js').trim(), FOUND);
});

test('an empty page of Vite does, and its types are found', async () => {
  write('index.html', '<!doctype html><title>empty</title><script type="module" src="/page.ts"></script>');
  const page = `import init, { Chart } from 'edgechart';
  await init();
  ${SEARCH.replace('let refusal', 'let refusal: unknown').replace('outcome.issue', '(outcome as any).issue')}
  document.title = found;`.replace('({ resource })', '({ resource }: any)');
  write('page.ts', page);
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(resolve('node_modules/vite'), join(project, 'node_modules/vite'));
  const types = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler'];
  run(resolve('node_modules/.bin/tsc'), ...types, 'page.ts');
  run(resolve('node_modules/.bin/vite'), 'build', '--target', 'esnext', '--logLevel', 'error');
  const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer(({ url }, answer) => {
    const file = join(project, 'dist', url === '/' ? 'index.html' : url);
    answer.setHeader('content-type', kinds[extname(file)]).end(readFileSync(file));
  }).listen(0);
  const { page: tab, close } = await open();
  await tab.goto(`http://localhost:${server.address().port}/`);
  await tab.waitForFunction(() => document.title !== 'empty');
  assert.equal(await tab.title(), FOUND);
  await close();
  server.close();
});
