//! A view of the app: a title, and a body that is drawn again whenever a signal changes that it has read.

import { html, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { type PlainMessage, t } from './language/message.ts';
import type { Route } from './routes.ts';

export interface View {
  readonly title: string;
  /**
   * True if every text is translated while the view is drawn. A change of the language then draws the view again
   * without opening it anew, so that input and results stay.
   */
  readonly isTranslatedInPlace?: boolean;
  body(): TemplateResult;
  /** Called when another view is opened. */
  leave?(): void;
}

export type OpenView = (route: Route) => View;

/** Returns a view whose heading is its title. */
export const headed = (
  title: PlainMessage,
  content: () => unknown,
  more: Pick<View, 'isTranslatedInPlace' | 'leave'> = {},
): View => ({
  get title() {
    return t(title);
  },
  // Another view has another element, which gets the focus.
  body: () => html`${keyed(title, html`<h1 tabindex="-1">${t(title)}</h1>`)}${content()}`,
  ...more,
});
