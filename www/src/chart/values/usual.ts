//! The drawing of usual ranges. They are always called usual and name their source, which a note below explains.

import { html, nothing, type TemplateResult } from 'lit-html';
import {
  ageNote,
  markedSide,
  sourcesOf,
  type UsualRange,
  urgentText,
  usualMarkText,
} from '#reading/results/flags/usual-range.ts';
import type { RangeSource } from '#reading/results/flags/vital-limits.ts';
import { rich, t, words } from '../../language/message.ts';

const SIGNS = { above: '▲', below: '▼' };
const WORDS = {
  above: 'Above the usual range: {range}, {source}',
  below: 'Below the usual range: {range}, {source}',
  within: 'Usual range: {range}, {source}',
} as const;
const WORDS_OF_EVERY_AGE = {
  above: 'Above the usual range of any age: {range}, {source}',
  below: 'Below the usual range of any age: {range}, {source}',
  within: WORDS.within,
} as const;

const kindOf = (usual: UsualRange): string => (usual.urgent ? 'urgent' : (usual.out ?? 'no'));

/** Draws the sign before a mark. An urgent mark has two signs. */
function signOf(usual: UsualRange): TemplateResult | typeof nothing {
  const side = markedSide(usual);
  if (!side) return nothing;
  return html`<span class="usual-sign" aria-hidden="true">${SIGNS[side]}${usual.urgent ? SIGNS[side] : ''}</span> `;
}

/** Draws a usual range, and whether the value is outside; or says why there is no range. */
function oneView(usual: UsualRange): TemplateResult {
  const { name, text, source, out, urgent, isOfEveryAge, isAgeUnknown, isCalledNormal } = usual;
  const range =
    text === undefined
      ? undefined
      : rich((isOfEveryAge ? WORDS_OF_EVERY_AGE : WORDS)[out ?? 'within'], {
          range: html`<span class="limits">${text}</span>`,
          source: source?.short ?? '',
        });
  const urgentView = urgent && html`<strong>${urgentText(words(), urgent)}</strong>`;
  const unknown = isAgeUnknown && !range ? t('no usual range, since the age is not known') : undefined;
  const called = isCalledNormal ? t('called normal') : undefined;
  const parts = [range, urgentView, unknown, called].filter((one) => one !== undefined);
  return html`<span class="usual" data-out=${kindOf(usual)}>${signOf(usual)}${name ? `${name}: ` : ''}${parts.map(
    (one, i) => html`${i ? '; ' : ''}${one}`,
  )}</span>`;
}

export const usualView = (usual: readonly UsualRange[]): TemplateResult | typeof nothing =>
  usual.length > 0 ? html`${usual.map((one, i) => html`${i ? ' ' : ''}${oneView(one)}`)}` : nothing;

/** Draws marks, as short as a flag, for a reading outside its usual ranges. A reading within them has no mark. */
export const usualMark = (usual: readonly UsualRange[]): TemplateResult[] =>
  usual
    .filter(markedSide)
    .map(
      (one, i) =>
        html`${i ? ' ' : ''}<span class="usual" data-out=${kindOf(one)}>${signOf(one)}${usualMarkText(
          words(),
          one,
        )}</span>`,
    );

export function usualSources(shown: readonly UsualRange[]): TemplateResult | typeof nothing {
  const sources = sourcesOf(shown);
  const note = ageNote(words(), shown);
  if (sources.length === 0 && note === undefined) return nothing;
  return html`<p class="usual-sources">${note ? html`${note} ` : nothing}${
    sources.length === 0
      ? nothing
      : html`${t('Usual ranges are for the age at the measurement, where the record has no range.')} ${rich(
          'They come from these sources, not from whoever measured: {sources}.',
          { sources: sources.map((source, i) => html`${i ? '; ' : ''}${source.short}: ${titleView(source)}`) },
        )}`
  }</p>`;
}

const titleView = ({ title, url }: RangeSource): TemplateResult =>
  url ? html`<a href=${url} rel="noreferrer">${t(title)}</a>` : html`${t(title)}`;
