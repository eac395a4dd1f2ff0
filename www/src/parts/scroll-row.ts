//! A list in one row. If it does not fit, arrows at its ends show that it continues, and scroll it. The arrows are only
//! for pointers: keyboard users reach the other entries with Tab, which scrolls to them.

import { type ElementPart, html, noChange, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

/** The share of the row's width that an arrow scrolls. */
const STEP = 0.7;
/** The width that an arrow covers at an end, in pixels. */
const COVERED = 44;
/** A remainder to ignore, in pixels: widths are rounded. */
const NEAR = 2;

/** Writes into a row's `data-more` at which ends the row continues: `start`, `end` or both. */
class WatchRow extends AsyncDirective {
  #row: HTMLElement | undefined;
  #sizes: ResizeObserver | undefined;
  #wasWide = false;
  readonly #look = (): void => {
    const list = this.#row?.querySelector('ul');
    if (!this.#row || !list) return;
    const before = list.scrollLeft;
    const after = list.scrollWidth - list.clientWidth - before;
    const ends = [before > NEAR ? 'start' : '', after > NEAR ? 'end' : ''].filter(Boolean);
    const more = ends.join(' ');
    if (this.#row.dataset.more !== more) this.#row.dataset.more = more;
    // Once the row no longer fits, the current entry is brought into sight.
    const isWide = ends.length > 0;
    if (isWide && !this.#wasWide) showCurrent(list);
    this.#wasWide = isWide;
  };

  override render(): unknown {
    return noChange;
  }

  override update({ element }: ElementPart): unknown {
    if (element instanceof HTMLElement) this.#row = element;
    // The entries are drawn after the row.
    queueMicrotask(() => this.#watch());
    return noChange;
  }

  #watch(): void {
    const list = this.#row?.querySelector('ul');
    if (!list || !this.isConnected) return;
    if (!this.#sizes) {
      this.#sizes = new ResizeObserver(this.#look);
      list.addEventListener('scroll', this.#look, { passive: true });
    }
    // The list has the available width; its entries have the width that they need.
    for (const one of [list, ...list.children]) this.#sizes.observe(one);
  }

  override disconnected(): void {
    this.#sizes?.disconnect();
  }

  override reconnected(): void {
    this.#watch();
  }
}

const watchRow = directive(WatchRow);

function showCurrent(list: Element): void {
  const current = list.querySelector<HTMLElement>('[aria-current]');
  const entry = current?.getBoundingClientRect();
  const { left, right } = list.getBoundingClientRect();
  if (entry && (entry.left < left + COVERED || entry.right > right - COVERED))
    list.scrollLeft += entry.left - left - (right - left) / 3;
}

function arrow(side: 'start' | 'end', sign: string): TemplateResult {
  const go = ({ currentTarget }: Event): void => {
    const list = currentTarget instanceof HTMLElement && currentTarget.parentElement?.querySelector('ul');
    if (list) list.scrollBy({ left: (side === 'end' ? 1 : -1) * STEP * list.clientWidth, behavior: 'smooth' });
  };
  return html`<button type="button" class="row-arrow" data-side=${side} tabindex="-1" aria-hidden="true"
    @click=${go}>${sign}</button>`;
}

/** Draws entries as a list in one row. */
export const scrollRow = (entries: unknown): TemplateResult =>
  html`<div class="scroll-row" ${watchRow()}>${arrow('start', '‹')}<ul role="list">${entries}</ul>${arrow(
    'end',
    '›',
  )}</div>`;
