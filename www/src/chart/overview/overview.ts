//! The overview of a chart: problems, medications, abnormal results, vital signs, and things that are due, on one
//! screen, in the order of the International Patient Summary (<https://hl7.org/fhir/uv/ips/>). Each entry leads to its
//! section. Allergies are in the banner, which stays in sight.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { newest, shortDate } from '../../fhir/date.ts';
import { shortDosages } from '../../fhir/dosage.ts';
import { flag } from '../../fhir/flag.ts';
import { medication } from '../../fhir/medication.ts';
import { shortName } from '../../fhir/names.ts';
import { hasValue, when } from '../../fhir/reading.ts';
import type { MedicationRecord, RequestState } from '../../fhir/request-state.ts';
import { ofType, type Resource, type ResourceOf, type ResourceType } from '../../fhir/types.ts';
import { type Message, type PlainMessage, t } from '../../language/message.ts';
import { number } from '../../language/number.ts';
import type { FrameBudget } from '../../scheduling.ts';
import { CHANGE_SIGNS, type Change, changeOf } from '../change.ts';
import { labs } from '../labs.ts';
import { medicationDate, medicationList } from '../medication-list.ts';
import { ADMINISTRATIONS, DISPENSES, medications, REQUESTS, STATEMENTS, statusOf } from '../medications.ts';
import { omissionsOf } from '../omissions.ts';
import { ORDERS, orders } from '../orders.ts';
import { GOALS, plan } from '../plan.ts';
import { spark } from '../plot.ts';
import { isConcern, isCurrent, isListed, onset, PROBLEMS, problemName, problems } from '../problems.ts';
import { flagView, readingView } from '../reading.ts';
import type { Section } from '../section.ts';
import type { ChartStore, SearchState } from '../store.ts';
import { groupsOf, LABS, type TestGroup, VITALS } from '../test-groups.ts';
import { vitals } from '../vitals.ts';
import { abnormalResults } from './abnormal.ts';
import { byDate, type Due, endingSupplies, goalsByDate, openOrders } from './due.ts';

/** The most entries of a tile, if there are more to lead to: five tiles fit on a screen of 900 pixels. */
const MOST = 5;
const QUERIES = [PROBLEMS, REQUESTS, DISPENSES, STATEMENTS, ADMINISTRATIONS, LABS, VITALS, GOALS, ORDERS];
/** The vital signs that are shown, by LOINC codes: blood pressure, pulse, oxygen, temperature, weight, body mass. */
const SIGNS = [['85354-9', '55284-4'], ['8867-4'], ['59408-5', '2708-6'], ['8310-5'], ['29463-7'], ['39156-5']];

/** The states of the searches of the overview, which are begun when they are first asked for. */
export const overviewStates = (store: ChartStore): SearchState[] => QUERIES.map((query) => store.load(query));

/** A tile: its heading leads to a section. */
interface Tile {
  id: string;
  title: PlainMessage;
  /** The sections with its records; it leads to the first. */
  sections: [Section, ...Section[]];
  /** The searches for them. The first decides whether there is anything to show. */
  queries: [string, ...string[]];
  /** The words for an empty tile. */
  nothing: PlainMessage;
  entries(found: Found): TemplateResult[];
  /** The number in the heading, where it is not that of the entries, which were made before. */
  count?(): number;
}

/** The resources of a type that the searches of the overview have found. */
type Found = <T extends ResourceType>(type: T, query: string) => ResourceOf<T>[];

/** The overview of a chart. Its tiles are made as frames have time, and again only when a search has changed. */
export class Overview {
  readonly #store: ChartStore;
  readonly #goTo: (section: string) => void;
  readonly #budget: FrameBudget;
  #states: SearchState[] = [];
  #made: TemplateResult[] = [];
  #view: TemplateResult | undefined;

  constructor(store: ChartStore, goTo: (section: string) => void, budget: FrameBudget) {
    this.#store = store;
    this.#goTo = goTo;
    this.#budget = budget;
  }

