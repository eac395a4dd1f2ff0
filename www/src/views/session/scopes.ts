//! The table of the session's scopes: which were requested, granted and denied.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScopeLine } from '../../engine/types.ts';
import { t } from '../../language/message.ts';
import { scopesIn } from '../../smart/scopes.ts';
import type { Session } from '../../smart/session.ts';

export function scopeTable(session: Session, lines: ScopeLine[]): TemplateResult {
  const [requested, granted] = [scopesIn(session.requested), scopesIn(session.scope)];
  const all = [...new Set([...requested, ...granted])];
  const patient = session.patient ? { p: session.patient } : {};
  const row = (scope: string): TemplateResult => {
    const isGranted = granted.includes(scope);
    return html`<tr data-tone=${isGranted ? 'plain' : 'quiet'}><th
      scope="row"><code>${scope}</code></th>${yesCell(t('Asked'), requested.includes(scope))}${yesCell(
        t('Granted'),
        isGranted,
      )}<td>${
        isGranted
          ? html`<span class="visually-hidden">${t('no')}</span>`
          : html`<span class="tag">${t('Denied')}</span>`
      }</td><td class="wide">${lines.find((line) => line.scope === scope)?.says ?? ''}</td></tr>`;
  };
  return html`<div class="table-frame lined" tabindex="0" role="region" aria-label=${t('Scopes of this session')}><table
    class="plain"><caption>${t('Asked for, granted, denied')}</caption>
    <thead><tr><th scope="col">${t('Scope')}</th><th scope="col">${t('Asked')}</th><th
      scope="col">${t('Granted')}</th><th scope="col">${t('Denied')}</th><th
      scope="col">${t('In words')}</th></tr></thead>
    <tbody>${all.map(row)}</tbody></table></div>
    <p><a href=${`/#/scopes?${new URLSearchParams({ s: session.scope, ...patient })}`}>${t(
      'See what they open, type by type',
    )}</a></p>`;
}

const yesCell = (head: string, yes: boolean): TemplateResult =>
  html`<td data-head=${yes ? head : nothing}>${
    yes
      ? html`<span class="good" aria-hidden="true">✓</span><span class="visually-hidden">${t('yes')}</span>`
      : html`<span class="visually-hidden">${t('no')}</span>`
  }</td>`;
