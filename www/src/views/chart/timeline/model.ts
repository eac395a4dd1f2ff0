//! The state of a timeline: its events, how much of it is drawn, its filter, and the visits to compare.

import { type Signal, signal } from '@preact/signals-core';
import { BILLING } from '#reading/fhir/other-types.ts';
import { typeOf } from '#reading/fhir/record-address.ts';
import { capital } from '#reading/fhir/text.ts';
import { type Answer, contentOf, type TimelineContent } from '#reading/timeline/content.ts';
import { type Day, daysOf, sizeOf, type Visit, visitDays } from '#reading/timeline/days.ts';
import type { ChartStore, SearchState } from '../../../chart/loading/store.ts';
import { isAbsent, PATIENT } from '../../../chart/patient.ts';
import { omissionsOf } from '../../../chart/section/omissions.ts';
import { isPartlyWithheld } from '../../../chart/section/partly-withheld.ts';
import type { Section } from '../../../chart/section/section.ts';
import { SEARCHES, SECTIONS } from '../../../chart/sections.ts';
import { t, words } from '../../../language/message.ts';
import { announce } from '../../../parts/announce.ts';
import { settle } from '../../../parts/settle.ts';
import { chartUrl, idInAddress, replaceFragment } from '../../../routes.ts';
import { yieldToPage } from '../../../scheduling.ts';
import { recordsOf } from '../../../source/abilities.ts';
import { nextSlice } from './slices.ts';
import { YearPosition } from './year-position.ts';
import { type Run, runsOf } from './years.ts';

/** All searches of the chart except the one for billing. */
const QUERIES = [...new Set(SEARCHES)].filter((query) => query !== BILLING);

/** What is announced for each number of chosen visits. */
const CHOSEN = ['No visit is chosen.', 'One visit is chosen.', 'Two visits are chosen.'] as const;

/** The number of events that are removed in one frame. */
const REMOVED = 800;

/** The number of frames until the heading of a new page has the focus. */
const FRAMES = 3;

/** Returns the days of one kind. Visits include their records. Records of another kind are on their own days. */
function daysOfKind({ days, events }: TimelineContent, kind: string): Day[] {
  if (kind === '') return days;
  if (kind === 'Visit') return visitDays(days);
  return daysOf(
    events.filter((event) => event.kind === kind),
    { visits: false },
  );
}

/** Scrolls to a visit, and gives the focus to its button. */
function showVisit(id: string): void {
  const card = [...document.querySelectorAll<HTMLElement>('.visit')].find(({ dataset }) => dataset.visit === id);
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector<HTMLElement>('button[aria-pressed]')?.focus({ preventScroll: true });
}

/** A section or a type of records that was not loaded, and why. */
export interface MissingSection {
  title: string;
  is: 'withheld' | 'not offered' | 'failed';
}

/** The days of a filter, as far as they are drawn. */
interface DrawnDays {
  /** The kind of the days. For some frames it is that of the previous filter. */
  kind: string;
  days: Day[];
  runs: Run[];
  /** The number of events that are drawn. */
  drawn: number;
}

export class Timeline {
  readonly store: ChartStore;
  readonly position = new YearPosition();
  /** The ids of the two visits whose comparison is open. */
  readonly compared: string[];
  /** The ids of the visits that are chosen to be compared, two at most. */
  readonly chosen: Signal<string[]>;
  /** The kind to show; empty for all. */
  readonly kind: Signal<string>;
  readonly content = signal<TimelineContent | undefined>(undefined);
  readonly shown = signal<DrawnDays>({ kind: '', days: [], runs: [], drawn: 0 });
  /** The days to draw as soon as those of the previous filter are removed. */
  #next: Omit<DrawnDays, 'drawn'> | undefined;
  /** The visit to begin at: the last one that was chosen when the timeline was left. */
  #startAt: string | undefined;
  #states: SearchState[] = [];
  #open = true;

  constructor(store: ChartStore, query: URLSearchParams) {
    const chosen = query.getAll('chosen').slice(0, 2);
    this.store = store;
    this.kind = signal(query.get('kind') ?? '');
    this.chosen = signal(chosen);
    this.compared = query.getAll('compare').slice(0, 2);
    this.#startAt = chosen.at(-1);
  }

  /** Called when another view is opened. */
  stop(): void {
    this.#open = false;
    this.position.stop();
  }

