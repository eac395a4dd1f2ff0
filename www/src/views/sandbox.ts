//! Who and what there is to try: users, patients, apps, from `/sandbox.json`.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client.ts';
import { parsed } from '../fhir/json.ts';
import type { Bundle } from '../fhir/types.ts';
import { copyButton } from '../parts/copy.ts';
import { failed, waiting } from '../parts/notice.ts';
import { chartAt } from '../routes.ts';
import { sandboxData, type Sandbox } from '../smart/sandbox.ts';
import type { Open } from '../view.ts';
import { simulator } from './ehr.ts';

/** A client that takes a token by its secret alone, as curl has it. */
const basic = ({ clients }: Sandbox): string => {
  const client = clients.find(({ kind, secret, disabled }) => kind === 'backend' && secret && !disabled);
  return `${client?.client_id}:${client?.secret}`;
};

export const sandbox: Open = (_route, redraw) => {
  let data: Sandbox | undefined;
  let problem: string | undefined;
  /** Patients of the sample in this browser: their charts open without a sign-in. */
  let here = new Set<string>();
  const lookHere = async (ids: string[]): Promise<void> => {
    const { value } = await engine('search', `Patient?_id=${ids.join(',')}`, undefined);
    here = new Set(((parsed(value) as Bundle).entry ?? []).map(({ resource }) => resource?.id ?? ''));
    redraw();
  };
  sandboxData()
    .then(
      (found) => {
        data = found;
        if (found.patients.length) void lookHere(found.patients.map(({ id }) => id)).catch(() => undefined);
      },
      (error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
      },
    )
    .finally(redraw);
  const form = simulator(redraw);
  const table = (
    caption: string,
    heads: string[],
    rows: TemplateResult[],
  ): TemplateResult => html`<div class="table-frame" tabindex="0" role="region" aria-label=${`${caption} in a table`}>
    <table class="plain"><caption class="visually-hidden">${caption}</caption>
    <thead><tr>${heads.map(
      (head) => html`<th scope="col">${head}</th>`,
    )}</tr></thead><tbody>${rows}</tbody></table></div>`;

  return {
    title: 'Sandbox',
    body: () => html`<h1 tabindex="-1">Sandbox</h1>
      <p class="lead"><strong>Synthetic data.</strong> No patient here exists; every password and secret is public, and
        works nowhere else.</p>
      ${
        problem
          ? failed(undefined, problem)
          : !data
            ? waiting('the sandbox')
            : html`
      <section aria-labelledby="users"><h2 id="users">Users</h2>${table(
        'Users',
        ['User', 'Password', 'Is', 'May see'],
        data.users.map(
          (user) =>
            html`<tr><th scope="row"><code>${user.username}</code></th><td><code>${user.password}</code> ${copyButton(
              () => user.password,
              `password of ${user.username}`,
              '',
            )}</td><td>${user.fhirUser}</td><td>${
              user.patients === 'all' ? 'every patient' : user.patients.join(', ')
            }</td></tr>`,
        ),
      )}</section>
      <section aria-labelledby="start"><h2 id="start">Start an app from the EHR</h2>${form()}</section>
      <section aria-labelledby="patients"><h2 id="patients">Patients</h2>${table(
        'Patients',
        ['Patient', 'Shows'],
        data.patients.map(
          ({ id, shows }) =>
            html`<tr><th scope="row">${
              here.has(id) ? html`<a href=${chartAt('sample', id)}>${id}</a>` : id
            }</th><td class="wide">${shows}</td></tr>`,
        ),
      )}</section>
      <section aria-labelledby="apps"><h2 id="apps">Apps</h2>${table(
        'Apps',
        ['App', 'Kind', 'Secret', 'Redirects and launch', 'Scopes'],
        data.clients.map(
          (client) => html`<tr data-tone=${client.disabled ? 'quiet' : 'plain'}>
        <th scope="row"><code>${client.client_id}</code><small>${client.name}${client.disabled ? ' (disabled)' : ''}</small></th><td>${client.kind}</td><td>${
          client.secret ? html`<code class="breakable">${client.secret}</code>` : 'none'
        }</td>
        <td class="breakable">${(client.redirect_uris ?? []).map((uri) => html`<div>${uri}</div>`)}${
          client.launch_uri ? html`<div>launch: ${client.launch_uri}</div>` : nothing
        }</td>
        <td><details class="fills"><summary>${
          (client.scopes ?? '').split(/\s+/).filter(Boolean).length
        } named</summary><code class="breakable">${client.scopes}</code></details></td></tr>`,
        ),
      )}</section>
      <section aria-labelledby="token"><h2 id="token">A token in one line</h2>
        <pre class="code" tabindex="0" role="region"
          aria-label="The command"><code>curl -s ${data.issuer}/oauth/token -u ${basic(data)} \\
  -d grant_type=client_credentials -d scope='system/*.read'</code></pre></section>`
      }`,
  };
};
