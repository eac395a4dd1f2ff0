//! The cost of the runs of a query, beside its plan: time, size, and the work of the database.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';
import { t, words } from '../../language/message.ts';
import { milliseconds, size } from '../../parts/requests.ts';
import { median, placeOf } from '../../search/compare.ts';
import type { Run, SearchModel } from './model.ts';

/** Draws the cost of the shown runs whose query is the explained one. */
export function costView({ shown, text }: SearchModel): TemplateResult {
  const query = text.value.trim();
  const { first, second } = shown.value;
  const runs = [first, second].filter((run): run is Run => run?.query === query);
  return html`<div class="cost"><h3 id="cost">${t('Cost')}</h3>${
    runs.length === 0
      ? html`<p class="aside">${t('It is measured when the query runs.')}</p>`
      : html`${costTable(runs)}<p class="aside">${t(
          'The database is D1. It bills the rows that it reads; each exchange with it takes time.',
        )}</p>`
  }</div>`;
}

function costTable(runs: Run[]): TemplateResult {
  const row = (title: string, cell: (run: Run) => unknown): TemplateResult =>
    html`<tr><th scope="row">${title}</th>${runs.map((run) => html`<td class="number">${cell(run)}</td>`)}</tr>`;
  const times = Math.max(...runs.map((run) => run.times.length));
  return html`<table class="costs">
    <caption class="visually-hidden">${t('The cost of this query where it was run')}</caption>
    <thead><tr><td></td>${runs.map(
      ({ exchange }) => html`<th scope="col" class="number">${capital(placeOf(exchange))}</th>`,
    )}</tr></thead><tbody>
    ${row(times > 1 ? t('Median of {n}', { n: times }) : t('Time'), (run) => milliseconds(median(run.times)))}
    ${times > 1 ? row(t('First time'), (run) => milliseconds(run.times[0] ?? 0)) : nothing}
    ${row(t('Rows read in the database'), ({ exchange: { where, rowsRead } }) => databaseWork(where, rowsRead))}
    ${row(t('Exchanges with the database'), ({ exchange: { where, trips } }) => databaseWork(where, trips))}
    ${row(t('Size'), ({ exchange: { bytes } }) => size(bytes))}</tbody></table>`;
}

/** Returns the work of the database in words. The engine in this browser has no database. */
const databaseWork = (where: 'edge' | 'local', count: number | undefined): string =>
  where === 'local' ? t('none#feminine') : count === undefined ? t('not said') : words().number(count);
