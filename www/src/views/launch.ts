//! The launch form: who signs in, and a button. What is asked for, in plain words, the address, taken apart, and the secrets of
//! this launch unfold for who wants them.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client.ts';
import type { ScopeTable } from '../engine/types.ts';
import { copyButton } from '../parts/copy.ts';
import { failed, waiting } from '../parts/notice.ts';
import { chartAt } from '../routes.ts';
import { BASE, CLIENT_ID } from '../smart/server.ts';
import { go, prepare, type Prepared } from '../smart/launch.ts';
import { fitting, sandboxData, type SandboxUser } from '../smart/sandbox.ts';
import { groupsFor, usual } from '../smart/wishes.ts';
import type { Open } from '../view.ts';

const SAYS: Record<string, string> = {
  response_type: 'A code comes back, never a token in an address',
  client_id: 'This app',
  redirect_uri: 'Where the answer goes: registered, and compared exactly',
  scope: 'What is asked for',
  state: '256 random bits: the answer must bring them back',
  aud: 'The records that the token will be for',
  code_challenge: 'SHA-256 of a secret that stays in this tab',
  code_challenge_method: 'PKCE',
  nonce: 'Ties the identity token to this launch',
  launch: 'What the EHR handed over',
  login_hint: 'Who will probably sign in: the name stands in the form',
};

export const launch: Open = ({ parts: [as = 'patient'] }, redraw) => {
  const kind = as === 'practitioner' ? 'practitioner' : 'patient';
  const chosen = new Set(usual(kind));
  let users: SandboxUser[] = [];
  let user: SandboxUser | undefined;
  let prepared: Prepared | undefined;
  let words: ScopeTable | undefined;
  let problem: string | undefined;

  const scope = (): string => [...chosen].join(' ');
  let turn = 0;
  async function update(): Promise<void> {
    const mine = ++turn;
    const all = groupsFor(kind)
      .flatMap(({ choices }) => choices)
      .map((one) => one.scope)
      .join(' ');
    try {
      const next = await prepare({ scope: scope(), launch: kind, user: user?.username });
      if (mine === turn) {
        prepared = next;
        problem = undefined;
      }
      redraw();
      words ??= (await engine('scopes', all, 'p')).value;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    redraw();
  }
  // Outside of a sandbox nobody is suggested.
  sandboxData()
    .then(
      (found) => {
        users = fitting(found.users, kind);
        user = users[0];
      },
      () => undefined,
    )
    .finally(() => void update());

  const choice = (
    one: string,
    always = false,
  ): TemplateResult => html`<li class="choice"><label><input type="checkbox" ?checked=${chosen.has(one)}
    ?disabled=${always}
      @change=${(event: Event) => {
        if ((event.target as HTMLInputElement).checked) chosen.add(one);
        else chosen.delete(one);
        void update();
      }}>
      <span><code>${one}</code><small>${
        words?.lines.find((line) => line.scope === one)?.says ?? ''
      }</small></span></label></li>`;

  const who = (): TemplateResult | typeof nothing =>
    user === undefined && !users.length
      ? nothing
      : html`<div class="who">
      <p class="field"><label for="launch-user">Who signs in</label><select id="launch-user" @change=${(
        event: Event,
      ) => {
        const { value } = event.target as HTMLSelectElement;
        user = users.find(({ username }) => username === value);
        void update();
      }}>
        ${users.map(
          (one) =>
            html`<option value=${one.username} ?selected=${one === user}>${one.username} (${one.fhirUser})</option>`,
        )}<option value="" ?selected=${!user}>Somebody else</option></select></p>
      ${
        user
          ? html`<p class="password">Password <code>${user.password}</code> ${copyButton(
              () => user?.password ?? '',
              `password of ${user.username}`,
              '',
            )}</p>`
          : html`<p class="password"><a href="/sandbox.html">All test users</a></p>`
      }
    </div>`;

  const parameters = (
    ready: Prepared,
  ): TemplateResult => html`<details class="folded"><summary>The request, parameter by parameter</summary>
    <dl class="facts"><div><dt>Server</dt><dd><code>${BASE}</code></dd></div>
      <div><dt>Client</dt><dd><code>${CLIENT_ID}</code>, public: it has no secret, so PKCE is demanded</dd></div></dl>
    <div class="table-frame" tabindex="0" role="region" aria-label="The authorization request"><table class="plain">
      <caption class="visually-hidden">The request that the button sends you to</caption>
      <thead><tr><th scope="col">Parameter</th><th scope="col">Value</th><th scope="col">Why</th></tr></thead>
      <tbody>${[...ready.url.searchParams].map(
        ([name, value]) =>
          html`<tr><th scope="row"><code>${name}</code></th><td class="breakable"><code>${value}</code></td>
            <td>${SAYS[name] ?? ''}</td></tr>`,
      )}</tbody></table></div></details>
    <details class="folded"><summary>The secrets of this launch</summary><dl class="facts tall">
      <div><dt>state</dt><dd class="breakable"><code>${ready.state}</code></dd></div>
        <div><dt>PKCE verifier, kept in this tab</dt><dd class="breakable"><code>${ready.verifier}</code></dd></div>
      <div><dt>PKCE challenge, S256</dt><dd class="breakable"><code>${ready.challenge}</code></dd></div>
        <div><dt>nonce</dt><dd class="breakable"><code>${ready.nonce}</code></dd></div></dl></details>`;

  return {
    title: kind === 'patient' ? 'Launch as a patient' : 'Launch as a practitioner',
    body: () => html`<h1 tabindex="-1">${kind === 'patient' ? 'Launch as a patient' : 'Launch as a practitioner'}</h1>
      <p class="lead">${
        kind === 'patient'
          ? 'You sign in as a patient, and decide what this app may see.'
          : 'You sign in as a practitioner, and choose a patient.'
      }</p>
      <form class="launch-form" @submit=${(event: Event) => {
        event.preventDefault();
        if (prepared) go(prepared);
      }}>
        ${who()}
        ${
          problem
            ? html`${failed(undefined, problem)}<p>Without a server there is still the
              <a href=${chartAt('sample', 'amara-okafor')}>offline sample</a>.</p>`
            : nothing
        }
        <p class="actions"><button class="primary" ?disabled=${!prepared || problem !== undefined}>Sign in and choose
          what to share</button></p>
        <details class="folded"><summary>What is asked for: ${chosen.size} scopes</summary>
          ${groupsFor(kind).map(
            ({ title, says, choices }) =>
              html`<fieldset class="scopes"><legend>${title}</legend><p class="aside">${says}</p>
                <ul role="list">${choices.map(({ scope: one, always }) => choice(one, always))}</ul></fieldset>`,
          )}</details>
        ${prepared ? parameters(prepared) : problem ? nothing : waiting('the server’s addresses')}
      </form>`,
  };
};
