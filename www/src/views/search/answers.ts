//! The answers to a query, side by side, with their difference and one of them in full.

import { html, nothing, type TemplateResult } from 'lit-html';
import { plural } from '../../fhir/text.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { failed } from '../../parts/notice.ts';
import { milliseconds, pretty, size } from '../../parts/requests.ts';
import { compareAnswers, countsOnly, idsOf, median } from '../../search/compare.ts';
import type { Exchange } from '../../source/source.ts';
import type { Run, SearchModel } from './model.ts';

export function answersView(model: SearchModel): TemplateResult {
  const { edge, local } = model.runs;
  return html`<section aria-labelledby="results"><h2 id="results">Answers</h2>
    ${model.problem ? failed(undefined, model.problem) : nothing}
    ${edge && local ? differenceView(model.ranQuery, edge.first, local.first) : nothing}
    <div class="sides">${sideView('This browser', local)}${sideView('The edge', edge)}</div>
    ${fullAnswer(model)}</section>`;
}

function differenceView(query: string, edge: Exchange, local: Exchange): TemplateResult {
  const { same, says, onlyEdge, onlyLocal } = compareAnswers(query, edge, local);
  return html`<div class="difference" data-same=${same} role="status"><p><span class="mark"
    aria-hidden="true">${same ? '=' : '≠'}</span>
    ${says}</p>${idList('Only at the edge', onlyEdge)}${idList('Only here', onlyLocal)}</div>`;
}

const idList = (title: string, ids: string[]): TemplateResult | typeof nothing =>
  ids.length ? html`<p><strong>${title}:</strong> ${ids.join(', ')}</p>` : nothing;

function sideView(title: string, run: Run | undefined): TemplateResult {
  if (!run) return html`<div class="side"><h3>${title}</h3><p class="state empty">Not run.</p></div>`;
  const { status } = run.first;
  return html`<div class="side"><h3>${title} <span class="status" data-ok=${status === 200}>${
    status || 'failed'
  }</span></h3>
    ${status === 200 ? facts(run) : failed(run.first)}</div>`;
}

const fact = (label: string, value: unknown): TemplateResult => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function facts({ first, times }: Run): TemplateResult {
  const { matches, included, total } = idsOf(first.body);
  const { bytes, rowsRead, trips } = first;
  return html`<dl class="facts tight">
    ${
      countsOnly(first.url)
        ? fact('Count', total ?? 'not said')
        : fact('Matches', `${matches.length}${total === undefined ? '' : ` of ${total}`}`)
    }${included.length ? fact('Included', included.length) : nothing}
    ${fact(times.length > 1 ? `Median of ${times.length}` : 'Time', milliseconds(median(times)))}${
      times.length > 1 ? fact('First', milliseconds(times[0] ?? 0)) : nothing
    }
    ${fact('Size', size(bytes))}${
      rowsRead === undefined
        ? nothing
        : fact('Rows read', `${rowsRead}${trips === undefined ? '' : ` in ${plural(trips, 'trip')}`}`)
    }</dl>`;
}

function fullAnswer(model: SearchModel): TemplateResult | typeof nothing {
  const { edge, local } = model.runs;
  const shown = model.shown === 'edge' ? edge : (local ?? edge);
  if (!shown) return nothing;
  const other = model.shown === 'edge' ? 'this browser' : 'the edge';
  return html`<p class="actions">${
    edge && local
      ? html`<button type="button" class="quiet" @click=${() => model.showOther()}>Show the answer of ${other}</button>`
      : nothing
  }
    ${copyButton(() => pretty(shown.first), 'answer')}</p>${block(pretty(shown.first), 'The answer')}`;
}
