//! The session page: the tokens with their checks, the scopes that were asked for and granted, and requests that the
//! server must refuse.

import { html, nothing, type TemplateResult } from 'lit-html';
import { rich, t } from '../../language/message.ts';
import { block } from '../../parts/copy.ts';
import { failed } from '../../parts/notice.ts';
import { exchangeView } from '../../parts/requests.ts';
import { sessionStartUrl } from '../../routes.ts';
import { logOut } from '../../smart/log-out.ts';
import { BASE } from '../../smart/server.ts';
import { type Session, session } from '../../smart/session.ts';
import type { OpenView } from '../../view.ts';
import { probesFor, SessionModel } from './model.ts';
import { scopeTable } from './scopes.ts';
import { tokenView } from './tokens.ts';

export const sessionView: OpenView = (_route, redraw) => {
  const model = new SessionModel(redraw);
  return {
    title: t('Session'),
    leave: () => model.stop(),
    body: () => html`<h1 tabindex="-1">${t('Session')}</h1>${session.value ? details(session.value, model) : nobody()}`,
  };
};

const nobody = (): TemplateResult =>
  html`<p class="lead">${t('Nobody is signed in.')} ${t(
    'After a launch, this page shows the tokens, checks each of them in this browser, and says what was granted.',
  )}</p>
    <p class="actions"><a class="button primary" href="/#/launch/patient">${t('Launch as a patient')}</a> <a
      class="button" href="/#/launch/practitioner">${t('Launch as a practitioner')}</a> <a class="button"
      href="/#/ehr">${t('EHR simulator')}</a></p>`;

const details = (now: Session, model: SessionModel): TemplateResult =>
  html`${facts(now)}
    <p class="actions"><button type="button" ?disabled=${!now.refreshToken}
        @click=${() => model.refresh()}>${t('Refresh')}</button>
      <button type="button" @click=${() => model.revoke(now)}>${t('Revoke the access token')}</button>
      <button type="button" @click=${() => logOut()}>${t('Log out')}</button></p>
    <p role="status" class="aside">${model.said}</p>
    ${
      now.refreshToken
        ? nothing
        : html`<p class="aside">${rich('There is no refresh token: {scope} was not granted.', {
            scope: html`<code>offline_access</code>`,
          })}</p>`
    }
    ${model.problem ? failed(undefined, model.problem) : nothing}
    <section aria-labelledby="granted"><h2 id="granted">${t('Scopes')}</h2>
    ${scopeTable(now, model.scopeLines)}</section>
    <div class="pair">${tokenView('access', now.accessToken, model.accessToken)}
    ${now.idToken ? tokenView('identity', now.idToken, model.identityToken) : nothing}</div>
    <section aria-labelledby="tamper"><h2 id="tamper">${t('Try to get more')}</h2>
      <p>${t('Each button asks the real server for what it must refuse.')}</p>
      <p class="actions">${probesFor(now).map(
        (probe) =>
          html`<button type="button" class="quiet" @click=${() => model.probe(probe)}>${t(probe.name)}</button>`,
      )}</p>
      ${model.probed ? exchangeView(model.probed, true) : nothing}</section>
    <section aria-labelledby="response"><h2 id="response">${t('Token response')}</h2>${block(
      JSON.stringify(shortened(now), null, 2),
      t('Token response as JSON'),
    )}
      <p class="aside">${rich(
        'To ask who holds a token, a resource server uses introspection, with a secret of its own: {command}.',
        { command: html`<code>curl -u introspector:$SECRET $ISSUER/oauth/introspect -d token=$TOKEN</code>` },
      )} ${t('An app in a browser has no secret.')}</p></section>`;

const LAUNCHES = {
  patient: 'standalone, as a patient',
  practitioner: 'standalone, as a practitioner',
  ehr: 'from the EHR',
} as const;

function facts(now: Session): TemplateResult {
  const { launch, patient, fhirUser, generation } = now;
  const refreshed = generation === 0 ? t('not yet') : t('{n} time|{n} times', { n: generation });
  return html`<dl class="facts">
    <div><dt>${t('Launched')}</dt><dd>${t(LAUNCHES[launch])}</dd></div>
    <div><dt>${t('Patient')}</dt><dd>${
      patient ? html`<a href=${sessionStartUrl(patient)}>${patient}</a>` : t('none in context')
    }</dd></div>
    <div><dt>${t('Who signed in')}</dt><dd>${fhirUser?.replace(`${BASE}/`, '') ?? t('not shared')}</dd></div>
    <div><dt>${t('Access token')}</dt><dd class="number">${timeLeft(now)}</dd></div>
    <div><dt>${t('Refreshed')}</dt><dd>${refreshed}</dd></div>
  </dl>`;
}

function timeLeft({ expiresAt }: Session): string {
  const seconds = Math.round((expiresAt - Date.now()) / 1000);
  if (seconds <= 0) return t('expired');
  return t('{time} left', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

/** The token response, with the tokens cut off. */
const shortened = ({ response, accessToken, refreshToken, idToken }: Session): Record<string, unknown> => ({
  ...response,
  access_token: `${accessToken.slice(0, 24)}…`,
  ...(refreshToken ? { refresh_token: `${refreshToken.slice(0, 6)}…` } : {}),
  ...(idToken ? { id_token: `${idToken.slice(0, 24)}…` } : {}),
});
