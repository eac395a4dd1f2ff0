//! The states and the drawing of all sections of a chart, spread over frames.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { typeOf } from '#reading/fhir/record-address.ts';
import { joined } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { errorText } from '../../error-text.ts';
import { type Message, type PlainMessage, rich, t, words } from '../../language/message.ts';
import { aside, empty, failed, incomplete, notGranted, waiting } from '../../parts/notice.ts';
import { openRequests } from '../../parts/requests.ts';
import type { FrameBudget } from '../../scheduling.ts';
import { type Obstacle, obstacleText } from '../../source/abilities.ts';
import { noResult } from '../../source/source.ts';
import { namedTypes } from '../loading/other-search.ts';
import { type ChartStore, isAnswered, matchesIn, type SearchState } from '../loading/store.ts';
import { isAbsent } from '../patient.ts';
import { wordsFor } from '../summary-document/documents.ts';
import { summaryWords } from '../summary-document/view.ts';
import { absentPart } from './absent.ts';
import { contentBesideDocuments, lackOf } from './none.ts';
import { hasUntypedOmissions, MORE_UNTYPED, omissionsOf } from './omissions.ts';
import { isUnanswered, notLoaded } from './outage.ts';
import type { Lack, Section, SectionContent, SectionState } from './section.ts';

const NONE = noResult();
/** The words of an empty section if records of an unknown type, which may belong to it, are left out. */
const NONE_UNTYPED: PlainMessage = 'Nothing of this was read: it may be among what is left out of this chart.';
/** The sentences for the sections that only say what they lack. */
const JOINED = {
  records: 'Nothing recorded of: {sections}.',
  beside: 'Nothing is coded of these, but words in another section may belong to them: {sections}.',
  anywhere: 'Nothing is coded of these, but words under “Notes and documents” may say something of them: {sections}.',
  untyped: 'Nothing was read of these, and they may be among what is left out of this chart: {sections}.',
} as const satisfies Record<Lack, Message>;

/**
 * Returns a function that gives each section's state, which is made again only when one of its searches has changed.
 * A section is waiting until a frame has time to make it and a frame has room to draw it.
 */
export function sectionStates(store: ChartStore, budget: FrameBudget): (section: Section) => SectionState {
  const made = new Map<string, SectionState>();
  const drawn = new Map<string, SectionState>();
  const isOf = (state: SectionState | undefined, searches: SearchState[]): state is SectionState =>
    state?.searches.every((search, i) => search === searches[i]) ?? false;
  const keep = ({ id }: Section, state: SectionState): SectionState => {
    drawn.set(id, state);
    if (state.content.next) budget.again();
    return state;
  };
  /** Returns the state with the next part of its content, if this frame has room for it. */
  const further = (section: Section, before: SectionState): SectionState => {
    const { next, count } = before.content;
    if (!next || !budget.hasTime() || !budget.hasRoom(count)) return before;
    return keep(section, { ...before, content: next() });
  };
  return (section) => {
    const searches = searchesOf(section).map((query) => store.loadInTime(query));
    const before = drawn.get(section.id);
    if (isOf(before, searches)) return further(section, before);
    if (isAwaited(section, searches)) return waitingState(section, searches);
    let state = made.get(section.id);
    if (!isOf(state, searches)) {
      if (!budget.hasTime()) return before ?? waitingState(section, searches);
      state = stateOf(section, searches, store);
      made.set(section.id, state);
    }
    if (!budget.hasTime() || !budget.hasRoom(state.content.count)) return before ?? waitingState(section, searches);
    return keep(section, state);
  };
}

/** Returns all searches of a section: its own, and those of other sections whose records it shares. */
const searchesOf = ({ queries, sharedRecords }: Section): string[] => [...queries, ...(sharedRecords?.queries ?? [])];

/** Returns whether a section still waits for a search. */
function isAwaited(section: Section, searches: SearchState[]): boolean {
  const { backgroundQueries = [] } = section;
  const waiting = searchesOf(section).filter((_, i) => searches[i]?.is === 'waiting');
  const hasSome = searches.some((search) => matchesIn(search).length > 0);
  return waiting.some((query) => !hasSome || !backgroundQueries.includes(query));
}

const without = (is: SearchState['is'], searches: SearchState[], body: TemplateResult): SectionState => ({
  is,
  searches,
  content: { body, count: 0 },
});

/** Returns a waiting state. A section is not shown in part: late records would move what is being read. */
const waitingState = ({ title }: Section, searches: SearchState[]): SectionState =>
  without('waiting', searches, waiting(t(title).toLowerCase()));

/** Returns the state of a shared search, reduced to the records that the section wants. */
function wantedOf(search: SearchState, { sharedRecords }: Section): SearchState {
  if (search.is !== 'loaded' || !sharedRecords) return search;
  return { ...search, found: { ...noResult(), matches: sharedRecords.wanted(search.found.matches) } };
}

