// Packs the browser module as an npm package with the version of Cargo.toml, and prints its path, such as
// build/package/edgechart-0.1.0.tgz. Run `make browser` first.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { version } from './release.mjs';

const FOLDER = 'build/package';
const MODULE = ['edgechart.js', 'edgechart.d.ts', 'edgechart_bg.wasm'].map((name) => `www/pkg/${name}`);
const ABOUT = ['src/browser/README.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
const manifest = JSON.parse(readFileSync('src/browser/package.json', 'utf8'));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const file of [...MODULE, ...ABOUT]) copyFileSync(file, `${FOLDER}/${basename(file)}`);
writeFileSync(`${FOLDER}/package.json`, JSON.stringify({ ...manifest, version }, null, 2));
const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: FOLDER, encoding: 'utf8' }));
console.log(`${FOLDER}/${filename}`);
