//! `launch.html?iss&launch`: an EHR starts this app. A launch by our own server begins at once. A launch by another
//! server continues on the page for other servers, since this page cannot send requests to them.

import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { attempt } from '../error-text.ts';
import { t } from '../language/message.ts';
import { failed, waiting } from '../parts/notice.ts';
import { beginLaunch } from '../smart/launch.ts';
import { defaultScopes } from '../smart/scopes.ts';
import { isOurs, otherBase } from '../smart/server.ts';
import { headed, type OpenView } from '../view.ts';
import { otherUrl, refusedText } from './other/model.ts';

export const ehrLaunch: OpenView = () => {
  const query = new URLSearchParams(location.search);
  const iss = query.get('iss');
  const launchToken = query.get('launch');
  const problem = signal<string | undefined>(undefined);
  if (iss && !isOurs(iss)) {
    if (otherBase(iss)) location.replace(otherUrl(iss, launchToken));
    else problem.value = refusedText(iss);
  } else if (!iss || !launchToken) {
    problem.value = t('An EHR launch needs iss and launch in the address. To see one, start it in the simulator.');
  } else {
    const scope = defaultScopes('ehr').join(' ');
    void attempt(problem, () => beginLaunch({ scope, launch: 'ehr', launchToken }));
  }
  return headed('EHR launch', () =>
    problem.value
      ? html`${failed(undefined, problem.value)}<p class="actions"><a class="button" href="/#/ehr">${t(
          'Open the simulator',
        )}</a></p>`
      : waiting(t('the sign-in of the server that launched this app')),
  );
};
