//! Usual ranges as they are drawn: always called usual, with the short name of their source, which is explained below.

import { html, nothing, type TemplateResult } from 'lit-html';
import { rich, t } from '../language/message.ts';
import type { RangeSource, UsualRange } from './usual-ranges.ts';

const SIGNS = { above: '▲', below: '▼' };
const WORDS = {
  above: 'Above the usual range: {range}, {source}',
  below: 'Below the usual range: {range}, {source}',
  within: 'Usual range: {range}, {source}',
} as const;

const MARKS = {
  above: 'above usual ({source})',
  below: 'below usual ({source})',
} as const;

/** A usual range, and whether the value is outside it. */
export function usualView({ text, source, out, emergency }: UsualRange): TemplateResult {
  const sign = out
    ? html`<span class="usual-sign" aria-hidden="true">${SIGNS[out]}${emergency ? SIGNS[out] : ''}</span> `
    : nothing;
  return html`<span class="usual" data-out=${emergency ? 'emergency' : (out ?? 'no')}>${sign}${rich(
    WORDS[out ?? 'within'],
    {
      range: html`<span class="limits">${text}</span>`,
      source: source.short,
    },
  )}${emergency ? html`; <strong>${emergency}</strong>` : nothing}</span>`;
}

/** The mark of a value outside of its usual range, as short as a flag. Nothing for one within. */
export function usualMark({ source, out, emergency }: UsualRange): TemplateResult | typeof nothing {
  if (!out) return nothing;
  const [sign, words] = emergency
    ? [SIGNS[out] + SIGNS[out], t('{emergency} ({source})', { emergency, source: source.short })]
    : [SIGNS[out], t(MARKS[out], { source: source.short })];
  return html`<span class="usual" data-out=${emergency ? 'emergency' : out}><span class="usual-sign"
    aria-hidden="true">${sign}</span> ${words}</span>`;
}

/** The sources of the usual ranges that are shown; nothing without any. */
export function usualSources(shown: (UsualRange | undefined)[]): TemplateResult | typeof nothing {
  const sources = [...new Set(shown.flatMap((one) => one?.source ?? []))];
  if (sources.length === 0) return nothing;
  return html`<p class="usual-sources">${t(
    'Usual ranges are for the age at the measurement, where the record has no range.',
  )} ${rich('They are not those of whoever measured: {sources}.', {
    sources: sources.map((source, i) => html`${i ? '; ' : ''}${source.short}: ${titleView(source)}`),
  })}</p>`;
}

const titleView = ({ title, url }: RangeSource): TemplateResult =>
  url ? html`<a href=${url} rel="noreferrer">${t(title)}</a>` : html`${t(title)}`;
