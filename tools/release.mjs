// `make release`: packs the build into an archive that runs with Node and without Rust. See docs/release.md.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deploymentOf, jobsOf, read, readingOf } from './deploy/settings.mjs';

const only = (file, pattern) => {
  const found = pattern.exec(readFileSync(file, 'utf8'));
  if (!found) throw new Error(`${file} does not say ${pattern}`);
  return found[1];
};

export const version = only('Cargo.toml', /^version = "([^"]+)"$/m);
const host = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];
const name = `edgechart-${version}-${host}`;
export const archive = `build/${name}.tar.gz`;

/// The files of the archive. Their paths stay the same, so that wrangler.toml is valid in both places.
const FILES = [
  'build/index.js',
  'build/index_bg.wasm',
  'build/reading.js',
  'build/rehearsal.js',
  'build/edgechart',
  'www/dist',
  'migrations',
  'audit',
  'jobs/worker.js',
  'reading/wrangler.toml',
  'docs',
  'CHANGELOG.md',
  'LICENSE-APACHE',
  'LICENSE-MIT',
];

function run({ wrangler, node }) {
  return `#!/bin/sh
# Serves edgechart with a sandbox of invented patients on http://localhost:8787: ./run.sh
# Needs Node 20 or later with npm, from which come wrangler and the Node that it wants. DATA="path …" loads other records, STATE=… keeps them elsewhere.
set -eu
cd "$(dirname "$0")"
state=\${STATE:-.wrangler/state}
origin=http://localhost:\${PORT:-8787}
wrangler="npx --yes --package wrangler@${wrangler} --package node@${node} wrangler"
$wrangler d1 migrations apply DB --local --persist-to "$state"
db=$(ls "$state"/v3/d1/miniflare-D1DatabaseObject/*.sqlite | grep -v /metadata.sqlite)
build/edgechart keys --into .dev.vars
build/edgechart sandbox --db "$db" --origin "$origin" > /dev/null
FHIR_BASE=$origin/fhir/r4 build/edgechart load \${DATA:-sample} --db "$db"
sed -e "s#http://localhost:8787#$origin#" -e "s#worker.js#$PWD/jobs/worker.js#" jobs/wrangler.json > "$state/jobs.json"
exec $wrangler dev --config wrangler.toml --config "$state/jobs.json" --config reading/wrangler.toml --port "\${PORT:-8787}" --persist-to "$state" --var "ORIGIN:$origin"
`;
}

/// Writes the settings of each Worker except the local one for requests. They have names in place of ids.
function writeSettings(folder) {
  const write = (file, settings) => writeFileSync(join(folder, file), JSON.stringify(settings, null, 2));
  const [{ build, ...local }, deployments] = ['wrangler.toml', 'deployments.toml'].map(read);
  write('jobs/wrangler.json', jobsOf(local));
  for (const name of Object.keys(deployments)) {
    const settings = deploymentOf(local, deployments, name);
    write(`wrangler.${name}.json`, settings);
    write(`jobs/wrangler.${name}.json`, jobsOf(settings));
    write(`wrangler.${name}-reading.json`, readingOf(settings));
  }
}

function pack() {
  const profile = readFileSync('build/profile', 'utf8').trim();
  if (profile !== 'release') throw new Error(`what is built is of profile ${profile}: make release`);
  const folder = join('build', name);
  rmSync(folder, { recursive: true, force: true });
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file), { recursive: true });
  }
  cpSync('sample', join(folder, 'sample'), {
    recursive: true,
    filter: (file) => file === 'sample' || file.endsWith('.ndjson'),
  });
  const index = only('wrangler.toml', /^INDEX = "([^"]+)"$/m);
  const described = execFileSync('build/edgechart', ['openapi', '--index', index], { maxBuffer: 2 ** 26 });
  writeFileSync(join(folder, 'www/dist/openapi.json'), described);
  // The archive has no sources, so its settings have no build command.
  const settings = readFileSync('wrangler.toml', 'utf8').replace(/^\[build\]\n(?:.+\n)*\n/m, '');
  writeFileSync(join(folder, 'wrangler.toml'), settings);
  writeSettings(folder);
  writeFileSync(join(folder, 'run.sh'), run(JSON.parse(readFileSync('package.json', 'utf8')).devDependencies), {
    mode: 0o755,
  });
  execFileSync('tar', [
    '--create',
    '--gzip',
    '--file',
    archive,
    '--owner=0',
    '--group=0',
    '--sort=name',
    '--directory',
    'build',
    name,
  ]);
  rmSync(folder, { recursive: true });
  console.log(`· ${archive}: ${(statSync(archive).size / 2 ** 20).toFixed(1)} MiB`);
}

if (process.argv[1] === import.meta.filename) pack();
