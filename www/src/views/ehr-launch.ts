//! `launch.html?iss&launch`: an EHR starts this app. Only our own server may: no crafted link makes the app talk to
//! another.

import { html } from 'lit-html';
import { failed, waiting } from '../parts/notice.ts';
import { prepareLaunch, redirectToServer } from '../smart/launch.ts';
import { defaultScopes } from '../smart/scopes.ts';
import { BASE, isOurs } from '../smart/server.ts';
import { errorText } from '../source/http.ts';
import type { OpenView } from '../view.ts';

export const ehrLaunch: OpenView = (_route, redraw) => {
  const query = new URLSearchParams(location.search);
  const iss = query.get('iss');
  const launchToken = query.get('launch');
  let problem: string | undefined;
  if (!iss || !launchToken) {
    problem = 'An EHR launch needs iss and launch in the address. To see one, start it in the simulator.';
  } else if (!isOurs(iss)) {
    problem = `This app is registered with ${BASE} alone, and the launch came from ${iss}. Nothing was sent there.`;
  } else {
    const scope = defaultScopes('ehr').join(' ');
    prepareLaunch({ scope, launch: 'ehr', launchToken }).then(redirectToServer, (error: unknown) => {
      problem = errorText(error);
      redraw();
    });
  }
  return {
    title: 'EHR launch',
    body: () => html`<h1 tabindex="-1">EHR launch</h1>
      ${
        problem
          ? html`${failed(undefined, problem)}<p class="actions"><a class="button" href="/#/ehr">Open the
            simulator</a></p>`
          : waiting('the sign-in of the server that launched this app')
      }`,
  };
};
