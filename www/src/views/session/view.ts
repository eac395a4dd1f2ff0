//! The session page: the tokens with their checks, the scopes that were asked for and granted, and requests that the
//! server must refuse.

import { html, nothing, type TemplateResult } from 'lit-html';
import { rich, t } from '../../language/message.ts';
import { block } from '../../parts/copy.ts';
import { fact } from '../../parts/fact.ts';
import { aside, problemNotice } from '../../parts/notice.ts';
import { exchangeView } from '../../parts/requests.ts';
import { sessionStartUrl } from '../../routes.ts';
import { logOut } from '../../smart/log-out.ts';
import { BASE } from '../../smart/server.ts';
import { type Session, session } from '../../smart/session.ts';
import { headed, type OpenView } from '../../view.ts';
import { probesFor, SessionModel } from './model.ts';
import { scopeTable } from './scopes.ts';
import { tokenView } from './tokens.ts';

export const sessionView: OpenView = () => {
  const model = new SessionModel();
  return headed('Session', () => (session.value ? details(session.value, model) : nobody()), {
    leave: () => model.stop(),
  });
};

const nobody = (): TemplateResult =>
  html`<p class="lead">${t('Nobody is signed in.')} ${t(
    'After a launch, this page shows the tokens, checks each of them in this browser, and says what was granted.',
  )}</p>
    <p class="actions"><a class="button primary" href="/#/launch/patient">${t('Launch as a patient')}</a> <a
      class="button" href="/#/launch/practitioner">${t('Launch as a practitioner')}</a> <a class="button"
      href="/#/ehr">${t('EHR simulator')}</a></p>`;

const details = (now: Session, model: SessionModel): TemplateResult =>
  html`${facts(now, model.clock.now)}
    <p class="actions"><button type="button" ?disabled=${!now.refreshToken}
        @click=${() => model.refresh()}>${t('Refresh')}</button>
      <button type="button" @click=${() => model.revoke(now)}>${t('Revoke the access token')}</button>
      <button type="button" @click=${() => logOut()}>${t('Log out')}</button></p>
    <p role="status" class="aside">${model.outcome.value}</p>
    ${aside(
      !now.refreshToken &&
        rich('There is no refresh token: {scope} was not granted.', { scope: html`<code>offline_access</code>` }),
    )}
    ${problemNotice(model.problem.value)}
    <section aria-labelledby="granted"><h2 id="granted">${t('Scopes')}</h2>
    ${scopeTable(now, model.scopeLines.value)}</section>
    <div class="pair">${tokenView('access', now.accessToken, model.accessToken.value)}
    ${now.idToken ? tokenView('identity', now.idToken, model.identityToken.value) : nothing}</div>
    <section aria-labelledby="tamper"><h2 id="tamper">${t('Try to get more')}</h2>
      <p>${t('Each button asks the real server for what it must refuse.')}</p>
      <p class="actions">${probesFor(now).map(
        (probe) =>
          html`<button type="button" class="quiet" @click=${() => model.probe(probe)}>${t(probe.name)}</button>`,
      )}</p>
      ${model.probed.value ? exchangeView(model.probed.value, true) : nothing}</section>
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

function facts({ launch, patient, fhirUser, generation, expiresAt }: Session, now: number): TemplateResult {
  const refreshed = generation === 0 ? t('not yet') : t('{n} time|{n} times', { n: generation });
  return html`<dl class="facts">
    ${fact(t('Launched'), t(LAUNCHES[launch]))}
    ${fact(t('Patient'), patient ? html`<a href=${sessionStartUrl(patient)}>${patient}</a>` : t('none in context'))}
    ${fact(t('Who signed in'), fhirUser?.replace(`${BASE}/`, '') ?? t('not shared'))}
    ${fact(t('Access token'), timeLeft(expiresAt - now))}
    ${fact(t('Refreshed'), refreshed)}
  </dl>`;
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds <= 0) return t('expired');
  return t('{time} left', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

const shortened = ({ response, accessToken, refreshToken, idToken }: Session): Record<string, unknown> => ({
  ...response,
  access_token: `${accessToken.slice(0, 24)}…`,
  ...(refreshToken ? { refresh_token: `${refreshToken.slice(0, 6)}…` } : {}),
  ...(idToken ? { id_token: `${idToken.slice(0, 24)}…` } : {}),
});
