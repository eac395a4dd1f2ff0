// CPU time of processes.

import { readdirSync, readFileSync } from 'node:fs';

/// The CPU seconds that the threads of a process have used, to the nanosecond.
export const cpu = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
    .reduce((sum, seconds) => sum + seconds);

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
