//! A section of the chart, as data: what it asks, and how it shows what came. Its states are drawn once, for all.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { Resource } from '../fhir/types';
import { failed, notGranted, waiting, empty } from '../parts/notice';
import { openRequests } from '../parts/requests';
import type { Found } from '../source/source';
import type { ChartStore, State } from './store';

export interface Shown { body: TemplateResult; count: number; /** What is counted, where it is not obvious. */ of?: string }

export interface Section {
  id: string;
  title: string;
  /** `{patient}` stands for the patient. The first search decides the section's state; further ones add to it. */
  queries: string[];
  /** Said where the search found nothing: what that means, and what it does not. */
  nothing: string;
  show(found: Found[], at: Place): Shown;
}

/** What a section may use beside its data. */
export interface Place {
  store: ChartStore;
  /** Says why a further search has nothing to show. */
  states: State[];
  link(resource: Resource, text: unknown): TemplateResult;
  redraw(): void;
}

const NONE: Found = { matches: [], included: [], exchanges: [], more: false };

export function stateOf(section: Section, store: ChartStore): State[] {
  return section.queries.map((query) => store.of(query));
}

/** In a word, for the index of sections. */
export function brief(section: Section, store: ChartStore): string {
  const [first] = stateOf(section, store);
  if (!first) return '';
  switch (first.is) {
    case 'waiting': return '…';
    case 'withheld': return 'not granted';
    case 'failed': return 'failed';
    case 'there': return String(first.found.matches.length);
  }
}

export function sectionView(section: Section, store: ChartStore, place: Omit<Place, 'states' | 'store'>): TemplateResult {
  const states = stateOf(section, store);
  // A section is drawn again only when one of its searches has changed.
  return html`<section class="section" id=${section.id} aria-labelledby=${`${section.id}-title`}>
    ${guard([place, ...states], () => {
      const [first] = states;
      const exchanges = states.flatMap((state) => (state.is === 'there' ? state.found.exchanges : state.is === 'failed' && state.exchange ? [state.exchange] : []));
      const shown = inside(section, states, { ...place, store, states });
      return html`<header class="section-head">
          <h2 id=${`${section.id}-title`} tabindex="-1">${section.title}</h2>
          ${shown.count > 0 ? html`<span class="count">${shown.count.toLocaleString('en')}${shown.of ? ` ${shown.of}` : ''}</span>` : nothing}
          ${exchanges.length > 0 ? html`<button type="button" class="quiet request" @click=${() => openRequests(exchanges, `${section.title}: the requests`)}>Request${exchanges.length > 1 ? 's' : ''}<span class="visually-hidden"> behind ${section.title}</span></button>` : nothing}
          ${first?.is === 'failed' ? html`<button type="button" class="quiet" @click=${() => section.queries.forEach((query) => store.again(query))}>Try again</button>` : nothing}
        </header>${shown.body}`;
    })}
  </section>`;
}

function inside(section: Section, states: State[], place: Place): Shown {
  const [first, ...others] = states;
  if (!first || first.is === 'waiting') return { body: waiting(section.title.toLowerCase()), count: 0 };
  if (first.is === 'withheld' && others.every(({ is }) => is !== 'there')) return { body: notGranted(first.why), count: 0 };
  if (first.is === 'failed') return { body: failed(first.exchange, first.says), count: 0 };
  const found = states.map((state) => (state.is === 'there' ? state.found : NONE));
  try {
    const some = found.some(({ matches }) => matches.length > 0);
    const shown = some ? section.show(found, place) : { body: empty(section.nothing), count: 0 };
    const more = found.some((one) => one.more) ? html`<p class="state">There is more than is shown: the search has further pages.</p>` : nothing;
    const withheld = others.map((state, i) => (state.is === 'withheld' ? html`<p class="aside">Not granted: ${section.queries[i + 1]?.split('?')[0]}. ${state.why}</p>` : state.is === 'failed' ? html`<p class="aside">${section.queries[i + 1]?.split('?')[0]} could not be loaded.</p>` : nothing));
    return { ...shown, body: html`${shown.body}${withheld}${more}` };
  } catch (error) {
    // Records come from anywhere: one that cannot be shown must not take the chart with it.
    return { body: failed(undefined, `These records could not be shown: ${error instanceof Error ? error.message : String(error)}`), count: 0 };
  }
}
