//! A list in one row, which scrolls if it does not fit. Its ends show that it continues, see `wide.css`.

import { html, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';

/** Brings the current entry into sight at first, and whenever the width of the list changes. */
function keepCurrentInSight(list: Element | undefined): void {
  if (!list) return;
  const sizes = new ResizeObserver(() => {
    const current = list.querySelector('[aria-current]')?.getBoundingClientRect();
    const { left, width } = list.getBoundingClientRect();
    if (current) list.scrollLeft += current.left - left - width / 3;
  });
  sizes.observe(list);
}

export const scrollRow = (entries: unknown): TemplateResult =>
  html`<ul class="scroll-row" role="list" ${ref(keepCurrentInSight)}>${entries}</ul>`;
