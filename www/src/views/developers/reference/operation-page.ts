//! The page of an operation: what it does, its parameters, its answers, and a request to try if it only reads.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../../language/message.ts';
import { described } from './described.ts';
import { referenceUrl } from './find.ts';
import type { Operation, Parameter } from './openapi.ts';
import { Trial, trialView } from './trial.ts';

/** The patient of the sample whose id replaces `{id}` in paths. */
const PATIENT = 'amara-okafor';
/** Addresses that cannot be tried here: a request would do more than read, or the answer is not for an app. */
const NOT_TRIED = /^\/oauth\/(?:authorize|manage|logout|style)|^\/ingest|\$export|\/metrics$/;

export function operationPage(operation: Operation): () => TemplateResult {
  const { method, path, summary, description, isOpen } = operation;
  const isTried = method === 'get' && !NOT_TRIED.test(path);
  const trial = isTried ? new Trial(exampleTarget(path), isOpen) : undefined;
  return () =>
    html`<h1 tabindex="-1" class="address"><span class="method">${method.toUpperCase()}</span> <code
      class="breakable">${path}</code></h1>
      <p class="lead">${described(summary)}</p>
      ${description ? html`<p class="prose">${described(description)}</p>` : nothing}
      <p class="detail">${isOpen ? t('Answered without a token.') : t('Needs an access token.')}</p>
      ${
        trial
          ? html`<section aria-labelledby="try"><h2 id="try">${t('Try it')}</h2>${trialView(trial)}</section>`
          : nothing
      }
      ${operationDetails(operation)}`;
}

/** Returns an address that finds something in the sample. */
function exampleTarget(path: string): string {
  if (path.endsWith('$lastn')) return `${path}?patient=${PATIENT}&category=laboratory&max=1&_count=5`;
  if (path === '/fhir/r4') return `${path}?_type=Condition,AllergyIntolerance&patient=${PATIENT}`;
  if (path.endsWith('Patient/$everything')) return `${path.replace('Patient', `Patient/${PATIENT}`)}?_count=5`;
  const target = path.replace('{id}', PATIENT);
  return path.includes('{id}') ? `${target}?_count=5` : target;
}

/** Draws the parameters, the body and the answers of an operation. */
const operationDetails = ({ method, path, parameters, bodies, answers }: Operation): TemplateResult =>
  html`${
    parameters.length > 0
      ? html`<section aria-labelledby="parameters"><h2 id="parameters">${t('Parameters')}</h2>${parameterTable(
          parameters,
          t('Parameters of {operation}', { operation: `${method} ${path}` }),
        )}</section>`
      : nothing
  }
    ${
      bodies.length > 0
        ? html`<p class="detail"><span class="label">${t('Body')}</span> <code>${bodies.join(', ')}</code></p>`
        : nothing
    }
    <section aria-labelledby="answers"><h2 id="answers">${t('Answers')}</h2><dl class="outcomes">${answers.map(
      ([status, says]) => html`<div><dt>${status}</dt><dd>${described(says)}</dd></div>`,
    )}</dl>
    <p class="aside"><a href=${referenceUrl('errors')}>${t('Errors, with causes and what to do')}</a></p></section>`;

const PLACES = {
  query: 'query#a part of a request',
  path: 'path#a part of a request',
  header: 'header#a part of a request',
  body: 'body#a part of a request',
} as const;

const placeOf = (place: string): string => (place in PLACES ? t(PLACES[place as keyof typeof PLACES]) : place);

export function parameterTable(parameters: readonly Parameter[], label: string): TemplateResult {
  const hasPlaces = new Set(parameters.map(({ place }) => place)).size > 1;
  return html`<div class="table-frame stacked" tabindex="0" role="region" aria-label=${label}>
    <table class="plain"><caption class="visually-hidden">${t('Parameters')}</caption>
    <thead><tr><th scope="col">${t('Parameter')}</th><th
    scope="col">${t('Kind#of a parameter')}</th>${
      hasPlaces ? html`<th scope="col">${t('In#a part of a request')}</th>` : nothing
    }<th scope="col">${t('What it is')}</th></tr></thead>
    <tbody>${parameters.map(
      ({ name, required, place, kind, description, example }) =>
        html`<tr><th scope="row"><code>${name}</code>${
          required ? html`<small>${t('required')}</small>` : nothing
        }</th><td class="nowrap">${kind ? html`<code>${kind}</code>` : nothing}</td>${
          hasPlaces ? html`<td>${placeOf(place)}</td>` : nothing
        }<td class="wide">${described(description)}${
          example === undefined ? nothing : html` <code>${example}</code>`
        }</td></tr>`,
    )}</tbody></table></div>`;
}
