//! The layout of the pages for developers: a list, an explanation, and code beside it. On a narrower page the list is
//! folded above them; on a phone the code comes after the head of the explanation.

import { html, nothing, type TemplateResult } from 'lit-html';

/** A page without the list beside it. */
export interface Page {
  /** The explanation, as far as it stands before the code on a narrow page. */
  head: TemplateResult;
  code?: { title: string; content: TemplateResult };
  rest: TemplateResult;
}

/** Returns whether the list is beside the explanation, by the rule of `developers.css`. It is then open at first. */
export const isWide = (): boolean => matchMedia('(min-width: 1181px)').matches;

export const panes = (list: TemplateResult, { head, code, rest }: Page): TemplateResult =>
  html`<div class="panes" data-code=${code !== undefined}>${list}<div class="pane-head">${head}</div>${
    code
      ? html`<section class="pane-code" aria-labelledby="try"><h2 id="try">${code.title}</h2>${code.content}</section>`
      : nothing
  }<div class="pane-rest">${rest}</div></div>`;
