//! The trend of one test: the picture, a slider that steps through its points, the difference between two of them, and
//! the table.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, date } from '../fhir/date.ts';
import { type Flag, flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { range, when } from '../fhir/reading.ts';
import { type Series, summary } from '../fhir/series.ts';
import { isEnteredInError, plural } from '../fhir/text.ts';
import { download } from '../parts/copy.ts';
import { fieldValue } from '../parts/form.ts';
import { plot } from './plot.ts';
import { flagView, rangeView, readingView } from './reading.ts';
import type { SectionContext } from './section.ts';
import type { TestGroup } from './test-groups.ts';
import { changeText, momentText, pointsAt } from './trend-text.ts';

export interface TrendState {
  at: number | undefined;
  pinned: number | undefined;
}

const NARROW = matchMedia('(max-width: 620px)');

/** The values of a moment, each on one line. */
function momentView(series: Series[], at: number): TemplateResult {
  const points = pointsAt(series, at);
  return html`${points.map(
    (point, i) =>
      html`${i ? ' and ' : ''}<span class="nowrap">${point.text}</span>${
        point.flag ? html` ${flagView(point.flag)}` : nothing
      }`,
  )}, ${clockDate(points[0]?.on)}`;
}

/** The range that is drawn; one of words alone cannot be. */
const rangeOf = ({ low, high, limits }: Series): string | undefined =>
  low === undefined && high === undefined ? undefined : range(limits);

/** What is in the picture, and nothing that is not: its series, their ranges, and the marks that occur. */
function legend(drawn: Series[]): unknown {
  const flags = new Set(drawn.flatMap(({ points }) => points.map((point) => point.flag)));
  const occurs = (...some: Flag[]): boolean => some.some((one) => flags.has(one));
  const key = (sign: string, words: string): TemplateResult =>
    html`<span class="key"><span class="sign" aria-hidden="true">${sign}</span> ${words}</span>`;
  const ranged = drawn.some((one) => rangeOf(one) !== undefined);
  const outside = ranged ? 'outside the range' : 'flagged by the laboratory';
  return html`${drawn.map(
    (one, i) =>
      html`<span class="key" data-n=${i}>${drawn.length > 1 ? `${one.name}, ` : ''}${one.unit || 'no unit'}</span> `,
  )}
    ${drawn.map((one) =>
      rangeOf(one)
        ? html`<span class="key band-key">Reference range${
            drawn.length > 1 ? ` of ${one.name.toLowerCase()}` : ''
          } ${rangeOf(one)}</span> `
        : nothing,
    )}
    ${
      occurs('high', 'low')
        ? key([occurs('high') ? '▲' : '', occurs('low') ? '▼' : ''].join(' ').trim(), outside)
        : nothing
    }
    ${
      occurs('far-high', 'far-low', 'critical-high', 'critical-low')
        ? key(
            [occurs('far-high', 'critical-high') ? '▲▲' : '', occurs('far-low', 'critical-low') ? '▼▼' : '']
              .join(' ')
              .trim(),
            occurs('critical-high', 'critical-low')
              ? 'far outside it, or critical'
              : ranged
                ? 'far outside it'
                : 'far out',
          )
        : nothing
    }
    ${occurs('abnormal') ? key('◆', 'abnormal') : nothing}`;
}

export function trend(
  group: TestGroup,
  state: TrendState,
  context: SectionContext,
  redraw: () => void,
): TemplateResult {
  const { main, rest } = shortName(group.name);
  const series = group.series.filter(({ points }) => points.length > 0);
  // Values in different units have pictures of their own.
  const units = [...new Set(series.map(({ unit }) => unit))];
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const at = state.at ?? moments.at(-1);
  const index = at === undefined ? 0 : Math.max(0, moments.indexOf(at));
  const choose = (next: number): void => {
    state.at = next;
    redraw();
  };
  const csv = (): string =>
    [
      'date,value,unit,flag,id',
      ...series.flatMap(({ points, unit }) =>
        points.map((p) => [p.on, p.value, `"${unit}"`, p.flag ?? '', p.source.id].join(',')),
      ),
    ].join('\r\n');
  const figure = (
    drawn: Series[],
  ): TemplateResult => html`<figure class="figure">${plot(drawn, NARROW.matches, { at, pinned: state.pinned, choose })}
      <figcaption>${legend(drawn)}</figcaption></figure>`;
  return html`<section class="trend-view" aria-labelledby="trend-title">
    <header class="section-head"><h2 id="trend-title">${main}</h2>${
      rest ? html`<span class="aside">${rest}</span>` : nothing
    }</header>
    ${units.map((unit) => figure(series.filter((one) => one.unit === unit)))}
    ${
      moments.length > 1 && at !== undefined
        ? html`<div class="stepper">
      <label for="step">Result ${index + 1} of ${moments.length}</label>
      <input id="step" type="range" min="0" max=${moments.length - 1} step="1" .value=${String(index)}
        aria-valuetext=${momentText(series, at)}
        @input=${(event: Event) => choose(moments[Number(fieldValue(event))] ?? at)}>
      <p class="readout"><strong>${momentView(series, at)}</strong>${
        state.pinned !== undefined && state.pinned !== at
          ? html` · <span class="nowrap">${changeText(series, at, state.pinned)}</span>`
          : nothing
      }</p>
      <p class="actions">
        <button type="button" class="quiet" ?disabled=${index === 0}
          @click=${() => choose(moments[index - 1] ?? at)}>Earlier</button>
        <button type="button" class="quiet" ?disabled=${index === moments.length - 1}
          @click=${() => choose(moments[index + 1] ?? at)}>Later</button>
        ${
          state.pinned === undefined
            ? html`<button type="button" class="quiet" @click=${() => {
                state.pinned = at;
                redraw();
              }}>Compare with this one</button>`
            : html`<button type="button" class="quiet" @click=${() => {
                state.pinned = undefined;
                redraw();
              }}>Stop comparing</button>`
        }
      </p></div>`
        : nothing
    }
    <p class="visually-hidden">${series.map(summary).join(' ')}</p>
    <div class="table-frame" tabindex="0" role="region" aria-label="All results of this test"><table class="results">
      <caption>All ${plural(group.list.length, 'result')}, newest first ${
        moments.length
          ? html`<button type="button" class="quiet" @click=${() =>
              download(`${group.key}.csv`, 'text/csv', [csv()])}>Download as CSV</button>`
          : nothing
      }</caption>
      <thead><tr><th scope="col">When</th><th scope="col" class="number">Value</th><th scope="col">Flag</th>
        <th scope="col">Range</th><th scope="col">Status</th></tr></thead>
      <tbody>${group.list.map(
        (o) => html`<tr data-tone=${isEnteredInError(o) ? 'error' : 'plain'}>
        <th scope="row" class="nowrap">${context.link(
          o,
          clockDate(when(o)) || date(o.issued) || 'No date',
        )}</th><td class="number">${readingView(o)}</td><td class="flags">${
          isEnteredInError(o) ? nothing : flagView(flag(o))
        }</td>
        <td class="quiet range">${rangeView(o.referenceRange?.[0])}</td><td class="quiet">${
          isEnteredInError(o) ? 'entered in error' : o.status
        }</td></tr>`,
      )}</tbody></table></div>
  </section>`;
}
