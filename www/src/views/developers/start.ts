//! The first page for developers: a token at one press, and a first query, also for a shell, beside its answer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { commands, sentRequest, shellQuoted } from '../../export/snippets.ts';
import { rich, t, words } from '../../language/message.ts';
import { codeBlock } from '../../parts/coloured.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { aside, problemNotice, waiting } from '../../parts/notice.ts';
import { watching } from '../../parts/watching.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { BackendToken } from '../../smart/sandbox-token.ts';
import { session } from '../../smart/session.ts';
import type { OpenView } from '../../view.ts';
import { guideUrl } from './guide-list.ts';
import { isWide, type Page, panes } from './panes.ts';
import { StartModel } from './start-model.ts';
import { trialAnswer } from './trial.ts';

export const start: OpenView = () => {
  const model = new StartModel();
  const isListOpen = isWide();
  return {
    title: t('Getting started'),
    leave: () => model.clock.stop(),
    body: () => panes(nextSteps(isListOpen), pageOf(model)),
  };
};

/** Draws all sections in one frame, so that nothing moves while it is read. */
function pageOf(model: StartModel): Page {
  const head = html`<h1 tabindex="-1">${t('Getting started')}</h1>
    <p class="lead">${t('A token, a query, and the same query as commands that run as they are.')}</p>`;
  if (!model.isHeld.value && !model.source.value) return { head, rest: waiting(t('the sandbox')) };
  return {
    head: html`${head}${tokenSection(model)}`,
    code: { title: t('The first query'), content: querySection(model) },
    rest: shellSection(model),
  };
}

const section = (id: string, title: string, content: unknown): TemplateResult =>
  html`<section aria-labelledby=${id}><h2 id=${id} tabindex="-1">${title}</h2>${content}</section>`;

function tokenSection(model: StartModel): TemplateResult {
  const [source, token, problem] = [model.source.value, model.token.value, model.refusal.value];
  return section(
    'token',
    t('A token'),
    html`${model.isHeld.value ? held(model) : source?.client ? sandboxToken(model, token) : elsewhere(model)}
      ${problemNotice(problem)}
      <p class="aside">${rich('A token for a person comes from a sign-in: {patient}, {practitioner}, or {ehr}.', {
        patient: html`<a href="/#/launch/patient">${t('as a patient#a way to sign in')}</a>`,
        practitioner: html`<a href="/#/launch/practitioner">${t('as a practitioner#a way to sign in')}</a>`,
        ehr: html`<a href="/#/ehr">${t('from an EHR#a way to sign in')}</a>`,
      })}</p>`,
  );
}

const held = (model: StartModel): TemplateResult =>
  html`<p>${t('The server is not asked: while your own record is open, this page sends nothing by itself.')}</p>
    <p class="actions"><button type="button" @click=${() => model.release()}>${t('Ask the server')}</button></p>`;

const sandboxToken = (model: StartModel, token: BackendToken | undefined): TemplateResult =>
  html`<p>${t('This server is a sandbox: it publishes a client that gets a token by its secret alone.')}</p>
    <p class="actions"><button type="button" class="primary" ?disabled=${model.isBusy.value} @click=${() =>
      model.takeToken()}>${token ? t('Get another token') : t('Get a token')}</button>${
      token ? copyButtons(token) : nothing
    }</p>
    ${
      token
        ? html`${watching(() => lifeOf(token, model.clock.now))}<details class="folded whole-token"><summary>${t(
            'The token',
          )}</summary>${whenOpen(() => block(token.token, t('The token')))}</details>`
        : html`<p role="status"></p>`
    }`;

const copyButtons = ({ token }: BackendToken): TemplateResult =>
  html`${copyButton(() => token, t('the token'))} ${copyButton(
    () => `export TOKEN=${shellQuoted(token)}`,
    t('the token as a variable of a shell'),
    'export TOKEN=…',
  )}`;

const duration = (seconds: number): string =>
  [`${Math.floor(seconds / 60)}\u00a0min`, `${seconds % 60}\u00a0s`].filter((part) => !/^0/.test(part)).join(' ');

