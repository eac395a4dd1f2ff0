//! Drawing by signals (<https://github.com/preactjs/signals>). State is held in signals. A drawing that has read a
//! signal is drawn again after the signal changes, without an explicit request.

import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { oncePerFrame } from './scheduling.ts';

/** Draws now, and again in the frame after a change of a signal that the last drawing read. Returns a stop function. */
export function keepDrawn(draw: () => void): () => void {
  let isOver = false;
  let stop = (): void => undefined;
  const run = (): void => {
    if (isOver) return;
    stop();
    let isDrawn = false;
    stop = effect(() => {
      if (isDrawn) {
        again();
        return;
      }
      isDrawn = true;
      try {
        draw();
      } catch (error) {
        // The next drawing may succeed, once a signal that this one read has changed.
        reportError(error);
      }
    });
  };
  const again = oncePerFrame(run);
  run();
  return () => {
    isOver = true;
    stop();
  };
}

/** Calls back after each change of a signal, until the returned function is called. */
export function onChange<T>(of: ReadonlySignal<T>, callback: (value: T) => void): () => void {
  let isFirst = true;
  return of.subscribe((value) => {
    if (!isFirst) callback(value);
    isFirst = false;
  });
}

/** Sets a signal to the result of a promise. A failure leaves the signal as it is. */
export function setWhenDone<T>(of: { value: T }, result: Promise<T>): void {
  result.then(
    (value) => {
      of.value = value;
    },
    () => undefined,
  );
}

/** The time as a signal: a drawing that has read it is drawn again at each tick. */
export class Clock {
  readonly #ticks = signal(Date.now());
  readonly #timer: ReturnType<typeof setInterval>;

  /** `every` is the time between two ticks, in milliseconds. */
  constructor(every: number) {
    this.#timer = setInterval(() => {
      this.#ticks.value = Date.now();
    }, every);
  }

  /** The time in milliseconds since 1970. */
  get now(): number {
    return Math.max(this.#ticks.value, Date.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
