//! The answers of two runs side by side, with their difference and one of them in full.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';
import { t, words } from '../../language/message.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { fact } from '../../parts/fact.ts';
import { empty, failed, problemNotice } from '../../parts/notice.ts';
import { pretty } from '../../parts/requests.ts';
import { countsOnly, idsOf, placeOf } from '../../search/compare.ts';
import { nextPageOf } from '../../search/found-text.ts';
import { differenceLists, differenceView } from './difference.ts';
import type { Run, SearchModel, Side } from './model.ts';

export const answersView = (model: SearchModel): TemplateResult =>
  html`<section aria-labelledby="results"><h2 id="results">${t('Answers')}</h2>
    ${problemNotice(model.problem.value)}
    ${differenceView(model)}
    <div class="sides">${sideView(model, 'first')}${sideView(model, 'second')}</div>
    ${differenceLists(model)}
    ${fullAnswer(model)}</section>`;

function sideView(model: SearchModel, side: Side): TemplateResult {
  const run = model.shown.value[side];
  if (!run) {
    const title = side === 'first' ? t('No answer yet') : t('To compare with');
    return html`<div class="side"><h3>${title}</h3>${empty(emptyText(model, side))}</div>`;
  }
  const { status } = run.exchange;
  return html`<div class="side"><h3>${capital(placeOf(run.exchange))} <span class="status"
    data-ok=${status === 200}>${status || t('failed')}</span></h3>
    ${run.query === model.text.value.trim() ? nothing : html`<p class="other-query"><code>${run.query}</code></p>`}
    ${status === 200 ? facts(run) : failed(run.exchange)}${nextButton(model, run)}</div>`;
}

/** Draws the button for the page that follows an answer; draws nothing if there is no such page. */
function nextButton(model: SearchModel, run: Run): TemplateResult | typeof nothing {
  if (nextPageOf(run.exchange.body) === undefined) return nothing;
  const isBusy = model.busy.value !== undefined;
  return html`<p class="actions"><button type="button" class="quiet" ?disabled=${isBusy} @click=${() =>
    model.runNext(run)}>${t('Next page')}</button></p>`;
}

function emptyText({ records }: SearchModel, side: Side): string {
  if (side === 'second') return t('Nothing else was run.');
  return records.value === 'files' ? t('Run the query.') : t('Run the query, on the server or in this browser.');
}

function facts({ query, exchange }: Run): TemplateResult {
  const { matches, included, total } = idsOf(exchange.body);
  const found = matches.length;
  const isPage = total === undefined && nextPageOf(exchange.body) !== undefined;
  const matched = isPage
    ? t('{n} on this page, more follow', { n: found })
    : total === undefined
      ? words().number(found)
      : t('{found} of {total}', { found, total });
  return html`<dl class="facts tight">
    ${
      countsOnly(query)
        ? fact(t('Count'), total === undefined ? t('not said') : words().number(total))
        : fact(t('Matches'), matched)
    }${included.length ? fact(t('Included'), words().number(included.length)) : nothing}</dl>`;
}

function fullAnswer(model: SearchModel): TemplateResult | typeof nothing {
  const { first, second } = model.shown.value;
  const run = model.full.value === 'second' ? second : (first ?? second);
  if (!run) return nothing;
  const both: [Run, Run] | undefined = first && second && [first, second];
  return html`<p class="actions">${both ? otherButton(model, both) : nothing}
    ${copyButton(() => pretty(run.exchange), t('answer'))}</p>${block(pretty(run.exchange), t('The answer'))}`;
}

function otherButton(model: SearchModel, both: [Run, Run]): TemplateResult {
  const other = both[model.full.value === 'first' ? 1 : 0];
  return html`<button type="button" class="quiet" @click=${() => model.showOther()}>${t('Show the answer of {name}', {
    name: placeOf(other.exchange),
  })}</button>`;
}
