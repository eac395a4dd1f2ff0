//! A page of the app: a title, and a body that is drawn as often as something changes.

import type { TemplateResult } from 'lit-html';
import type { Route } from './routes.ts';

export interface View {
  title: string;
  body(): TemplateResult;
  /** Called when another page is opened. */
  leave?(): void;
}

export type OpenView = (route: Route, redraw: () => void) => View;
