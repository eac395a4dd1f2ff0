//! The run over every example, as a table.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { t } from '../../language/message.ts';
import { milliseconds } from '../../parts/requests.ts';
import { type Comparison, idsOf, PLACES } from '../../search/compare.ts';
import { searchFragment } from '../../search/link.ts';
import type { SearchModel, SweepLine } from './model.ts';

export const sweepView = (model: SearchModel, sweep: readonly SweepLine[]): TemplateResult =>
  html`<section aria-labelledby="sweep"><h2 id="sweep">${t('Every row of the contract')}</h2>
    <p role="status">${summaryOf(model, sweep)}</p>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t('Every row of the contract')}><table
      class="plain sweep"><caption class="visually-hidden">${t('Each saved example with both answers')}</caption>
    <thead><tr><th scope="col">${t('Row')}</th><th scope="col">${t('Query')}</th><th scope="col"
      class="number">${capital(t(PLACES.local))}</th><th scope="col" class="number">${capital(t(PLACES.edge))}</th><th
      scope="col">${t('Difference')}</th></tr></thead>
    <tbody>${sweep.map(lineView)}</tbody></table></div></section>`;

function summaryOf({ busy, examples }: SearchModel, sweep: readonly SweepLine[]): string {
  const all = sweep.length;
  if (busy.value === 'all') return t('Running: {done} of {all}', { done: all, all: examples.value.length });
  if (sweep.some(({ edge }) => edge)) {
    const same = sweep.filter(({ comparison }) => comparison?.same).length;
    const different = sweep.filter(({ comparison }) => comparison?.same === false).length;
    return t('{same} of {all} the same on the server and in this browser, {different} different.', {
      same,
      all,
      different,
    });
  }
  const answered = sweep.filter(({ local }) => local.status === 200).length;
  const advice = t('Sign in, or take the sandbox’s backend token, to ask the server as well.');
  return `${t('{answered} of {all} answered in this browser.', { answered, all })} ${advice}`;
}

function lineView({ example: { row, query }, local, edge, comparison }: SweepLine): TemplateResult {
  return html`<tr><th scope="row" class="nowrap">${row}</th><td class="breakable"><a
    href=${`/#${searchFragment(query)}`}><code>${query}</code></a></td>
    <td class="number">${matchesOf(local)}<br><small>${milliseconds(local.ms)}</small></td><td class="number">${
      edge
        ? html`${matchesOf(edge)}<br><small>${milliseconds(edge.ms)}${
            edge.rowsRead === undefined ? '' : `, ${t('{n} row|{n} rows', { n: edge.rowsRead })}`
          }</small>`
        : nothing
    }</td>
    <td>${comparison ? differenceOf(comparison) : nothing}</td></tr>`;
}

const matchesOf = ({ status, body }: Exchange): number => (status === 200 ? idsOf(body).matches.length : status);

const differenceOf = ({ same, says, onlyFirst, onlySecond, changed }: Comparison): unknown =>
  same ? t('none#feminine') : html`<strong>${onlyFirst.length + onlySecond.length + changed.length || says}</strong>`;
