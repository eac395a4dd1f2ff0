//! The trend of one test: the picture, a slider that steps through the points, the difference between two points, and
//! the table.

import { type Signal, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { clockDate, date } from '#reading/fhir/date.ts';
import { isEnteredInError, plain } from '#reading/fhir/text.ts';
import type { Observation } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import { notesOf } from '#reading/results/flags/observation-text.ts';
import { usualRanges } from '#reading/results/flags/usual-range.ts';
import { nameOfValue, shortName } from '#reading/results/names/names.ts';
import { apartTexts, nameKeyOf, type TestGroup } from '#reading/results/panels/test-groups.ts';
import { type Point, type Series, summary } from '#reading/results/trends/series.ts';
import { changeText, momentText, pointNotes, pointsAt, resultsCsv } from '#reading/results/trends/trend-text.ts';
import { when } from '#reading/results/values/reading.ts';
import { rich, t, words } from '../../language/message.ts';
import { download } from '../../parts/copy.ts';
import { fieldValue } from '../../parts/form.ts';
import { waiting } from '../../parts/notice.ts';
import { YEAR } from '../../plot/scale.ts';
import { plotSize } from '../../plot/size.ts';
import { inParts, yieldToPage } from '../../scheduling.ts';
import type { ChartStore } from '../loading/store.ts';
import { courseBars, courseSearches, coursesIn, courseTable } from '../medications/courses-view.ts';
import { recordButton } from '../record/record-link.ts';
import { plainMarksView, plainTestView } from '../values/plain-words.ts';
import { flagsView, flagView, rangesView, readingView } from '../values/reading.ts';
import { usualMark, usualSources, usualView } from '../values/usual.ts';
import { legend } from './legend.ts';
import { plot, plotScale } from './plot.ts';

/** The state of a trend. `at` is the selected moment and `pinned` the one to compare it with, in ms since 1970. */
interface TrendState {
  /** Undefined for the latest moment. */
  at: number | undefined;
  pinned: number | undefined;
  /** The number of parts of the table that are drawn. */
  drawn: number;
  /** The number of years until the latest value that are drawn. `undefined` for all. */
  years: Years | undefined;
}

type Years = keyof typeof LATEST;

/** Returns the series of a test with the points of its latest years only. */
const latest = (years: number): ((all: readonly Series[]) => Series[]) =>
  kept((all) => {
    const end = Math.max(...all.flatMap(({ points }) => points.slice(-1).map(({ at }) => at)));
    const isIn = ({ at }: Point): boolean => at >= end - years * YEAR;
    return all.map((one) => ({ ...one, points: one.points.filter(isIn) })).filter(({ points }) => points.length > 0);
  });
const LATEST = { 1: latest(1), 5: latest(5) };
const drawable = kept((all: readonly Series[]): Series[] => all.filter(({ points }) => points.length > 0));

export const openedTrend = (): Signal<TrendState> =>
  signal({
    at: undefined,
    pinned: undefined,
    drawn: 0,
    years: undefined,
  });

/** The number of rows in a part of the table. A part is drawn in one frame. */
const ROWS = 30;

/** The heights of the picture on a phone, on a tablet, and on a wider page. */
const HEIGHTS = [240, 300, 330] as const;

/** Draws the values of a moment. The line does not break within a value. */
function momentView(series: Series[], at: number): TemplateResult {
  const points = pointsAt(series, at);
  const values = points.map(
    (point): unknown =>
      html`<span class="nowrap">${point.text}</span>${pointNotes(words(), point).map(
        (note) => html` (${note})`,
      )}${point.flag ? html` ${flagView(point.flag)}` : nothing}`,
  );
  const joined = values.reduce((before, next) => (before ? rich('{before} and {next}', { before, next }) : next), '');
  const sources = [...new Set(points.map(({ source }) => source))];
  const marks = usualMark(sources.flatMap((o) => usualRanges(words(), o)));
  return html`${joined}${marks.length > 0 ? html` ${marks}` : nothing}, ${clockDate(words(), points[0]?.on)}`;
}

export function trend(group: TestGroup, state: Signal<TrendState>, store: ChartStore): TemplateResult {
  const { pinned, drawn, years } = state.value;
  const { main } = shortName(words(), group.name);
  const about = apartTexts(words(), group);
  const all = drawable(group.series);
  const series = years === undefined ? all : LATEST[years](all);
  // Values in different units have separate pictures.
  const units = [...new Set(series.map(({ unit }) => unit))];
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const at = state.value.at ?? moments.at(-1);
  const set = (change: Partial<TrendState>): void => {
    state.value = { ...state.value, ...change };
  };
  // Late medications would move the text that is being read.
  if (courseSearches(store).some(({ is }) => is === 'waiting')) return waiting(t('the trend'));
  const courses = coursesIn(store);
  const parts = inParts(group.list, ROWS);
  const isWhole = drawn >= parts.length;
  if (!isWhole) void yieldToPage().then(() => set({ drawn: drawn + 1 }));
  const ofUnits = units.map((unit) => series.filter((one) => one.unit === unit));
  const [widest] = ofUnits;
  const size = plotSize(HEIGHTS);
  const figure = (those: Series[]): TemplateResult => {
    const chosen = { at, pinned, choose: (next: number) => set({ at: next }) };
    const label = those.map((one) => summary(words(), one)).join(' ');
    return html`<figure class="figure">${plot(those, size, chosen, label)}
      ${courseBars(courses.lines, plotScale(those, size), at)}
      <figcaption>${legend(those)}</figcaption></figure>`;
  };
  return html`<section class="trend-view" aria-labelledby="trend-title">
    <header class="section-head"><h2 id="trend-title">${main}</h2>${
      about.length > 0 ? html`<span class="aside">${about.join(' · ')}</span>` : nothing
    }</header>
    ${plainTestView(group.latest.code)}
    ${yearsChoice(all, years, (next) => set({ years: next, at: undefined, pinned: undefined }))}
    ${ofUnits.map((those) => guard([group, courses, at, pinned, years, size.width], () => figure(those)))}
    ${moments.length > 1 && at !== undefined ? stepper({ series, moments, at, pinned, set }) : nothing}
    ${guard([group], () => marks(group))}
    <p class="visually-hidden">${series.map((one) => summary(words(), one)).join(' ')}</p>
    ${drawn > 0 ? table(group, parts.slice(0, drawn), store) : nothing}
    ${
      isWhole
        ? html`${courseTable(courses, widest && plotScale(widest, size), store)}
          ${usualSources(group.list.flatMap((o) => usualRanges(words(), o)))}`
        : waiting(t('results'))
    }
  </section>`;
}

/** Explains the flags and statuses of all results of a test. */
const marks = ({ series, list }: TestGroup): TemplateResult | typeof nothing =>
  plainMarksView(
    series.flatMap(({ points }) => points.map(({ flag }) => flag)),
    list.map(({ status }) => status),
  );

/** Draws the choice of the years that are drawn. Only those that are shorter than the whole are offered. */
function yearsChoice(
  all: readonly Series[],
  chosen: Years | undefined,
  choose: (years: Years | undefined) => void,
): TemplateResult | typeof nothing {
  const ends = all.flatMap(({ points }) => [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]);
  const span = (Math.max(...ends) - Math.min(...ends)) / YEAR;
  const offered = ([1, 5] as const).filter((years) => years < span);
  if (offered.length === 0) return nothing;
  return html`<p class="actions years" role="group" aria-label=${t('Years that are drawn')}>${[
    ...offered,
    undefined,
  ].map(
    (years) => html`<button type="button" class="quiet" aria-pressed=${years === chosen}
      @click=${() => choose(years)}>${years ? t('{n} year|{n} years', { n: years }) : t('All years')}</button> `,
  )}</p>`;
}

interface Stepper {
  series: Series[];
  /** All moments with a value, in order. */
  moments: number[];
  at: number;
  pinned: number | undefined;
  set(change: Partial<TrendState>): void;
}

function stepper({ series, moments, at, pinned, set }: Stepper): TemplateResult {
  const index = Math.max(0, moments.indexOf(at));
  const choose = (next: number): void => set({ at: moments[next] ?? at });
  const compared = pinned !== undefined && pinned !== at;
  return html`<div class="stepper">
    <label for="step">${t('Result {place} of {all}', {
      place: index + 1,
      all: moments.length,
    })}</label>
    <input id="step" type="range" min="0" max=${moments.length - 1} step="1" .value=${String(index)}
      aria-valuetext=${momentText(words(), series, at)} @input=${(event: Event) => choose(Number(fieldValue(event)))}>
    <p class="readout"><strong>${momentView(series, at)}</strong>${
      compared ? html` · <span class="nowrap">${changeText(words(), series, at, pinned)}</span>` : nothing
    }</p>
    <p class="actions">
      <button type="button" class="quiet" ?disabled=${index === 0}
        @click=${() => choose(index - 1)}>${t('Earlier')}</button>
      <button type="button" class="quiet" ?disabled=${index === moments.length - 1}
        @click=${() => choose(index + 1)}>${t('Later')}</button>
      ${
        pinned === undefined
          ? html`<button type="button" class="quiet" @click=${() => set({ pinned: at })}>${t(
              'Compare with this one',
            )}</button>`
          : html`<button type="button" class="quiet" @click=${() => set({ pinned: undefined })}>${t(
              'Stop comparing',
            )}</button>`
      }
    </p></div>`;
}

function table(group: TestGroup, parts: Observation[][], store: ChartStore): TemplateResult {
  const { key, list } = group;
  // If some results are only one number of a blood pressure, each shows its name.
  const isMixed = new Set(list.map(nameKeyOf)).size > 1;
  const save = (): void => download(`${key}.csv`, 'text/csv', [resultsCsv(words(), list)]);
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${t('All results of this test')}><table
    class="results">
    <caption>${t('{n} result|All {n} results, newest first', { n: list.length })}
      <button type="button" class="quiet" @click=${save}>${t('Download as CSV')}</button></caption>
    <thead class="narrow-hidden"><tr><th scope="col">${t('When')}</th><th scope="col" class="number">${t('Value')}</th>
      <th scope="col">${t('Flag')}</th><th scope="col">${t('Range')}</th>
      <th scope="col">${t('Status')}</th></tr></thead>
    <tbody>${parts.map((part, i) =>
      guard([group, i], () => part.map((o) => row(o, isMixed, store))),
    )}</tbody></table></div>`;
}

function row(o: Observation, isNamed: boolean, store: ChartStore): TemplateResult {
  const isError = isEnteredInError(o);
  const ranges = rangesView(o);
  const at = clockDate(words(), when(o)) || date(words(), o.issued) || t('No date');
  const name = isNamed ? html`<small>${nameOfValue(words(), o)}</small> ` : nothing;
  return html`<tr data-tone=${isError ? 'error' : 'plain'}>
    <th scope="row" class="nowrap">${recordButton(store, o, at)}</th>
    <td class="number">${name}${readingView(o)}${notesOf(o).map((note) => html` <small>${note}</small>`)}</td>
    <td class="flags">${isError ? nothing : flagsView(o)}</td>
    <td class="quiet range">${ranges}${usualView(usualRanges(words(), o))}</td><td
      class="quiet status-of">${plain(words(), isError ? 'entered-in-error' : o.status)}</td></tr>`;
}
