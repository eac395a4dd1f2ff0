//! The rail of a timeline: a link to each year, with the density of its events.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t, words } from '../../../language/message.ts';
import { instead } from '../../../parts/form.ts';
import type { Timeline } from './model.ts';
import { type YearCount, yearsOf } from './years.ts';

/** The minimum length of a bar, of 100, so that one event among hundreds is visible. */
const LEAST = 4;

export const rail = ({ shown, position }: Timeline): TemplateResult =>
  html`<nav class="rail" aria-label=${t('Years')}><ol role="list">${yearsOf(shown.value.days).map((one) =>
    yearRow(one, position),
  )}</ol></nav>`;

function yearRow({ year, count, share }: YearCount, position: Timeline['position']): TemplateResult {
  const go = instead(() => position.goTo(String(year)));
  const current = position.current.value === String(year) ? 'location' : nothing;
  return html`<li><a href=${`#year-${year}`} aria-current=${current} @click=${go}>
    <span class="year">${year}</span><svg class="bar" viewBox="0 0 100 100" preserveAspectRatio="none"
      aria-hidden="true"><rect width=${Math.max(LEAST, share * 100)} height="100"></rect></svg><span class="count"
      aria-hidden="true">${words().number(count)}</span><span class="visually-hidden">,
    ${t('{n} entry|{n} entries', { n: count })}</span></a></li>`;
}
