//! A part of a page that is drawn again by itself, without its surroundings, when a signal that it has read changes.

import { effect } from '@preact/signals-core';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

class Watching extends AsyncDirective {
  #draw: () => unknown = () => undefined;
  #stop: (() => void) | undefined;

  override render(draw: () => unknown): unknown {
    this.#draw = draw;
    this.#stop?.();
    let isDrawn = false;
    let drawn: unknown;
    this.#stop = effect(() => {
      drawn = this.#draw();
      if (isDrawn) this.setValue(drawn);
      isDrawn = true;
    });
    return drawn;
  }

  override disconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  override reconnected(): void {
    this.setValue(this.render(this.#draw));
  }
}

/** Draws a part, and draws it again after each change of a signal that it has read. */
export const watching = directive(Watching);
