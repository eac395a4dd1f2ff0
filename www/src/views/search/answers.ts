//! The answers of two runs side by side, with their difference and one of them in full.

import { html, nothing, type TemplateResult } from 'lit-html';
import { block, copyButton } from '../../parts/copy.ts';
import { fieldValue } from '../../parts/form.ts';
import { failed } from '../../parts/notice.ts';
import { pretty } from '../../parts/requests.ts';
import { countsOnly, idsOf } from '../../search/compare.ts';
import { differenceLists, differenceView } from './difference.ts';
import type { SearchModel, Side } from './model.ts';
import { type Run, runNames, runTitle } from './run.ts';

export const answersView = (model: SearchModel): TemplateResult =>
  html`<section aria-labelledby="results"><h2 id="results">Answers</h2>
    ${model.problem ? failed(undefined, model.problem) : nothing}
    ${differenceView(model)}
    <div class="sides">${sideView(model, 'first')}${sideView(model, 'second')}</div>
    ${differenceLists(model)}
    ${fullAnswer(model)}</section>`;

function sideView(model: SearchModel, side: Side): TemplateResult {
  const run = model.shown[side];
  const choice = model.runs.length > 1 ? choiceView(model, side) : nothing;
  if (!run) {
    const title = side === 'first' ? 'No answer yet' : 'To compare with';
    return html`<div class="side"><h3>${title}</h3><p class="state empty">${emptyText(model, side)}</p>${choice}</div>`;
  }
  const { status, where } = run.exchange;
  return html`<div class="side"><h3>${where === 'edge' ? 'The edge' : 'This browser'} <span class="status"
    data-ok=${status === 200}>${status || 'failed'}</span></h3>
    ${run.query === model.text.trim() ? nothing : html`<p class="other-query"><code>${run.query}</code></p>`}
    ${status === 200 ? facts(run) : failed(run.exchange)}${choice}</div>`;
}

function emptyText({ runs, records }: SearchModel, side: Side): string {
  const isOfFiles = records === 'files';
  if (side === 'first') return isOfFiles ? 'Run the query.' : 'Run the query, here or at the edge.';
  if (runs.length > 1) return isOfFiles ? 'Choose another run.' : 'Choose another run, or run both.';
  return 'Nothing else was run.';
}

function choiceView(model: SearchModel, side: Side): TemplateResult {
  const { [side]: shown } = model.shown;
  const choose = (event: Event): void => model.choose(side, Number(fieldValue(event)));
  return html`<p class="field choice"><label for=${`run-${side}`}>${
    side === 'first' ? 'First run' : 'Second run'
  }</label><select id=${`run-${side}`} @change=${choose}>
    <option value="" .selected=${!shown}>Choose…</option>
    ${model.runs.map((run) => html`<option value=${run.number} .selected=${run === shown}>${runTitle(run)}</option>`)}
  </select></p>`;
}

const fact = (label: string, value: unknown): TemplateResult => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function facts({ query, exchange }: Run): TemplateResult {
  const { matches, included, total } = idsOf(exchange.body);
  return html`<dl class="facts tight">
    ${
      countsOnly(query)
        ? fact('Count', total ?? 'not said')
        : fact('Matches', `${matches.length}${total === undefined ? '' : ` of ${total}`}`)
    }${included.length ? fact('Included', included.length) : nothing}</dl>`;
}

function fullAnswer(model: SearchModel): TemplateResult | typeof nothing {
  const { first, second } = model.shown;
  const run = model.full === 'second' ? second : (first ?? second);
  if (!run) return nothing;
  const both: [Run, Run] | undefined = first && second && [first, second];
  return html`<p class="actions">${both ? otherButton(model, both) : nothing}
    ${copyButton(() => pretty(run.exchange), 'answer')}</p>${block(pretty(run.exchange), 'The answer')}`;
}

function otherButton(model: SearchModel, both: [Run, Run]): TemplateResult {
  const [first, second] = runNames(both);
  return html`<button type="button" class="quiet" @click=${() => model.showOther()}>Show the answer of ${
    model.full === 'first' ? second : first
  }</button>`;
}
