//! The wait for administrations of medications. A few come together with the rest of the chart. If there are thousands,
//! the chart is shown without them.

import { signal } from '@preact/signals-core';
import { ADMINISTRATIONS } from './medications.ts';
import type { ChartStore } from './store.ts';

/** The longest wait for administrations after all other records are loaded, in milliseconds. */
const GRACE = 600;

export class AdministrationWait {
  #isLate: boolean | undefined;
  #isRunning = false;
  readonly #isOver = signal(false);

  /**
   * Returns whether administrations are late. The result does not change when they come. Returns nothing during the
   * wait, which starts with the first call.
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
