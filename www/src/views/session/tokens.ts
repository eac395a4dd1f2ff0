//! One token of the session: its checks, its claims, its header.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t, words } from '../../language/message.ts';
import { block, copyButton } from '../../parts/copy.ts';
import { folded } from '../../parts/folded.ts';
import { waiting } from '../../parts/notice.ts';
import type { InspectedToken } from '../../smart/inspect.ts';

/** The claims that are times, in seconds since 1970. */
const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time']);

const TITLES = { access: 'Access token', identity: 'Identity token' } as const;
type Kind = keyof typeof TITLES;

const time = (seconds: unknown): string =>
  typeof seconds === 'number'
    ? new Intl.DateTimeFormat(words().locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(seconds * 1000)
    : '';

export const tokenView = (kind: Kind, token: string, inspected: InspectedToken | undefined): TemplateResult =>
  html`<section aria-labelledby=${kind}><h2 id=${kind}>${t(TITLES[kind])}</h2>
    ${inspected ? inspectedView(kind, token, inspected) : waiting(t('its checks'))}</section>`;

const inspectedView = (kind: Kind, token: string, { header, claims, checks }: InspectedToken): TemplateResult =>
  html`<ul class="steps" role="list">${checks.map(
    ({ check, ok, says }) =>
      html`<li data-ok=${ok}><span class="mark" aria-hidden="true">${
        ok ? '✓' : '✗'
      }</span><span><strong lang="en">${check}</strong> <span class="visually-hidden">${
        ok ? t('passed') : t('failed#check')
      }</span> <span lang="en">${says}</span></span></li>`,
  )}</ul>
  <div class="table-frame" tabindex="0" role="region" aria-label=${`${t('Claims')}: ${t(TITLES[kind])}`}><table
    class="plain"><caption>${t('Claims')}</caption><thead><tr><th scope="col">${t('Claim#of a token')}</th><th
    scope="col">${t('Value')}</th></tr></thead>
  <tbody>${Object.entries(claims).map(claimView)}</tbody></table></div>
  <p class="actions">${copyButton(() => token, t(TITLES[kind]).toLowerCase())}</p>
  ${folded(t('Header'), block(JSON.stringify(header, null, 2), t('Header')))}`;

const claimView = ([name, value]: [string, unknown]): TemplateResult =>
  html`<tr><th scope="row"><code>${name}</code></th><td class="breakable"><code>${
    typeof value === 'string' ? value : JSON.stringify(value)
  }</code>${TIMES.has(name) ? html` <span class="aside">${time(value)}</span>` : nothing}</td></tr>`;
