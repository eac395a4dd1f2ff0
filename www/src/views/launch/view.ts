//! The launch form: who signs in, and a button. The scopes, and the parameters of the request with the PKCE verifier,
//! can be unfolded.

import { html, nothing, type TemplateResult } from 'lit-html';
import { rich, t } from '../../language/message.ts';
import { copyButton } from '../../parts/copy.ts';
import { fact } from '../../parts/fact.ts';
import { folded } from '../../parts/folded.ts';
import { fieldValue, instead, isChecked } from '../../parts/form.ts';
import { failed, waiting } from '../../parts/notice.ts';
import { chartUrl, OTHER_PAGE } from '../../routes.ts';
import { type PreparedLaunch, redirectToServer } from '../../smart/launch.ts';
import { scopeGroups } from '../../smart/scopes.ts';
import { BASE, CLIENT_ID } from '../../smart/server.ts';
import { headed, type OpenView } from '../../view.ts';
import { LaunchModel } from './model.ts';

export const launch: OpenView = ({ parts: [as = 'patient'] }) => {
  const model = new LaunchModel(as === 'practitioner' ? 'practitioner' : 'patient');
  const lead =
    model.kind === 'patient'
      ? t('You sign in as a patient, and decide what this app may see.')
      : t('You sign in as a practitioner, and choose a patient.');
  const submit = instead(() => model.prepared.value && redirectToServer(model.prepared.value));
  const content = (): TemplateResult => {
    const [prepared, problem] = [model.prepared.value, model.problem.value];
    return html`<p class="lead">${lead}</p>
      <form class="launch-form" @submit=${submit}>
        ${userField(model)}
        ${problem ? problemView(problem) : nothing}
        <p class="actions"><button class="primary" ?disabled=${
          !prepared || problem !== undefined
        }>${t('Sign in and choose what to share')}</button> <a href=${OTHER_PAGE}>${t('Another server')}</a></p>
        ${scopeChoices(model)}
        ${prepared ? parameters(prepared) : problem ? nothing : waiting(t('the server’s addresses'))}
      </form>`;
  };
  return headed(model.kind === 'patient' ? 'Launch as a patient' : 'Launch as a practitioner', content);
};

const problemView = (problem: string): TemplateResult =>
  html`${failed(undefined, problem)}<p>${rich('Without a server there is still the {sample}.', {
    sample: html`<a href=${chartUrl('sample', 'amara-okafor')}>${t('offline sample')}</a>`,
  })}</p>`;

function userField(model: LaunchModel): TemplateResult | typeof nothing {
  const [user, users] = [model.user.value, model.users.value];
  // Reserves the space of the users, so that nothing moves when they are loaded.
  if (model.isAsking.value) return html`<div class="who awaited"></div>`;
  if (users.length === 0) return nothing;
  return html`<div class="who">
    <p class="field"><label for="launch-user">${t('Who signs in')}</label><select id="launch-user"
      @change=${(event: Event) => model.setUser(fieldValue(event))}>
      ${users.map(
        (one) => html`<option value=${one.username} ?selected=${one === user}>${one.name} (${one.username})</option>`,
      )}<option value="" ?selected=${!user}>${t('Somebody else')}</option></select></p>
    ${
      user
        ? html`<p class="password">${t('Password')} <code>${user.password}</code> ${copyButton(
            () => user.password,
            t('password of {user}', { user: user.username }),
            '',
          )}</p>`
        : html`<p class="password"><a href="/sandbox.html">${t('All test users')}</a></p>`
    }
  </div>`;
}

function scopeChoices(model: LaunchModel): TemplateResult {
  const { value: scopes } = model.scopes;
  const choice = (scope: string, always = false): TemplateResult => html`<li class="choice"><label><input
    type="checkbox" ?checked=${scopes.has(scope)} ?disabled=${always}
    @change=${(event: Event) => model.choose(scope, isChecked(event))}>
    <span><code>${scope}</code><small>${model.wordsFor(scope)}</small></span></label></li>`;
  return folded(
    t('What is asked for: {n} scope|What is asked for: {n} scopes', { n: scopes.size }),
    scopeGroups(model.kind).map(
      ({ title, says, choices }) => html`<fieldset class="scopes"><legend>${t(title)}</legend><p
        class="aside">${t(says)}</p><ul role="list">${choices.map(({ scope, always }) => choice(scope, always))}</ul>
        </fieldset>`,
    ),
  );
}

function parameters({ url, verifier }: PreparedLaunch): TemplateResult {
  const client = html`<code>${CLIENT_ID}</code>`;
  return html`<details class="folded"><summary>${t('The request, parameter by parameter')}</summary>
    <dl class="facts tall">${fact(t('Server'), html`<code>${BASE}</code>`)}
    ${fact(t('Client'), rich('{client}, public: it has no secret, so PKCE is demanded', { client }))}
    ${fact(t('PKCE verifier, kept in this tab'), html`<code>${verifier}</code>`)}</dl>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t(
      'The authorization request',
    )}><table class="plain">
      <caption class="visually-hidden">${t('The request that the button sends you to')}</caption>
      <thead><tr><th scope="col">${t('Parameter')}</th><th scope="col">${t('Value')}</th></tr></thead>
      <tbody>${[...url.searchParams].map(
        ([name, value]) => html`<tr><th scope="row"><code>${name}</code></th><td
          class="breakable"><code>${value}</code></td></tr>`,
      )}</tbody></table></div></details>`;
}
