//! `other.html`: the page for servers of other origins where this app is registered. Only the Content Security Policy
//! of this page allows requests to them. Such a server also redirects to this page.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import { copyButton } from '../../parts/copy.ts';
import { fact } from '../../parts/fact.ts';
import { folded } from '../../parts/folded.ts';
import { instead, keepsValue, withFields } from '../../parts/form.ts';
import { failed, problemNotice, waiting } from '../../parts/notice.ts';
import { sessionStartUrl, startUrl } from '../../routes.ts';
import { logOut } from '../../smart/log-out.ts';
import { scopesIn } from '../../smart/scopes.ts';
import { isOurs, LAUNCH, other, otherBase, redirectFor } from '../../smart/server.ts';
import { type Registration, registrations, titleOf } from '../../smart/servers.ts';
import { type Session, session } from '../../smart/session.ts';
import { headed, type OpenView, type View } from '../../view.ts';
import { callback } from '../callback.ts';
import { type AskedServer, OtherModel, refusedText, type StandaloneLaunch } from './model.ts';
import { startLaunch } from './start.ts';

export const otherView: OpenView = (route) => {
  const query = new URLSearchParams(location.search);
  if (query.has('state') || query.has('code')) return callback(route);
  const [iss, launchToken] = [query.get('iss'), query.get('launch')];
  if (iss !== null && isOurs(iss)) location.replace(`/launch.html${location.search}`);
  if (other && iss !== null && launchToken !== null && otherBase(iss) === other.base) {
    return startLaunch(other, { launch: 'ehr', launchToken });
  }
  return choice(new OtherModel({ iss, launchToken }));
};

/** `other.html#/start/patient`: a standalone launch at the server of this tab. */
export const startView: OpenView = ({ parts: [as] }) =>
  other
    ? startLaunch(other, { launch: as === 'practitioner' ? 'practitioner' : 'patient' })
    : choice(new OtherModel({ iss: null, launchToken: null }));

const choice = (model: OtherModel): View =>
  headed('Another server', () => content(model), { isTranslatedInPlace: true });

function content(model: OtherModel): TemplateResult {
  const { value: state } = model.state;
  switch (state.is) {
    case 'refused':
      return html`${failed(undefined, refusedText(state.iss))}${chooseAnother(model)}`;
    case 'named':
      return named(state.base, model);
    case 'asking':
      return html`${baseLine(state.base)}${waiting(t('what it offers'))}`;
    case 'entering':
      return entryForm(state.asked, model);
    case 'leaving':
      return html`${baseLine(state.base)}${waiting(t('its sign-in'))}`;
    case 'choosing':
      return html`<p class="lead">${t(
        'The app launches at any server of SMART on FHIR where it is registered. What is entered stays on this device.',
      )}</p>
        ${session.value && other ? sessionCard(session.value, other) : nothing}
        ${addressForm(model)}${knownServers(model)}`;
  }
}

const baseLine = (base: string): TemplateResult => html`<p class="lead"><code class="breakable">${base}</code></p>`;

const chooseAnother = (model: OtherModel): TemplateResult =>
  html`<p class="actions"><button type="button" @click=${() => model.backToChoice()}>${t('Choose a server')}</button>
    <a class="button" href="/">${t('Back to edgechart')}</a></p>`;

/** Draws the full address of a server that a link named. Nothing was sent to the server. */
const named = (base: string, model: OtherModel): TemplateResult =>
  html`<p class="lead">${
    model.launchTokenFor(base) === undefined
      ? t('This device does not know this server:')
      : t('A server that this device does not know launches this app:')
  }</p>
    ${baseLine(base)}
    <p>${t('Nothing was sent to it. Go on only if you trust it with what you do here.')}</p>
    ${problemNotice(model.problem.value)}
    <p class="actions"><button type="button" class="primary" @click=${() => model.ask(base)}>${t(
      'Ask this server',
    )}</button> <a class="button" href="/">${t('Back to edgechart')}</a></p>`;

function sessionCard({ scope, patient }: Session, server: Registration): TemplateResult {
  const scopes = scopesIn(scope);
  return html`<section aria-labelledby="open-session"><h2 id="open-session">${t('Your session')}</h2>
    <dl class="facts">${fact(t('Server'), html`${titleOf(server)} <code>${server.base}</code>`)}</dl>
    <p class="actions"><a class="button primary" href=${sessionStartUrl(patient)}>${t('Open the chart')}</a>
      <button type="button" @click=${() => void logOut()}>${t('Log out')}</button></p>
    ${folded(
      t('{n} scope granted|{n} scopes granted', { n: scopes.length }),
      html`<ul role="list" class="scope-list">${scopes.map((one) => html`<li><code>${one}</code></li>`)}</ul>`,
    )}</section>`;
}

