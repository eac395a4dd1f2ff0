//! The end of a session: nothing of it is shown any more, only why, and where to go from here.

import { html } from 'lit-html';
import { chartAt } from '../routes.ts';
import { ended, type Session } from '../smart/session.ts';
import type { Open } from '../view.ts';

/** The address to launch at again, by the kind of a launch. */
export const AGAIN = { patient: '/#/launch/patient', practitioner: '/#/launch/practitioner', ehr: '/#/ehr' };

/** The address to launch at as a session was: this one, or the last; as a patient where there was none. */
export const launchAgain = (now?: Session): string => AGAIN[(now ?? ended.value)?.launch ?? 'patient'];

export const signedOut: Open = () => ({
  title: 'You are signed out',
  body: () => html`<h1 tabindex="-1">You are signed out</h1>
    <p class="lead" role="status">${
      ended.value?.says ??
      'This address belongs to a session, and this tab has none. Its records are shown to who signs in.'
    }</p>
    <p class="actions"><a class="button primary" href=${launchAgain()}>Launch again</a>
      <a class="button" href=${chartAt('sample', 'amara-okafor')}>Open the sample</a></p>`,
});
