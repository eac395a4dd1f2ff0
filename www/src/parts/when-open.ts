//! The content of a `<details>` element, made when it is first opened: a chart may have hundreds of past entries.

import { type ChildPart, nothing } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

class WhenOpen extends AsyncDirective {
  #make: () => unknown = () => nothing;
  #isMade = false;
  #details: HTMLDetailsElement | undefined;

  render(_make: () => unknown): unknown {
    return this.#isMade ? this.#make() : nothing;
  }

  override update({ parentNode }: ChildPart, [make]: [() => unknown]): unknown {
    this.#make = make;
    if (!this.#details && parentNode instanceof HTMLDetailsElement) {
      this.#details = parentNode;
      parentNode.addEventListener('toggle', () => this.#opened());
    }
    this.#isMade ||= this.#details?.open ?? false;
    return this.render(make);
  }

  #opened(): void {
    if (this.#isMade || !this.#details?.open) return;
    this.#isMade = true;
    this.setValue(this.#make());
  }
}

/** Draws the content of the `<details>` around it once that is open. */
export const whenOpen = directive(WhenOpen);
