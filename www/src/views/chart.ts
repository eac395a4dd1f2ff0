//! The chart of one patient: the banner, the sections, the timeline, the trends. What is read stays where it is: a section is
//! drawn when those above it are, and the index follows the scroll.

import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { banner, isMissing, patientOf, PATIENT, whose } from '../chart/banner.ts';
import { printHead } from '../chart/print.ts';
import { openResource } from '../chart/resource.ts';
import { groupsOf, LABS, VITALS } from '../chart/results.ts';
import { brief, sectionView, standings, type Place } from '../chart/section.ts';
import { SECTIONS } from '../chart/sections.ts';
import { ChartStore } from '../chart/store.ts';
import { daysOf, eventsOf, kindsOf, none, yearsOf } from '../chart/timeline.ts';
import { trend, type TrendState } from '../chart/trend.ts';
import { date } from '../fhir/date.ts';
import { shortName } from '../fhir/names.ts';
import { nameOf, plural } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { framed } from '../frame.ts';
import { waiting } from '../parts/notice.ts';
import { chartAt, patientsAt } from '../routes.ts';
import { session } from '../smart/session.ts';
import { sourceOf, trial } from '../source/current.ts';
import type { Source } from '../source/source.ts';
import type { Open } from '../view.ts';

let kept: { key: string; store: ChartStore } | undefined;
let changed: () => void = () => undefined;

session.watch((now) => {
  if (!now && kept?.store.source.name === 'session') kept = undefined;
});

/** The store lives as long as the source and the patient stay: from the chart to a trend and back nothing is asked twice. */
function storeOf(source: Source, patient: string): ChartStore {
  const key = `${source.key} ${patient}`;
  if (kept?.key !== key) kept = { key, store: new ChartStore(source, patient, () => changed()) };
  return kept.store;
}

/** The height of what stays at the top while the page scrolls, as the style has it. */
const barBottom = (): number => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

