//! Usual ranges as they are drawn: always called usual, with the short name of their source, which is explained below.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { RangeSource, UsualRange } from './usual-ranges.ts';

const SIGNS = { above: '▲', below: '▼' };

/** A usual range, and whether the value is outside it. */
export function usualView({ text, source, out }: UsualRange): TemplateResult {
  const sign = out ? html`<span class="usual-sign" aria-hidden="true">${SIGNS[out]}</span> ` : nothing;
  const words = out === 'above' ? 'Above the usual range' : out === 'below' ? 'Below the usual range' : 'Usual range';
  return html`<span class="usual" data-out=${out ?? 'no'}>${sign}${words}: <span class="limits">${text}</span>,
    ${source.short}</span>`;
}

/** The sources of the usual ranges that are shown; nothing without any. */
export function usualSources(shown: (UsualRange | undefined)[]): TemplateResult | typeof nothing {
  const sources = [...new Set(shown.flatMap((one) => one?.source ?? []))];
  if (sources.length === 0) return nothing;
  return html`<p class="usual-sources">Usual ranges are for the age at the measurement, where the record has no
    range. They are not those of whoever measured: ${sources.map(
      (source, i) => html`${i ? '; ' : ''}${source.short}: ${titleView(source)}`,
    )}.</p>`;
}

const titleView = ({ title, url }: RangeSource): TemplateResult =>
  url ? html`<a href=${url} rel="noreferrer">${title}</a>` : html`${title}`;
