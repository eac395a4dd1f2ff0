//! The overview of a chart on one screen: a pregnancy, problems, medications, abnormal results, vital signs, scores,
//! things that are due, and the last visit, in the order of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/>). Each entry links to its record or its trend, and each title to its section.
//! Allergies are in the banner, which stays in sight.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { type Due, dueOf, dueWords } from '#reading/care/due.ts';
import { isModified } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { OTHER, searchOf } from '#reading/fhir/other-types.ts';
import { clipped } from '#reading/fhir/text.ts';
import { type Observation, ofType } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { problemsOverview } from '#reading/problems/problem-words.ts';
import {
  abnormalResults,
  calledNormalText,
  labNormalCount,
  nothingAbnormal,
  unjudgedTests,
  unjudgedText,
} from '#reading/results/abnormal.ts';
import { ageNote, type UsualRange, usualRanges } from '#reading/results/flags/usual-range.ts';
import { nameOfValue } from '#reading/results/names/names.ts';
import { beyondName, withAbout } from '#reading/results/names/told-apart.ts';
import { CHANGE_SIGNS, changeOf, changeText } from '#reading/results/panels/change.ts';
import { isPressure } from '#reading/results/panels/pressure.ts';
import { readingName, type TestGroup } from '#reading/results/panels/test-groups.ts';
import { latestScores } from '#reading/results/scores.ts';
import { latestSigns } from '#reading/results/signs.ts';
import { value, when } from '#reading/results/values/reading.ts';
import { t, words } from '../../language/message.ts';
import { instead } from '../../parts/form.ts';
import { tag } from '../../parts/tag.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { FrameBudget } from '../../scheduling.ts';
import { RECOMMENDATIONS } from '../care/immunizations.ts';
import { ORDERS, orders } from '../care/orders.ts';
import { GOALS, PLANS, plan } from '../care/plan.ts';
import { PROBLEMS, problems } from '../care/problems.ts';
import { PROCEDURES } from '../care/procedures.ts';
import { VISITS } from '../care/visits.ts';
import { LABS, OBSERVATIONS, REPORTS, SCREENING, VITALS } from '../loading/observation-searches.ts';
import { type ChartStore, isAnswered, type SearchState } from '../loading/store.ts';
import { DISPENSES, MEDICATION_SEARCHES, medications, REQUESTS } from '../medications/medications.ts';
import { PATIENT } from '../patient.ts';
import { entryLink } from '../record/record-link.ts';
import { recordMark } from '../record/record-mark.ts';
import { labs } from '../results/labs.ts';
import { loadedObservations, loadedTests, observationsOf } from '../results/loaded-tests.ts';
import { otherObservations } from '../results/other-observations.ts';
import { sparkline } from '../results/plot.ts';
import { screening } from '../results/screening.ts';
import { vitals } from '../results/vitals.ts';
import { glanceView, glanceWords, wordsLine } from '../section/glance.ts';
import { namedElsewhere } from '../section/named-elsewhere.ts';
import { hasOmissions } from '../section/omissions.ts';
import { isPartlyWithheld } from '../section/partly-withheld.ts';
import { otherHeadingText } from '../summary-document/documents.ts';
import { briefView, flaggedParts, flagsView, notesView, partView, statusMark } from '../values/reading.ts';
import { usualMark } from '../values/usual.ts';
import { columnCount } from './column-count.ts';
import { Columns } from './columns.ts';
import { lastVisitTile } from './last-visit.ts';
import { medicationsTile } from './medications-tile.ts';
import { pregnancyTile } from './pregnancy-tile.ts';
import { type Entry, entry, type Tile } from './tile.ts';

