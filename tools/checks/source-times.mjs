// Gives the files of a fresh clone the modification times of an earlier clone, so that cargo, which compares times,
// rebuilds only what has changed. The argument is the target folder that these clones share. A table in this folder has
// the last known content and time of each file. A file with different content keeps its new time, and so do all files
// of a clone at another path: macros may expand to the path, which cargo does not notice.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
const table = join(folder, 'source-times.tsv');

// The first line of the table is the path of the clone.
const clone = process.cwd();
const earlier = new Map();
if (existsSync(table)) {
  const [at, ...files] = readFileSync(table, 'utf8').trimEnd().split('\n');
  for (const line of at === clone ? files : []) {
    const [path, content, time] = line.split('\t');
    earlier.set(path, { content, time: Number(time) });
  }
}

// Each line has mode, hash of the content, stage, and after a tab the path. Modified files are left alone.
const lines = execFileSync('git', ['ls-files', '--stage'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  .trimEnd()
  .split('\n');
const changed = new Set(execFileSync('git', ['diff', '--name-only'], { encoding: 'utf8' }).trimEnd().split('\n'));
const seen = [];
for (const line of lines) {
  const [facts, path] = line.split('\t');
  const content = facts.split(' ')[1];
  if (changed.has(path)) continue;
  const known = earlier.get(path);
  if (known?.content === content) utimesSync(path, known.time, known.time);
  seen.push([path, content, statSync(path).mtimeMs / 1000].join('\t'));
}
mkdirSync(folder, { recursive: true });
writeFileSync(table, `${[clone, ...seen].join('\n')}\n`);
