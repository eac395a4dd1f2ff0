//! A section of the chart, as data: its searches, and how it draws their answers. The states of all sections are drawn
//! here.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { plural } from '../fhir/text.ts';
import type { Resource } from '../fhir/types.ts';
import { empty, failed, notGranted, waiting } from '../parts/notice.ts';
import { openRequests } from '../parts/requests.ts';
import { errorText } from '../source/http.ts';
import type { SearchResult } from '../source/source.ts';
import type { ChartStore, SearchState } from './store.ts';

export interface SectionContent {
  body: TemplateResult;
  /** The one number of the section: its heading and the index say the same. */
  count: number;
  /** The things that are counted, where it is not obvious. */
  of?: string;
  /** The words of the index, where a number would mislead. */
  brief?: string;
}

export interface Section {
  id: string;
  title: string;
  /** `{patient}` stands for the patient. The first search decides the section's state; further ones add to it. */
  queries: string[];
  /** The words for an empty answer: what it means, and what it does not. */
  nothing: string;
  show(found: SearchResult[], context: SectionContext): SectionContent;
}

/** The means of a section beside its data. */
export interface SectionContext {
  store: ChartStore;
  /** A button that opens a record. */
  link(resource: Resource, text: unknown): TemplateResult;
}

/** A section with the states of its searches, and what is drawn for them. */
export interface SectionState {
  is: SearchState['is'];
  searches: SearchState[];
  content: SectionContent;
}

const NONE: SearchResult = { matches: [], included: [], malformed: [], exchanges: [], more: false };

/** Returns a function that gives each section's state, made again only when one of its searches has changed. */
export function sectionStates(context: SectionContext): (section: Section) => SectionState {
  const known = new Map<string, SectionState>();
  return (section) => {
    const searches = section.queries.map((query) => context.store.of(query));
    const before = known.get(section.id);
    if (before?.searches.every((search, i) => search === searches[i])) return before;
    const state = stateOf(section, searches, context);
    known.set(section.id, state);
    return state;
  };
}

function stateOf(section: Section, searches: SearchState[], context: SectionContext): SectionState {
  const [first, ...others] = searches;
  const without = (is: SearchState['is'], body: TemplateResult): SectionState => ({
    is,
    searches,
    content: { body, count: 0 },
  });
  // A section is shown whole: what came later would move what is being read.
  if (!first || searches.some(({ is }) => is === 'waiting')) {
    return without('waiting', waiting(section.title.toLowerCase()));
  }
  if (first.is === 'withheld' && others.every(({ is }) => is !== 'loaded')) {
    return without('withheld', notGranted(first.why));
  }
  if (first.is === 'failed') return without('failed', failed(first.exchange, first.says));
  const found = searches.map((search) => (search.is === 'loaded' ? search.found : NONE));
  try {
    const some = found.some(({ matches }) => matches.length > 0);
    const malformed = found.flatMap((one) => one.malformed);
    const content: SectionContent = some
      ? section.show(found, context)
      : { body: malformed.length > 0 ? html`` : empty(section.nothing), count: 0 };
    const body = html`${malformedNote(malformed)}${content.body}
      ${others.map((search, i) => missingPart(search, section.queries[i + 1] ?? ''))}
      ${
        found.some(({ more }) => more)
          ? html`<p class="state">There is more than is shown: the search has further pages.</p>`
          : nothing
      }`;
    return { is: 'loaded', searches, content: { ...content, body } };
  } catch (error) {
    // Records come from anywhere: one that cannot be shown must not take the chart with it.
    return without('failed', failed(undefined, `These records could not be shown: ${errorText(error)}`));
  }
}

/** Says which records are left out, since they do not have the shape of their type. */
function malformedNote(malformed: string[]): TemplateResult | typeof nothing {
  if (malformed.length === 0) return nothing;
  const [first = ''] = malformed;
  return failed(undefined, `${plural(malformed.length, 'record')} could not be shown: ${first}.`);
}

/** Says why one of the further searches adds nothing. */
function missingPart(search: SearchState, query: string): TemplateResult | typeof nothing {
  const [type] = query.split(/[?/]/);
  if (search.is === 'withheld')
    return html`<p class="aside">Not granted: ${type}. <span class="for-developers">${search.why}</span></p>`;
  if (search.is === 'failed') return html`<p class="aside">${type} could not be loaded.</p>`;
  return nothing;
}

/** A word or a number for the index of sections. */
export function brief({ is, content }: SectionState): string {
  const loaded = content.brief ?? content.count.toLocaleString('en');
  return { waiting: '…', withheld: 'not granted', failed: 'failed', loaded }[is];
}

export function sectionView(section: Section, state: SectionState, store: ChartStore): TemplateResult {
  return html`<section class="section" id=${section.id} aria-labelledby=${`${section.id}-title`}>
    ${guard([state], () => html`${heading(section, state, store)}${state.content.body}`)}
  </section>`;
}

function heading(section: Section, { is, searches, content }: SectionState, store: ChartStore): TemplateResult {
  const { count, of } = content;
  const retry = (): void => {
    for (const query of section.queries) store.retry(query);
  };
  return html`<header class="section-head">
    <div class="section-title"><h2 id=${`${section.id}-title`} tabindex="-1">${section.title}</h2>
    ${count > 0 ? html`<span class="count">${count.toLocaleString('en')}${of ? ` ${of}` : ''}</span>` : nothing}</div>
    ${requestsButton(section, searches)}
    ${is === 'failed' ? html`<button type="button" class="quiet" @click=${retry}>Try again</button>` : nothing}
  </header>`;
}

function requestsButton({ title }: Section, searches: SearchState[]): TemplateResult | typeof nothing {
  const exchanges = searches.flatMap((search) => {
    if (search.is === 'loaded') return search.found.exchanges;
    return search.is === 'failed' && search.exchange ? [search.exchange] : [];
  });
  if (exchanges.length === 0) return nothing;
  const open = (): void => openRequests(exchanges, `${title}: the requests`);
  return html`<button type="button" class="quiet request for-developers"
    @click=${open}>Request${exchanges.length > 1 ? 's' : ''}<span
    class="visually-hidden"> behind ${title}</span></button>`;
}
