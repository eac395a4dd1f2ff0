//! A refusal on the pages for developers, with a link to its row in the table of errors and a suggestion for a
//! mistyped parameter.

import { html, nothing, type TemplateResult } from 'lit-html';
import { issuesOf } from '#reading/fhir/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { rich, t } from '../language/message.ts';
import { closest } from '../search/closest.ts';
import { failed } from './notice.ts';

/** The address of a row in the table of errors. */
const errorUrl = (status: number, code: string): string => `/#/reference/errors/${status}-${code}`;

/** Returns the closest valid name if the diagnostics list the valid names: `Observation takes: _id, …`. */
function meant(expression: readonly string[] = [], diagnostics = ''): string | undefined {
  const [, names] = / takes: (.+)$/.exec(diagnostics) ?? [];
  const [name = ''] = expression[0]?.replace(/^http\./, '').split(/[:.]/) ?? [];
  return names && name ? closest(name, names.split(', ')) : undefined;
}

/** Draws a refusal from its answer. `heading` replaces the status. */
export function refused(exchange: Exchange, heading?: string): TemplateResult {
  const issues = issuesOf(exchange.body);
  const [name] = issues.flatMap(({ expression, diagnostics }) => meant(expression, diagnostics) ?? []);
  const codes = [...new Set(issues.flatMap(({ code }) => code ?? []))];
  const { status } = exchange;
  return html`${failed(exchange, undefined, heading)}${
    codes.length === 0
      ? nothing
      : html`<p class="aside">${
          name ? html`${rich('Did you mean {name}?', { name: html`<code>${name}</code>` })} ` : nothing
        }${t('Cause and remedy:')} ${codes.map(
          (code) => html`<a href=${errorUrl(status, code)}>${status} <code>${code}</code></a> `,
        )}</p>`
  }`;
}
