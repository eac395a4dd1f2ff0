//! The frame of every view: the header with navigation and session, notes about the session, the view, the footer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { isDeveloper, switchDeveloper } from '../developer.ts';
import { capital, plural } from '../fhir/text.ts';
import { announce } from '../parts/announce.ts';
import { failed, waiting } from '../parts/notice.ts';
import { openRequests } from '../parts/requests.ts';
import { FILES_URL, patientsUrl, sessionStartUrl } from '../routes.ts';
import { logOut } from '../smart/log-out.ts';
import { ended, session } from '../smart/session.ts';
import { sent } from '../source/sent.ts';
import { nextTheme, theme } from '../theme.ts';
import { launchAgainUrl } from '../views/signed-out.ts';
import type { ShellModel } from './model.ts';

interface NavigationEntry {
  route: string;
  href: string;
  text: string;
}

const NAVIGATION: NavigationEntry[] = [
  { route: 'search', href: '/#/search', text: 'Search' },
  { route: 'scopes', href: '/#/scopes', text: 'Scopes' },
  { route: 'session', href: '/#/session', text: 'Session' },
  { route: 'checks', href: '/#/checks', text: 'Checks' },
  { route: 'reference', href: '/#/reference', text: 'Reference' },
  { route: 'sandbox', href: '/sandbox.html', text: 'Sandbox' },
];
const THEMES = { auto: '◐', light: '☀', dark: '☾' };

export const page = (model: ShellModel, redraw: () => void): TemplateResult =>
  html`<a class="skip" href="#main" @click=${skipToContent}>Skip to the content</a>
    ${header(model, redraw)}
    ${expiryNote()}${endNote(model)}
    <main id="main" class=${`view view-${model.route.name}`}>${content(model)}</main>
    <footer class="bottom"><p>${
      model.status === 'your files' ? 'Your files stay in this tab.' : 'Synthetic patients only.'
    } <a href="/#/reference">Reference</a> ·
      <a href="/sandbox.html">Test users</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a> ·
      <a href="/openapi.json">OpenAPI</a></p></footer>
    <div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>`;

function skipToContent(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main h1')?.focus();
}

function content({ view, problem }: ShellModel): TemplateResult {
  if (problem) return html`<h1 tabindex="-1">This page could not be opened</h1>${failed(undefined, problem)}`;
  return view ? view.body() : waiting('the page');
}

function header(model: ShellModel, redraw: () => void): TemplateResult {
  const { status, menuOpen } = model;
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !menuOpen) return;
    model.openMenu(false);
    document.querySelector<HTMLElement>('.menu-button')?.focus();
  };
  const showRequests = (): void => {
    model.openMenu(false);
    openRequests();
  };
  const changeTheme = (): void => {
    announce(`Theme: ${nextTheme()}`);
    redraw();
  };
  const changeMode = (): void => {
    announce(switchDeveloper() ? 'Developer mode on: requests, JSON and scopes are shown' : 'Developer mode off');
    redraw();
  };
  return html`<header class="top" @keydown=${closeOnEscape}>
    <a class="brand" href="/#/"><svg viewBox="0 0 64 64" aria-hidden="true"><path
      d="M4 37h16l5-15 9 26 6-17 3 6h17"></path></svg>edgechart</a>
    <p class="chip narrow-only" data-kind=${status === 'signed in' ? 'edge' : 'local'}><span class="dot"
      aria-hidden="true"></span>${capital(status)}</p>
    <button type="button" class="menu-button narrow-only" aria-expanded=${menuOpen} aria-controls="menu"
      @click=${() => model.openMenu(!menuOpen)}>Menu</button>
    <div class="menu" id="menu" data-open=${menuOpen}>
      <nav aria-label="Main"><ul role="list">${navigation(model)}</ul></nav>
      <div class="top-end">${sessionChip(model)}
        <button type="button" class="quiet for-developers" @click=${showRequests}>Requests</button>
        <button type="button" class="quiet" aria-pressed=${isDeveloper()} aria-label="Developer mode"
          title="Developer mode" @click=${changeMode}>{ }</button>
        <button type="button" class="quiet" aria-label=${`Theme: ${theme()}. Change it`}
          @click=${changeTheme}>${THEMES[theme()]}</button>
      </div>
    </div>
  </header>`;
}

function navigation({ status, route: { name } }: ShellModel): TemplateResult[] {
  const chart =
    status === 'your files'
      ? patientsUrl('files')
      : session.value
        ? sessionStartUrl(session.value.patient)
        : patientsUrl('sample');
  const entries: NavigationEntry[] = [{ route: 'patients', href: chart, text: 'Chart' }, ...NAVIGATION];
  const isCurrent = (route: string): boolean => name === route || (route === 'patients' && name === 'chart');
  return entries.map(
    ({ route, href, text }) =>
      html`<li><a href=${href} aria-current=${isCurrent(route) ? 'page' : nothing}>${text}</a></li>`,
  );
}

function sessionChip({ status }: ShellModel): TemplateResult {
  const now = session.value;
  const words = {
    'your files': html`<a href=${FILES_URL}>Your files</a> · ${plural(sent.value.length, 'request')} sent`,
    'signed in': html`<a href="/#/session">Signed in</a>`,
    'signed out': 'Signed out',
    sample: 'Offline sample',
  }[status];
  return html`<p class="chip" data-kind=${status === 'signed in' ? 'edge' : 'local'}><span class="dot"
    aria-hidden="true"></span>${words}
    ${now && status !== 'signed in' ? html`<a href=${sessionStartUrl(now.patient)}>Back to your session</a>` : nothing}
    ${now ? html`<button type="button" class="quiet" @click=${() => logOut()}>Log out</button>` : nothing}</p>`;
}

/** Says that a session without a refresh token ends, while there is time to launch again (WCAG 2.2, 2.2.1). */
function expiryNote(): TemplateResult | typeof nothing {
  const now = session.value;
  if (!now || now.refreshToken) return nothing;
  const left = now.expiresAt - Date.now();
  if (left >= 120_000) return nothing;
  return html`<p class="banner-note" role="status">This session ends ${left > 0 ? 'within two minutes' : 'now'}. <a
    href=${launchAgainUrl(now)}>Launch again</a> to go on.</p>`;
}

/** Says why the last session ended, on pages that were not its own. */
function endNote({ route }: ShellModel): TemplateResult | typeof nothing {
  const isOfSession = route.name === 'signed-out' || (route.source === 'session' && !session.value);
  if (!ended.value || isOfSession) return nothing;
  return html`<p class="banner-note" role="status"><strong>You are signed out.</strong> ${ended.value.says} <a
    href=${launchAgainUrl()}>Launch again</a> <button type="button" class="quiet"
    @click=${() => ended.set(undefined)}>Dismiss</button></p>`;
}
