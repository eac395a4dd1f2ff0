//! The sandbox page: users, patients and apps to try, from `/sandbox.json`.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { setWhenDone } from '../drawing.ts';
import { errorText } from '../error-text.ts';
import { type PlainMessage, t, translated } from '../language/message.ts';
import { copyButton } from '../parts/copy.ts';
import { foldedList } from '../parts/folded.ts';
import { failed, waiting } from '../parts/notice.ts';
import {
  loadSandbox,
  type Sandbox,
  type SandboxClient,
  type SandboxPatient,
  type SandboxUser,
} from '../smart/sandbox.ts';
import { scopesIn } from '../smart/scopes.ts';
import type { OpenView } from '../view.ts';

export const sandbox: OpenView = () => {
  const content = signal(waiting(t('the sandbox')));
  setWhenDone(
    content,
    loadSandbox().then(sections, (error) => failed(undefined, errorText(error))),
  );
  return {
    title: t('Sandbox'),
    body: () => html`<h1 tabindex="-1">${t('Sandbox')}</h1>
      <p class="lead"><strong>${t('Synthetic data.')}</strong>
        ${t('No patient here exists; every password and secret is public, and works nowhere else.')}</p>
      ${content.value}`,
  };
};

const sections = ({ users, patients, clients }: Sandbox): TemplateResult => html`
    <section aria-labelledby="users"><h2 id="users">${t('Users')}</h2>${table(
      'Users',
      ['User', 'Password', 'Is#the person of a user', 'May see'],
      users.map((user) => userRow(user, patients)),
    )}</section>
    <p class="actions"><a class="button" href="/#/ehr">${t('Start an app from the EHR')}</a></p>
    <section aria-labelledby="patients"><h2 id="patients">${t('Patients')}</h2>${table(
      'Patients',
      ['Patient', 'Shows#a patient'],
      patients.map(
        ({ id, name, shows = '' }) => html`<tr><th scope="row">${name}<small><code>${id}</code></small></th><td
          class="wide">${translated(shows)}</td></tr>`,
      ),
    )}</section>
    <section aria-labelledby="apps"><h2 id="apps">${t('Apps')}</h2>${table(
      'Apps',
      ['App', 'Kind', 'Secret', 'Redirects and launch', 'Scopes'],
      clients.map(clientRow),
    )}</section>`;

const table = (caption: PlainMessage, heads: PlainMessage[], rows: TemplateResult[]): TemplateResult =>
  html`<div class="table-frame stacked" tabindex="0" role="region" aria-label=${t('{caption} in a table', {
    caption: t(caption),
  })}><table
    class="plain"><caption class="visually-hidden">${t(caption)}</caption>
    <thead><tr>${heads.map((head) => html`<th scope="col">${t(head)}</th>`)}</tr></thead><tbody>${rows}</tbody></table>
    </div>`;

function userRow({ username, name, password, fhirUser, patients }: SandboxUser, all: SandboxPatient[]): TemplateResult {
  const seen = all.filter(({ id }) => patients.includes(id));
  return html`<tr><th scope="row"><code>${username}</code></th><td
    data-head=${t('Password')}><code>${password}</code> ${copyButton(
      () => password,
      t('password of {user}', { user: username }),
      '',
    )}</td><td data-head=${t('Is#the person of a user')}>${name}<small><code>${fhirUser}</code></small></td><td
    data-head=${t('May see')}>${
      patients === 'all' ? t('every patient') : seen.map((patient) => patient.name).join(', ')
    }</td></tr>`;
}

function clientRow(client: SandboxClient): TemplateResult {
  const { client_id: id, name, kind, secret, redirect_uris: redirects = [], launch_uri: launch, disabled } = client;
  const { scopes = '' } = client;
  return html`<tr data-tone=${disabled ? 'quiet' : 'plain'}>
    <th scope="row"><code>${id}</code><small>${translated(name ?? '')}${
      disabled ? ` (${t('disabled#an app')})` : ''
    }</small></th><td data-head=${t('Kind')}>${kind}</td>
    <td data-head=${t('Secret')}>${secret ? html`<code class="breakable">${secret}</code>` : t('none#a secret')}</td>
    <td class="breakable" data-head=${t('Redirects and launch')}>${redirects.map((uri) => html`<div>${uri}</div>`)}${
      launch ? html`<div>${t('launch: {address}', { address: launch })}</div>` : nothing
    }</td>
    <td data-head=${t('Scopes')}>${foldedList(
      t('{n} named', { n: scopesIn(scopes).length }),
      html`<code class="breakable">${scopes}</code>`,
    )}</td></tr>`;
}
