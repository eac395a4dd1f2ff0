//! A mark on the root element while a part of the view is loading. A style that finds the notices itself (`:has`) would
//! make the browser search a large page at each change.

import type { ElementPart } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

const notices = new Set<Element>();

/** Updates the mark in a microtask: once for all notices that are drawn together, and before the page is laid out. */
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

/** Marks the page with `data-loading` while the element is in the view. */
export const loadingMark = directive(LoadingMark);
