//! The rail of a timeline: a link to each year, with the density of its events.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type RailRow, railOf, type YearCount } from '../../../chart/timeline/years.ts';
import { t, words } from '../../../language/message.ts';
import type { Timeline } from './model.ts';

/** The minimum length of a bar, of 100, so that one event among hundreds is visible. */
const LEAST = 4;

export const rail = ({ shown, position }: Timeline): TemplateResult =>
  html`<nav class="rail" aria-label=${t('Years')}><ol role="list">${railOf(shown.value.days).map((row) =>
    row.is === 'gap' ? gapRow(row) : yearRow(row, position),
  )}</ol></nav>`;

function yearRow({ year, count, share }: YearCount, position: Timeline['position']): TemplateResult {
  if (count === 0) return html`<li class="quiet-year"><span class="year">${year}</span></li>`;
  const go = (event: Event): void => {
    event.preventDefault();
    position.goTo(String(year));
  };
  const current = position.current.value === String(year) ? 'location' : nothing;
  return html`<li><a href=${`#year-${year}`} aria-current=${current} @click=${go}>
    <span class="year">${year}</span>${bar(share)}<span class="count"
      aria-hidden="true">${words().number(count)}</span><span class="visually-hidden">,
    ${t('{n} entry|{n} entries', { n: count })}</span></a></li>`;
}

const gapRow = ({ from, until }: Extract<RailRow, { is: 'gap' }>): TemplateResult =>
  html`<li class="quiet-year"><span class="year">${from}–${String(until).slice(-2)}</span></li>`;

/** Draws the density as a horizontal bar, for a column, and as an upright bar, for a row. The style shows one. */
function bar(share: number): TemplateResult {
  const length = Math.max(LEAST, share * 100);
  return html`<svg class="bar" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect class="across"
    x="0" y="0" width=${length} height="100"></rect><rect class="upright" x="0" y=${100 - length} width="100"
    height=${length}></rect></svg>`;
}
