//! The reader's position in a long page with headings: the part in view, and the part that was requested.

import { type Signal, signal } from '@preact/signals-core';
import { oncePerFrame } from '../scheduling.ts';

/** A heading this far below the bar, in pixels, counts as reached. */
const NEAR = 40;

/** The height in pixels of the bars that stay at the top while the page scrolls, from the style sheet. */
const barHeight = (): number => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

/** A drawn part of the page. `top` is the distance of its start from the top of the window, in pixels. */
export interface DrawnPart {
  name: string;
  top: number;
}

export abstract class HeadingPosition {
  /** The name of the part in view. */
  readonly current: Signal<string>;
  /** The part that was requested. It is kept while its heading is in sight. If it is pending, drawing scrolls to it. */
  #wanted: { name: string; pending: boolean } | undefined;
  /** Computes the position again in the next frame. */
  readonly update = oncePerFrame(() => this.#update());

  constructor(first: string) {
    this.current = signal(first);
    addEventListener('scroll', this.update, { passive: true });
    addEventListener('resize', this.update, { passive: true });
  }

  protected abstract headingOf(name: string): HTMLElement | null;

  /** Returns the drawn parts, from the top of the page. */
  protected abstract drawn(): DrawnPart[];

  /** Scrolls the list of parts so that the entry of the current part is in sight. */
  protected abstract showCurrent(): void;

  /** Updates whatever else depends on the position. */
  protected lookFurther(): void {}

  stop(): void {
    removeEventListener('scroll', this.update);
    removeEventListener('resize', this.update);
  }

  goTo(name: string): void {
    const heading = this.headingOf(name);
    this.#wanted = { name, pending: heading === null };
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
    // The current part changes now, not in the frame that lays out what has come into sight.
    this.#moveTo(name);
    this.update();
  }

  #update(): void {
    if (this.#wanted?.pending && this.headingOf(this.#wanted.name)) {
      this.goTo(this.#wanted.name);
      return;
    }
    const bar = barHeight();
    const current = this.#partAt(bar + NEAR);
    this.lookFurther();
    this.#moveTo(current);
  }

  #moveTo(name: string): void {
    if (name === this.current.value) return;
    this.current.value = name;
    requestAnimationFrame(() => this.showCurrent());
  }

  #partAt(line: number): string {
    const drawn = this.drawn();
    const wanted = drawn.find(({ name }) => name === this.#wanted?.name);
    if (wanted && (wanted.top < 0 || wanted.top > innerHeight)) this.#wanted = undefined;
    const reached = drawn.filter(({ top }) => top <= line).at(-1);
    return this.#wanted?.name ?? reached?.name ?? drawn[0]?.name ?? this.current.value;
  }
}
