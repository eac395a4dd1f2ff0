//! The parameters of a type or an operation: what each is for, and how it is written.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../../language/message.ts';
import { described } from './described.ts';
import type { Parameter } from './openapi.ts';

const PLACES = {
  query: 'query#a part of a request',
  path: 'path#a part of a request',
  header: 'header#a part of a request',
  body: 'body#a part of a request',
} as const;

const placeOf = (place: string): string => (place in PLACES ? t(PLACES[place as keyof typeof PLACES]) : place);

/** Splits a description into its first sentence, which says the purpose, and the rest. */
function parted(text: string): [purpose: string, rest: string] {
  const end = text.search(/\. (?=[A-Z`])/) + 1;
  return end > 0 ? [text.slice(0, end), text.slice(end + 1)] : [text, ''];
}

export function parameterList(parameters: readonly Parameter[]): TemplateResult {
  const hasPlaces = new Set(parameters.map(({ place }) => place)).size > 1;
  return html`<dl class="parameters">${parameters.map(({ name, required, place, kind, description, example }) => {
    const [purpose, rest] = parted(description);
    return html`<div><dt><code>${name}</code> ${kind ? html`<small><code>${kind}</code></small>` : nothing} ${
      hasPlaces ? html`<small>${placeOf(place)}</small>` : nothing
    } ${required ? html`<small>${t('required')}</small>` : nothing}</dt>
      <dd>${described(purpose)}${rest ? html`<p class="detail">${described(rest)}</p>` : nothing}${
        example === undefined ? nothing : html`<p class="detail"><code class="breakable">${example}</code></p>`
      }</dd></div>`;
  })}</dl>`;
}
