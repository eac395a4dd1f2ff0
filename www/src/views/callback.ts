//! Back from the authorization server. The code leaves the address bar before anything else happens.

import { html, nothing } from 'lit-html';
import { failed, waiting } from '../parts/notice.ts';
import { chartAt, goTo, startOf } from '../routes.ts';
import { land, type Landed } from '../smart/launch.ts';
import { session as signedIn } from '../smart/session.ts';
import type { Open } from '../view.ts';
import { AGAIN } from './signedout.ts';

export const callback: Open = (_route, redraw) => {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  let landed: Landed | undefined;
  let left = false;
  const open = (patient: string | undefined): void => {
    if (!left) goTo(startOf(patient), { replace: true });
  };
  let problem: string | undefined;
  if (![...query].length) {
    // A reload: the answer was used, or is lost.
    if (signedIn.value) setTimeout(() => open(signedIn.value?.patient), 0);
    else
      problem =
        'The sign-in was interrupted: this page was reloaded or opened without the server’s answer, and each answer is good for one use. Nothing was lost; launch again.';
  } else {
    land(query).then(
      (result) => {
        landed = result;
        redraw();
        const { session } = result;
        if (session) setTimeout(() => open(session.patient), 900);
      },
      (error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
        redraw();
      },
    );
  }
  return {
    title: 'Signing in',
    leave: () => {
      left = true;
    },
    body: () => html`<h1 tabindex="-1">${
      landed?.error || problem ? 'Not signed in' : landed ? 'Signed in' : 'Signing in'
    }</h1>
      ${
        problem
          ? failed(undefined, problem)
          : landed
            ? html`
        <ol class="steps" role="list">${landed.steps.map(
          ({ says, ok }) =>
            html`<li data-ok=${ok}><span class="mark" aria-hidden="true">${ok ? '✓' : '✗'}</span><span><span
              class="visually-hidden">${ok ? 'Passed: ' : 'Failed: '}</span>${says}</span></li>`,
        )}</ol>
        ${
          landed.error
            ? html`<div class="state failed" role="alert"><span class="mark" aria-hidden="true">!</span>
              <div><strong><code>${landed.error.code}</code></strong><p>${landed.error.says}</p>
                <p>${landed.error.next}</p></div></div>`
            : nothing
        }
        ${
          landed.session
            ? html`<p class="actions"><a class="button primary" href=${startOf(landed.session.patient)}>Open the
              chart</a> <a class="button" href="/#/session">Look at the session</a></p>`
            : nothing
        }`
            : waiting('the tokens')
      }
      ${
        problem || landed?.error
          ? html`<p class="actions"><a class="button primary" href=${AGAIN[landed?.launch ?? 'patient']}>Launch
            again</a> <a class="button" href=${chartAt('sample', 'amara-okafor')}>Offline sample</a></p>`
          : nothing
      }`,
  };
};