/** Says how long a token lives. The remaining time is no live region, since it changes each second. */
function lifeOf({ token, life, expiresAt }: BackendToken, now: number): TemplateResult {
  const left = Math.ceil((expiresAt - now) / 1_000);
  const until = new Intl.DateTimeFormat(words().locale, {
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
    timeZoneName: 'short',
  }).format(expiresAt);
  return html`<p role="status">${
    left > 0
      ? rich('{token} is good. It is kept in this page alone.', { token: html`<code>${token.slice(0, 12)}…</code>` })
      : t('The token has expired. A query from this page gets another one.')
  }</p>${aside(
    left > 0 &&
      t('It is valid for {life}, until {time}: {left} are left.', {
        life: duration(life),
        time: until,
        left: duration(left),
      }),
  )}`;
}

/** Says how to get a token if the server publishes no client, or does not answer. */
const elsewhere = ({ isOffline }: StartModel): TemplateResult =>
  isOffline.value
    ? html`<p>${t('The server is out of reach.')} ${t('The answer here is that of the sample, in this browser.')}</p>`
    : html`<p>${t(
        'This server publishes no client. Tokens are for registered apps: whoever runs the server registers one.',
      )}
    <a href=${guideUrl('registration')}>${t('Registering an app')}</a></p>
    ${session.value ? html`<p>${t('Until then, the query is asked with your session.')}</p>` : nothing}`;

/** Returns the first query as a request, or as commands for a shell. */
function queryText({ url, token, source, isForShell }: StartModel): string {
  if (isForShell.value && source.value) return commands(url, source.value);
  const { pathname, search } = new URL(url);
  const { value: held } = token;
  return sentRequest(`GET ${pathname}${search}`, held ? `${held.token.slice(0, 12)}…` : '$TOKEN');
}

function querySection(model: StartModel): TemplateResult {
  const text = queryText(model);
  const { isForShell } = model;
  const forms = model.source.value ? [false, true] : [false];
  return html`<p>${rich('The newest laboratory results of {patient}, three of them:', {
    patient: html`<code>${model.patient.value}</code>`,
  })}</p>
    <fieldset class="languages"><legend class="visually-hidden">${t('Form of the request')}</legend>${forms.map(
      (one) =>
        html`<label><input type="radio" name="language" ?checked=${one === isForShell.value} @change=${() => {
          isForShell.value = one;
        }}><span>${one ? 'curl' : 'HTTP'}</span></label>`,
    )}</fieldset>
    <div data-program=${isForShell.value ? 'curl' : 'HTTP'}>${codeBlock(text, t('The request'))}</div>
    <p class="actions"><button type="button" class="primary" ?disabled=${
      model.isBusy.value || !model.canAsk
    } @click=${() => model.askServer()}>${t('Ask the server')}</button> ${copyButton(() => text, t('the request'))}</p>
    ${trialAnswer(model)}`;
}

function shellSection(model: StartModel): TemplateResult {
  const { value: source } = model.source;
  return section(
    'shell',
    t('The same in a shell'),
    html`<p>${
      source?.client
        ? t('With “curl” chosen, the commands get a token of their own, send the request and print the answer.')
        : rich('The command of curl takes the token from the environment variable {variable}.', {
            variable: html`<code>TOKEN</code>`,
          })
    } ${source?.client ? t('The secret is public, and works nowhere else.') : nothing}</p>
      <p><a href=${`/#/search?q=${encodeURIComponent(model.query ?? '')}`}>${t('Change it in the search')}</a></p>`,
  );
}

const nextSteps = (isOpen: boolean): TemplateResult =>
  html`<nav class="pane-list" aria-labelledby="next"><details class="folded" ?open=${isOpen}><summary id="next">${t(
    'Next steps',
  )}</summary><ul role="list">
      <li><a href="/#/reference">${t('Reference')}</a> <p>${t(
        'every type, parameter and operation, to be tried in place.',
      )}</p></li>
      <li><a href=${guideUrl('sign-in')}>${t('Signing in#a guide')}</a> <p>${t(
        'an app that people sign in to.',
      )}</p></li>
      <li><a href=${guideUrl('paging')}>${t('Paging and counts')}</a> <p>${t(
        'how to get more than the first page.',
      )}</p></li>
      <li><a href=${guideUrl('scopes')}>${t('What scopes open')}</a> <p>${t('what a token opens.')}</p></li>
      <li><a href=${guideUrl('registration')}>${t('Registering an app')}</a> <p>${t(
        'how to register a client of your own.',
      )}</p></li>
    </ul></details></nav>`;
