//! A part of a page that is drawn again when a value changes, and nothing around it.

import { AsyncDirective, directive } from 'lit-html/async-directive.js';

/** A value that tells when it changes, such as an `Observable`. */
interface Watched {
  watch(callback: () => void): () => void;
}

class Watching extends AsyncDirective {
  #watched: Watched | undefined;
  #draw: () => unknown = () => undefined;
  #stop: (() => void) | undefined;

  override render(watched: Watched, draw: () => unknown): unknown {
    this.#draw = draw;
    if (watched !== this.#watched || !this.#stop) this.#begin(watched);
    return draw();
  }

  #begin(watched: Watched): void {
    this.#stop?.();
    this.#watched = watched;
    this.#stop = watched.watch(() => this.setValue(this.#draw()));
  }

  override disconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  override reconnected(): void {
    if (this.#watched) this.#begin(this.#watched);
    this.setValue(this.#draw());
  }
}

/** Draws a part, and draws it again after each change of a value. */
export const watching = directive(Watching);
