//! One token of the session: its checks, its claims, its header.

import { html, nothing, type TemplateResult } from 'lit-html';
import { block, copyButton } from '../../parts/copy.ts';
import { waiting } from '../../parts/notice.ts';
import type { InspectedToken } from '../../smart/inspect.ts';

/** The claims that are times, in seconds since 1970. */
const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time']);

const time = (seconds: unknown): string =>
  typeof seconds === 'number'
    ? new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
    : '';

export const tokenView = (
  title: string,
  id: string,
  token: string,
  inspected: InspectedToken | undefined,
): TemplateResult =>
  html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>
    ${inspected ? inspectedView(title, token, inspected) : waiting('its checks')}</section>`;

const inspectedView = (title: string, token: string, { header, claims, checks }: InspectedToken): TemplateResult =>
  html`<ul class="steps" role="list">${checks.map(
    ({ check, ok, says }) =>
      html`<li data-ok=${ok}><span class="mark" aria-hidden="true">${
        ok ? '✓' : '✗'
      }</span><span><strong>${check}</strong><span class="visually-hidden">${
        ok ? ' passed' : ' failed'
      }</span> ${says}</span></li>`,
  )}</ul>
  <div class="table-frame" tabindex="0" role="region" aria-label=${`Claims of the ${title.toLowerCase()}`}><table
    class="plain"><caption>Claims</caption><thead><tr><th scope="col">Claim</th><th scope="col">Value</th></tr></thead>
  <tbody>${Object.entries(claims).map(claimView)}</tbody></table></div>
  <p class="actions">${copyButton(() => token, title.toLowerCase())}</p>
  <details class="folded"><summary>Header</summary>${block(JSON.stringify(header, null, 2), 'Header')}</details>`;

const claimView = ([name, value]: [string, unknown]): TemplateResult =>
  html`<tr><th scope="row"><code>${name}</code></th><td class="breakable"><code>${
    typeof value === 'string' ? value : JSON.stringify(value)
  }</code>${TIMES.has(name) ? html` <span class="aside">${time(value)}</span>` : nothing}</td></tr>`;
