// The workerd processes that this process has started.

import { readdirSync, readFileSync } from 'node:fs';

/// Returns the status of a process from /proc, or the empty string if it has ended.
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/// Returns their process ids in ascending order.
export const workerds = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .filter((pid) => {
      const status = statusOf(pid);
      return /^Name:\tworkerd$/m.test(status) && status.includes(`PPid:\t${process.pid}\n`);
    });
