//! The page after a session: nothing of it is shown any more, only why it ended, and the way to a new one.

import { html, nothing, type TemplateResult } from 'lit-html';
import { sentences, t } from '../language/message.ts';
import { chartUrl, isOtherPage, OTHER_PAGE, SIGNED_OUT_URL, startUrl } from '../routes.ts';
import { appsUrl } from '../smart/server-pages.ts';
import { ended, type LaunchKind, type Session } from '../smart/session.ts';
import { rememberPage } from '../smart/wanted-page.ts';
import type { OpenView, View } from '../view.ts';

/** The page to launch at again, by the kind of a launch. An EHR elsewhere is not opened from here. */
const LAUNCH_URLS: Record<LaunchKind, string> = isOtherPage
  ? { patient: startUrl('patient'), practitioner: startUrl('practitioner'), ehr: OTHER_PAGE }
  : { patient: '/#/launch/patient', practitioner: '/#/launch/practitioner', ehr: '/#/ehr' };

export const launchUrl = (launch: LaunchKind | undefined): string => LAUNCH_URLS[launch ?? 'patient'];

/** The page to launch at as a session was: this one, or the last; as a patient where there was none. */
export const launchAgainUrl = (now?: Session): string => launchUrl((now ?? ended.value)?.launch);

/** Returns whether the page was opened by Back: after a log-out that leads to entries that nobody asks for anew. */
const cameBack = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward');

export const signedOut: OpenView = (route) => {
  const isLost = Boolean(ended.value) || cameBack();
  const isOfRecords = route.source === 'session' && !isLost;
  if (route.source === 'session') {
    // After a sign-out nothing of the session is kept, neither here nor in the history, and an address names a patient.
    if (isLost) history.replaceState(history.state, '', SIGNED_OUT_URL);
    else rememberPage(location.hash);
  }
  return page(isOfRecords);
};

/** The way to the page of the server, where the person may still be signed in. */
export function appsLink(): TemplateResult | typeof nothing {
  const url = appsUrl();
  return url ? html` <a class="button" href=${url}>${t('What apps may do, at the server')}</a>` : nothing;
}

/** The page; `isOfRecords`: its address names records that are shown after a sign-in. */
const page = (isOfRecords: boolean): View => ({
  title: t('You are signed out'),
  body: () => html`<h1 tabindex="-1">${t('You are signed out')}</h1>
    <p class="lead" role="status">${
      ended.value?.says() ??
      sentences([
        'Nobody is signed in in this tab.',
        ...(isOfRecords ? (['The records of this address are shown to the person who signs in.'] as const) : []),
      ])
    }</p>
    <p class="actions"><a class="button primary" href=${launchAgainUrl()}>${t('Sign in again')}</a> <a class="button"
      href=${chartUrl('sample', 'amara-okafor')}>${t('Open the sample')}</a>${appsLink()}</p>`,
});
