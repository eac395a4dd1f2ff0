// `make test`: runs all steps of steps.mjs, or those that ONLY names, several at a time (JOBS). Prints a line for each
// step that ends, what a failed one has written, and a table of times, by which none fails: they say how fast the
// machine is. BUILT=1: what the steps of `build` make is there. SHARD=1/3: a third of the steps.

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGECHART } from '../server/served.mjs';
import { PREPARED } from '../server/settings.mjs';
import { chosen, runGraph, shardOf, without } from './graph.mjs';
import { countsIn, processorTime, table } from './report.mjs';
import { steps } from './steps.mjs';

const LOGS = 'build/checks';
/// The seconds of each step when it last ran here: `step<TAB>seconds<TAB>processor`.
const TIMES = join(LOGS, 'times.tsv');
/// The lines that are printed of what a failed step has written.
const LINES = 200;
/// Those that are printed once more at the end, where whoever looks at the last page of a long output finds them.
const LAST_LINES = 20;
/// The bytes that the temporary files of the tests may have together.
const MEMORY = 4 * 2 ** 30;

const running = new Set();
const temporary = mkdtempSync(join(temporaryPlace(), 'edgechart-checks-'));

/// The place of the databases of tests: in memory, where there is enough of it, since most of the time of a small
/// transaction is the disk's.
function temporaryPlace() {
  const shared = '/dev/shm';
  if (!existsSync(shared)) return tmpdir();
  const { bavail, bsize } = statfsSync(shared);
  return bavail * bsize > MEMORY ? shared : tmpdir();
}

/// Runs the command of a step with its output in a file. Resolves to {ok, why, seconds, processor, counts, log}:
/// `processor` are the seconds of all its processes together.
function run(step) {
  const log = join(LOGS, `${step.name.replace('/', '-')}.log`);
  const output = openSync(log, 'w');
  const began = performance.now();
  // A shell says the time of its children on descriptor 3.
  const child = spawn('sh', ['-c', '"$@"; status=$?; times >&3; exit $status', 'sh', ...step.command], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', output, output, 'pipe'],
    detached: true,
  });
  running.add(child);
  let times = '';
  child.stdio[3].setEncoding('utf8').on('data', (text) => {
    times += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      running.delete(child);
      const seconds = (performance.now() - began) / 1000;
      const counts = countsIn(readFileSync(log, 'utf8'));
      const result = { seconds, processor: processorTime(times), counts, log };
      const why = fault(step, status, result);
      print(step, { ...result, why });
      resolve({ ...result, ok: why === undefined, why });
    });
  });
}

/// Why a step has failed, or nothing.
function fault({ tests }, status, { counts }) {
  if (status !== 0) return `ended with ${status}`;
  return tests && counts.passed + counts.skipped === 0 ? 'ran no test' : undefined;
}

function print({ name }, { why, seconds, counts, log }) {
  const { passed, skipped } = counts;
  const tests = passed + skipped > 0 ? `  ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}` : '';
  console.log(
    `${why ? '✖' : '✔'} ${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s${tests}${why ? `  ${why}` : ''}`,
  );
  if (why) console.log(lastOf(log, LINES));
}

const lastOf = (log, lines) => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const { pid } of running) process.kill(-pid, 'SIGTERM');
    rmSync(temporary, { recursive: true, force: true });
    process.exit(130);
  });
}

/// Removes what servers began with before the command line was built again: nothing asks for it any more.
function forgetOld() {
  const built = statSync(EDGECHART, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  for (const name of existsSync(PREPARED) ? readdirSync(PREPARED) : []) {
    const path = join(PREPARED, name);
    if (statSync(path).mtimeMs < built) rmSync(path, { recursive: true });
  }
}

/// Where a step has not run yet, the order of the list and the steps that wait for it say when it comes.
const times = new Map(
  (existsSync(TIMES) ? readFileSync(TIMES, 'utf8').trimEnd().split('\n') : []).map((row) => [row.split('\t')[0], row]),
);
const secondsOf = ({ name }) => Number(times.get(name)?.split('\t')[1] ?? 1);
// Tests wait for browsers and servers: with one step more than there are processors, none of them stands idle.
const { BUILT, SHARD = '1/1', JOBS = availableParallelism() + 1 } = process.env;
const all = BUILT ? without(steps, 'build') : steps;
const wanted = shardOf(chosen(all, process.argv.slice(2)), SHARD);
rmSync(LOGS, { recursive: true, force: true });
forgetOld();
mkdirSync(LOGS, { recursive: true });
const began = performance.now();
const results = await runGraph(wanted, { slots: Number(JOBS), secondsOf, run });
const seconds = (performance.now() - began) / 1000;
rmSync(temporary, { recursive: true, force: true });

const rows = [...results].map(([name, result]) => ({ name, ...result }));
console.log(`\n${table(rows)}`);
for (const { name, seconds, processor } of rows) {
  times.set(name, [name, seconds.toFixed(1), processor.toFixed(1)].join('\t'));
}
writeFileSync(TIMES, `${[...times.values()].join('\n')}\n`);
const missing = wanted.filter(({ name }) => !results.has(name));
for (const { name } of missing) console.log(`✖ ${name} did not run: a step that it needs has failed`);
const failed = rows.filter(({ ok }) => !ok);
for (const { name, why, log } of failed) console.log(`✖ ${name} ${why}: ${log}\n${lastOf(log, LAST_LINES)}`);
const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
const failures = sum(({ ok, counts }) => (ok ? 0 : Math.max(counts.failed, 1))) + missing.length;
console.log(
  `\n· ${rows.length} of ${wanted.length} steps in ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s; ` +
    `${sum(({ processor }) => processor).toFixed(0)} s of the processor`,
);
console.log(
  `${sum(({ counts }) => counts.passed)} passed, ${failures} failed, ${sum(({ counts }) => counts.skipped)} skipped`,
);
process.exitCode = failures > 0 ? 1 : 0;
