//! The launch at the other server of this tab, by its EHR or by a user who signs in.

import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { attempt } from '../../error-text.ts';
import { rich, t } from '../../language/message.ts';
import { focusOnceDrawn, keepFocus } from '../../parts/focus.ts';
import { failed, retryButton, waiting } from '../../parts/notice.ts';
import { OTHER_PAGE } from '../../routes.ts';
import { onceDrawn } from '../../scheduling.ts';
import { beginLaunch } from '../../smart/launch.ts';
import { scopesOfLaunch } from '../../smart/scopes.ts';
import type { Registration } from '../../smart/servers.ts';
import type { LaunchKind } from '../../smart/session.ts';
import { headed, type View } from '../../view.ts';

/** Begins a launch at once. Meanwhile the page shows the full address of the server. */
export function startLaunch({ base, scopes }: Registration, as: { launch: LaunchKind; launchToken?: string }): View {
  const problem = signal<string | undefined>(undefined);
  const request = { ...as, scope: scopesOfLaunch(scopes, as.launch) };
  const begin = (): Promise<void> => attempt(problem, () => beginLaunch(request));
  const retry = async (): Promise<void> => {
    const begun = begin();
    onceDrawn(keepFocus);
    await begun;
    if (problem.value) focusOnceDrawn('main .retry');
  };
  void begin();
  return headed(
    'Launch at another server',
    () => html`<p class="lead">${rich('This app is launched at {base}.', {
      base: html`<code class="breakable">${base}</code>`,
    })}</p>
      ${
        problem.value
          ? html`${failed(undefined, problem.value)}<p class="actions">${retryButton(() => void retry())}
            <a class="button" href=${OTHER_PAGE}>${t('Choose a server')}</a></p>`
          : waiting(t('its sign-in'))
      }`,
  );
}
