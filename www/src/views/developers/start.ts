//! The first page for developers: a token at one press, a first query, and the same query as a program.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clock } from '#reading/fhir/date.ts';
import { type Program, programs, type TokenSource } from '../../export/programs.ts';
import { shellQuoted } from '../../export/snippets.ts';
import { rich, t, words } from '../../language/message.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { failed, waiting } from '../../parts/notice.ts';
import type { BackendToken } from '../../smart/sandbox-token.ts';
import { session } from '../../smart/session.ts';
import type { OpenView } from '../../view.ts';
import { answerView } from './answer.ts';
import { guideUrl } from './guide-address.ts';
import { StartModel } from './start-model.ts';

export const start: OpenView = () => {
  const model = new StartModel();
  return {
    title: t('Getting started'),
    body: () => html`<h1 tabindex="-1">${t('Getting started')}</h1>
      <p class="lead">${t('A token, a query, and the same query as a program that runs as it is.')}</p>
      ${contentOf(model)}`,
  };
};

/** Draws all sections in one frame, so that nothing moves while it is read. */
const contentOf = (model: StartModel): TemplateResult =>
  model.isHeld.value || model.source.value
    ? html`${tokenSection(model)}${querySection(model)}${programSection(model)}${nextSection()}`
    : waiting(t('the sandbox'));

const section = (id: string, title: string, content: unknown): TemplateResult =>
  html`<section aria-labelledby=${id}><h2 id=${id} tabindex="-1">${title}</h2>${content}</section>`;

function tokenSection(model: StartModel): TemplateResult {
  const [source, token, problem] = [model.source.value, model.token.value, model.problem.value];
  return section(
    'token',
    t('A token'),
    html`${model.isHeld.value ? held(model) : source?.client ? sandboxToken(model, token) : elsewhere()}
      ${problem ? failed(undefined, problem) : nothing}
      <p class="aside">${rich('A token of a person comes by a sign-in: {patient}, {practitioner}, or {ehr}.', {
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
      token ? html`${copyButtons(token)} ${showButton(model)}` : nothing
    }</p>
    <p role="status">${token ? tokenText(token) : nothing}</p>
    ${
      token && model.isTokenShown.value
        ? html`<div class="whole-token">${block(token.token, t('The token'))}</div>`
        : nothing
    }`;

const showButton = ({ isTokenShown }: StartModel): TemplateResult =>
  html`<button type="button" class="quiet" aria-expanded=${isTokenShown.value} @click=${() => {
    isTokenShown.value = !isTokenShown.value;
  }}>${isTokenShown.value ? t('Hide the token') : t('Show the token')}</button>`;

const copyButtons = ({ token }: BackendToken): TemplateResult =>
  html`${copyButton(() => token, t('the token'))} ${copyButton(
    () => `export TOKEN=${shellQuoted(token)}`,
    t('the token as a variable of a shell'),
    'export TOKEN=…',
  )}`;

const tokenText = ({ token, expiresAt }: BackendToken): unknown =>
  rich('{token} is good until {time}. It is kept in this page alone.', {
    token: html`<code>${token.slice(0, 12)}…</code>`,
    time: clock(words(), `1970-01-01T${new Date(expiresAt).toTimeString().slice(0, 5)}`),
  });

/** Says how to get a token if the server publishes no client. */
const elsewhere = (): TemplateResult =>
  html`<p>${t(
    'This server publishes no client. Tokens are for registered apps: whoever runs the server registers one.',
  )}
    <a href=${guideUrl('registration')}>${t('Registering an app')}</a></p>
    ${session.value ? html`<p>${t('Until then, the query below is asked with your session.')}</p>` : nothing}`;

function querySection(model: StartModel): TemplateResult {
  const { value: answer } = model.answer;
  return section(
    'query',
    t('The first query'),
    html`<p>${rich('The newest laboratory results of {patient}, three of them:', {
      patient: html`<code>${model.patient.value}</code>`,
    })}</p>
      ${block(`GET ${model.url}`, t('The request'))}
      <p class="actions"><button type="button" ?disabled=${model.isBusy.value || !model.canAsk} @click=${() =>
        model.ask()}>${t('Ask the server')}</button> <a href=${`/#/search?q=${encodeURIComponent(model.query)}`}>${t(
        'Change it in the search',
      )}</a></p>
      <div role="status">${answer ? answerView(answer) : nothing}</div>`,
  );
}

function programSection(model: StartModel): TemplateResult | typeof nothing {
  const { value: source } = model.source;
  if (!source) return nothing;
  const all = programs(model.url, source);
  const chosen = all[model.language.value];
  return section(
    'programs',
    t('The same as a program'),
    html`<p>${
      source.client
        ? t('Each program gets its own token, sends the request and prints the answer.')
        : rich('Each takes the token from the environment variable {variable}.', {
            variable: html`<code>TOKEN</code>`,
          })
    }</p>
      <fieldset class="languages"><legend class="visually-hidden">${t('Language of the program')}</legend>${all.map(
        ({ language }, at) =>
          html`<label><input type="radio" name="language" ?checked=${at === model.language.value} @change=${() => {
            model.language.value = at;
          }}><span>${language}</span></label>`,
      )}</fieldset>
      ${chosen ? programView(chosen, source) : nothing}`,
  );
}

const programView = ({ language, file, prepare, run, text }: Program, { client }: TokenSource): TemplateResult =>
  html`${
    prepare
      ? html`<p class="aside">${rich('A project for it is made by {command}', {
          command: html`<code class="breakable">${prepare}</code>`,
        })}</p>`
      : nothing
  }${
    file && run
      ? html`<p class="aside">${rich('Save it as {file}. It runs by {command}', {
          file: html`<code>${file}</code>`,
          command: html`<code class="breakable">${run}</code>`,
        })}</p>`
      : nothing
  }<div data-program=${language}>${block(text, t('The program in {language}', { language }))}</div>
    <p class="actions">${copyButton(() => text, t('the program'))}${
      client ? html` <span class="aside">${t('The secret is public, and works nowhere else.')}</span>` : nothing
    }</p>`;

const nextSection = (): TemplateResult =>
  section(
    'next',
    t('Next steps'),
    html`<ul class="bullets">
      <li><a href="/#/reference">${t('Reference')}</a>: ${t(
        'every type, parameter, operation and error, to be tried in place.',
      )}</li>
      <li><a href=${guideUrl('sign-in')}>${t('Signing in#a guide')}</a>: ${t('an app that people sign in to.')}</li>
      <li><a href=${guideUrl('paging')}>${t('Paging and counts')}</a>: ${t('how to get more than the first page.')}</li>
      <li><a href=${guideUrl('scopes')}>${t('What scopes open')}</a>: ${t('what a token opens.')}</li>
      <li><a href=${guideUrl('registration')}>${t('Registering an app')}</a>: ${t(
        'how a client of your own comes about.',
      )}</li>
    </ul>`,
  );
