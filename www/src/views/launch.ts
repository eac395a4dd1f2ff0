//! The launch form: what is asked for, in plain words; the secrets of this launch as they are made; the address, taken apart.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client';
import type { ScopeTable } from '../engine/types';
import { failed, waiting } from '../parts/notice';
import { BASE, CLIENT_ID } from '../smart/server';
import { go, prepare, type Prepared } from '../smart/launch';
import { groupsFor, usual } from '../smart/wishes';
import type { Open } from '../view';

const SAYS: Record<string, string> = {
  response_type: 'A code comes back, never a token in an address', client_id: 'This app', redirect_uri: 'Where the answer goes: registered, and compared exactly',
  scope: 'What is asked for', state: '256 random bits: the answer must bring them back', aud: 'The records that the token will be for',
  code_challenge: 'SHA-256 of a secret that stays in this tab', code_challenge_method: 'PKCE', nonce: 'Ties the identity token to this launch', launch: 'What the EHR handed over',
};

export const launch: Open = ({ parts: [as = 'patient'] }, redraw) => {
  const kind = as === 'practitioner' ? 'practitioner' : 'patient';
  const chosen = new Set(usual(kind));
  let prepared: Prepared | undefined;
  let words: ScopeTable | undefined;
  let problem: string | undefined;

  const scope = (): string => [...chosen].join(' ');
  let turn = 0;
  async function update(): Promise<void> {
    const mine = ++turn;
    const all = groupsFor(kind).flatMap(({ choices }) => choices).map((one) => one.scope).join(' ');
    try {
      words ??= (await engine('scopes', all, 'p')).value;
      const next = await prepare({ scope: scope(), launch: kind });
      if (mine === turn) { prepared = next; problem = undefined; }
    } catch (error) { problem = error instanceof Error ? error.message : String(error); }
    redraw();
  }
  void update();

  const choice = (one: string, always = false): TemplateResult => html`<li class="choice"><label><input type="checkbox" ?checked=${chosen.has(one)} ?disabled=${always}
      @change=${(event: Event) => { if ((event.target as HTMLInputElement).checked) chosen.add(one); else chosen.delete(one); void update(); }}>
      <span><code>${one}</code><small>${words?.lines.find((line) => line.scope === one)?.says ?? ''}</small></span></label></li>`;

  const parameters = (): TemplateResult | typeof nothing => (prepared ? html`<div class="table-frame" tabindex="0" role="region" aria-label="The authorization request"><table class="plain">
      <caption>The request that the button sends you to, parameter by parameter</caption>
      <thead><tr><th scope="col">Parameter</th><th scope="col">Value</th><th scope="col">Why</th></tr></thead>
      <tbody>${[...prepared.url.searchParams].map(([name, value]) => html`<tr><th scope="row"><code>${name}</code></th><td class="breakable"><code>${value}</code></td><td>${SAYS[name] ?? ''}</td></tr>`)}</tbody></table></div>` : nothing);

  return {
    title: kind === 'patient' ? 'Launch as a patient' : 'Launch as a practitioner',
    body: () => html`<h1 tabindex="-1">${kind === 'patient' ? 'Launch as a patient' : 'Launch as a practitioner'}</h1>
      <p class="lead">${kind === 'patient' ? html`You sign in as a patient (try <code>amara</code>, password <code>amara-sandbox</code>), and decide what this app may see.` : html`You sign in as a practitioner (try <code>samuel</code>, password <code>samuel-sandbox</code>), and choose a patient.`} <a href="/sandbox.html">All test users</a></p>
      <form @submit=${(event: Event) => { event.preventDefault(); if (prepared) go(prepared); }}>
        <dl class="facts"><div><dt>Server</dt><dd><code>${BASE}</code></dd></div><div><dt>Client</dt><dd><code>${CLIENT_ID}</code>, public: it has no secret, so PKCE is demanded</dd></div></dl>
        ${groupsFor(kind).map(({ title, says, choices }) => html`<fieldset class="scopes"><legend>${title}</legend><p class="aside">${says}</p><ul role="list">${choices.map(({ scope: one, always }) => choice(one, always))}</ul></fieldset>`)}
        ${problem ? html`${failed(undefined, problem)}<p>Without a server there is still the <a href="/#/chart/amara-okafor">offline sample</a>.</p>` : nothing}
        <p class="actions"><button class="primary" ?disabled=${!prepared || problem !== undefined}>Sign in and choose what to share</button></p>
        ${prepared ? html`<details class="folded"><summary>The secrets of this launch</summary><dl class="facts tall">
          <div><dt>state</dt><dd class="breakable"><code>${prepared.state}</code></dd></div><div><dt>PKCE verifier, kept in this tab</dt><dd class="breakable"><code>${prepared.verifier}</code></dd></div>
          <div><dt>PKCE challenge, S256</dt><dd class="breakable"><code>${prepared.challenge}</code></dd></div><div><dt>nonce</dt><dd class="breakable"><code>${prepared.nonce}</code></dd></div></dl></details>` : problem ? nothing : waiting('the server’s addresses')}
        ${parameters()}
      </form>`,
  };
};
