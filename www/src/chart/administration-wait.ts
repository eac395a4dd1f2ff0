//! The wait for administrations of medications. Few records come with the rest of the chart. There may be thousands,
//! and what can be shown without them does not wait for them.

import { signal } from '@preact/signals-core';
import { ADMINISTRATIONS } from './medications.ts';
import type { ChartStore } from './store.ts';

/** The wait for administrations when all other records are there, in milliseconds. */
const GRACE = 600;

export class AdministrationWait {
  #isLate: boolean | undefined;
  #isRunning = false;
  readonly #isOver = signal(false);

  /**
   * Returns whether administrations did not come in time, which stays so when they come. Nothing during the wait,
   * which begins with the first call.
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
