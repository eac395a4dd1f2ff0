//! The overview of a chart: problems, medications, abnormal results, vital signs, and things that are due, on one
//! screen, in the order of the International Patient Summary (<https://hl7.org/fhir/uv/ips/>). Each entry leads to its
//! record or its trend, and each title to its section. Allergies are in the banner, which stays in sight.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { shortDate } from '../../fhir/date.ts';
import { shortDosages } from '../../fhir/dosage.ts';
import { medication } from '../../fhir/medication.ts';
import { shortName } from '../../fhir/names.ts';
import { partName } from '../../fhir/observation-text.ts';
import { problemLists, problemName } from '../../fhir/problem.ts';
import { value, when } from '../../fhir/reading.ts';
import type { MedicationRecord, RequestState } from '../../fhir/request-state.ts';
import { capital, concept, plain } from '../../fhir/text.ts';
import {
  type Condition,
  type Observation,
  ofType,
  type Resource,
  type ResourceOf,
  type ResourceType,
} from '../../fhir/types.ts';
import { type Message, type PlainMessage, t } from '../../language/message.ts';
import { number } from '../../language/number.ts';
import type { FrameBudget } from '../../scheduling.ts';
import { CHANGE_SIGNS, type Change, changeOf } from '../change.ts';
import { labs } from '../labs.ts';
import { medicationDate, medicationList } from '../medication-list.ts';
import { ADMINISTRATIONS, DISPENSES, medications, REQUESTS, STATEMENTS, statusOf } from '../medications.ts';
import { OBSERVATIONS } from '../observation-searches.ts';
import { omissionsOf } from '../omissions.ts';
import { ORDERS, orders } from '../orders.ts';
import { otherObservations } from '../other-observations.ts';
import { patientOf } from '../patient.ts';
import { GOALS, plan } from '../plan.ts';
import { spark } from '../plot.ts';
import { isPressure } from '../pressure.ts';
import { PROBLEMS, problemCaution, problems } from '../problems.ts';
import { flaggedParts, flagsView, partView, readingView } from '../reading.ts';
import { entryLink, type LinkTarget } from '../record-link.ts';
import { screening } from '../screening.ts';
import type { Section } from '../section.ts';
import { withoutAbsences } from '../statement.ts';
import type { ChartStore, SearchState } from '../store.ts';
import { otherHeadingText } from '../summary-document/heading.ts';
import { glanceWords } from '../summary-document/view.ts';
import { LABS, loadedObservations, type TestGroup, VITALS } from '../test-groups.ts';
import { usualMark } from '../usual.ts';
import { type UsualRange, usualRange } from '../usual-ranges.ts';
import { vitals } from '../vitals.ts';
import { abnormalResults } from './abnormal.ts';
import { byDate, type Due, endingSupplies, goalsByDate, openOrders, prohibitions } from './due.ts';
import { latestSigns } from './signs.ts';

/** The most entries of a tile, if there are more to lead to: five tiles fit on a screen of 900 pixels. */
const MOST = 5;
const QUERIES = [PROBLEMS, REQUESTS, DISPENSES, STATEMENTS, ADMINISTRATIONS, ...OBSERVATIONS, GOALS, ORDERS];

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
  entries(found: Found): Entry[];
  /** The number in the heading, where it is not that of the entries, which were made before. */
  count?(): number;
}

/** An entry of a tile. */
interface Entry {
  content: TemplateResult;
  /** Its record, or its trend. Without one it leads to the section of its tile. */
  to: LinkTarget | undefined;
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
  return [
    problemsTile(store),
    medicationsTile(included),
    abnormalTile(store),
    vitalsTile(store),
    dueTile(included, Date.now()),
  ];
}

/** Returns whether a search leaves nothing out: it was answered, or the server has no records of the type. */
const isAnswered = (state: SearchState): boolean =>
  state.is === 'loaded' || (state.is === 'not offered' && state.obstacle.lacks === 'type');

/** Returns whether all records of a tile are there. */
const isWhole = ({ sections, queries }: Tile, store: ChartStore): boolean =>
  queries.every((query) => isAnswered(store.load(query))) &&
  sections.every((section) => omissionsOf(section, store, queries).length === 0);

