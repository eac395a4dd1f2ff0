//! What a page of the app is: a title, and its body as often as it is drawn.

import type { TemplateResult } from 'lit-html';
import type { Route } from './routes.ts';

export interface View {
  title: string;
  body(): TemplateResult;
  leave?(): void;
}

export type Open = (route: Route, redraw: () => void) => View;
