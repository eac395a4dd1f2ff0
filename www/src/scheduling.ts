//! Scheduling: drawing once per frame, pauses in long work, debouncing of input.

import { signal } from '@preact/signals-core';

export function inNextFrame(run: () => void): void {
  // A hidden page has no frames, but must be up to date when it is shown.
  if (document.hidden) setTimeout(run, 0);
  else requestAnimationFrame(run);
}

/** Returns a function that runs `draw` once in the next frame, however often it is called. */
export function oncePerFrame(draw: () => void): () => void {
  let pending = false;
  const run = (): void => {
    pending = false;
    draw();
  };
  return () => {
    if (pending) return;
    pending = true;
    inNextFrame(run);
  };
}

/** Runs a function once the changes so far are visible: they are drawn in the next frame and shown by the one after. */
export function onceDrawn(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/** Lets the page handle input before long work continues. Not every browser has a scheduler. */
export function yieldToPage(): Promise<void> {
  return (
    window.scheduler?.yield?.() ??
    new Promise((done) => {
      setTimeout(done, 0);
    })
  );
}

/** The time after which a turn of long work ends, in milliseconds, so that no frame is missed. */
const TURN = 8;

/**
 * Processes a list in turns of at least one entry. Calls `one` for each entry and `ended` at the end of each turn; the
 * page may react between turns.
 */
export async function inTurns<T>(
  list: readonly T[],
  one: (entry: T) => void | Promise<void>,
  ended?: () => void,
): Promise<void> {
  let until = performance.now() + TURN;
  for (const [i, entry] of list.entries()) {
    await one(entry);
    if (performance.now() < until && i < list.length - 1) continue;
    ended?.();
    await yieldToPage();
    until = performance.now() + TURN;
  }
}

/** The number of searches for one purpose that are under way at a time. */
const AT_ONCE = 3;

/** Runs a search for each entry of a list, for a few entries at a time. */
export async function fewAtOnce<T>(list: readonly T[], search: (entry: T) => Promise<void>): Promise<void> {
  const left = list.values();
  const work = async (): Promise<void> => {
    for (const entry of left) await search(entry);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Returns a function that runs `run` once it has not been called for some milliseconds. */
export function debounced<A extends unknown[]>(run: (...args: A) => void, milliseconds: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}

/** Splits a list into parts of at most `size` entries. */
export const inParts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** The time for new parts of a page in one frame, in milliseconds. Drawing and layout take about as long again. */
const FRAME_TIME = 5;

/** The maximum number of entries in new parts of a page per frame. The first part may have more. */
const FRAME_ENTRIES = 20;

/** A list that is drawn in parts. */
export interface GrowingList {
  /** Draws the next part, and returns whether there are more. */
  drawNext(): boolean;
}

const growing = new Set<GrowingList>();
const isAnyGrowing = signal(false);

/** Stops drawing a list that has left the page or is complete. */
export function stopGrowing(one: GrowingList): void {
  growing.delete(one);
  isAnyGrowing.value = growing.size > 0;
}

/** Draws the lists one after the other, one part per frame. */
const growInNextFrame = oncePerFrame(() => {
  const [first] = growing;
  if (first && !first.drawNext()) stopGrowing(first);
  if (growing.size > 0) growInNextFrame();
});

/** Draws the rest of a list in the next frames. Meanwhile no `FrameBudget` has room for new parts of its page. */
export function grow(one: GrowingList): void {
  growing.add(one);
  isAnyGrowing.value = true;
  growInNextFrame();
}

/** Draws all lists completely at once, for printing. */
export function growAtOnce(): void {
  for (const one of growing) {
    while (one.drawNext());
    stopGrowing(one);
  }
}

/** Spreads the parts of a large page over frames, so that the page stays responsive. */
export class FrameBudget {
  /** The number of the requested frame. The drawing that begins a frame reads it, and runs again when it changes. */
  readonly #wanted = signal(0);
  /** The number of the frame that has begun. */
  #present = 0;
  #until = 0;
  #hasAnyPart = false;
  #drawn: number | undefined;
  /** True while lists that are on the page still grow. */
  #isTaken = false;
  /** The number of stacked parts of the page that are shown. */
  #shown = 0;

  begin(): void {
    this.#present = this.#wanted.value;
    this.#isTaken = isAnyGrowing.value;
    this.#until = performance.now() + FRAME_TIME;
    this.#hasAnyPart = false;
    this.#drawn = undefined;
  }

  /**
   * Returns whether this frame has time for one more part. If not, another frame follows. Each frame has time for at
   * least one part, so that slow devices make progress.
   */
  hasTime(): boolean {
    if (this.#hasAnyPart && performance.now() >= this.#until) {
      this.again();
      return false;
    }
    this.#hasAnyPart = true;
    return true;
  }

  /**
   * Returns the number of stacked parts to show, given the number of entries of each: no more than before while lists
   * grow, and none below a large new part.
   */
  shown(entries: readonly number[]): number {
    if (this.#isTaken) return Math.min(this.#shown, entries.length);
    const large = entries.findIndex((count, i) => i >= this.#shown && count > FRAME_ENTRIES);
    this.#shown = large < 0 ? entries.length : large + 1;
    if (this.#shown < entries.length) this.again();
    return this.#shown;
  }

  /** Asks for another frame. */
  again(): void {
    this.#wanted.value = this.#present + 1;
  }

  /** Returns whether this frame has room for one more part of so many entries. If not, another frame follows. */
  hasRoom(entries: number): boolean {
    // A growing list moves the parts below it, so they wait until it is complete. `isAnyGrowing` then starts a frame.
    if (this.#isTaken) return false;
    const all = (this.#drawn ?? 0) + entries;
    if (this.#drawn === undefined || all <= FRAME_ENTRIES) {
      this.#drawn = all;
      return true;
    }
    this.again();
    return false;
  }
}
