//! The reader's position in a long page with headings: the part that is read, and the part that was asked for.

import { type Signal, signal } from '@preact/signals-core';
import { oncePerFrame } from '../scheduling.ts';

/** A heading this far below the bar, in pixels, counts as reached. */
const NEAR = 40;

/** The height of the bars that stay at the top while the page scrolls, from the style. */
const barHeight = (): number => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

/** A part of the page that is drawn, and the distance of its beginning from the top of the window. */
export interface DrawnPart {
  name: string;
  top: number;
}

export abstract class HeadingPosition {
  /** The name of the part that is read. */
  readonly current: Signal<string>;
  /** A part that was asked for: kept while its heading is in sight, and gone to as soon as it is drawn. */
  #wanted: { name: string; pending: boolean } | undefined;
  /** Works the position out again, in the next frame. */
  readonly update = oncePerFrame(() => this.#update());

  constructor(first: string) {
    this.current = signal(first);
    addEventListener('scroll', this.update, { passive: true });
    addEventListener('resize', this.update, { passive: true });
  }

  protected abstract headingOf(name: string): HTMLElement | null;

  /** The parts that are drawn, from the top of the page. */
  protected abstract drawn(): DrawnPart[];

  /** Scrolls the list of parts, so that the entry of the current one is in sight. */
  protected abstract showCurrent(): void;

  /** Looks at what else goes by the position. */
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
    // Now, and not in the frame that lays out what came into sight.
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
