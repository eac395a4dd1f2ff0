//! The page after a session has ended: it says why the session ended, and leads to a new one. It shows no records.

import { html, nothing, type TemplateResult } from 'lit-html';
import { sentences, t } from '../language/message.ts';
import { chartUrl, isOtherPage, OTHER_PAGE, SIGNED_OUT_URL, startUrl } from '../routes.ts';
import { appsUrl } from '../smart/server-pages.ts';
import { ended, type LaunchKind, type Session } from '../smart/session.ts';
import { rememberPage } from '../smart/wanted-page.ts';
import { headed, type OpenView } from '../view.ts';

/** The addresses to launch again at, by kind of launch. The EHR of another server cannot be opened from here. */
const LAUNCH_URLS: Record<LaunchKind, string> = isOtherPage
  ? { patient: startUrl('patient'), practitioner: startUrl('practitioner'), ehr: OTHER_PAGE }
  : { patient: '/#/launch/patient', practitioner: '/#/launch/practitioner', ehr: '/#/ehr' };

export const launchUrl = (launch: LaunchKind | undefined): string => LAUNCH_URLS[launch ?? 'patient'];

/** Returns the address to launch at again as this session, or the last one, was launched; by default as a patient. */
export const launchAgainUrl = (now?: Session): string => launchUrl((now ?? ended.value)?.launch);

/** Returns whether Back opened the page. After a log-out, Back leads to entries of the session that ended. */
const cameBack = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward');

export const signedOut: OpenView = (route) => {
  const isLost = Boolean(ended.value) || cameBack();
  if (route.source === 'session') {
    // The address names a patient, so it must not stay in the history after a sign-out.
    if (isLost) history.replaceState(history.state, '', SIGNED_OUT_URL);
    else rememberPage(location.hash);
  }
  const says = (): string =>
    sentences([
      'Nobody is signed in in this tab.',
      ...(route.source === 'session' && !isLost
        ? (['The records of this address are shown to the person who signs in.'] as const)
        : []),
    ]);
  return headed(
    'You are signed out',
    () => html`<p class="lead" role="status">${ended.value?.says() ?? says()}</p>
    <p class="actions"><a class="button primary" href=${launchAgainUrl()}>${t('Sign in again')}</a> <a class="button"
      href=${chartUrl('sample', 'amara-okafor')}>${t('Open the sample')}</a>${appsLink()}</p>`,
  );
};

/** Draws a link to the server's page about apps. The user may still be signed in at the server. */
export function appsLink(): TemplateResult | typeof nothing {
  const url = appsUrl();
  return url ? html` <a class="button" href=${url}>${t('What apps may do, at the server')}</a>` : nothing;
}
