//! The history of searches as a list. A press on an entry puts its query back into the field.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '#reading/fhir/date.ts';
import { clipped } from '#reading/fhir/text.ts';
import { t, words } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { milliseconds } from '../../parts/requests.ts';
import { forgetHistory, MAX_SEARCHES, type PastSearch, pastSearches } from '../../search/history.ts';
import type { SearchModel } from './model.ts';
import { PLACES } from './run.ts';

/** The number of searches that are shown unfolded. */
const SHOWN = 8;

export function pastView(model: SearchModel): TemplateResult {
  const { value: history } = pastSearches;
  const [latest, earlier] = [history.slice(0, SHOWN), history.slice(SHOWN)];
  const forget = (): void => {
    forgetHistory();
    announce(t('The history is forgotten'));
    document.getElementById('history')?.focus();
  };
  return html`<section class="past" aria-labelledby="history"><h2 id="history" tabindex="-1">${t('History')}</h2>
    ${
      history.length === 0
        ? html`<p class="state empty">${t('The searches that you run are listed here.')}</p>`
        : html`<p class="aside">${t(
            'Kept in this browser: the last {n} searches with their numbers, without answers.',
            { n: MAX_SEARCHES },
          )} ${t('A query may name a patient.')} <button type="button" class="quiet" @click=${forget}>${t(
            'Forget',
          )}</button></p>
          ${listView(model, latest)}${
            earlier.length > 0
              ? html`<details class="folded"><summary>${t('{n} earlier search|{n} earlier searches', {
                  n: earlier.length,
                })}</summary>
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
    announce(t('The query is put back. It has not run'));
  };
  return html`<li><button type="button" class="record" @click=${putBack}><code>${clipped(query)}</code></button>
    <span class="numbers"><span>${t(PLACES[where])}</span> <span><span class="status"
      data-ok=${status === 200}>${status || t('failed')}</span></span> <span>${foundText(past)}</span>
      <span>${milliseconds(ms)}</span>
      <span>${rowsRead === undefined ? nothing : t('{n} row|{n} rows', { n: rowsRead })}</span>
      <span class="aside">${localTime(new Date(at))}</span></span></li>`;
}

function foundText({ matches, total }: PastSearch): string {
  if (matches === undefined) return total === undefined ? '' : t('counts {count}', { count: total });
  return total === undefined || total === matches
    ? t('{n} match|{n} matches', { n: matches })
    : t('{found} of {n} match|{found} of {n} matches', { found: matches, n: total });
}

/** Returns a time in the zone of the device: today's without the date, others with it. */
function localTime(at: Date): string {
  if (Number.isNaN(at.getTime())) return '';
  if (at.toDateString() === new Date().toDateString()) {
    return new Intl.DateTimeFormat(words().locale, { timeStyle: 'short' }).format(at);
  }
  return clockDate(words(), new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString());
}
