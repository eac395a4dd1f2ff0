//! The views for developers share one entry in the header and have a navigation bar below it.

import { html, nothing, type TemplateResult } from 'lit-html';
import { own } from '#reading/own.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { scrollRow } from '../parts/scroll-row.ts';

interface Entry {
  route: string;
  href: string;
  text: PlainMessage;
}

const ENTRIES: Entry[] = [
  { route: 'developers', href: '/#/developers', text: 'Getting started' },
  { route: 'reference', href: '/#/reference', text: 'Reference' },
  { route: 'guides', href: '/#/guides', text: 'Guides' },
  { route: 'search', href: '/#/search', text: 'Search' },
  { route: 'scopes', href: '/#/scopes', text: 'Scope explorer' },
  { route: 'checks', href: '/#/checks', text: 'Checks' },
  { route: 'sandbox', href: '/sandbox.html', text: 'Sandbox' },
  { route: 'session', href: '/#/session', text: 'Session' },
];
/** The entries for views that have no entry of their own. */
const ENTRY_OF: Record<string, string> = { ehr: 'sandbox' };

const entryOf = (route: string): string => own(ENTRY_OF, route) ?? route;

export const isForDevelopers = (route: string): boolean => ENTRIES.some((one) => one.route === entryOf(route));

export const developersBar = (current: string): TemplateResult | typeof nothing =>
  isForDevelopers(current)
    ? html`<nav class="developers-bar" aria-label=${t('For developers')}>${scrollRow(
        ENTRIES.map(
          ({ route, href, text }) =>
            html`<li><a href=${href} aria-current=${entryOf(current) === route ? 'page' : nothing}>${t(text)}</a></li>`,
        ),
      )}</nav>`
    : nothing;
