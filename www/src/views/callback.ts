//! Back from the authorization server. The code leaves the address bar before anything else happens.

import { html, nothing } from 'lit-html';
import { failed, waiting } from '../parts/notice';
import { goTo } from '../routes';
import { land, type Landed } from '../smart/launch';
import type { Open } from '../view';

export const callback: Open = (_route, redraw) => {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  let landed: Landed | undefined;
  let problem: string | undefined;
  if (![...query].length) problem = 'There is no answer in this address. Each answer is used once.';
  else {
    land(query).then((result) => {
      landed = result;
      redraw();
      const { session } = result;
      if (session) setTimeout(() => goTo(session.patient ? `/chart/${session.patient}` : '/patients'), 900);
    }, (error: unknown) => {
      problem = error instanceof Error ? error.message : String(error);
      redraw();
    });
  }
  return {
    title: 'Signing in',
    body: () => html`<h1 tabindex="-1">${landed?.error ? 'Not signed in' : landed ? 'Signed in' : 'Signing in'}</h1>
      ${problem ? failed(undefined, problem) : landed ? html`
        <ol class="steps" role="list">${landed.steps.map(({ says, ok }) => html`<li data-ok=${ok}><span class="mark" aria-hidden="true">${ok ? '✓' : '✗'}</span><span><span class="visually-hidden">${ok ? 'Passed: ' : 'Failed: '}</span>${says}</span></li>`)}</ol>
        ${landed.error ? html`<div class="state failed" role="alert"><span class="mark" aria-hidden="true">!</span><div><strong><code>${landed.error.code}</code></strong><p>${landed.error.says}</p><p>${landed.error.next}</p></div></div>` : nothing}
        ${landed.session ? html`<p class="actions"><a class="button primary" href=${landed.session.patient ? `/#/chart/${landed.session.patient}` : '/#/patients'}>Open the chart</a> <a class="button" href="/#/session">Look at the session</a></p>` : nothing}` : waiting('the tokens')}
      ${problem || landed?.error ? html`<p class="actions"><a class="button" href="/#/launch/patient">Launch again</a> <a class="button" href="/#/chart/amara-okafor">Offline sample</a></p>` : nothing}`,
  };
};
