//! A server that does not answer. The chart shows one error and one button instead of one for each section.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import { empty, failed, retryButton } from '../../parts/notice.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';

/** Returns whether a search failed because the server did not answer, or answered with a status of 500 or more. */
export const isUnanswered = (state: SearchState): boolean =>
  state.is === 'failed' &&
  state.exchange?.where === 'edge' &&
  (state.exchange.status === 0 || state.exchange.status >= 500);

/** Returns the searches of a chart that the server did not answer. */
export const unanswered = (store: Pick<ChartStore, 'answers'>): string[] =>
  [...store.answers].filter(([, state]) => isUnanswered(state)).map(([query]) => query);

/** Returns whether the server has answered none of the requests for a chart so far. */
export function isServerDown(store: Pick<ChartStore, 'answers'>): boolean {
  const asked = [...store.answers.values()].filter(({ is }) => is === 'loaded' || is === 'failed');
  return asked.length > 0 && asked.every(isUnanswered);
}

/** Draws the button that repeats all searches without an answer. */
export function tryAgain(store: ChartStore): TemplateResult {
  const retry = (): void => {
    for (const query of unanswered(store)) store.retry(query);
  };
  return html`<p class="actions">${retryButton(retry)}</p>`;
}

/** Draws the notice of a chart with searches that the server did not answer. */
export function outageNotice(store: ChartStore): TemplateResult | typeof nothing {
  const first = [...store.answers.values()].find(isUnanswered);
  if (first?.is !== 'failed') return nothing;
  return html`<div class="outage">${failed(first.exchange)}
    <p>${t('What could not be loaded is marked in its place. Nothing is said of what it holds.')}</p>
    ${tryAgain(store)}</div>`;
}

/** Draws the words in a section whose error the notice above already reports. */
export const notLoaded = (): TemplateResult => empty(t('Not loaded, since the server did not answer: see above.'));
