//! A mark at the root of the page while a part of the view is loading. A style that looked for the notices itself
//! (`:has`) would have a browser look through a large page at each change.

import type { ElementPart } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

const notices = new Set<Element>();

/** Sets the mark before the page is laid out: what is drawn together is marked together. */
const look = (): void =>
  queueMicrotask(() => {
    const isLoading = [...notices].some((one) => one.closest('.view'));
    document.documentElement.toggleAttribute('data-loading', isLoading);
  });

class LoadingMark extends AsyncDirective {
  #notice: Element | undefined;

  render(): undefined {
    return undefined;
  }

  override update({ element }: ElementPart): void {
    this.#notice = element;
    this.reconnected();
  }

  protected override disconnected(): void {
    if (this.#notice) notices.delete(this.#notice);
    look();
  }

  protected override reconnected(): void {
    if (this.#notice) notices.add(this.#notice);
    look();
  }
}

/** Marks the page (`data-loading`) while the element is in its view. */
export const loadingMark = directive(LoadingMark);
