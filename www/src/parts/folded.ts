import { html, type TemplateResult } from 'lit-html';

/** Draws content that is folded away under a title. */
export const folded = (title: unknown, body: unknown, open = false): TemplateResult =>
  html`<details class="folded" ?open=${open}><summary>${title}</summary>${body}</details>`;
