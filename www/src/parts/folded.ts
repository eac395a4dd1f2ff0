import { html, type TemplateResult } from 'lit-html';

export const folded = (title: unknown, body: unknown, open = false): TemplateResult =>
  html`<details class="folded" ?open=${open}><summary>${title}</summary>${body}</details>`;

/** Draws a list that is folded away under what it has, beside the facts of a record. */
export const foldedList = (title: unknown, list: unknown): TemplateResult =>
  html`<details class="folded-list"><summary>${title}</summary>${list}</details>`;
