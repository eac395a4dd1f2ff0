//! The page of errors.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type PlainMessage, t } from '../../../language/message.ts';
import type { Page } from '../panes.ts';
import { described, marked } from './described.ts';
import { FHIR_ERRORS, type ListedError, OAUTH_ERRORS } from './errors.ts';

/** Returns the page of errors. */
export const errorsPage = (): Page => ({
  head: html`<h1 tabindex="-1">${t('Errors')}</h1>
    <p class="lead">${t('A refusal says why, and what would have been right.')}</p>`,
  rest: html`<section aria-labelledby="fhir"><h2 id="fhir">${t('Errors of records')}</h2>
      <p>${t('The answer is an OperationOutcome. Its issues have a code, a text, and diagnostics.')}</p>
      ${table('Errors of records', FHIR_ERRORS)}</section>
    <section aria-labelledby="oauth"><h2 id="oauth">${t('Errors of the sign-in')}</h2>
      <p>${marked(
        t('The answer is JSON with `error` and `error_description`; after a sign-in they come back in the address.'),
      )}</p>
      ${table('Errors of the sign-in', OAUTH_ERRORS)}</section>`,
});

const table = (caption: PlainMessage, errors: readonly ListedError[]): TemplateResult =>
  html`<div class="table-frame stacked" tabindex="0" role="region" aria-label=${t('{caption} in a table', {
    caption: t(caption),
  })}><table class="plain"><caption
    class="visually-hidden">${t(caption)}</caption><thead><tr><th scope="col">${t('Error')}</th><th scope="col">${t(
      'Cause',
    )}</th><th scope="col">${t('What to do')}</th></tr></thead><tbody>${errors.map((one, at) =>
      errorRow(one, errors.findIndex((other) => nameOf(other) === nameOf(one)) === at),
    )}</tbody></table></div>`;

/** Returns the name of an error in addresses, such as `400-value`. */
const nameOf = ({ status, code }: ListedError): string => `${status}-${code}`;

/** Draws a row. Its id is the name of the error if it is the first row with that name. */
const errorRow = (error: ListedError, isFirst: boolean): TemplateResult => {
  const { status, code, cause, remedy, example } = error;
  return html`<tr id=${isFirst ? nameOf(error) : nothing} tabindex=${isFirst ? -1 : nothing}>
    <th scope="row">${status} <code>${code}</code></th><td class="wide">${described(cause)}</td><td
    class="wide">${described(remedy)}${
      example
        ? html` <a href=${`/#/search?q=${encodeURIComponent(example)}`}>${t('Try it')}<span
            class="visually-hidden">: ${status} <code>${code}</code></span></a>`
        : nothing
    }</td></tr>`;
};
