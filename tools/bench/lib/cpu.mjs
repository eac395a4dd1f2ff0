// CPU time of processes.

import { readdirSync, readFileSync } from 'node:fs';

const ofThread = (pid, thread) =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/// The CPU seconds that the threads of a process have used, to the nanosecond.
export const cpu = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => ofThread(pid, thread))
    .reduce((sum, seconds) => sum + seconds);

/// The CPU seconds of its first thread, on which workerd answers requests.
export const cpuOfMainThread = (pid) => ofThread(pid, pid);

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
