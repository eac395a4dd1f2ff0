// CPU time of processes.

import { readdirSync, readFileSync } from 'node:fs';

const ofThread = (pid, thread) =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/// Returns the CPU time of all threads of a process in seconds, with nanosecond resolution.
export const cpu = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => ofThread(pid, thread))
    .reduce((sum, seconds) => sum + seconds);

/// Returns the CPU time of the first thread of a process, on which workerd answers requests, in seconds.
export const cpuOfMainThread = (pid) => ofThread(pid, pid);

/// Returns the number below which that share of the numbers lies.
export const percentile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
export const median = (numbers) => percentile(numbers, 0.5);
