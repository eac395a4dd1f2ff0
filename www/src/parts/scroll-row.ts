//! A list in one row. Where it does not fit, arrows at its ends show that it goes on, and scroll it. Users of a
//! keyboard reach what is out of sight by Tab, which scrolls by itself, so the arrows are for the pointer alone.

import { type ElementPart, html, noChange, type TemplateResult } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';

/** The share of the row that an arrow scrolls by. */
const STEP = 0.7;
/** The width at an end that an arrow covers, in pixels. */
const COVERED = 44;
/** A remainder that is no news, in pixels: widths are rounded. */
const NEAR = 2;

/** Writes into `data-more` of a row at which of its ends it goes on. */
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
    // The entry of what is open is in sight once the row no longer fits.
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
    // The list has the width that there is, its entries the width that they need.
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

/** A list in one row, of its entries. */
export const scrollRow = (entries: unknown): TemplateResult =>
  html`<div class="scroll-row" ${watchRow()}>${arrow('start', '‹')}<ul role="list">${entries}</ul>${arrow(
    'end',
    '›',
  )}</div>`;
