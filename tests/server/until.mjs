// Waiting for a state.

import { setTimeout as sleep } from 'node:timers/promises';

/// Repeats what fails until it does not, and resolves to its result; fails as it does after so many milliseconds.
export async function until(passes, { most = 15_000 } = {}) {
  for (const since = Date.now(); ; await sleep(50)) {
    try {
      return await passes();
    } catch (error) {
      if (Date.now() - since > most) throw error;
    }
  }
}
