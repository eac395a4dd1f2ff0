//! The history of searches as a list: a press puts a query back.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '../../fhir/date.ts';
import { clipped, plural } from '../../fhir/text.ts';
import { announce } from '../../parts/announce.ts';
import { milliseconds } from '../../parts/requests.ts';
import { KEPT, type PastSearch } from '../../search/history.ts';
import type { SearchModel } from './model.ts';
import { PLACES } from './run.ts';

/** The searches that are shown before all are asked for. */
const SHOWN = 8;

export function pastView(model: SearchModel): TemplateResult {
  const { history } = model;
  const [latest, earlier] = [history.slice(0, SHOWN), history.slice(SHOWN)];
  const forget = (): void => {
    model.forget();
    announce('The history is forgotten');
    document.getElementById('history')?.focus();
  };
  return html`<section class="past" aria-labelledby="history"><h2 id="history" tabindex="-1">History</h2>
    ${
      history.length === 0
        ? html`<p class="state empty">The searches that you run are listed here.</p>`
        : html`<p class="aside">Kept in this browser: the last ${KEPT} searches with their numbers, without answers.
          A query may name a patient. <button type="button" class="quiet" @click=${forget}>Forget</button></p>
          ${listView(model, latest)}${
            earlier.length > 0
              ? html`<details class="folded"><summary>${plural(
                  earlier.length,
                  'earlier search',
                  'earlier searches',
                )}</summary>
                ${listView(model, earlier)}</details>`
              : nothing
          }`
    }</section>`;
}

const listView = (model: SearchModel, searches: PastSearch[]): TemplateResult =>
  html`<ul class="searches" role="list">${searches.map((one) => searchView(model, one))}</ul>`;

function searchView(model: SearchModel, past: PastSearch): TemplateResult {
  const { query, where, at, status, ms, rowsRead } = past;
  const putBack = (): void => {
    model.setText(query);
    const field = document.getElementById('q');
    field?.focus();
    field?.scrollIntoView({ block: 'nearest' });
    announce('The query is put back. It has not run');
  };
  return html`<li><button type="button" class="record" @click=${putBack}><code>${clipped(query)}</code></button>
    <span class="numbers"><span>${PLACES[where]}</span> <span><span class="status"
      data-ok=${status === 200}>${status || 'failed'}</span></span> <span>${foundText(past)}</span>
      <span>${milliseconds(ms)}</span> <span>${rowsRead === undefined ? nothing : plural(rowsRead, 'row')}</span>
      <span class="aside">${localTime(new Date(at))}</span></span></li>`;
}

function foundText({ matches, total }: PastSearch): string {
  if (matches === undefined) return total === undefined ? '' : `counts ${total.toLocaleString('en')}`;
  return total === undefined || total === matches
    ? plural(matches, 'match', 'matches')
    : `${matches} of ${plural(total, 'match', 'matches')}`;
}

/** A time in the zone of the device: the clock alone of today, else with the day. */
function localTime(at: Date): string {
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? local.slice(11, 16) : clockDate(local);
}
