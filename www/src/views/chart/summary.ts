//! The summary of a chart: all its sections, with an index that follows the reader.

import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { ChartStore } from '../../chart/loading/store.ts';
import type { Overview } from '../../chart/overview/overview.ts';
import type { Section, SectionState } from '../../chart/section/section.ts';
import { brief, joinedView, sectionView } from '../../chart/section/section-view.ts';
import { SECTIONS } from '../../chart/sections.ts';
import { t, words } from '../../language/message.ts';
import { instead } from '../../parts/form.ts';
import { waiting } from '../../parts/notice.ts';
import { scrollRow } from '../../parts/scroll-row.ts';
import { settle } from '../../parts/settle.ts';
import { type FrameBudget, yieldToPage } from '../../scheduling.ts';
import type { ReadingPosition } from './reading-position.ts';

export function summaryView(
  store: ChartStore,
  overview: Overview,
  stateOf: (section: Section) => SectionState,
  position: ReadingPosition,
  budget: FrameBudget,
): TemplateResult {
  // Nothing is drawn below the overview until it is complete, so that nothing moves while it is read.
  const glance = overview.view();
  if (!glance) return waiting(t('the chart'));
  const all = SECTIONS.map((section) => ({ section, state: stateOf(section) }));
  // A section is drawn only when those above it are complete, for the same reason.
  const next = all.findIndex(({ state }) => state.is === 'waiting' || state.content.next);
  const stands = next < 0 ? all : all.slice(0, all[next]?.state.is === 'waiting' ? next : next + 1);
  const drawn = all.slice(0, budget.shown(stands.map(({ state }) => state.content.count)));
  const unfinished = drawn.length < stands.length ? all[drawn.length] : all[next];
  position.update();
  void yieldToPage().then(() => settle(document.querySelector('.sections'), !unfinished));
  return html`${glance}${recordLanguageNote()}<div class="chart-layout">
    <nav class="index" aria-label=${t('Sections of the chart')}>${scrollRow(
      all.map(({ section, state }) => indexEntry(section, state, position)),
    )}</nav>
    <div class="sections">${drawn.map((one) => sectionView(one, store))}${
      unfinished ? keyed(unfinished.section, waiting(t(unfinished.section.title).toLowerCase())) : joinedView(all)
    }</div>
  </div>`;
}

/** Says that the app is translated, but the record is not. In English most records need no such note. */
const recordLanguageNote = (): TemplateResult | typeof nothing =>
  words().language === 'en'
    ? nothing
    : html`<p class="aside record-language">${t(
        'Names and notes of the record stay in the language in which they were written.',
      )}</p>`;

function indexEntry({ id, title }: Section, state: SectionState, position: ReadingPosition): TemplateResult {
  const go = instead(() => position.goTo(id));
  return html`<li><a href=${`#${id}`} aria-current=${
    position.current.value === id ? 'location' : nothing
  } @click=${go}><span>${t(title)}</span><span class="brief">${brief(state)}</span></a></li>`;
}
