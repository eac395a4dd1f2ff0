//! Scheduling: drawing once a frame, pauses in long work, waiting until typing has stopped.

import { signal } from '@preact/signals-core';

/** Runs something in the next frame. */
export function inNextFrame(run: () => void): void {
  // A hidden page has no frames, but must still be right when it is looked at.
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

/** Runs something once the changes so far are drawn: they are drawn in the next frame, and seen in the one after. */
export function onceDrawn(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/** Lets the page react to typing and scrolling before long work goes on. Not every browser has a scheduler. */
export function yieldToPage(): Promise<void> {
  return (
    window.scheduler?.yield?.() ??
    new Promise((done) => {
      setTimeout(done, 0);
    })
  );
}

/** The time in which a turn of long work ends, in milliseconds, so that no frame is missed. */
const TURN = 8;

/**
 * Goes through a list in turns: `one` for each entry, at least one a turn, and `ended` behind those of each turn, after
 * which the page may react.
 */
export async function inTurns<T>(
  list: readonly T[],
  one: (entry: T) => void | Promise<void>,
  ended: () => void,
): Promise<void> {
  let until = performance.now() + TURN;
  for (const [i, entry] of list.entries()) {
    await one(entry);
    if (performance.now() < until && i < list.length - 1) continue;
    ended();
    await yieldToPage();
    until = performance.now() + TURN;
  }
}

/** Returns a function that runs once nobody has called it for some milliseconds. */
export function debounced<A extends unknown[]>(run: (...args: A) => void, milliseconds: number): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}

/** A long list in parts, which are drawn one after the other. */
export const inParts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** The time for new parts of a page in one frame, in milliseconds. Drawing and layout take about as much again. */
const FRAME_TIME = 5;

/** The number of entries in new parts of a page that are drawn in one frame, beside the first such part. */
const FRAME_ENTRIES = 20;

/** A list that is drawn in parts. */
export interface GrowingList {
  /** Draws the next part, and returns whether there are more. */
  drawNext(): boolean;
}

const growing = new Set<GrowingList>();
const isAnyGrowing = signal(false);

/** No longer draws a list, which is gone from the page, or whole. */
export function stopGrowing(one: GrowingList): void {
  growing.delete(one);
  isAnyGrowing.value = growing.size > 0;
}

/** Draws the lists one after the other, a part in each frame. */
const growInNextFrame = oncePerFrame(() => {
  const [first] = growing;
  if (first && !first.drawNext()) stopGrowing(first);
  if (growing.size > 0) growInNextFrame();
});

/**
 * Draws what is left of a list in the frames to come. Meanwhile no `FrameBudget` has room for new parts of its page.
 */
export function grow(one: GrowingList): void {
  growing.add(one);
  isAnyGrowing.value = true;
  growInNextFrame();
}

/** Draws all lists to their ends at once, as a print needs them. */
export function growAtOnce(): void {
  for (const one of growing) {
    while (one.drawNext());
    stopGrowing(one);
  }
}

/** Spreads the parts of a large page over frames, so that none keeps the page from answering. */
export class FrameBudget {
  /** The number of the frame that is wanted. What begins a frame reads it, and is drawn again when it grows. */
  readonly #wanted = signal(0);
  /** The number of the frame that has begun. */
  #present = 0;
  #until = 0;
  #hasAnyPart = false;
  #drawn: number | undefined;
  /** True while lists that are drawn already grow. */
  #isTaken = false;
  /** The number of parts of the page that are shown, one below the other. */
  #shown = 0;

  /** Begins a frame. */
  begin(): void {
    this.#present = this.#wanted.value;
    this.#isTaken = isAnyGrowing.value;
    this.#until = performance.now() + FRAME_TIME;
    this.#hasAnyPart = false;
    this.#drawn = undefined;
  }

  /**
   * Returns whether this frame has time to make one more part. If not, there will be another frame. There is time for
   * one part in each frame, so that a slow device gets on too.
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
   * The number of parts to show, of some that are one below the other and have so many entries: no more than before
   * while lists grow, and none below a large one that is new.
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

  /** Returns whether this frame draws one more part of so many entries. If not, there will be another frame. */
  hasRoom(entries: number): boolean {
    // What grows moves what is below it: that comes when all above it stands, and what has begun the frame is told
    // then.
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