  /** Returns the overview, which is drawn whole. Nothing while a search is under way, or a tile is still to be made. */
  view(): TemplateResult | undefined {
    const states = overviewStates(this.#store);
    if (states.some(({ is }) => is === 'waiting')) return undefined;
    if (states.some((state, i) => state !== this.#states[i])) {
      this.#states = states;
      this.#made = [];
    }
    const tiles = tilesOf(this.#store);
    for (const tile of tiles.slice(this.#made.length)) {
      if (!this.#budget.hasTime()) return this.#view;
      this.#made.push(tileView(tile, this.#store, tile.entries(foundIn(this.#store)), this.#goTo));
    }
    const made = this.#made;
    this.#view = html`<section class="overview" aria-labelledby="overview-title">
      <h2 id="overview-title" class="visually-hidden">${t('At a glance')}</h2>
      ${guard([made], () => made)}
    </section>`;
    return this.#view;
  }
}

const foundIn =
  (store: ChartStore): Found =>
  (type, query) => {
    const state = store.load(query);
    return ofType(type, state.is === 'loaded' ? state.found.matches : []);
  };

function tilesOf(store: ChartStore): Tile[] {
  const included = (query: string): Resource[] => {
    const state = store.load(query);
    return state.is === 'loaded' ? state.found.included : [];
  };
  return [problemsTile(), medicationsTile(included), abnormalTile(), vitalsTile(), dueTile(included, Date.now())];
}

/** Returns whether a search leaves nothing out: it was answered, or the server has no records of the type. */
const isAnswered = (state: SearchState): boolean =>
  state.is === 'loaded' || (state.is === 'not offered' && state.obstacle.lacks === 'type');

/** Returns whether all records of a tile are there. */
const isWhole = ({ sections, queries }: Tile, store: ChartStore): boolean =>
  queries.every((query) => isAnswered(store.load(query))) &&
  sections.every((section) => omissionsOf(section, store, queries).length === 0);

function tileView(
  tile: Tile,
  store: ChartStore,
  entries: TemplateResult[],
  goTo: (section: string) => void,
): TemplateResult {
  const { id, title, sections, queries } = tile;
  const [{ id: section }] = sections;
  const go = (event: Event): void => {
    event.preventDefault();
    goTo(section);
  };
  const shown = entries.length > MOST + 1 ? entries.slice(0, MOST) : entries;
  const more = entries.length - shown.length;
  const count = tile.count?.() ?? entries.length;
  const without = {
    waiting: '…',
    withheld: t('Not granted.'),
    'not offered': t('Not offered by this server.'),
    failed: t('Could not be loaded.'),
    loaded: isWhole(tile, store) ? t(tile.nothing) : t('Not everything that belongs here can be shown.'),
  }[store.load(queries[0]).is];
  return html`<article class="glance" id=${`glance-${id}`} aria-labelledby=${`glance-${id}-title`}>
    <h3 id=${`glance-${id}-title`}><a href=${`#${section}`} @click=${go}>${t(title)}</a>${
      count > 0 ? html` <span class="count">${number(count)}</span>` : nothing
    }</h3>
    ${
      entries.length > 0
        ? html`<ul role="list">${shown.map(
            (entry) => html`<li><a class="entry" href=${`#${section}`} @click=${go}>${entry}</a></li>`,
          )}</ul>`
        : html`<p class="none">${without}</p>`
    }
    ${
      more > 0
        ? html`<p class="more"><a href=${`#${section}`} @click=${go}>${t('{n} more', { n: more })}</a></p>`
        : nothing
    }
  </article>`;
}

const entry = (title: unknown, aside: unknown, more: unknown = nothing): TemplateResult =>
  html`<span class="entry-title">${title}</span> ${more} <span class="entry-aside">${aside}</span>`;

const problemsTile = (): Tile => ({
  id: 'problems',
  title: 'Problems',
  sections: [problems],
  queries: [PROBLEMS],
  nothing: 'No current problem is recorded.',
  entries: (found) => {
    const current = newest(
      found('Condition', PROBLEMS).filter((c) => isCurrent(c) && isListed(c)),
      onset,
    );
    const [concerns, listed] = [current.filter(isConcern), current.filter((c) => !isConcern(c))];
    return [...listed, ...concerns].map((c) => {
      const since = c.onsetDateTime ?? c.onsetPeriod?.start;
      return entry(
        problemName(c),
        since ? t('since {date}', { date: since.slice(0, 4) }) : isConcern(c) ? t('concern') : '',
      );
    });
  },
});

/** The dose of a medication in a few words, with its status where it is not the usual one. */
function doseOf(of: MedicationRecord): string {
  const dose = shortDosages(of.resourceType === 'MedicationRequest' ? of.dosageInstruction : of.dosage);
  return [dose, statusOf(of)].filter(Boolean).join(', ');
}

/** The states that are told beside the current medications, in their order. */
const OTHER_STATES = [
  ['avoid', 'Do not take'],
  ['untaken', 'Not taken#medications'],
  ['held', 'On hold'],
] as const satisfies [RequestState, PlainMessage][];

function medicationsTile(included: (query: string) => Resource[]): Tile {
  let count = 0;
  return {
    id: 'medications',
    title: 'Medications',
    sections: [medications],
    queries: [REQUESTS, STATEMENTS, ADMINISTRATIONS],
    nothing: 'No current medication is recorded.',
    count: () => count,
    entries: (found) => {
      const all = [REQUESTS, STATEMENTS, ADMINISTRATIONS].flatMap(included);
      const { entries, given, none } = medicationList(
        found('MedicationRequest', REQUESTS),
        found('MedicationStatement', STATEMENTS),
        found('MedicationAdministration', ADMINISTRATIONS),
        all,
      );
      const of = (state: RequestState): MedicationRecord[] =>
        entries.filter((one) => one.state === state).map(({ resource }) => resource);
      const current = of('current');
      count = current.length;
      const others = OTHER_STATES.flatMap(([state, words]) =>
        of(state).map((one) => entry(medication(one, all), html`<strong>${t(words)}</strong>`)),
      );
      // Without an order or a report, what was given is all that is known.
      const alone = entries.length > 0 ? [] : given;
      const noneKnown = none.map((one) => entry(medication(one, all), shortDate(medicationDate(one))));
      return [
        ...(count === 0 ? noneKnown : []),
        ...current.map((one) => entry(medication(one, all), doseOf(one))),
        ...others,
        // What the medications contradict takes the place of none of them.
        ...(count === 0 ? [] : noneKnown),
        ...alone.map(({ name, given: [latest] }) =>
          entry(name, t('given {date}', { date: shortDate(medicationDate(latest)) || t('no date') })),
        ),
      ];
    },
  };
}

const CHANGE_WORDS = {
  up: 'up {by} since {date}',
  down: 'down {by} since {date}',
  unchanged: 'unchanged since {date}',
} as const satisfies Record<Change['way'], Message>;

function changeView(group: TestGroup): TemplateResult | typeof nothing {
  const change = changeOf(group);
  if (!change) return nothing;
  const by = change.way === 'unchanged' ? '' : ` ${change.by}`;
  const since = t(CHANGE_WORDS[change.way], { by: change.by, date: shortDate(change.since) });
  return html`<span class="change"><span aria-hidden="true">${CHANGE_SIGNS[change.way]}${by}</span><span
    class="visually-hidden">${since}</span></span>`;
}

const abnormalTile = (): Tile => ({
  id: 'abnormal',
  title: 'Abnormal results',
  sections: [labs],
  queries: [LABS],
  nothing: 'No latest result is marked as abnormal.',
  entries: (found) =>
    abnormalResults(found('Observation', LABS)).map(({ group, flag: of }) =>
      entry(
        shortName(group.name).main,
        shortDate(when(group.latest)),
        html`<span class="entry-value">${readingView(group.latest)} ${flagView(of)} ${changeView(group)}</span>`,
      ),
    ),
});

/** The latest of each vital sign that has a value. */
function latestSigns(found: Found): TestGroup[] {
  const groups = groupsOf(found('Observation', VITALS)).filter(({ latest }) => hasValue(latest));
  return SIGNS.flatMap((codes) => groups.find(({ key }) => codes.includes(key)) ?? []);
}

const vitalsTile = (): Tile => ({
  id: 'vitals',
  title: 'Vital signs',
  sections: [vitals],
  queries: [VITALS],
  nothing: 'No vital sign is recorded.',
  entries: (found) =>
    latestSigns(found).map((group) =>
      entry(
        shortName(group.name).main,
        shortDate(when(group.latest)),
        html`<span class="entry-value">${readingView(group.latest)} ${flagView(flag(group.latest))}</span>${spark(
          group.series,
        )}`,
      ),
    ),
});

const DUE_WORDS = {
  order: { ahead: 'Order for {date}', late: 'Order was for {date}' },
  goal: { ahead: 'Goal by {date}', late: 'Goal was due {date}' },
  supply: { ahead: 'Supply ends {date}', late: 'Supply ended {date}' },
} as const satisfies Record<Due['kind'], Record<'ahead' | 'late', Message>>;

function dueAside({ kind, at, isLate }: Due): TemplateResult {
  const words =
    at === undefined
      ? t('Order open')
      : t(DUE_WORDS[kind][isLate ? 'late' : 'ahead'], { date: shortDate(new Date(at).toISOString().slice(0, 10)) });
  return html`<span data-late=${isLate}>${words}</span>`;
}

const dueTile = (included: (query: string) => Resource[], now: number): Tile => ({
  id: 'due',
  title: 'Due',
  sections: [orders, plan, medications],
  queries: [ORDERS, GOALS, REQUESTS, DISPENSES],
  nothing: 'No open order, date of a goal, or supply that ends is recorded.',
  entries: (found) => {
    const requests = found('MedicationRequest', REQUESTS);
    const all = [
      ...openOrders(found('ServiceRequest', ORDERS), now),
      ...goalsByDate(found('Goal', GOALS), now),
      ...endingSupplies(requests, found('MedicationDispense', DISPENSES), included(REQUESTS), now),
    ];
    return byDate(all).map((due) => entry(due.title, dueAside(due)));
  },
});