function stateOf(section: Section, searches: SearchState[], store: ChartStore): SectionState {
  const ownSearches = section.queries.length;
  const all = searches.map((search, i) => (i < ownSearches ? search : wantedOf(search, section)));
  const [first, ...others] = all;
  if (!first) return waitingState(section, searches);
  const isBeside = (i: number): boolean =>
    i >= ownSearches || (section.otherKinds?.includes(section.queries[i] ?? '') ?? false);
  const isSilent = (one: SearchState, i: number): boolean =>
    one.is !== 'loaded' || (isBeside(i + 1) && one.found.matches.length === 0);
  if (section.onlyFirstShown || others.every(isSilent)) {
    if (first.is === 'withheld') return without('withheld', searches, notGranted(first.why, first.wasAsked));
    if (first.is === 'not offered') return without('not offered', searches, notOffered(first.obstacle, section, store));
  }
  const hasOthers = others.some((one) => matchesIn(one).length > 0);
  const isFailed = first.is === 'failed';
  if (first.is === 'failed' && (section.onlyFirstShown || !hasOthers)) {
    return without('failed', searches, failure(first));
  }
  const found = all.map((search) => (search.is === 'loaded' ? search.found : NONE));
  try {
    const some = (section.onlyFirstShown ? found.slice(0, 1) : found).some(
      ({ matches, later }) => later || matches.length > 0,
    );
    const shown = some ? section.show(found, store) : { body: html``, count: 0, none: section.nothing };
    const content = contentBesideDocuments(shown, section, store);
    const omissions = omissionsOf(section, store);
    // A search without an answer might have found records, so the section must not say that there are none.
    const isComplete = section.onlyFirstShown || searches.every((search, i) => isAnswered(search) || isBeside(i));
    const isUntyped = hasUntypedOmissions(store);
    const hasWords = wordsFor(section.id, store).length > 0;
    const isPartial = omissions.length > 0 || isUntyped;
    const types = [...new Set(found.flatMap((one) => one.unasked ?? []))];
    const unasked = types.length > 0 ? t('This app did not ask for: {types}.', { types: namedTypes(types) }) : '';
    const nothingText = (none: SectionContent['none'], count: number): unknown =>
      unasked && count === 0 ? empty(unasked) : none ? empty(t(none)) : nothing;
    const own = searches.slice(0, ownSearches);
    const isEmpty = !some && omissions.length === 0 && !unasked && own.every(({ is }) => is === 'loaded');
    const untypedText = (none: SectionContent['none'], count: number): TemplateResult =>
      count === 0 && none && !hasWords ? empty(t(NONE_UNTYPED)) : html`<p class="aside">${t(MORE_UNTYPED)}</p>`;
    const lacking = isEmpty ? lackOf(content.none, section) : undefined;
    const lacks = !isUntyped ? lacking : isEmpty && content.none && !hasWords ? 'untyped' : undefined;
    const saidOf = (none: SectionContent['none'], count: number): unknown => {
      if (omissions.length > 0 || (none && !isComplete)) return incomplete(omissions);
      return isUntyped ? untypedText(none, count) : nothingText(none, count);
    };
    const withNotes = ({ body, none, next, ...content }: SectionContent): SectionContent => ({
      ...(content.count > 0
        ? {}
        : isPartial || !isComplete
          ? { brief: t('not all shown') }
          : unasked
            ? { brief: t('not asked for') }
            : {}),
      ...content,
      lacks,
      body: html`${first.is === 'failed' ? failure(first) : nothing}${saidOf(none, content.count)}${body}${aside(
        (isPartial || content.count > 0) && unasked,
      )}
      ${missingParts(partsOf(own, section.queries, isFailed ? 1 : 0, store))}`,
      next: next && (() => withNotes(next())),
    });
    return { is: isFailed ? 'failed' : 'loaded', searches, content: withNotes(content) };
  } catch (error) {
    // Records may have any content. One that cannot be shown must not break the chart.
    const says = t('These records could not be shown: {why}', { why: errorText(error) });
    return without('failed', searches, failed(undefined, says));
  }
}

/** Says why a search failed. If the server did not answer, refers to the notice of the whole chart. */
const failure = (state: SearchState & { is: 'failed' }): TemplateResult =>
  isUnanswered(state) ? notLoaded() : failed(state.exchange, state.says);

/** Says what the server lacks, and what is left out. */
function notOffered(obstacle: Obstacle, section: Section, store: ChartStore): TemplateResult {
  const omissions = omissionsOf(section, store);
  return html`${omissions.length > 0 ? incomplete(omissions) : nothing}${empty(obstacleText(obstacle))}`;
}

/** A search of a section, with the type that it asks for. */
interface Part {
  search: SearchState;
  type: string;
  /** True for a Patient that the opened files do not have: there is nothing to load. */
  isNowhere: boolean;
}

/** Returns the searches of a section from the index `from` on. */
const partsOf = (searches: SearchState[], queries: string[], from: number, store: ChartStore): Part[] =>
  searches
    .map((search, i) => {
      const type = typeOf(queries[i] ?? '');
      return { search, type, isNowhere: type === 'Patient' && search.is === 'failed' && isAbsent(store) };
    })
    .slice(from);