/** The most entries of a tile that are not folded: the tiles must fit on a screen of 900 pixels. */
const MAX = 5;
/** The most problems: each takes one line, while each medication beside them takes two. */
const MAX_PROBLEMS = 8;
const MAX_DUE = 4;
/** The most results that are not judged. */
const MAX_UNJUDGED = 6;
/** The height of a tile's heading with its borders, in lines. */
const HEADING = 2;
/** The usual height of an entry, and that of one whose value stands below its name, in lines. */
const [LINES, LINES_OF_VALUES] = [1.25, 1.75];
const QUERIES = [
  PATIENT,
  PROBLEMS,
  ...MEDICATION_SEARCHES,
  ...OBSERVATIONS,
  GOALS,
  ORDERS,
  REPORTS,
  PROCEDURES,
  VISITS,
];
/** The searches for what may be ahead among other records: of a server, those of which it is most often so. */
const othersOf = ({ source }: ChartStore): string[] =>
  source.name === 'session' ? [RECOMMENDATIONS, searchOf('Appointment')] : [OTHER];

/** The states of the searches of the overview, which are begun when they are first asked for. */
export const overviewStates = (store: ChartStore): SearchState[] =>
  [...QUERIES, ...othersOf(store)].map((query) => store.load(query));

/** A tile, and its column; `undefined` for a tile that is left out. */
interface MadeTile {
  view: TemplateResult | undefined;
  column: number;
}
/** The place of a tile across all columns. */
const ACROSS = -1;
const NO_TILE: MadeTile = { view: undefined, column: ACROSS };

/** The overview of a chart. Its tiles are made as frames have time, and made again only when a search has changed. */
export class Overview {
  readonly #store: ChartStore;
  readonly #goTo: (section: string) => void;
  readonly #budget: FrameBudget;
  #states: SearchState[] = [];
  #made: MadeTile[] = [];
  #columnCount = 0;
  #columns = new Columns(0);
  #view: TemplateResult | undefined;

  constructor(store: ChartStore, goTo: (section: string) => void, budget: FrameBudget) {
    this.#store = store;
    this.#goTo = goTo;
    this.#budget = budget;
  }

  get isDrawn(): boolean {
    return this.#view !== undefined;
  }