function tileView(tile: Tile, store: ChartStore, entries: Entry[], goTo: (section: string) => void): TemplateResult {
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
    loaded:
      glanceWords(sections, store, isWhole(tile, store)) ??
      (isWhole(tile, store) ? t(tile.nothing) : t('Not everything that belongs here can be shown.')),
  }[store.load(queries[0]).is];
  return html`<article class="glance" id=${`glance-${id}`} aria-labelledby=${`glance-${id}-title`}>
    <h3 id=${`glance-${id}-title`}><a href=${`#${section}`} @click=${go}>${t(title)}</a>${
      count > 0 ? html` <span class="count">${number(count)}</span>` : nothing
    }</h3>
    ${
      entries.length > 0
        ? html`<ul role="list">${shown.map(
            ({ content, to }) =>
              html`<li>${
                to
                  ? entryLink(store, to, content)
                  : html`<a class="entry" href=${`#${section}`} @click=${go}>${content}</a>`
              }</li>`,
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

const entry = (title: unknown, aside: unknown, more: unknown = nothing, to?: LinkTarget): Entry => ({
  content: html`<span class="entry-title">${title}</span> ${more} <span class="entry-aside">${aside}</span>`,
  to,
});

const problemsTile = (store: ChartStore): Tile => ({
  id: 'problems',
  title: 'Problems',
  sections: [problems],
  queries: [PROBLEMS],
  nothing: 'No current problem is recorded.',
  entries: (found) => {
    const { records } = withoutAbsences(found('Condition', PROBLEMS), ({ code }) => code);
    const { listed, concerns, ofVisits } = problemLists(records);
    const view = (c: Condition, kind: string): Entry => {
      const since = c.onsetDateTime ?? c.onsetPeriod?.start ?? (kind ? c.recordedDate : undefined);
      const caution = problemCaution(c);
      return entry(
        problemName(c),
        [kind, since ? t('since {date}', { date: since.slice(0, 4) }) : '', otherHeadingText(c, store)]
          .filter(Boolean)
          .join(', '),
        caution ? html`<span class="tag">${capital(caution)}</span>` : nothing,
        { record: c },
      );
    };
    return [
      ...listed.map((c) => view(c, '')),
      ...concerns.map((c) => view(c, t('concern'))),
      ...ofVisits.map((c) => view(c, t('diagnosis of a visit'))),
    ];
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
        of(state).map((one) =>
          entry(medication(one, all), html`<strong>${t(words)}</strong>`, nothing, { record: one }),
        ),
      );
      // Without an order or a report, what was given is all that is known.
      const alone = entries.length > 0 ? [] : given;
      const noneKnown = none.map((one) =>
        entry(medication(one, all), shortDate(medicationDate(one)), nothing, { record: one }),
      );
      return [
        ...(count === 0 ? noneKnown : []),
        ...current.map((one) => entry(medication(one, all), doseOf(one), nothing, { record: one })),
        ...others,
        // What the medications contradict takes the place of none of them.
        ...(count === 0 ? [] : noneKnown),
        ...alone.map(({ name, given: [latest] }) =>
          entry(name, t('given {date}', { date: shortDate(medicationDate(latest)) || t('no date') }), nothing, {
            record: latest,
          }),
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

/** The status of a result that is not final. */
const statusView = ({ status }: Observation): TemplateResult | typeof nothing =>
  status === undefined || ['final', 'amended', 'corrected'].includes(status)
    ? nothing
    : html`<span class="tag">${capital(plain(status))}</span>`;

/** Of a panel that is no blood pressure the flagged parts alone, each with its name; of others the whole value. */
const shownView = (o: Observation): unknown =>
  o.component?.length && value(o) === undefined && !isPressure(o)
    ? flaggedParts(o).map(({ part, view }) => html`<span>${partName(part)} ${partView(part)} ${view}</span>`)
    : html`${readingView(o)} ${flagsView(o)}`;

/** The value of a result with its flags, and the mark of a usual range where the record has no flag. */
const valueView = (o: Observation, usual: UsualRange | undefined, more: unknown = nothing): TemplateResult =>
  html`<span class="entry-value">${shownView(o)} ${usual ? usualMark(usual) : nothing} ${statusView(o)} ${more}</span>`;

/** The name of a reading: that of its test, or of the number of a blood pressure. */
const nameOf = (o: Observation, { name, readings }: TestGroup): string =>
  shortName(readings.length > 1 || !readings.includes(o) ? (concept(o.code) ?? name) : name).main;

const abnormalTile = (store: ChartStore): Tile => ({
  id: 'abnormal',
  title: 'Abnormal results',
  sections: [labs, vitals, screening, otherObservations],
  queries: [LABS, ...OBSERVATIONS.filter((query) => query !== LABS)],
  nothing: 'No latest result is marked as abnormal.',
  entries: () =>
    abnormalResults(loadedObservations(store), patientOf(store)?.birthDate).map(({ group, reading, usual }) =>
      entry(nameOf(reading, group), shortDate(when(reading)), valueView(reading, usual, changeView(group)), {
        trend: group.key,
      }),
    ),
});

const vitalsTile = (store: ChartStore): Tile => ({
  id: 'vitals',
  title: 'Vital signs',
  sections: [vitals],
  queries: [VITALS],
  nothing: 'No vital sign is recorded.',
  entries: (found) =>
    latestSigns(found('Observation', VITALS)).map(({ reading, group }) => {
      const usual = usualRange(reading, patientOf(store)?.birthDate);
      return entry(
        nameOf(reading, group),
        shortDate(when(reading)),
        html`${valueView(reading, usual)}${spark(group.series)}`,
        { trend: group.key },
      );
    }),
});

const DUE_WORDS = {
  order: { ahead: 'Order for {date}', late: 'Order was for {date}' },
  goal: { ahead: 'Goal by {date}', late: 'Goal was due {date}' },
  supply: { ahead: 'Supply ends {date}', late: 'Supply ended {date}' },
} as const satisfies Record<Exclude<Due['kind'], 'avoid'>, Record<'ahead' | 'late', Message>>;

function dueAside({ kind, at, isLate }: Due): TemplateResult {
  if (kind === 'avoid') return html`<strong>${t('Not to be done#order')}</strong>`;
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
    return [...prohibitions(found('ServiceRequest', ORDERS)), ...byDate(all)].map((due) =>
      entry(due.title, dueAside(due), nothing, { record: due.of }),
    );
  },
});
