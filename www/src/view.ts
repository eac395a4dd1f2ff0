//! A view of the app: a title, and a body that is drawn again whenever a signal changes that it has read.

import type { TemplateResult } from 'lit-html';
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
