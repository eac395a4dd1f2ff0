//! A section of the chart, as data: what it asks, and how it shows what came. Its states are drawn once, for all.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { Resource } from '../fhir/types.ts';
import { failed, notGranted, waiting, empty } from '../parts/notice.ts';
import { openRequests } from '../parts/requests.ts';
import type { Exchange, Found } from '../source/source.ts';
import type { ChartStore, State } from './store.ts';

export interface Shown {
  body: TemplateResult;
  /** The one number of the section: its heading and the index say the same. */
  count: number;
  /** What is counted, where it is not obvious. */
  of?: string;
  /** Said in the index where a number would mislead. */
  brief?: string;
}

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
  link(resource: Resource, text: unknown): TemplateResult;
}

/** A section with the answers of its searches. */
export interface Standing {
  is: State['is'];
  states: State[];
  shown: Shown;
}

const NONE: Found = { matches: [], included: [], exchanges: [], more: false };

/** How each section stands, worked out again only when one of its searches has changed. */
export function standings(place: Place): (section: Section) => Standing {
  const known = new Map<string, Standing>();
  return (section) => {
    const states = section.queries.map((query) => place.store.of(query));
    const before = known.get(section.id);
    if (before?.states.every((state, i) => state === states[i])) return before;
    const standing = standingOf(section, states, place);
    known.set(section.id, standing);
    return standing;
  };
}

function standingOf(section: Section, states: State[], place: Place): Standing {
  const [first, ...others] = states;
  const none = (is: State['is'], body: TemplateResult): Standing => ({ is, states, shown: { body, count: 0 } });
  // A section is shown whole: what came later would move what is being read.
  if (!first || states.some(({ is }) => is === 'waiting')) return none('waiting', waiting(section.title.toLowerCase()));
  if (first.is === 'withheld' && others.every(({ is }) => is !== 'there'))
    return none('withheld', notGranted(first.why));
  if (first.is === 'failed') return none('failed', failed(first.exchange, first.says));
  const found = states.map((state) => (state.is === 'there' ? state.found : NONE));
  try {
    const some = found.some(({ matches }) => matches.length > 0);
    const shown: Shown = some ? section.show(found, place) : { body: empty(section.nothing), count: 0 };
    const more = found.some((one) => one.more)
      ? html`<p class="state">There is more than is shown: the search has further pages.</p>`
      : nothing;
    const withheld = others.map((state, i) =>
      state.is === 'withheld'
        ? html`<p class="aside">Not granted: ${section.queries[i + 1]?.split('?')[0]}. ${state.why}</p>`
        : state.is === 'failed'
          ? html`<p class="aside">${section.queries[i + 1]?.split('?')[0]} could not be loaded.</p>`
          : nothing,
    );
    return { is: 'there', states, shown: { ...shown, body: html`${shown.body}${withheld}${more}` } };
  } catch (error) {
    // Records come from anywhere: one that cannot be shown must not take the chart with it.
    return none(
      'failed',
      failed(undefined, `These records could not be shown: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}

/** In a word, for the index of sections. */
export function brief({ is, shown }: Standing): string {
  return {
    waiting: '…',
    withheld: 'not granted',
    failed: 'failed',
    there: shown.brief ?? shown.count.toLocaleString('en'),
  }[is];
}

export function sectionView(section: Section, standing: Standing, store: ChartStore): TemplateResult {
  const { states, shown, is } = standing;
  return html`<section class="section" id=${section.id} aria-labelledby=${`${section.id}-title`}>
    ${guard([standing], () => {
      const exchanges = states.flatMap((state): Exchange[] =>
        state.is === 'there' ? state.found.exchanges : state.is === 'failed' && state.exchange ? [state.exchange] : [],
      );
      return html`<header class="section-head">
          <div class="section-title"><h2 id=${`${section.id}-title`} tabindex="-1">${section.title}</h2>
          ${
            shown.count > 0
              ? html`<span class="count">${shown.count.toLocaleString('en')}${shown.of ? ` ${shown.of}` : ''}</span>`
              : nothing
          }</div>
          ${
            exchanges.length > 0
              ? html`<button type="button" class="quiet request" @click=${() =>
                  openRequests(
                    exchanges,
                    `${section.title}: the requests`,
                  )}>Request${exchanges.length > 1 ? 's' : ''}<span class="visually-hidden"> behind
                    ${section.title}</span></button>`
              : nothing
          }
          ${
            is === 'failed'
              ? html`<button type="button" class="quiet" @click=${() =>
                  section.queries.forEach((query) => store.again(query))}>Try again</button>`
              : nothing
          }
        </header>${shown.body}`;
    })}
  </section>`;
}