function addressForm(model: OtherModel): TemplateResult {
  return html`<form class="launch-form" @submit=${instead(() => model.ask(model.text.value))}>
    <p class="field"><label for="base">${t('FHIR base of the server')}</label><input id="base" type="url" required
      autocomplete="url" spellcheck="false" placeholder="https://fhir.example.org/r4" .value=${model.text.value}
      @input=${keepsValue(model.text)}></p>
    ${problemNotice(model.problem.value)}
    <p class="actions"><button class="primary">${t('Ask this server')}</button></p></form>`;
}

/** Draws the addresses to register at a server, with buttons that copy them. */
function addresses(base: string): TemplateResult {
  const copied = (address: string, what: string): TemplateResult =>
    html`<code>${address}</code> ${copyButton(() => address, what, '')}`;
  return html`<dl class="facts tall">
    ${fact(t('Redirect address'), copied(redirectFor(base), t('the redirect address')))}
    ${fact(t('Launch address'), copied(LAUNCH, t('the launch address')))}
    ${fact(t('Kind of client'), t('Public, with PKCE (S256): it has no secret, and none is asked for'))}</dl>`;
}

function entryForm(asked: AskedServer, model: OtherModel): TemplateResult {
  const { base, name, signIn, clientId, scopes } = asked;
  const submit = withFields((fields) => {
    const text = (of: string): string => String(fields.get(of) ?? '');
    const launch: StandaloneLaunch = text('as') === 'practitioner' ? 'practitioner' : 'patient';
    model.enter(asked, text('client'), text('scopes'), launch);
  });
  return html`<dl class="facts">
      ${fact(t('Server'), html`<code>${base}</code>`)}
      ${name ? fact(t('It calls itself'), name) : nothing}
      ${fact(t('You sign in at'), html`<code>${new URL(signIn).origin}</code>`)}</dl>
    <section aria-labelledby="register"><h2 id="register">${t('Register the app there')}</h2>
    <p>${t('Who runs the server registers an app, and gives it a client id. It needs this of it:')}</p>
    ${addresses(base)}</section>
    <section aria-labelledby="enter"><h2 id="enter">${t('Enter what it gave')}</h2>
    <form class="launch-form" @submit=${submit}>
      <p class="field narrow"><label for="client">${t('Client id')}</label><input id="client" name="client" required
        autocomplete="off" spellcheck="false" pattern=".*\\S.*" .value=${clientId}></p>
      <p class="field"><label for="scopes">${t('Scopes that it may ask for')}</label><textarea id="scopes" name="scopes"
        rows="6" required spellcheck="false" .value=${scopes}></textarea></p>
      <p class="aside">${t('Both are kept on this device, until you forget the server. No password or secret is.')}</p>
      <p class="actions">${
        model.launchTokenFor(base) === undefined
          ? html`<button class="primary" name="as" value="patient">${t('Sign in as a patient')}</button>
            <button name="as" value="practitioner">${t('Sign in as a practitioner')}</button>`
          : html`<button class="primary">${t('Keep it, and sign in')}</button>`
      } <button type="button" class="quiet" @click=${() => model.backToChoice()}>${t('Choose a server')}</button></p>
    </form></section>`;
}

function knownServers(model: OtherModel): TemplateResult | typeof nothing {
  const all = registrations.value;
  if (all.length === 0) return nothing;
  return html`<section aria-labelledby="known"><h2 id="known">${t('Servers on this device')}</h2>
    <ul role="list" class="known-servers">${all.map((server) => knownServer(server, model))}</ul></section>`;
}

function knownServer(server: Registration, model: OtherModel): TemplateResult {
  const { base, clientId, scopes } = server;
  const title = titleOf(server);
  const of = html`<span class="visually-hidden"> ${title}</span>`;
  return html`<li class="card"><h3>${title}</h3>
    <p><code class="breakable">${base}</code></p>
    <p class="aside">${t('Client id')} <code class="breakable">${clientId}</code></p>
    <p class="actions"><button type="button" class="primary"
        @click=${() => model.open(server, startUrl('patient'))}>${t('Sign in as a patient')}${of}</button>
      ${
        /\buser\//.test(scopes)
          ? html`<button type="button" @click=${() => model.open(server, startUrl('practitioner'))}>${t(
              'Sign in as a practitioner',
            )}${of}</button>`
          : nothing
      }
      <button type="button" class="quiet" @click=${() => model.ask(base)}>${t('Change#the action')}${of}</button>
      <button type="button" class="quiet" @click=${() => model.forget(server)}>${t('Forget')}${of}</button></p>
    ${folded(t('Its addresses of this app'), addresses(base))}</li>`;
}
