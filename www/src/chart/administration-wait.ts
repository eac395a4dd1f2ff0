//! The wait for what was given to a patient. Mostly it is few records, which come with the rest. It may be thousands,
//! and what can be shown without them does not wait for them.

import { signal } from '@preact/signals-core';
import { ADMINISTRATIONS } from './medications.ts';
import type { ChartStore } from './store.ts';

/** The time that what was given has when all else is there, in milliseconds. */
const GRACE = 600;

export class AdministrationWait {
  #isLate: boolean | undefined;
  #isRunning = false;
  readonly #isOver = signal(false);

  /**
   * Returns whether what was given did not come in time, which stays so when it comes. Nothing while it has time: that
   * begins with the first call.
   */
  isLate(store: ChartStore): boolean | undefined {
    const isWaiting = store.load(ADMINISTRATIONS).is === 'waiting';
    if (this.#isLate === undefined && (!isWaiting || this.#isGraceOver())) this.#isLate = isWaiting;
    return this.#isLate;
  }

  #isGraceOver(): boolean {
    if (!this.#isRunning) {
      this.#isRunning = true;
      setTimeout(() => {
        this.#isOver.value = true;
      }, GRACE);
    }
    return this.#isOver.value;
  }
}