/** Says which searches add nothing to their section, and why. Types that were not granted share one line. */
function missingParts(parts: Part[]): unknown {
  const withheld = parts.flatMap(({ search, type }) => (search.is === 'withheld' ? [{ type, why: search.why }] : []));
  const isListed = withheld.length > 1;
  const types = words().listed(withheld.map(({ type }) => type));
  return html`${
    isListed
      ? html`<p class="aside">${t('Not granted: {type}.', { type: types })}
      <span class="for-developers">${withheld.map(({ why }) => why).join(' ')}</span></p>`
      : nothing
  }${parts.map((part) => (isListed && part.search.is === 'withheld' ? nothing : missingPart(part)))}`;
}

/** Says why a search adds nothing to its section, or not everything. */
function missingPart({ search, type, isNowhere }: Part): TemplateResult | typeof nothing {
  if (isNowhere) return html`<p class="aside">${t('The age is not known: there is no Patient in your files.')}</p>`;
  if (search.is !== 'loaded') return absentPart(search, type);
  if (search.found.matches.length === 0) return nothing;
  return html`${search.found.missing?.().map((says) => html`<p class="aside">${says}</p>`)}`;
}

/** Returns a word or a number for the index of sections. */
export function brief({ is, content }: SectionState): string {
  const loaded = joined(content.otherCount, content.brief) || words().number(content.count);
  return { waiting: '…', withheld: t('not granted'), 'not offered': t('not offered'), failed: t('failed'), loaded }[is];
}

interface Drawn {
  section: Section;
  state: SectionState;
}

/**
 * The lacks that each of these sections says in its place, where a reader looks for it. The section on allergies always
 * says that no recorded allergy does not mean no allergy.
 */
const IN_PLACE: Readonly<Record<string, readonly (Lack | undefined)[]>> = {
  allergies: ['records', 'beside', 'anywhere', 'untyped'],
  problems: ['records', 'untyped'],
  medications: ['records', 'untyped'],
};

/** Returns the lack under which a section is joined with others. */
const joinedAs = ({ section: { id }, state: { content } }: Drawn): Lack | undefined =>
  own(IN_PLACE, id)?.includes(content.lacks) ? undefined : content.lacks;

/** Draws one sentence per kind of lack with the titles of the sections that only say what they lack. */
export function joinedView(all: readonly Drawn[]): TemplateResult | typeof nothing {
  const sentences = Object.entries(JOINED).flatMap(([kind, says]) => {
    const those = all.filter((one) => joinedAs(one) === kind);
    if (those.length === 0) return [];
    // The index leads to a title.
    const titles = those.map(
      ({ section: { id, title } }, i) =>
        html`${i ? ', ' : ''}<span id=${id}><span id=${`${id}-title`} tabindex="-1">${t(title)}</span></span>`,
    );
    const searches = those.flatMap(({ state }) => state.searches);
    return [
      html`<p>${rich(says, { sections: titles })} ${requestsButton(t('Sections without records'), searches)}</p>`,
    ];
  });
  return sentences.length > 0 ? html`<div class="joined">${sentences}</div>` : nothing;
}

/** Draws a section, unless it is joined with others. */
export function sectionView(one: Drawn, store: ChartStore): TemplateResult | typeof nothing {
  const { section, state } = one;
  if (joinedAs(one)) return nothing;
  return html`<section class="section" id=${section.id}
    aria-labelledby=${`${section.id}-title`} aria-busy=${state.content.next ? 'true' : nothing}>
    ${guard(
      [state],
      () =>
        html`${heading(section, state, store)}${state.content.body}${
          state.is === 'waiting' ? nothing : summaryWords(section.id, state.content.count, store)
        }`,
    )}
  </section>`;
}

function heading(section: Section, { is, searches, content }: SectionState, store: ChartStore): TemplateResult {
  const { count, of } = content;
  const retry = (): void => {
    for (const query of section.queries) store.retry(query);
  };
  return html`<header class="section-head">
    <div class="section-title"><h2 id=${`${section.id}-title`} tabindex="-1">${t(section.title)}</h2>
    ${count > 0 ? html`<span class="count">${words().number(count)}${of ? ` ${of}` : ''}</span>` : nothing}</div>
    ${requestsButton(t(section.title), searches)}
    ${
      is === 'failed' && !searches.some(isUnanswered)
        ? html`<button type="button" class="quiet" @click=${retry}>${t('Try again')}</button>`
        : nothing
    }
  </header>`;
}

function requestsButton(name: string, searches: SearchState[]): TemplateResult | typeof nothing {
  const exchanges = searches.flatMap((search) => {
    if (search.is === 'loaded') return search.found.exchanges;
    return search.is === 'failed' && search.exchange ? [search.exchange] : [];
  });
  if (exchanges.length === 0) return nothing;
  const open = (): void => openRequests(exchanges, t('{title}: the requests', { title: name }));
  return html`<button type="button" class="quiet request for-developers"
    @click=${open}>${exchanges.length > 1 ? t('Requests') : t('Request')}<span
    class="visually-hidden"> ${t('behind {title}', { title: name })}</span></button>`;
}
