// The workerd processes that this process has started.

import { readdirSync, readFileSync } from 'node:fs';

/// What /proc says of a process; nothing where it has ended meanwhile.
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/// Their numbers, oldest first.
export const workerds = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .filter((pid) => {
      const status = statusOf(pid);
      return /^Name:\tworkerd$/m.test(status) && status.includes(`PPid:\t${process.pid}\n`);
    });
