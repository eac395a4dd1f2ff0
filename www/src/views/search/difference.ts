//! The difference between the two answers that are shown, by address.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t, words } from '../../language/message.ts';
import { folded } from '../../parts/folded.ts';
import { placeOf } from '../../search/compare.ts';
import type { Run, SearchModel } from './model.ts';

/** The most addresses that are shown of one list. */
const SHOWN = 60;

/** Says in a sentence how the answers differ. */
export function differenceView(model: SearchModel): TemplateResult | typeof nothing {
  const { value: comparison } = model.comparison;
  if (!comparison) return nothing;
  const { same, says, both } = comparison;
  return html`<div class="difference" data-same=${same} role="status"><p><span class="mark"
    aria-hidden="true">${same ? '=' : '≠'}</span> ${says} ${
      same && both.length > 0 ? t('Their texts are equal.') : nothing
    }</p></div>`;
}

/** Draws the addresses in only one answer, in both, and in both with different texts. */
export function differenceLists(model: SearchModel): TemplateResult | typeof nothing {
  const [comparison, shown] = [model.comparison.value, model.shown.value];
  if (!comparison || !shown.first || !shown.second) return nothing;
  const { onlyFirst, onlySecond, both, changed } = comparison;
  if (onlyFirst.length + onlySecond.length + both.length === 0) return nothing;
  const onlyIn = (run: Run): string => t('Only in the answer of {name}', { name: placeOf(run.exchange) });
  return html`<div class="lists">${addressList(onlyIn(shown.first), onlyFirst, true)}
    ${addressList(onlyIn(shown.second), onlySecond, true)}
    ${addressList(t('In both'), both, false)}
    ${addressList(t('Different texts'), changed, true)}</div>`;
}

function addressList(title: string, addresses: string[], open: boolean): TemplateResult | typeof nothing {
  if (addresses.length === 0) return nothing;
  const more = addresses.length - SHOWN;
  const list = html`<ul class="addresses" role="list">${addresses
    .slice(0, SHOWN)
    .map((one) => html`<li><code>${one}</code></li>`)}${
    more > 0 ? html`<li class="aside">${t('and {n} more', { n: more })}</li>` : nothing
  }</ul>`;
  return folded(`${title}: ${words().number(addresses.length)}`, list, open);
}
