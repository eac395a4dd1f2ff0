//! Laboratory results by panel: the latest values of each test in columns, their change, range and trend.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { clock, date, instant, shortDate } from '#reading/fhir/date.ts';
import { isEnteredInError, plain } from '#reading/fhir/text.ts';
import { type Observation, ofType } from '#reading/fhir/types.ts';
import { noteTexts, rangesOf } from '#reading/results/flags/observation-text.ts';
import { usualRanges } from '#reading/results/flags/usual-range.ts';
import { shortName } from '#reading/results/names/names.ts';
import { CHANGE_SIGNS, changeOf } from '#reading/results/panels/change.ts';
import { componentPanels } from '#reading/results/panels/component-panels.ts';
import { type Panel, panelsOf } from '#reading/results/panels/panels.ts';
import { columnsOf, daysOf, type ResultRow, rowsByDay, rowsByTest } from '#reading/results/panels/result-columns.ts';
import { apartTexts } from '#reading/results/panels/test-groups.ts';
import { earlierQuality, earlierResultText } from '#reading/results/values/earlier-quality.ts';
import { reading, when } from '#reading/results/values/reading.ts';
import { reportStatus } from '#reading/results/values/report-status.ts';
import { rich, t, words } from '../../language/message.ts';
import { settle } from '../../parts/settle.ts';
import { tag } from '../../parts/tag.ts';
import { inParts, yieldToPage } from '../../scheduling.ts';
import { LABS, REPORTS } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordMark } from '../record/record-mark.ts';
import { counted } from '../section/other-count.ts';
import type { Section, SectionContent } from '../section/section.ts';
import { flagsView, notesView, readingText } from '../values/reading.ts';
import { usualMark } from '../values/usual.ts';
import { trendLink } from './loaded-tests.ts';
import { sparkline } from './plot.ts';

/** A table: a panel with its days, or tests without a panel, which have no days in common. */
interface ResultTable {
  title: string;
  days: string[] | undefined;
  rows: ResultRow[];
}

/** The number of rows that are drawn in one frame. */
const ROWS = 12;

export const labs: Section = {
  id: 'labs',
  title: 'Laboratory results',
  queries: [LABS, REPORTS],
  onlyFirstShown: true,
  nothing: 'No data: no laboratory result is recorded in this chart.',
  show([found, reported], store) {
    const all = ofType('Observation', found?.matches);
    const composed = componentPanels(words(), all);
    const { panels, others } = panelsOf(words(), composed.others, ofType('DiagnosticReport', reported?.matches));
    const newestOf = ({ tests }: Panel): number => Math.max(...tests.map(({ latest }) => instant(when(latest)) ?? 0));
    const shown = [...panels, ...composed.panels].sort((x, y) => newestOf(y) - newestOf(x));
    const tables: ResultTable[] = shown.map(({ name, tests }) => {
      const days = daysOf(tests);
      return { title: name, days, rows: rowsByDay(words(), tests, days) };
    });
    if (others.length > 0) {
      const title = shown.length > 0 ? t('Other results') : t('Single tests');
      tables.push(...tablesOf(title, rowsByTest(words(), others)));
    }
    const tests = tables.reduce((sum, { rows }) => sum + rows.length, 0);
    const parts = countOfParts(tables);
    const content = (drawn: number): SectionContent => ({
      ...counted(all),
      of: all.length === 1 ? t('result of one test') : t('results of {n} test|results of {n} tests', { n: tests }),
      body: tablesView(tables, drawn, store),
      next: drawn < parts ? () => content(drawn + 1) : undefined,
    });
    return content(1);
  },
};

/** The most tests without a panel in one table: a browser lays out each table as a whole. */
const MAX = 100;

/** Returns the tables of tests without a panel. If there are several, their titles have the numbers of the tests. */
function tablesOf(title: string, all: ResultRow[]): ResultTable[] {
  const parts = inParts(all, MAX);
  return parts.map((rows, i) => {
    const [from, to] = [i * MAX + 1, i * MAX + rows.length];
    return {
      title: parts.length > 1 ? t('{title}, {from} to {to}', { title, from, to }) : title,
      days: undefined,
      rows,
    };
  });
}

