//! Drawing by signals (<https://github.com/preactjs/signals>). What changes is held in signals. What has read a signal
//! while it was drawn is drawn again after the signal has changed, so that nothing has to ask for it.

import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { oncePerFrame } from './scheduling.ts';

/**
 * Draws now, and again in the next frame after a change of a signal that the last drawing read. Returns what ends it.
 */
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
        // What it read may change, and the next drawing go well.
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

/** The time for what is drawn: what has read it is drawn again as it goes on. */
export class Clock {
  readonly #ticks = signal(Date.now());
  readonly #timer: ReturnType<typeof setInterval>;

  /** A clock that ticks every so many milliseconds. */
  constructor(every: number) {
    this.#timer = setInterval(() => {
      this.#ticks.value = Date.now();
    }, every);
  }

  /** In milliseconds since 1970. */
  get now(): number {
    return Math.max(this.#ticks.value, Date.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
