//! `launch.html?iss&launch`: an EHR starts this app. Only our own server may: no crafted link makes us talk to another.

import { html } from 'lit-html';
import { failed, waiting } from '../parts/notice.ts';
import { BASE, isOurs } from '../smart/server.ts';
import { go, prepare } from '../smart/launch.ts';
import { usual } from '../smart/wishes.ts';
import type { Open } from '../view.ts';

export const launched: Open = (_route, redraw) => {
  const query = new URLSearchParams(location.search);
  const iss = query.get('iss');
  const token = query.get('launch');
  let problem: string | undefined;
  if (!iss || !token)
    problem = 'An EHR launch needs iss and launch in the address. To see one, start it in the simulator.';
  else if (!isOurs(iss))
    problem = `This app is registered with ${BASE} alone, and the launch came from ${iss}. Nothing was sent there.`;
  else {
    prepare({ scope: usual('ehr').join(' '), launch: 'ehr', launchToken: token }).then(go, (error: unknown) => {
      problem = error instanceof Error ? error.message : String(error);
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
