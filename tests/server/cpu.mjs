// CPU time of the workerd processes that this process has started.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/// The processes, oldest first.
export const workerds = () =>
  execFileSync('pgrep', ['-P', String(process.pid), '-x', 'workerd'], { encoding: 'utf8' }).trim().split('\n').map(Number);

/// The CPU seconds that a process has used.
export function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
