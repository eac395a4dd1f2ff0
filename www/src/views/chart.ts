//! The chart of one patient: the banner, the sections, the timeline, the trends. Sections come as their searches do.

import { html, nothing, type TemplateResult } from 'lit-html';
import { banner, patientOf } from '../chart/banner';
import { openResource } from '../chart/resource';
import { groupsOf, LABS, VITALS } from '../chart/results';
import { brief, sectionView, stateOf, type Place } from '../chart/section';
import { SECTIONS } from '../chart/sections';
import { ChartStore } from '../chart/store';
import { daysOf, eventsOf, kindsOf, none, yearsOf } from '../chart/timeline';
import { trend, type TrendState } from '../chart/trend';
import { date } from '../fhir/date';
import { nameOf, plural } from '../fhir/text';
import type { Observation } from '../fhir/types';
import { waiting } from '../parts/notice';
import { choice, current, trial } from '../source/current';
import type { Open } from '../view';

let kept: { key: string; store: ChartStore } | undefined;
let changed: () => void = () => undefined;

/** The store lives as long as the source and the patient stay: from the chart to a trend and back nothing is asked twice. */
function storeOf(patient: string): ChartStore {
  const source = current();
  const key = `${source.key} ${patient}`;
  if (kept?.key !== key) kept = { key, store: new ChartStore(source, patient, () => changed()) };
  return kept.store;
}

export const chart: Open = ({ parts: [patient = '', part = '', key = ''] }, redraw) => {
  const store = storeOf(patient);
  changed = redraw;
  const place: Omit<Place, 'states' | 'store'> = {
    link: (resource, text) => html`<button type="button" class="record" @click=${() => openResource(resource, store)}>${text}</button>`,
    redraw,
  };
  let kind = '';
  let year = '';
  const trendState: TrendState = { at: undefined, pinned: undefined };

  const tabs = (): TemplateResult => html`<nav class="tabs" aria-label="This chart"><ul role="list">
      <li><a href=${`/#/chart/${patient}`} aria-current=${part === '' ? 'page' : nothing}>Summary</a></li>
      <li><a href=${`/#/chart/${patient}/timeline`} aria-current=${part === 'timeline' ? 'page' : nothing}>Timeline</a></li>
      <li><a href="/#/patients">Other patients</a></li></ul></nav>`;

  const note = (): TemplateResult | typeof nothing =>
    choice.value === 'local' && trial.value
      ? html`<p class="banner-note">The sample, looked at with <code>${trial.value.scopes}</code>. <button type="button" class="quiet" @click=${() => trial.set(undefined)}>Show everything</button></p>` : nothing;

  const summaryView = (): TemplateResult => html`<div class="chart-layout">
      <nav class="index" aria-label="Sections of the chart"><ul role="list">${SECTIONS.map((section) => html`<li><a href=${`#${section.id}`} @click=${(event: Event) => {
        event.preventDefault();
        const heading = document.getElementById(`${section.id}-title`);
        heading?.scrollIntoView({ block: 'start' });
        heading?.focus({ preventScroll: true });
      }}><span>${section.title}</span><span class="brief">${brief(section, store)}</span></a></li>`)}</ul></nav>
      <div class="sections">${SECTIONS.map((section) => sectionView(section, store, place))}</div>
    </div>`;

  const timelineView = (): TemplateResult => {
    const queries = SECTIONS.flatMap((section) => section.queries);
    const pending = SECTIONS.flatMap((section) => stateOf(section, store)).filter(({ is }) => is === 'waiting').length;
    const events = eventsOf(store, queries);
    const shown = events.filter((event) => (!kind || event.kind === kind) && (!year || event.on.startsWith(year)));
    const select = (id: string, label: string, all: string, values: string[], value: string, choose: (value: string) => void): TemplateResult =>
      html`<p class="field"><label for=${id}>${label}</label><select id=${id} @change=${(event: Event) => { choose((event.target as HTMLSelectElement).value); redraw(); }}>
        <option value="" ?selected=${value === ''}>${all}</option>${values.map((one) => html`<option value=${one} ?selected=${one === value}>${one}</option>`)}</select></p>`;
    return html`<section class="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>
      <div class="fields">${select('kind', 'Show', 'Everything', kindsOf(events), kind, (value) => { kind = value; })}${select('year', 'Year', 'All years', yearsOf(events), year, (value) => { year = value; })}</div>
      <p role="status" class="aside">${pending ? `Loading ${pending} more searches…` : plural(shown.length, 'entry', 'entries')}</p>
      ${none(shown.length > 0 || pending > 0)}
      <ol class="days" role="list">${daysOf(shown).map(({ on, list }) => {
        const results = list.filter((event) => event.kind === 'Result');
        const others = list.filter((event) => event.kind !== 'Result');
        return html`<li class="day"><h3>${date(on, { short: true })}</h3><ul role="list">
          ${others.map((event) => html`<li><span class="kind">${event.kind}</span> ${place.link(event.resource, event.title)}</li>`)}
          ${results.length > 3 ? html`<li><details class="fills"><summary><span class="kind">Results</span> ${plural(results.length, 'result')}</summary><ul role="list">${results.map((event) => html`<li>${place.link(event.resource, event.title)}</li>`)}</ul></details></li>`
            : results.map((event) => html`<li><span class="kind">${event.kind}</span> ${place.link(event.resource, event.title)}</li>`)}
        </ul></li>`;
      })}</ol></section>`;
  };

  const trendView = (): TemplateResult => {
    const states = [LABS, VITALS].map((search) => store.of(search));
    const all = states.flatMap((state) => (state.is === 'there' ? (state.found.matches as Observation[]) : []));
    const group = groupsOf(all).find((one) => one.key === key);
    if (!group) return states.some(({ is }) => is === 'waiting') ? waiting('results') : html`<p class="state empty">There is no result of this test here.</p>`;
    return trend(group, trendState, place, redraw);
  };

  return {
    title: part === 'timeline' ? 'Timeline' : part === 'trend' ? 'Trend' : nameOf(patientOf(store)?.name) ?? `Chart of ${patient}`,
    body: () => html`${banner(store)}${note()}${tabs()}${part === 'timeline' ? timelineView() : part === 'trend' ? trendView() : summaryView()}`,
    leave: () => { changed = () => undefined; },
  };
};
