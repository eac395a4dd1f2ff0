// Waits for a state.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/// Calls `passes` until it succeeds, and resolves to its result. Rejects with its error after `most` milliseconds.
export async function until(passes, { most = 30_000 } = {}) {
  for (const since = Date.now(); ; await sleep(50)) {
    try {
      return await passes();
    } catch (error) {
      if (Date.now() - since > most) throw error;
    }
  }
}

/// Calls `isSo` until it is true, and resolves to the time of that call in milliseconds. Fails if a call that starts
/// after `most` milliseconds is not true. The duration of the calls does not count.
export async function within(most, isSo, { pause = 100 } = {}) {
  for (const since = Date.now(); ; await sleep(pause)) {
    const asked = Date.now() - since;
    if (await isSo()) return asked;
    assert.ok(asked < most, `it is not so after ${asked} ms`);
  }
}
