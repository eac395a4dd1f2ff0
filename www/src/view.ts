//! A page of the app: a title, and a body that is drawn again whenever a signal changes that it read.

import type { TemplateResult } from 'lit-html';
import type { Route } from './routes.ts';

export interface View {
  readonly title: string;
  /** The language of the title, where it is not that of the page. */
  readonly titleLanguage?: 'en';
  /**
   * True where every text is made while the page is drawn. It is not opened anew for another language then, and keeps
   * what was typed and what came of it.
   */
  readonly isTranslatedInPlace?: boolean;
  body(): TemplateResult;
  /** Called when another page is opened. */
  leave?(): void;
}

export type OpenView = (route: Route) => View;
