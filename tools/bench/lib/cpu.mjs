// CPU time of the workerd processes that this process has started.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/// The processes, oldest first.
export const workerds = () =>
  execFileSync('pgrep', ['-P', String(process.pid), '-x', 'workerd'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/// The CPU seconds that the threads of a process have used, to the nanosecond.
export const cpu = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
    .reduce((sum, seconds) => sum + seconds);

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
