// Reads the memory of processes.

import { readFileSync } from 'node:fs';

/// Returns the current and the peak memory of a process in MiB. Both are 0 after its end.
export function memory(pid) {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // The process has ended.
  }
  const of = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}