  /** Returns the complete overview. The first one comes when all searches have ended and all tiles are made. */
  view(): TemplateResult | undefined {
    const states = overviewStates(this.#store);
    if (states.some(({ is }) => is === 'waiting')) return undefined;
    const count = columnCount();
    if (count !== this.#columnCount || states.some((state, i) => state !== this.#states[i])) {
      this.#states = states;
      this.#made = [];
      this.#columnCount = count;
      this.#columns = new Columns(count);
      // In this frame the banner and the notice process the new answers.
      this.#budget.again();
      return this.#view;
    }
    if (this.#made.length === 0) {
      if (!this.#budget.hasTime()) return this.#view;
      // Several tiles use the groups of all results. In a large chart, grouping takes a whole frame.
      loadedTests(this.#store);
    }
    const tiles = tilesOf(this.#store);
    for (const tile of tiles.slice(this.#made.length)) {
      if (!this.#budget.hasTime()) return this.#view;
      const entries = tile.entries();
      const isDrawn = tile.nothing !== undefined || entries.length > 0;
      this.#made.push(isDrawn ? tileView(tile, this.#store, entries, this.#columns, this.#goTo) : NO_TILE);
    }
    const made = this.#made;
    const inColumn = (at: number): TemplateResult[] =>
      made.flatMap(({ view, column }) => (column === at && view ? view : []));
    this.#view = html`<section class="overview" aria-labelledby="overview-title">
      <h2 id="overview-title" class="visually-hidden">${t('At a glance')}</h2>
      ${guard([made], () => [
        inColumn(ACROSS),
        Array.from({ length: count }, (_, at) => html`<div class="glance-column">${inColumn(at)}</div>`),
      ])}
    </section>`;
    return this.#view;
  }
}

const tilesOf = (store: ChartStore): Tile[] => [
  pregnancyTile(store, Date.now()),
  problemsTile(store),
  medicationsTile(store),
  abnormalTile(store),
  vitalsTile(store),
  scoresTile(store),
  dueTile(store, Date.now()),
  lastVisitTile(store, Date.now()),
];

/** Returns whether all records of a tile are loaded, and none is left out. */
const isWhole = ({ sections, queries }: Tile, store: ChartStore): boolean =>
  queries.every((query) => isAnswered(store.load(query))) &&
  sections.every((section) => !hasOmissions(section, store, queries));

function tileView(
  tile: Tile,
  store: ChartStore,
  entries: Entry[],
  columns: Columns,
  goTo: (section: string) => void,
): MadeTile {
  const { id, title, sections, queries } = tile;
  const [{ id: section }] = sections;
  const leadsTo = (place: string) => instead(() => goTo(place));
  const most = tile.most ?? MAX;
  const shown = entries.length > most + 1 ? entries.slice(0, most) : entries;
  const others = entries.slice(shown.length);
  const link = ({ content, to = { section } }: Entry): TemplateResult =>
    'section' in to
      ? html`<a class="entry" href=${`#${to.section}`} @click=${leadsTo(to.section)}>${content}</a>`
      : entryLink(store, to, content);
  const list = (some: Entry[]): TemplateResult =>
    html`<ul role="list" data-values=${tile.values ?? 'none'}>${some.map((one) => html`<li>${link(one)}</li>`)}</ul>`;
  const isFact = ({ to }: Entry): boolean => !(to && 'record' in to && isModified(to.record));
  const count = tile.count?.() ?? entries.filter(isFact).length;
  const foot = tile.foot?.();
  const order = tile.order?.();
  const isPart = sections.some((one) => isPartlyWithheld(one, store)) || namedElsewhere(sections[0], store).length > 0;
  const incomplete = t('Not everything that belongs here can be shown.');
  const without = (): unknown => {
    const { is } = store.load(queries[0]);
    if (is === 'loaded') {
      const whole = isWhole(tile, store);
      const words = glanceWords(sections, store, whole);
      if (!words) return whole ? tile.nothing?.() : incomplete;
      return glanceView(words, goTo);
    }
    return {
      waiting: '…',
      withheld: isPart ? incomplete : t('Not granted.'),
      'not offered': t('Not offered by this server.'),
      failed: t('Could not be loaded.'),
    }[is];
  };
  const below = entries.length === 0 ? (tile.instead?.() ?? []) : [];
  const folded = others.length === 0 ? 0 : tile.hasNames ? 2 : 1;
  const lines = Number(entries.length === 0) + folded + (foot ? 1.5 : 0);
  const height = HEADING + lines + shown.length * (tile.linesPerEntry ?? LINES) + below.length * LINES;
  const column = tile.isWide ? ACROSS : columns.place(height);
  const view = html`<article class="glance" id=${`glance-${id}`}
    aria-labelledby=${`glance-${id}-title`}>
    <h3 id=${`glance-${id}-title`}><a href=${`#${section}`} @click=${leadsTo(section)}>${t(title)}</a>${
      count > 0 ? html` <span class="count">${words().number(count)}</span>` : nothing
    }${order ? html` <small class="order">${order}</small>` : nothing}</h3>
    ${
      entries.length > 0
        ? list(shown)
        : html`<p class="none">${without()}</p>${below.length > 0 ? list(below) : nothing}`
    }
    ${
      others.length > 0
        ? html`<details class="more"><summary>${t('{n} more', { n: others.length })}${
            tile.hasNames ? namesView(others) : nothing
          }</summary>${whenOpen(() => list(others))}</details>`
        : nothing
    }${entries.length > 0 && isPart ? html`<p class="note">${incomplete}</p>` : nothing}${foot ?? nothing}${wordsLine(
      sections[0],
      entries.length === 0,
      store,
      goTo,
    )}
  </article>`;
  return { view, column };
}

/** The most names of folded entries, and the most characters of a name. */
const [MAX_NAMES, MAX_NAME_LENGTH] = [24, 48];

/** Draws the names of folded entries, so that a reader knows what is there. */
function namesView(others: Entry[]): TemplateResult {
  const names = [...new Set(others.flatMap(({ name }) => name ?? []))].map((name) => clipped(name, MAX_NAME_LENGTH));
  const more = names.length > MAX_NAMES ? ' …' : '';
  return html`<span class="names">: ${names.slice(0, MAX_NAMES).join(' · ')}${more}</span>`;
}

function problemsTile(store: ChartStore): Tile {
  let isByWeight = false;
  return {
    id: 'problems',
    title: 'Problems',
    sections: [problems],
    queries: [PROBLEMS],
    most: MAX_PROBLEMS,
    nothing: () => t('No current problem is recorded.'),
    hasNames: true,
    order: () => (isByWeight ? t('severe first, social circumstances last') : undefined),
    entries: () => {
      const conditions = ofType('Condition', store.found(PROBLEMS));
      const made = problemsOverview(words(), conditions, (c) => otherHeadingText(c, store));
      isByWeight = made.isByWeight;
      return made.lines.map(({ record, name, words, caution }) => entry(name, words, tag(caution), { record }));
    },
  };
}

function changeView(group: TestGroup): TemplateResult | typeof nothing {
  const change = changeOf(words().brief, group);
  if (!change) return nothing;
  const by = change.way === 'unchanged' ? '' : ` ${change.by}`;
  return html`<span class="change"><span aria-hidden="true">${CHANGE_SIGNS[change.way]}${by}</span><span
    class="visually-hidden">${changeText(words(), change)}</span></span>${(change.notes ?? []).map(
      (note) => html` <small class="note">${shortDate(words(), change.since)}: ${clipped(note, 120)}</small>`,
    )}`;
}

/** Draws a value. Of a panel other than a blood pressure, draws the flagged parts alone, each with its name, if any. */
function shownView(o: Observation): unknown {
  const flagged = value(words(), o) === undefined && !isPressure(o) ? flaggedParts(o) : [];
  if (flagged.length === 0) return html`${briefView(o)} ${flagsView(o)}`;
  return flagged.map(
    ({ part, view }) =>
      html`<span>${withAbout(words(), o, nameOfValue(words(), part))} ${partView(part)} ${view}</span>`,
  );
}

/** Draws the value of a result with its flags, its status, and the mark for its usual range. */
const valueView = (o: Observation, usual: UsualRange[], more: unknown = nothing): TemplateResult =>
  html`<span class="entry-value">${shownView(o)} ${usualMark(usual)}
    ${statusMark(o)}${recordMark(o)} ${more}${notesView(o)}</span>`;

/** A name with what tells the result from others of the name. */
const namedApart = (name: string, told: (string | undefined)[]): unknown => {
  const texts = told.filter(Boolean);
  return texts.length > 0 ? html`${name} <small class="aside">${texts.join(' · ')}</small>` : name;
};

/** Draws the latest result of a test. `apart` tells the test from others of its name. */
const resultEntry = (
  group: TestGroup,
  reading: Observation,
  value: TemplateResult,
  { apart, isDated = true }: { apart?: string | undefined; isDated?: boolean } = {},
): Entry =>
  entry(
    namedApart(readingName(words(), reading, group), [apart, ...beyondName(words(), reading)]),
    isDated ? shortDate(words(), when(reading)) : nothing,
    value,
    { trend: group.key },
  );

function abnormalTile(store: ChartStore): Tile {
  let isEmpty = true;
  let unjudged: TestGroup[] = [];
  return {
    id: 'abnormal',
    title: 'Abnormal results',
    sections: [labs, vitals, screening, otherObservations],
    queries: [LABS, ...OBSERVATIONS.filter((query) => query !== LABS)],
    values: 'below',
    linesPerEntry: LINES_OF_VALUES,
    nothing: () => {
      const [hasOthers, hasReports] = [loadedObservations(store), store.found(REPORTS)].map(({ length }) => length > 0);
      return nothingAbnormal(words(), observationsOf(store, LABS), hasOthers, hasReports);
    },
    instead: () =>
      unjudged.slice(0, MAX_UNJUDGED).map((group) => {
        const { latest, apart } = group;
        return resultEntry(group, latest, valueView(latest, [], changeView(group)), { apart });
      }),
    foot: () => {
      const hidden = unjudged.length - MAX_UNJUDGED;
      const text = joinedBy(
        ' ',
        isEmpty ? hidden > 0 && t('and {n} more', { n: hidden }) : unjudgedText(words(), unjudged.length),
        calledNormalText(words(), labNormalCount(words(), observationsOf(store, LABS))),
      );
      return text ? html`<p class="note">${text}</p>` : undefined;
    },
    entries: () => {
      unjudged = unjudgedTests(words(), observationsOf(store, LABS));
      const abnormal = abnormalResults(words(), loadedObservations(store)).map((one) => ({
        ...one,
        name: readingName(words(), one.reading, one.group),
      }));
      isEmpty = abnormal.length === 0;
      // Tests that share a name also show what distinguishes them.
      const isAlone = (name: string): boolean => abnormal.filter((one) => one.name === name).length < 2;
      return abnormal.map(({ group, reading, usual, name }) =>
        resultEntry(group, reading, valueView(reading, usual, changeView(group)), {
          apart: isAlone(name) ? undefined : group.apart,
        }),
      );
    },
  };
}

/** The latest scores, such as one of early warning. Without one there is no tile. */
const scoresTile = (store: ChartStore): Tile => ({
  id: 'scores',
  title: 'Scores',
  sections: [screening, vitals, otherObservations, labs],
  queries: [SCREENING, ...OBSERVATIONS.filter((query) => query !== SCREENING)],
  values: 'beside',
  entries: () =>
    latestScores(words(), loadedObservations(store)).map(({ group, reading }) =>
      resultEntry(group, reading, valueView(reading, [], changeView(group))),
    ),
});

function vitalsTile(store: ChartStore): Tile {
  let usual: UsualRange[][] = [];
  let date: string | undefined;
  return {
    id: 'vitals',
    title: 'Vital signs',
    sections: [vitals],
    queries: [VITALS],
    values: 'below',
    get linesPerEntry(): number | undefined {
      return date === undefined ? LINES_OF_VALUES : undefined;
    },
    order: () => date,
    nothing: () =>
      observationsOf(store, VITALS).length > 0
        ? t('No vital sign of the patient has a valid value.')
        : t('No vital sign is recorded.'),
    foot: () => {
      const note = ageNote(words(), usual.flat());
      return note ? html`<p class="note">${note}</p>` : undefined;
    },
    entries: () => {
      const signs = latestSigns(words(), observationsOf(store, VITALS));
      usual = signs.map(({ reading }) => usualRanges(words(), reading));
      // The date of all signs stands in the heading.
      const [first, ...others] = new Set(signs.map(({ reading }) => shortDate(words(), when(reading))));
      date = signs.length > 1 && others.length === 0 && first ? first : undefined;
      return signs.map(({ reading, group }, i) =>
        resultEntry(group, reading, html`${valueView(reading, usual[i] ?? [])}${sparkline(group.series)}`, {
          isDated: date === undefined,
        }),
      );
    },
  };
}

function dueAside(due: Due): TemplateResult {
  const text = dueWords(words(), due);
  return due.kind === 'avoid' ? html`<strong>${text}</strong>` : html`<span data-late=${due.isLate}>${text}</span>`;
}

const dueTile = (store: ChartStore, now: number): Tile => ({
  id: 'due',
  title: 'Due',
  most: MAX_DUE,
  sections: [orders, plan, medications],
  queries: [ORDERS, GOALS, PLANS, REQUESTS, DISPENSES, ...OBSERVATIONS, REPORTS, PROCEDURES],
  nothing: () => t('No open order of a service, goal date or ending supply is recorded.'),
  entries: () => {
    const all = dueOf(
      words(),
      {
        orders: ofType('ServiceRequest', store.found(ORDERS)),
        goals: ofType('Goal', store.found(GOALS)),
        requests: ofType('MedicationRequest', store.found(REQUESTS)),
        dispenses: ofType('MedicationDispense', store.found(DISPENSES)),
        done: [
          ...ofType(
            'Observation',
            OBSERVATIONS.flatMap((query) => store.found(query)),
          ),
          ...ofType('DiagnosticReport', store.found(REPORTS)),
          ...ofType('Procedure', store.found(PROCEDURES)),
        ],
        included: store.included(REQUESTS),
        others: [VISITS, PLANS, PROCEDURES, ...othersOf(store)].flatMap((query) => store.found(query)),
      },
      now,
    );
    return all.map((due) =>
      entry(
        due.title,
        dueAside(due),
        nothing,
        due.last === undefined ? { record: due.of } : { section: medications.id },
      ),
    );
  },
});