  /** Checks the searches. Makes the events once all are answered, since a day may have events of each search. */
  update(): void {
    const states = QUERIES.map((query) => this.store.load(query));
    if (states.every((state, i) => state === this.#states[i])) return;
    this.#states = states;
    this.content.value = undefined;
    if (states.every(({ is }) => is !== 'waiting')) void this.#make(states);
  }

  async #make(states: SearchState[]): Promise<void> {
    const answers = states.flatMap((state): Answer[] => (state.is === 'loaded' ? [{ found: state.found }] : []));
    const content = await contentOf(words(), answers, yieldToPage);
    if (!this.#open || this.#states !== states) return;
    this.content.value = content;
    if (!content.kinds.includes(this.kind.value)) this.kind.value = '';
    this.#show();
  }

  /** Begins to replace the days on the page with those that match the filter. */
  #show(): void {
    const [content, kind] = [this.content.value, this.kind.value];
    const days = content ? daysOfKind(content, kind) : [];
    this.#next = { kind, days, runs: runsOf(days) };
    this.#step();
  }

  /** Removes a part of the previous days, or draws the next slice of the present ones. */
  #step(): void {
    const { value: shown } = this.shown;
    if (this.#next !== undefined && shown.drawn > REMOVED) {
      this.shown.value = { ...shown, drawn: shown.drawn - REMOVED };
      return;
    }
    // One frame removes the last of the previous days and draws the first new ones, so that no frame is empty.
    const next = this.#next ? { ...this.#next, drawn: 0 } : shown;
    this.#next = undefined;
    this.shown.value = { ...next, drawn: nextSlice(next.days, next.drawn) };
  }

  /** Takes the next step in a later frame, if there is one. */
  drawOn(): void {
    const { value: shown } = this.shown;
    const whole = this.#next === undefined && shown.drawn >= sizeOf(shown.days);
    if (whole && this.content.value) this.#goToStart();
    void yieldToPage().then(() => {
      settle(document.querySelector('.days'), whole);
      if (!whole && this.#open && this.shown.value === shown) this.#step();
    });
  }

  /** Scrolls to the visit that was chosen last, after the heading of the new page has had the focus. */
  #goToStart(): void {
    const id = this.#startAt;
    if (id === undefined) return;
    this.#startAt = undefined;
    const go = (frames: number): void => {
      if (!this.#open) return;
      if (frames > 0) requestAnimationFrame(() => go(frames - 1));
      else showVisit(id);
    };
    go(FRAMES);
  }

  choose(kind: string): void {
    this.kind.value = kind;
    this.#writeAddress();
    this.#show();
  }

  isChosen({ event }: Visit): boolean {
    return this.chosen.value.includes(event.resource.id);
  }

  /** Chooses a visit, or removes it from the choice. A third visit replaces the first. */
  toggle(visit: Visit): void {
    const { id } = visit.event.resource;
    const others = this.chosen.value.filter((one) => one !== id);
    this.setChosen(this.isChosen(visit) ? others : [...others, id].slice(-2));
  }

  setChosen(ids: string[]): void {
    this.chosen.value = ids;
    this.#writeAddress();
    announce(t(CHOSEN[Math.min(ids.length, 2)] ?? 'No visit is chosen.'));
  }

  visit(id: string | undefined): Visit | undefined {
    return this.content.value?.days.flatMap(({ visits }) => visits).find(({ event }) => event.resource.id === id);
  }

  /**
   * Returns the sections, and the types of their further searches, that were not granted, not offered or not loaded.
   * A type that the server does not have is reported only for the first search of a section.
   */
  missing(): MissingSection[] {
    const { store } = this;
    const found = SECTIONS.flatMap((section) =>
      section.queries
        .filter((query) => QUERIES.includes(query))
        .flatMap((query, i): MissingSection[] => {
          const state = store.load(query);
          if (state.is === 'loaded' || state.is === 'waiting' || (query === PATIENT && isAbsent(store))) return [];
          if (i > 0 && state.is === 'not offered' && state.obstacle.lacks === 'type') return [];
          // Some records of a partly withheld section are on the timeline, so only the type is named.
          const isWhole = i === 0 && !isPartlyWithheld(section, store);
          return [{ title: isWhole ? t(section.title) : capital(recordsOf(typeOf(query))), is: state.is }];
        }),
    );
    // Two sections may search for the same records.
    return [...new Map(found.map((one) => [one.title, one])).values()];
  }

  /** Returns the titles of sections with omissions. Those that may belong to any section are reported separately. */
  incomplete(): string[] {
    const { store } = this;
    const isIncomplete = (section: Section): boolean =>
      omissionsOf(section, store).length > 0 || isPartlyWithheld(section, store);
    return SECTIONS.filter(isIncomplete).map(({ title }) => t(title));
  }

  /** Returns the address of this timeline with a query. */
  url({ kind, chosen = [], compare = [] }: { kind?: string; chosen?: string[]; compare?: string[] }): string {
    const { source, patient } = this.store;
    const query = new URLSearchParams(kind ? { kind } : {});
    for (const id of chosen) query.append('chosen', idInAddress(source.name, id));
    for (const id of compare) query.append('compare', idInAddress(source.name, id));
    const text = query.toString();
    return `${chartUrl(source.name, patient, 'timeline')}${text ? `?${text}` : ''}`;
  }

  #writeAddress(): void {
    replaceFragment(this.url({ kind: this.kind.value, chosen: this.chosen.value }).replace(/^[^#]*#/, ''));
  }
}
