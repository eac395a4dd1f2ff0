//! The difference between the two answers that are shown: by address, and on demand line by line.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital, clipped } from '#reading/fhir/text.ts';
import { t, words } from '../../language/message.ts';
import type { DiffLine } from '../../search/lines.ts';
import type { SearchModel } from './model.ts';
import { runNames } from './run.ts';

/** The most addresses that are shown of one list. */
const SHOWN = 60;
/** The longest line that is shown, in characters. */
const MAX_LINE_LENGTH = 600;

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

/** Draws the addresses in only one answer and in both, and the resources in both whose texts differ. */
export function differenceLists(model: SearchModel): TemplateResult | typeof nothing {
  const [comparison, shown] = [model.comparison.value, model.shown.value];
  if (!comparison || !shown.first || !shown.second) return nothing;
  const { onlyFirst, onlySecond, both, changed } = comparison;
  if (onlyFirst.length + onlySecond.length + both.length === 0) return nothing;
  const names = runNames([shown.first, shown.second]);
  const onlyIn = (name: string): string => t('Only in the answer of {name}', { name });
  return html`<div class="lists">${addressList(onlyIn(names[0]), onlyFirst, true)}
    ${addressList(onlyIn(names[1]), onlySecond, true)}
    ${addressList(t('In both'), both, false)}${changedList(model, changed, names)}</div>`;
}

function addressList(title: string, addresses: string[], open: boolean): TemplateResult | typeof nothing {
  if (addresses.length === 0) return nothing;
  const more = addresses.length - SHOWN;
  return html`<details class="folded" ?open=${open}><summary>${title}: ${words().number(addresses.length)}</summary>
    <ul class="addresses" role="list">${addresses
      .slice(0, SHOWN)
      .map(
        (one) => html`<li><code>${one}</code></li>`,
      )}${more > 0 ? html`<li class="aside">${t('and {n} more', { n: more })}</li>` : nothing}</ul></details>`;
}

function changedList(model: SearchModel, changed: string[], names: [string, string]): TemplateResult | typeof nothing {
  if (changed.length === 0) return nothing;
  const more = changed.length - SHOWN;
  return html`<section class="changed" aria-labelledby="changed"><h3 id="changed">${t('Different texts: {n}', {
    n: changed.length,
  })}</h3>${changed.slice(0, SHOWN).map((address) => changedView(model, address, names))}${
    more > 0 ? html`<p class="aside">${t('and {n} more', { n: more })}</p>` : nothing
  }</section>`;
}

/** Draws a resource whose texts differ. Its lines are compared when it is unfolded. */
function changedView(model: SearchModel, address: string, names: [string, string]): TemplateResult {
  const lines = model.lines.value.get(address);
  const toggle = ({ target }: Event): void => {
    if (target instanceof HTMLDetailsElement && target.open) model.compareLines(address);
  };
  return html`<details class="changed-one" @toggle=${toggle}><summary><code>${address}</code></summary>${
    lines ? linesView(lines, address, names) : nothing
  }</details>`;
}

const linesView = (lines: DiffLine[], address: string, [first, second]: [string, string]): TemplateResult =>
  html`<p class="aside legend-line"><del>− ${capital(first)}</del> <ins>+ ${capital(second)}</ins></p>
    <pre class="code lines" tabindex="0" role="region" aria-label=${t('The different lines of {address}', {
      address,
    })}>${lines.map(lineView)}</pre>`;

function lineView(line: DiffLine): TemplateResult {
  if (line.of === 'gap')
    return html`<span class="gap">  … ${t('{n} equal line|{n} equal lines', { n: line.count })}\n</span>`;
  const text = clipped(line.text, MAX_LINE_LENGTH);
  if (line.of === 'first') return html`<del>− ${text}\n</del>`;
  if (line.of === 'second') return html`<ins>+ ${text}\n</ins>`;
  return html`<span>  ${text}\n</span>`;
}
