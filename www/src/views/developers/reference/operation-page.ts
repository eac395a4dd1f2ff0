//! The page of an operation: what it does, its parameters, its answers, and a request beside its answer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { sentRequest } from '../../../export/snippets.ts';
import { t } from '../../../language/message.ts';
import { codeBlock } from '../../../parts/coloured.ts';
import { fact } from '../../../parts/fact.ts';
import { folded } from '../../../parts/folded.ts';
import type { Example } from '../../../search/examples.ts';
import type { Page } from '../panes.ts';
import { Trial, trialAnswer, trialView } from '../trial.ts';
import { described } from './described.ts';
import type { Api, Operation } from './openapi.ts';
import { parameterList } from './parameters.ts';
import { PATIENT, searchOf } from './type-page.ts';

/** Addresses that are not asked from here: a request would do more than read, or the answer is not for an app. */
const NOT_ASKED = /^\/oauth\/(?:authorize|manage|logout|style)|^\/ingest|\$export|service-base/;

export function operationPage(operation: Operation, api: Api, examples: readonly Example[]): () => Page {
  const { method, path, summary, description, isOpen } = operation;
  const isOfRecords = path.startsWith('/fhir/r4') && !isOpen;
  const isAsked = !NOT_ASKED.test(path) && (method === 'get' || isOfRecords);
  const target = isAsked ? exampleTarget(operation, api, examples) : '';
  const trial = isAsked ? new Trial(target, isOpen).begin() : undefined;
  const code = (): TemplateResult => {
    if (trial && method === 'get') return trialView(trial);
    const request = codeBlock(requestText(operation, target), t('The request'));
    if (trial) return html`${request}${trialAnswer(trial)}`;
    return html`${request}${operation.answer ? codeBlock(operation.answer, t('The answer')) : nothing}`;
  };
  return () => ({
    head: html`<h1 tabindex="-1" class="address"><span class="method">${method.toUpperCase()}</span> <code
      class="breakable">${path}</code></h1>
      <p class="lead">${described(summary)}</p>
      ${description ? html`<p class="prose">${described(description)}</p>` : nothing}
      <p class="detail">${isOpen ? t('Answered without a token.') : t('Needs an access token.')}</p>`,
    code: { title: trial && method === 'get' ? t('Try it') : t('An example'), content: code() },
    rest: operationDetails(operation),
  });
}

/** Returns an address that finds something in the sample. */
function exampleTarget({ path, type }: Operation, api: Api, examples: readonly Example[]): string {
  const target = path.replace('/_search', '');
  if (type && target.endsWith(`/${type}`)) return `/fhir/r4/${searchOf(type, api, examples)}`;
  if (target.endsWith('$docref')) return `${target}?patient=${PATIENT}`;
  if (target.endsWith('$lastn')) return `${target}?patient=${PATIENT}&category=laboratory&max=1&_count=5`;
  if (target === '/fhir/r4') return `${target}?_type=Condition,AllergyIntolerance&patient=${PATIENT}`;
  const ofPatient = target.replace(/Patient\/(?:\{id\}\/)?(?=[$*])/, `Patient/${PATIENT}/`);
  return ofPatient === target ? target : `${ofPatient}?_count=5`;
}

/** Returns the text of a request. A form has the query of its target. */
function requestText({ method, path, body, isOpen }: Operation, target: string): string {
  const [, text] = target.split('?');
  const form = text === undefined ? body : { type: 'application/x-www-form-urlencoded', text };
  return sentRequest(`${method.toUpperCase()} ${path}`, isOpen ? undefined : '$TOKEN', form);
}

const operationDetails = ({ parameters, bodies, answers, members }: Operation): TemplateResult =>
  html`${
    parameters.length > 0
      ? html`<section aria-labelledby="parameters"><h2 id="parameters">${t('Parameters')}</h2>${parameterList(
          parameters,
        )}</section>`
      : nothing
  }
    ${
      bodies.length > 0
        ? html`<p class="detail"><span class="label">${t('Body')}</span> <code>${bodies.join(', ')}</code></p>`
        : nothing
    }
    <section aria-labelledby="answers"><h2 id="answers">${t('Answers')}</h2><dl class="outcomes">${answers.map(
      ([status, says]) => fact(status, described(says)),
    )}</dl>
    ${members.length > 0 ? folded(t('Members of the answer'), parameterList(members)) : nothing}</section>`;