export const chart: Open = ({ source: name = 'sample', parts: [patient = '', part = '', key = ''] }, redraw) => {
  const store = storeOf(sourceOf(name) as Source, patient);
  changed = redraw;
  const place: Place = {
    store,
    link: (resource, text) =>
      html`<button type="button" class="record" @click=${() => openResource(resource, store)}>${text}</button>`,
  };
  const standing = standings(place);
  let kind = '';
  let year = '';
  /** The section that is read, and whether the name has gone out of sight. */
  let at = SECTIONS[0]?.id ?? '';
  let away = false;
  /** A section that was asked for: kept while its heading is in sight, and gone to as soon as it is drawn. */
  let wanted: { id: string; pending: boolean } | undefined;
  const trendState: TrendState = { at: undefined, pinned: undefined };

  const headingOf = (id: string): HTMLElement | null => document.getElementById(`${id}-title`);
  const go = (id: string): void => {
    const heading = headingOf(id);
    wanted = { id, pending: heading === null };
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
    follow();
  };
  const follow = framed(() => {
    if (wanted?.pending && headingOf(wanted.id)) return go(wanted.id);
    const bar = barBottom();
    const before = `${at} ${away}`;
    const tops = SECTIONS.flatMap(({ id }) => {
      const top = headingOf(id)?.getBoundingClientRect().top;
      return top === undefined ? [] : [{ id, top }];
    });
    const chosen = tops.find(({ id }) => id === wanted?.id);
    if (chosen && (chosen.top < 0 || chosen.top > innerHeight)) wanted = undefined;
    at = wanted?.id ?? tops.filter(({ top }) => top <= bar + 40).at(-1)?.id ?? tops[0]?.id ?? at;
    away = (document.querySelector('.patient h1')?.getBoundingClientRect().bottom ?? 0) < bar;
    if (`${at} ${away}` === before) return;
    redraw();
    // On a narrow page the index is a row: the section's own word is kept in it.
    requestAnimationFrame(() => {
      const row = document.querySelector('.index ul');
      const word = row?.querySelector<HTMLElement>('[aria-current]');
      if (row && word && row.scrollWidth > row.clientWidth) row.scrollLeft = word.offsetLeft - 24;
    });
  });
  addEventListener('scroll', follow, { passive: true });
  addEventListener('resize', follow, { passive: true });

  const bar = (
    title: string | undefined,
  ): TemplateResult => html`<div class="chart-bar"><nav class="tabs" aria-label="This chart"><ul role="list">
      <li><a href=${chartAt(name, patient)} aria-current=${part === '' ? 'page' : nothing}>Summary</a></li>
      <li><a href=${chartAt(name, patient, 'timeline')}
        aria-current=${part === 'timeline' ? 'page' : nothing}>Timeline</a></li>
      ${
        part === 'trend'
          ? html`<li><a href=${chartAt(name, patient, 'trend', key)} aria-current="page">Trend${
              title ? html`<span class="wide-only">: ${title}</span>` : nothing
            }</a></li>`
          : nothing
      }
      <li><a href=${patientsAt(name)}>Other patients</a></li></ul></nav>
      <p class="whose" data-shown=${away} aria-hidden="true">${whose(store)}</p></div>`;

  const note = (): TemplateResult | typeof nothing =>
    name === 'sample' && trial.value
      ? html`<p class="banner-note">The sample, looked at with <code>${trial.value.scopes}</code>. <button type="button"
        class="quiet" @click=${() => trial.set(undefined)}>Show everything</button></p>`
      : nothing;

  const summaryView = (): TemplateResult => {
    const all = SECTIONS.map((section) => ({ section, standing: standing(section) }));
    const next = all.findIndex((one) => one.standing.is === 'waiting');
    const drawn = next < 0 ? all : all.slice(0, next);
    follow();
    return html`<div class="chart-layout">
      <nav class="index" aria-label="Sections of the chart"><ul role="list">${all.map(
        ({ section: { id, title }, standing: one }) =>
          html`<li><a href=${`#${id}`} aria-current=${at === id ? 'location' : nothing} @click=${(event: Event) => {
            event.preventDefault();
            go(id);
          }}><span>${title}</span><span class="brief">${brief(one)}</span></a></li>`,
      )}</ul></nav>
      <div class="sections">${drawn.map((one) =>
        sectionView(one.section, one.standing, store),
      )}${next < 0 ? nothing : keyed(next, all[next]?.standing.shown.body)}</div>
    </div>`;
  };

  const timelineView = (): TemplateResult => {
    const pending = SECTIONS.filter((section) => standing(section).is === 'waiting').length;
    // Events of all kinds stand among each other: they are shown when all are there.
    const events =
      pending > 0
        ? []
        : eventsOf(
            store,
            SECTIONS.flatMap(({ queries }) => queries),
          );
    const shown = events.filter((event) => (!kind || event.kind === kind) && (!year || event.on.startsWith(year)));
    const select = (
      id: string,
      label: string,
      all: string,
      values: string[],
      value: string,
      choose: (value: string) => void,
    ): TemplateResult =>
      html`<p class="field"><label for=${id}>${label}</label><select id=${id} @change=${(event: Event) => {
        choose((event.target as HTMLSelectElement).value);
        redraw();
      }}>
        <option value="" ?selected=${value === ''}>${all}</option>${values.map(
          (one) => html`<option value=${one} ?selected=${one === value}>${one}</option>`,
        )}</select></p>`;
    return html`<section class="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>
      <div class="fields">${select('kind', 'Show', 'Everything', kindsOf(events), kind, (value) => {
        kind = value;
      })}${select('year', 'Year', 'All years', yearsOf(events), year, (value) => {
        year = value;
      })}</div>
      <p role="status" class="aside">${pending ? '' : plural(shown.length, 'entry', 'entries')}</p>
      ${pending ? waiting('the timeline') : nothing}${none(shown.length > 0 || pending > 0)}
      <ol class="days" role="list">${daysOf(shown).map(({ on, list }) => {
        const results = list.filter((event) => event.kind === 'Result');
        const others = list.filter((event) => event.kind !== 'Result');
        return html`<li class="day"><h3>${date(on, { short: true })}</h3><ul role="list">
          ${others.map(
            (event) =>
              html`<li><span class="kind">${event.kind}</span> ${place.link(event.resource, event.title)}</li>`,
          )}
          ${
            results.length > 3
              ? html`<li><details class="fills"><summary><span class="kind">Results</span>
                ${plural(results.length, 'result')}</summary><ul role="list">${results.map(
                  (event) => html`<li>${place.link(event.resource, event.title)}</li>`,
                )}</ul></details></li>`
              : results.map(
                  (event) =>
                    html`<li><span class="kind">${event.kind}</span> ${place.link(event.resource, event.title)}</li>`,
                )
          }
        </ul></li>`;
      })}</ol></section>`;
  };

  const groupShown = (): ReturnType<typeof groupsOf>[number] | undefined => {
    const all = [LABS, VITALS]
      .map((search) => store.of(search))
      .flatMap((state) => (state.is === 'there' ? (state.found.matches as Observation[]) : []));
    return groupsOf(all).find((one) => one.key === key);
  };
  const trendView = (group: ReturnType<typeof groupShown>): TemplateResult => {
    if (group) return trend(group, trendState, place, redraw);
    return [LABS, VITALS].some((search) => store.of(search).is === 'waiting')
      ? waiting('results')
      : html`<p class="state empty">There is no result of this test here.</p>`;
  };

  const titleOf = (): string => {
    const p = patientOf(store);
    const who = p ? (nameOf(p.name) ?? 'Unnamed patient') : 'Chart';
    return part === 'timeline' ? `Timeline · ${who}` : part === 'trend' ? `Trend · ${who}` : who;
  };

  const below = (): TemplateResult => {
    const group = part === 'trend' ? groupShown() : undefined;
    return html`${note()}${bar(group ? shortName(group.name).main : undefined)}${
      part === 'timeline' ? timelineView() : part === 'trend' ? trendView(group) : summaryView()
    }`;
  };

  return {
    get title() {
      return titleOf();
    },
    body: () => {
      const state = store.of(PATIENT);
      const missing = isMissing(state);
      if (missing) store.stop();
      printHead(patientOf(store), name);
      // The searches go out meanwhile; nothing is drawn below a banner that is still to grow.
      if (state.is === 'waiting' && part !== 'trend') for (const section of SECTIONS) standing(section);
      return html`${banner(store)}${missing || state.is === 'waiting' ? nothing : below()}`;
    },
    leave: () => {
      changed = () => undefined;
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
      printHead(undefined, name);
    },
  };
};
