// Waiting for a state.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/// Repeats what fails until it does not, and resolves to its result; fails as it does after so many milliseconds.
export async function until(passes, { most = 30_000 } = {}) {
  for (const since = Date.now(); ; await sleep(50)) {
    try {
      return await passes();
    } catch (error) {
      if (Date.now() - since > most) throw error;
    }
  }
}

/// Repeats a question until its answer is yes, and resolves to the milliseconds after which it was asked then. What is
/// asked after so many milliseconds must have that answer, however long the answer takes to come.
export async function within(most, isSo, { pause = 100 } = {}) {
  for (const since = Date.now(); ; await sleep(pause)) {
    const asked = Date.now() - since;
    if (await isSo()) return asked;
    assert.ok(asked < most, `it is not so after ${asked} ms`);
  }
}