/** Draws the first parts of the tables. A large chart is drawn one part per frame. */
function tablesView(tables: ResultTable[], drawn: number, store: ChartStore): TemplateResult {
  const parts = firstParts(tables, drawn);
  const isWhole = drawn >= countOfParts(tables);
  void yieldToPage().then(() => settle(document.querySelector('#labs .table-frame'), isWhole));
  // All tables have the same number of columns, so that these align.
  const columns = columnsOf(tables.flatMap(({ rows }) => rows));
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${t('Latest results of each test')}>
      ${parts.map(({ table, parts: of }) =>
        guard([table, of.length], () => tableView(table, of, columns, store)),
      )}</div>`;
}

const countOfParts = (tables: ResultTable[]): number =>
  tables.reduce((sum, { rows }) => sum + Math.ceil(rows.length / ROWS), 0);

/** Returns the tables that are drawn at least in part, with their drawn parts. */
function firstParts(tables: ResultTable[], drawn: number): { table: ResultTable; parts: ResultRow[][] }[] {
  let left = drawn;
  return tables.flatMap((table) => {
    const parts = inParts(table.rows, ROWS).slice(0, Math.max(0, left));
    left -= parts.length;
    return parts.length > 0 ? [{ table, parts }] : [];
  });
}

function tableView(table: ResultTable, parts: ResultRow[][], columns: number, store: ChartStore): TemplateResult {
  const { title, days, rows } = table;
  const headers = days
    ? days.map((day) => html`<time datetime=${day}>${date(words(), day, { short: true })}</time>`)
    : [t('Latest'), t('Before'), t('2 before'), t('3 before')].slice(0, columnsOf(rows));
  const [head, ...earlier] = Array.from({ length: columns }, (_, i) => columnHead(headers[i]));
  const caption = days
    ? t('{title}: the values of the latest days, with change, reference range and trend', { title })
    : t('{title}: the latest values of each test, each with its date, with change, reference range and trend', {
        title,
      });
  return html`<div class="of-panel"><h3>${title}</h3>
    <table class="results by-panel" data-dated=${days ? 'head' : 'cell'} data-columns=${columns}>
    <caption class="visually-hidden">${caption}</caption>
    <thead class="narrow-hidden"><tr><th scope="col" class="test">${t('Test')}</th>${head}
      <th scope="col" class="unit">${t('Unit')}</th><th scope="col" class="range">${t('Range')}</th>${earlier}
      <th scope="col" class="change">${t('Change')}</th>
      <th scope="col" class="trend">${t('Trend')}</th></tr></thead>
    <tbody>${parts.map((part, i) =>
      guard([table, i], () => part.map((row) => rowView(row, days, columns, store))),
    )}</tbody></table></div>`;
}

/** Draws the head of a column with values, which has no words if the table does not use it. */
const columnHead = (header: unknown): TemplateResult =>
  header === undefined
    ? html`<td class="number value"></td>`
    : html`<th scope="col" class="number value">${header}</th>`;

function rowView(row: ResultRow, days: string[] | undefined, count: number, store: ChartStore): TemplateResult {
  const { group, cells, older, unit } = row;
  const { main } = shortName(words(), group.name);
  const isError = isEnteredInError(group.latest);
  const about = apartTexts(words(), group);
  const isDated = days === undefined;
  const [latest, ...earlier] = Array.from({ length: count }, (_, i) =>
    cellView(cells[i] ?? [], { unit, isDated, isEarlier: i > 0 }),
  );
  const limits = rangesOf(words(), group.latest).map((one) => withoutUnit(one, unit));
  const notes = isError ? [] : noteTexts(words(), group.latest);
  return html`<tr data-tone=${isError ? 'error' : 'plain'}>
    <th scope="row">${trendLink(store, group.key, main)}${
      about.length ? html`<small>${about.join(' · ')}</small>` : nothing
    }</th>
    ${
      older
        ? html`<td class="number value older">${
            isError
              ? tag(plain(words(), 'entered-in-error'), 'error')
              : html`${valueView(older, unit)} <small>${olderText(older)}</small>`
          }</td>`
        : latest
    }<td class="quiet unit">${unit === undefined ? nothing : breakableUnit(unit)}</td>
    <td class="quiet range" data-name=${t('Range')}>${
      limits.length === 0
        ? html`<span class="visually-hidden">${t('no range given')}</span>`
        : limits.map((one, i) => html`${i ? html`<br>` : nothing}${readingText(one)}`)
    }${notes.map((note) => html` <small>${note}</small>`)}</td>${earlier}
    <td class="quiet change" data-name=${t('Change')}>${isError ? nothing : changeView(row)}</td>
    <td class="trend">${sparkline(group.series)}<span
      class="visually-hidden">${t('{n} result|{n} results', { n: group.list.length })}</span></td>
  </tr>`;
}

const olderText = (o: Observation): string =>
  when(o) ? t('Last on {date}', { date: shortDate(words(), when(o)) }) : t('no date');

interface Column {
  /** The unit that all values of the row share. */
  unit: string | undefined;
  /** True if each value has a date of its own, and not that of its column. */
  isDated: boolean;
  isEarlier: boolean;
}

/** Draws the results of one test in one column. If a day has several, each shows its time of day. */
function cellView(results: Observation[], { unit, isDated, isEarlier }: Column): TemplateResult {
  const on = (o: Observation): TemplateResult | typeof nothing => {
    const text = isDated
      ? shortDate(words(), when(o)) || t('no date')
      : results.length > 1
        ? clock(words(), when(o))
        : '';
    return text ? html`<small>${text}</small>` : nothing;
  };
  const [first] = results;
  // A phone shows no column heads, so its cells show the dates. Screen readers have them from the heads.
  const phone =
    isDated || !first ? nothing : html`<small class="on" aria-hidden="true">${shortDate(words(), when(first))}</small>`;
  return html`<td class="number value">${results.map(
    (o) => html`<div>${valueView(o, unit, isEarlier)}${on(o)}</div>`,
  )}${phone}</td>`;
}

/** Draws a value and its flag, which is brief for an earlier value, and its status if it is not final. */
function valueView(o: Observation, unit: string | undefined, isEarlier = false): TemplateResult {
  const status = reportStatus(words(), o);
  const text = withoutUnit(reading(words().brief, o), unit);
  // A phone has no column of units.
  const shared = (!isEarlier && unit) || nothing;
  const flags = [flagsView(o, isEarlier), usualMark(usualRanges(words(), o))];
  return html`<span class="measured"><span data-unit=${shared}>${readingText(text)}</span><span
    class="flags">${flags}</span></span>${status ? html`<small>${status}</small>` : nothing}${recordMark(
      o,
    )}${notesView(o)}`;
}

/** Draws a unit, which may break after a slash. */
const breakableUnit = (unit: string): unknown =>
  unit.split(/(?<=\/)/).map((part, i) => html`${i ? html`<wbr>` : ''}${part}`);

/** Returns a text without the unit, which the row shows once for all its values. */
const withoutUnit = (text: string, unit: string | undefined): string =>
  unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;

const CHANGE_WORDS = {
  up: 'up by {by} {unit} since {date}',
  down: 'down by {by} {unit} since {date}',
} as const;

/** Draws the change as a sign and a word or number. Screen readers get the whole sentence. */
function changeView({ group }: ResultRow): TemplateResult {
  const change = changeOf(words().brief, group);
  if (!change) {
    const before = earlierResultText(words(), earlierQuality(group.list));
    return before ? html`<small class="before">${before}</small>` : hidden(t('no comparison'));
  }
  const { way, by, unit, since } = change;
  const date = shortDate(words(), since);
  const sentence =
    way === 'unchanged'
      ? rich('{same} since {date}', { same: html`${t('same')}`, date })
      : rich(CHANGE_WORDS[way], { by: html`${by}`, unit, date });
  return html`<span class="arrow" aria-hidden="true">${CHANGE_SIGNS[way]}</span> ${sentence.map((part) =>
    typeof part === 'string' ? part && hidden(part) : part,
  )}`;
}

const hidden = (words: string): TemplateResult => html`<span class="visually-hidden">${words}</span>`;
