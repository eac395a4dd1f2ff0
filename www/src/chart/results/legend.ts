//! The legend of a plot: its series, their ranges, and the marks that occur in it.

import { html, nothing, type TemplateResult } from 'lit-html';
import { FLAGS, type Flag } from '#reading/results/flags/flag.ts';
import type { Series } from '#reading/results/trends/series.ts';
import { range } from '#reading/results/values/reading.ts';
import { t, words } from '../../language/message.ts';

/** Returns the range that is drawn. A range without numbers cannot be drawn. */
const rangeOf = ({ low, high, limits }: Series): string | undefined =>
  low === undefined && high === undefined ? undefined : range(words(), limits);

const signs = (flags: Flag[]): string => [...new Set(flags.map((flag) => FLAGS[flag].sign))].join(' ');

export function legend(drawn: Series[]): TemplateResult {
  const occurring = new Set(drawn.flatMap(({ points }) => points.map(({ flag }) => flag)));
  const among = (...flags: Flag[]): Flag[] => flags.filter((flag) => occurring.has(flag));
  const outside = among('high', 'low');
  const critical = among('critical-high', 'critical-low', 'critical');
  // High comes before low, as in the plot.
  const far = among('far-high', 'critical-high', 'far-low', 'critical-low', 'critical');
  const hasRange = drawn.some((series) => rangeOf(series) !== undefined);
  const outsideWords = hasRange ? t('outside the range') : t('flagged by the laboratory');
  const farWords = critical.length ? t('far outside it, or critical') : hasRange ? t('far outside it') : t('far out');
  const several = drawn.length > 1;
  return html`${drawn.map((series, i) => seriesKey(series, i, several))}
    ${drawn.map((series) => rangeKey(series, several))}
    ${outside.length ? signKey(signs(outside), outsideWords) : nothing}
    ${far.length ? signKey(signs(far), farWords) : nothing}
    ${
      drawn.some(({ points }) => points.some(({ isBound }) => isBound))
        ? html`<span class="key"><span class="sign bound" aria-hidden="true">○</span> ${t(
            'only a bound (< or >)',
          )}</span> `
        : nothing
    }
    ${occurring.has('abnormal') ? signKey(FLAGS.abnormal.sign, t('abnormal')) : nothing}`;
}

const seriesKey = ({ name, unit }: Series, i: number, several: boolean): TemplateResult =>
  html`<span class="key" data-n=${i}>${several ? `${name}, ` : ''}${unit || t('no unit')}</span> `;

function rangeKey(series: Series, several: boolean): TemplateResult | typeof nothing {
  const words = rangeOf(series);
  if (!words) return nothing;
  const text = several
    ? t('Reference range of {name} {range}', { name: series.name.toLowerCase(), range: words })
    : t('Reference range {range}', { range: words });
  return html`<span class="key band-key">${text}</span> `;
}

const signKey = (sign: string, words: string): TemplateResult =>
  html`<span class="key"><span class="sign" aria-hidden="true">${sign}</span> ${words}</span>`;
