//! The page to which the authorization server redirects. It first removes the code from the address bar.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { errorText } from '../error-text.ts';
import { sentences, t } from '../language/message.ts';
import { failed, waiting } from '../parts/notice.ts';
import { ACCESS_URL, chartUrl, navigate, sessionStartUrl } from '../routes.ts';
import { finishLaunch, type LaunchError, type LaunchResult, type LaunchStep, lastRefusal } from '../smart/launch.ts';
import { signOutUrl } from '../smart/server-pages.ts';
import { type LaunchKind, type Session, session } from '../smart/session.ts';
import { takePage } from '../smart/wanted-page.ts';
import type { OpenView } from '../view.ts';
import { launchUrl } from './signed-out.ts';

/** The time to read the steps before the chart opens, in milliseconds. */
const READING = 900;

const interrupted = (): string =>
  sentences([
    'The sign-in was interrupted: this page was reloaded, or opened without the server’s answer.',
    'Each answer is good for one use. Nothing was lost; sign in again.',
  ]);

export const callback: OpenView = () => {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const result = signal<LaunchResult | undefined>(undefined);
  const problem = signal<(() => string) | undefined>(undefined);
  let left = false;
  const openChart = ({ patient }: Session): void => {
    if (!left) navigate(takePage() ?? sessionStartUrl(patient), { replace: true });
  };
  const finish = async (): Promise<void> => {
    try {
      const finished = await finishLaunch(query);
      const { session: started } = finished;
      result.value = finished;
      if (started) setTimeout(() => openChart(started), READING);
    } catch (error) {
      problem.value = () => errorText(error);
    }
  };
  const current = session.value;
  if (query.size > 0) void finish();
  // Without a query the page was reloaded: the answer was used, or is lost.
  else if (current) setTimeout(() => openChart(session.value ?? current), 0);
  else {
    const refusal = lastRefusal();
    if (refusal) result.value = refusal;
    else problem.value = interrupted;
  }
  return {
    get title() {
      return t('Signing in');
    },
    // The answer can be used only once, so a new view could not show it.
    isTranslatedInPlace: true,
    leave: () => {
      left = true;
    },
    body: () => {
      const [launched, says] = [result.value, problem.value];
      const error = launched?.error;
      const heading = error?.what
        ? error.what()
        : error || says
          ? t('Not signed in')
          : launched
            ? t('Signed in')
            : t('Signing in');
      return html`<h1 tabindex="-1">${heading}</h1>
        ${
          says
            ? html`${failed(undefined, says())}${waysOn(undefined)}`
            : launched
              ? resultView(launched)
              : waiting(t('the tokens'))
        }`;
    },
  };
};

/** Draws what happened, then what to do, and then the checks of the answer. */
const resultView = ({ steps, error, launch, session: started }: LaunchResult): TemplateResult =>
  error
    ? html`${errorView(error)}${error.isDeclined ? stillSignedIn() : nothing}${waysOn(launch)}
      ${
        error.isDeclined
          ? nothing
          : html`<section aria-labelledby="checked"><h2 id="checked">${t('How the answer was checked')}</h2>${stepList(
              steps,
            )}</section>`
      }`
    : html`${stepList(steps)}${
        started
          ? html`<p class="actions"><a class="button primary" href=${sessionStartUrl(started.patient)}>${t(
              'Open the chart',
            )}</a> <a class="button" href=${ACCESS_URL}>${t('Your access')}</a></p>`
          : nothing
      }`;

const stepList = (steps: LaunchStep[]): TemplateResult =>
  html`<ol class="steps" role="list">${steps.map(stepView)}</ol>`;

const stepView = ({ says, ok }: LaunchStep): TemplateResult =>
  html`<li data-ok=${ok}><span class="mark" aria-hidden="true">${ok ? '✓' : '✗'}</span><span><span
    class="visually-hidden">${ok ? t('Passed:') : t('Failed:')} </span>${says()}</span></li>`;

/** Draws an error with its code. If the heading names the error, the plain words come before the code. */
const errorView = ({ what, code, says, next }: LaunchError): TemplateResult =>
  what
    ? html`<p class="lead" role="alert">${says()} ${next()}</p>
      <p class="aside">${t('In technical terms:')} <code>${code()}</code></p>`
    : html`<div class="state failed" role="alert"><span class="mark" aria-hidden="true">!</span><div><strong><code
    >${code()}</code></strong><p>${says()}</p><p>${next()}</p></div></div>`;

/** Tells a user who declined that they are still signed in at the server, with a link to sign out there. */
function stillSignedIn(): TemplateResult | typeof nothing {
  const url = signOutUrl();
  return url
    ? html`<p>${t('At the server you are still signed in.')} <a href=${url}>${t('Sign out there')}</a></p>`
    : nothing;
}

/** Draws the links after a sign-in that started no session: to the existing session, if any, and to a new launch. */
function waysOn(launch: LaunchKind | undefined): TemplateResult {
  const now = session.value;
  const again = html`<a class=${now ? 'button' : 'button primary'} href=${launchUrl(launch)}>${t('Sign in again')}</a>`;
  return html`<p class="actions">${
    now
      ? html`<a class="button primary" href=${sessionStartUrl(now.patient)}>${t('Open the chart')}</a> ${again}`
      : html`${again} <a class="button" href=${chartUrl('sample', 'amara-okafor')}>${t('Offline sample')}</a>`
  }</p>`;
}
