// Writes the settings of the Worker for jobs beside `wrangler dev`, whose `--var` options apply only to the first
// Worker, and prints their path:
//   node tools/server/jobs-settings.mjs .wrangler/state ORIGIN=http://localhost:8787 STORE=d1 INDEX=us-core

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jobsOf, read } from '../deploy/settings.mjs';

const [state, ...words] = process.argv.slice(2);
const { vars, ...settings } = jobsOf(read('wrangler.toml'));
const given = words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
const file = join(state, 'jobs.json');
mkdirSync(state, { recursive: true });
const all = { ...settings, main: resolve('jobs', settings.main), vars: { ...vars, ...Object.fromEntries(given) } };
writeFileSync(file, JSON.stringify(all));
console.log(file);
