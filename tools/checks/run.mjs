// `make test`: runs all steps of steps.mjs, or those that ONLY names, in parallel (JOBS). Prints a line for each
// finished step, the output of failed steps, and a table of times. No step fails because of its time, which depends on
// the machine. BUILT=1: the results of the `build` steps already exist. SHARD=1/3: runs a third of the steps.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGECHART } from '../server/served.mjs';
import { PREPARED } from '../server/settings.mjs';
import { chosen, runGraph, shardOf, without } from './graph.mjs';
import { countsIn, processorTime, table } from './report.mjs';
import { steps } from './steps.mjs';

const LOGS = 'build/checks';
/// The seconds of each step in its last run on this machine: `step<TAB>seconds<TAB>processor`.
const TIMES = join(LOGS, 'times.tsv');
/// The number of lines of a failed step's output that are printed.
const LINES = 200;
/// The number of these lines that are printed again at the end, where they are easy to find.
const LAST_LINES = 20;
/// The maximum total size of the tests' temporary files, in bytes.
const MEMORY = 4 * 2 ** 30;

const running = new Set();
const temporary = fs.mkdtempSync(join(temporaryPlace(), 'edgechart-checks-'));

/// Returns the folder for the databases of tests. It is in memory if enough is free, since small transactions spend
/// most of their time on the disk.
function temporaryPlace() {
  const shared = '/dev/shm';
  if (!fs.existsSync(shared)) return tmpdir();
  const { bavail, bsize } = fs.statfsSync(shared);
  return bavail * bsize > MEMORY ? shared : tmpdir();
}

/// Runs the command of a step with its output in a file. Resolves to {ok, why, seconds, processor, counts, log}, where
/// `processor` is the processor time of all its processes, in seconds.
function run(step) {
  const log = join(LOGS, `${step.name.replace('/', '-')}.log`);
  const output = fs.openSync(log, 'w');
  const began = performance.now();
  // The shell writes the times of its children to descriptor 3.
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
      const counts = countsIn(fs.readFileSync(log, 'utf8'));
      const result = { seconds, processor: processorTime(times), counts, log };
      const why = fault(step, status, result);
      print(step, { ...result, why });
      resolve({ ...result, ok: why === undefined, why });
    });
  });
}

/// Returns why a step has failed, or `undefined`.
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

const lastOf = (log, lines) => fs.readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const { pid } of running) process.kill(-pid, 'SIGTERM');
    fs.rmSync(temporary, { recursive: true, force: true });
    process.exit(130);
  });
}

/// Removes what was prepared for servers before the command line was rebuilt, since it is no longer used.
function forgetOld() {
  const built = fs.statSync(EDGECHART, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  for (const name of fs.existsSync(PREPARED) ? fs.readdirSync(PREPARED) : []) {
    const path = join(PREPARED, name);
    if (fs.statSync(path).mtimeMs < built) fs.rmSync(path, { recursive: true });
  }
}

/// The rows of the last run by step. A step that has never run counts as one second.
const times = new Map(
  (fs.existsSync(TIMES) ? fs.readFileSync(TIMES, 'utf8').trimEnd().split('\n') : []).map((row) => [
    row.split('\t')[0],
    row,
  ]),
);
const secondsOf = ({ name }) => Number(times.get(name)?.split('\t')[1] ?? 1);
// Tests wait for browsers and servers, so one step more than there are processors keeps all processors busy.
const { BUILT, SHARD = '1/1', JOBS = availableParallelism() + 1 } = process.env;
const all = BUILT ? without(steps, 'build') : steps;
const wanted = shardOf(chosen(all, process.argv.slice(2)), SHARD);
fs.rmSync(LOGS, { recursive: true, force: true });
forgetOld();
fs.mkdirSync(LOGS, { recursive: true });
const began = performance.now();
const results = await runGraph(wanted, { slots: Number(JOBS), secondsOf, run });
const seconds = (performance.now() - began) / 1000;
fs.rmSync(temporary, { recursive: true, force: true });

const rows = [...results].map(([name, result]) => ({ name, ...result }));
console.log(`\n${table(rows)}`);
for (const { name, seconds, processor } of rows) {
  times.set(name, [name, seconds.toFixed(1), processor.toFixed(1)].join('\t'));
}
fs.writeFileSync(TIMES, `${[...times.values()].join('\n')}\n`);
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
