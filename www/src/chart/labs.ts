//! Laboratory results by panel: the latest values of each test in columns, their change, range and trend.

import { html, nothing, type TemplateResult } from 'lit-html';
import { date, shortDate } from '../fhir/date.ts';
import { flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { range, reading, when } from '../fhir/reading.ts';
import { capital, isEnteredInError, plain, plural } from '../fhir/text.ts';
import { type Observation, ofType } from '../fhir/types.ts';
import { type Observable, observable } from '../observable.ts';
import { isChecked } from '../parts/form.ts';
import { empty } from '../parts/notice.ts';
import { watching } from '../parts/watching.ts';
import { CHANGE_SIGNS, changeOf } from './change.ts';
import { panelsOf } from './panels.ts';
import { spark } from './plot.ts';
import { flagView, readingText } from './reading.ts';
import { REPORTS } from './reports.ts';
import { COLUMNS, daysOf, type ResultRow, rowsByDay, rowsByTest } from './result-columns.ts';
import type { Section, SectionContext } from './section.ts';
import type { ChartStore } from './store.ts';
import { LABS, trendLink } from './test-groups.ts';

const NOTHING = 'No data: no laboratory result is recorded in this chart.';

/** A table: a panel with its days, or the tests of no panel, which have no days in common. */
interface ResultTable {
  title: string;
  days: string[] | undefined;
  rows: ResultRow[];
}

/** The switch of each chart that is open: from the chart to a trend and back it stays as it is. */
const switches = new WeakMap<ChartStore, Observable<boolean>>();
function onlyAbnormalOf(store: ChartStore): Observable<boolean> {
  const known = switches.get(store) ?? observable(false);
  switches.set(store, known);
  return known;
}

export const labs: Section = {
  id: 'labs',
  title: 'Laboratory results',
  queries: [LABS, REPORTS],
  nothing: NOTHING,
  show([found, reported], context) {
    const all = ofType('Observation', found?.matches);
    if (all.length === 0) return { count: 0, body: empty(NOTHING) };
    const { panels, others } = panelsOf(all, ofType('DiagnosticReport', reported?.matches));
    const tables: ResultTable[] = panels.map(({ name, tests }) => {
      const days = daysOf(tests);
      return { title: name, days, rows: rowsByDay(tests, days) };
    });
    if (others.length > 0) {
      const title = panels.length > 0 ? 'Other results' : 'Single tests';
      tables.push({ title, days: undefined, rows: rowsByTest(others) });
    }
    const only = onlyAbnormalOf(context.store);
    const tests = tables.reduce((sum, { rows }) => sum + rows.length, 0);
    return {
      count: all.length,
      of: `results of ${plural(tests, 'test')}`,
      body: html`${watching(only, () => tablesView(tables, only, context))}`,
    };
  },
};

function tablesView(tables: ResultTable[], only: Observable<boolean>, context: SectionContext): TemplateResult {
  const shown = only.value
    ? tables
        .map((table) => ({ ...table, rows: table.rows.filter(({ isAbnormal }) => isAbnormal) }))
        .filter(({ rows }) => rows.length > 0)
    : tables;
  return html`<div class="results-filter"><label class="inline"><input type="checkbox" .checked=${only.value}
      @change=${(event: Event) => only.set(isChecked(event))}> Only abnormal</label>
    <span class="aside" role="status">${only.value ? filterText(tables) : ''}</span></div>
    <div class="table-frame" tabindex="0" role="region" aria-label="Latest results of each test">
      ${shown.map((table) => tableView(table, context))}</div>`;
}

/** The number of tests that the switch leaves, and of those that it cannot judge. */
function filterText(tables: ResultTable[]): string {
  const rows = tables.flatMap((table) => table.rows);
  const abnormal = rows.filter(({ isAbnormal }) => isAbnormal).length;
  const unjudged = rows.filter(({ isUnjudged }) => isUnjudged).length;
  const rest = unjudged
    ? `; ${plural(unjudged, 'test has', 'tests have')} neither a flag nor a range, and ${
        unjudged === 1 ? 'is' : 'are'
      } left out`
    : '';
  return `${abnormal} of ${plural(rows.length, 'test')} with an abnormal latest result${rest}.`;
}

function tableView({ title, days, rows }: ResultTable, context: SectionContext): TemplateResult {
  const headers = days
    ? days.map((day) => html`<time datetime=${day}>${date(day, { short: true })}</time>`)
    : ['Latest', 'Before', '2 before', '3 before'];
  const columns = Array.from({ length: COLUMNS }, (_, i) => headers[i]);
  const caption = days ? 'the values of the latest days' : 'the latest values of each test, each with its date';
  return html`<h3>${title}</h3><table class="results by-panel" data-dated=${days ? 'head' : 'cell'}>
    <caption class="visually-hidden">${title}: ${caption}, with change, reference range and trend</caption>
    <thead><tr><th scope="col" class="test">Test</th>${columns.map((header) =>
      header === undefined
        ? html`<td class="number value"></td>`
        : html`<th scope="col" class="number value">${header}</th>`,
    )}<th scope="col" class="change">Change</th><th scope="col" class="range">Range</th>
      <th scope="col" class="trend">Trend</th></tr></thead>
    <tbody>${rows.map((row) => rowView(row, days, context))}</tbody></table>`;
}

function rowView(row: ResultRow, days: string[] | undefined, context: SectionContext): TemplateResult {
  const { group, cells, older, unit } = row;
  const { main, rest } = shortName(group.name);
  const isError = isEnteredInError(group.latest);
  const columns = Array.from({ length: COLUMNS }, (_, i) => cells[i]);
  const about = [unit ? html`<span class="unit">${unit}</span>` : undefined, rest || undefined].filter(Boolean);
  const limits = range(group.latest.referenceRange?.[0]);
  return html`<tr data-tone=${isError ? 'error' : 'plain'}>
    <th scope="row">${trendLink(context, group.key, main)}${
      about.length ? html`<small>${about.map((part, i) => html`${i ? ' · ' : ''}${part}`)}</small>` : nothing
    }</th>
    ${
      older
        ? html`<td class="number value older" colspan=${COLUMNS}>${
            isError
              ? html`<span class="tag" data-tone="error">Entered in error</span>`
              : html`<small>${when(older) ? `Last on ${shortDate(when(older))}:` : 'Without a date:'}</small>
                ${valueView(older, unit)}`
          }</td>`
        : columns.map((results = []) => cellView(results, unit, days === undefined))
    }
    <td class="quiet change">${isError ? nothing : changeView(row)}</td>
    <td class="quiet range">${
      limits === undefined
        ? html`<span class="visually-hidden">no range given</span>`
        : readingText(withoutUnit(limits, unit))
    }</td>
    <td class="trend">${spark(group.series)}<span
      class="visually-hidden">${plural(group.list.length, 'result')}</span></td>
  </tr>`;
}

/** The results of one test in one column. Several of a day have their time of day. */
function cellView(results: Observation[], unit: string | undefined, isDated: boolean): TemplateResult {
  const on = (o: Observation): TemplateResult | typeof nothing => {
    const words = isDated ? shortDate(when(o)) || 'no date' : results.length > 1 ? clockOf(o) : '';
    return words ? html`<small>${words}</small>` : nothing;
  };
  const [first] = results;
  // A phone shows no column heads: its cells have their dates, which is said already by the head.
  const phone =
    isDated || !first ? nothing : html`<small class="on" aria-hidden="true">${shortDate(when(first))}</small>`;
  return html`<td class="number value">${results.map(
    (o) => html`<div>${valueView(o, unit)}${on(o)}</div>`,
  )}${phone}</td>`;
}

const clockOf = (o: Observation): string => date(when(o), { clock: true }).split(', ')[1] ?? '';

/** A value, its flag, and its status where it is not final. */
function valueView(o: Observation, unit: string | undefined): TemplateResult {
  const unusual = o.status && !['final', 'amended', 'corrected'].includes(o.status);
  return html`${readingText(withoutUnit(reading(o), unit))}<span class="flags">${flagView(flag(o))}</span>${
    unusual ? html`<small>${capital(plain(o.status))}</small>` : nothing
  }`;
}

/** A text without the unit that the row says for all of them. */
const withoutUnit = (text: string, unit: string | undefined): string =>
  unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;

function changeView({ group }: ResultRow): TemplateResult {
  const change = changeOf(group);
  if (!change) return html`<span class="visually-hidden">no comparison</span>`;
  const { way, by, unit, since } = change;
  const sign = html`<span class="arrow" aria-hidden="true">${CHANGE_SIGNS[way]}</span>`;
  const before = html`<span class="visually-hidden"> since ${shortDate(since)}</span>`;
  if (way === 'unchanged') return html`${sign} same${before}`;
  return html`${sign} <span class="visually-hidden">${way} by </span>${by}<span
    class="visually-hidden"> ${unit}</span>${before}`;
}
