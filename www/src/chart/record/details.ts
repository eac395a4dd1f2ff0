//! The elements of a record, labelled by its type, for the drawer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type ElementLine, elementTree } from '#reading/fhir/element-tree.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { t, words } from '../../language/message.ts';

const lineView = ({ label, values, groups }: ElementLine): TemplateResult =>
  html`<div class=${groups.length > 0 ? 'nested' : nothing}><dt>${label}</dt><dd>${values.map(
    (value) => html`<p>${value}</p>`,
  )}${groups.map((group) => html`<dl class="elements inner">${group.map(lineView)}</dl>`)}</dd></div>`;

/** Draws a record element by element. Draws nothing if it has no elements to show. */
export function detailsView(resource: Resource): TemplateResult | typeof nothing {
  const { lines, isCut } = elementTree(words(), resource);
  if (lines.length === 0 && !isCut) return nothing;
  return html`<h3>${t('Details')}</h3><dl class="elements">${lines.map(lineView)}</dl>${
    isCut ? html`<p class="aside">${t('It has more than is listed here. The JSON has all of it.')}</p>` : nothing
  }`;
}
