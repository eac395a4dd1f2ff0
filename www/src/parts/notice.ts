//! Notices in place of data: waiting, empty, not granted, failed.

import { html, nothing, type TemplateResult } from 'lit-html';
import { issuesOf } from '#reading/fhir/text.ts';
import { own } from '#reading/own.ts';
import type { Exchange } from '../http/exchange.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import { loadingMark } from './loading-mark.ts';

/** A notice that something is loading. `what` names the thing, with its article, in the language of the page. */
export const waiting = (what: string): TemplateResult =>
  html`<p class="state waiting" ${loadingMark()}><span class="pulse" aria-hidden="true"></span>${t('Loading {what}…', {
    what,
  })}</p>`;

export const empty = (says: string): TemplateResult => html`<p class="state empty">${says}</p>`;

/** Draws an aside, or nothing without one. */
export const aside = (says: unknown): TemplateResult | typeof nothing =>
  says ? html`<p class="aside">${says}</p>` : nothing;

/** A notice that something is left out. `why` has the reasons as sentences. */
export const incomplete = (why: readonly string[]): TemplateResult =>
  html`<div class="state incomplete"><span class="mark" aria-hidden="true">!</span><div>
    <strong>${t('Not everything that belongs here can be shown.')}</strong>
    ${why.map((says) => html`<p>${says}</p>`)}</div></div>`;

/** A notice that access was not granted, with the reason. If `wasAsked` is false, nobody declined it. */
export const notGranted = (why: string, wasAsked = true): TemplateResult =>
  html`<p class="state withheld"><span class="mark" aria-hidden="true">⊘</span><span><strong>${t(
    'Not granted.',
  )}</strong>
    ${
      wasAsked
        ? t('It was left out when access was given, so nothing was requested.')
        : t('This app did not ask for it, so nothing was requested.')
    } <span class="for-developers">${why}</span></span></p>`;

/** Says who answered, and with which status. The engine in this browser refuses with the status a server would use. */
function answered({ where, status }: Exchange): string {
  if (where === 'local') return t('This browser answered {status}.', { status });
  return status === 0 ? t('The server could not be reached.') : t('The server answered {status}.', { status });
}

/** The kinds of refusals by the code of the issue. */
const KINDS: Record<string, PlainMessage> = {
  structure: 'The request cannot be read.',
  value: 'A value of the request cannot be read.',
  required: 'The request lacks something that it needs.',
  'not-supported': 'The request asks for something that is not offered here.',
  'not-found': 'This does not exist, or the access that was given does not include it.',
  login: 'Nobody is signed in here, or the access was withdrawn.',
  expired: 'The access has expired. Please sign in again.',
  forbidden: 'The access that was given does not include this.',
  suppressed: 'Something was left out, since the access that was given does not include it.',
  'too-costly': 'This is too much to be answered at once.',
  throttled: 'There are too many requests. Please try again later.',
  transient: 'The records did not answer. Please try again later.',
  exception: 'The server has failed.',
  processing: 'Something could not be loaded.',
};

/** The kind of a refusal, for a page in another language: the texts of refusals are in English. */
const kindOf = (code = ''): TemplateResult | typeof nothing =>
  words().language === 'en' ? nothing : html`<p>${t(own(KINDS, code) ?? 'The request was refused.')}</p>`;

/** A notice that something failed, from its answer or from `says`. `heading` replaces the status of an answer. */
export function failed(exchange: Exchange | undefined, says?: string, heading?: string): TemplateResult {
  const issues = issuesOf(exchange?.body);
  const status = exchange ? (heading ?? answered(exchange)) : says;
  return html`<div class="state failed" role="alert"><span class="mark" aria-hidden="true">!</span><div>
    <strong>${status}</strong>
    ${issues.map(
      ({ code, details, diagnostics, expression }) =>
        html`${kindOf(code)}<p lang="en">${details?.text ?? diagnostics ?? ''}${
          expression?.length ? html` <code>${expression.join(', ')}</code>` : nothing
        }${details?.text && diagnostics ? html`<br><small>${diagnostics}</small>` : nothing}</p>`,
    )}
    ${exchange?.status === 0 ? html`<p>${exchange.text}</p>` : nothing}
  </div></div>`;
}

/** A notice of a problem in words. Draws nothing without one. */
export const problemNotice = (says: string | undefined): TemplateResult | typeof nothing =>
  says ? failed(undefined, says) : nothing;

/** A button that repeats what has failed. Its class `retry` is how other code finds and focuses it. */
export const retryButton = (retry: () => void): TemplateResult =>
  html`<button type="button" class="primary retry" @click=${retry}>${t('Try again')}</button>`;
