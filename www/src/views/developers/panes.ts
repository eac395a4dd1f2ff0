//! The layout of the pages for developers: a list, an explanation, and code beside it. On a narrow page the code comes
//! after the head of the explanation, and the list is folded.

import { html, nothing, type TemplateResult } from 'lit-html';

/** A page without the list beside it. */
export interface Page {
  /** The explanation, as far as it stands before the code on a narrow page. */
  head: TemplateResult;
  code?: { title: string; content: TemplateResult };
  rest: TemplateResult;
}

/** Returns whether the page is as wide as `developers.css` demands of a list that is open at first. */
export const isWide = (): boolean => matchMedia('(min-width: 901px)').matches;

export const panes = (list: TemplateResult, { head, code, rest }: Page): TemplateResult =>
  html`<div class="panes" data-code=${code !== undefined}>${list}<div class="pane-head">${head}</div>${
    code
      ? html`<section class="pane-code" aria-labelledby="try"><h2 id="try">${code.title}</h2>${code.content}</section>`
      : nothing
  }<div class="pane-rest">${rest}</div></div>`;
