//! The frame of every view: the header with navigation and session, notes about the session, and the footer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { isDeveloper, switchDeveloper } from '../developer.ts';
import { chooseLanguage, otherLanguage } from '../language/language.ts';
import { type PlainMessage, rich, t } from '../language/message.ts';
import { announce } from '../parts/announce.ts';
import { instead } from '../parts/form.ts';
import { failed, waiting } from '../parts/notice.ts';
import { openRequests } from '../parts/requests.ts';
import { ACCESS_URL, FILES_URL, isOtherPage, OTHER_PAGE, patientsUrl, sessionStartUrl } from '../routes.ts';
import { logOut } from '../smart/log-out.ts';
import { sandboxToken } from '../smart/sandbox-token.ts';
import { other } from '../smart/server.ts';
import { titleOf } from '../smart/servers.ts';
import { ended, session } from '../smart/session.ts';
import { sent } from '../source/sent.ts';
import { userName } from '../source/user.ts';
import { nextTheme, theme } from '../theme.ts';
import { launchAgainUrl } from '../views/signed-out.ts';
import { developersBar, isForDevelopers } from './developers.ts';
import type { ShellModel } from './model.ts';

const THEMES = { auto: '◐', light: '☀', dark: '☾' };
const THEME_NAMES = { auto: 'the system’s', light: 'light', dark: 'dark' } as const;
const STATUS_NAMES = {
  'your files': 'Your files',
  'signed in': 'Signed in',
  'signed out': 'Signed out',
  sample: 'Offline sample',
} as const;

/**
 * Returns the name of the status. For a session, it names the user once the name is known. A page for developers may
 * use a sandbox token instead of a session.
 */
const statusName = ({ status, route }: ShellModel): string => {
  const name = userName.value;
  if (status === 'sample' && sandboxToken.value && isForDevelopers(route.value.name)) return t('Token of the sandbox');
  return status === 'signed in' && name ? t('Signed in as {name}', { name }) : t(STATUS_NAMES[status]);
};

/** Draws the status for small screens: only the name is visible. */
const shortStatus = (model: ShellModel): unknown =>
  model.status === 'signed in' && userName.value
    ? html`<span class="visually-hidden">${statusName(model)}</span><span aria-hidden="true">${userName.value}</span>`
    : html`<span>${statusName(model)}</span>`;

export const page = (model: ShellModel): TemplateResult =>
  html`<a class="skip" href="#main" @click=${skipToContent}>${t('Skip to the content')}</a>
    ${header(model)}${isOtherPage ? nothing : developersBar(model.route.value.name)}
    ${otherServerBar()}${expiryNote(model)}${endNote(model)}
    <main id="main" class="view">${content(model)}</main>
    <footer class="bottom"><p>${isOtherPage ? otherFooter() : footer(model)}</p></footer>
    <div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>`;

const footer = ({ status }: ShellModel): TemplateResult =>
  html`${
    status === 'your files' ? t('Your files stay in this tab.') : t('Synthetic patients only.')
  } <a href="/#/reference">${t('Reference')}</a> ·
      <a href="/sandbox.html">${t('Test users')}</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a> ·
      <a href="/openapi.json">OpenAPI</a>`;

const otherFooter = (): TemplateResult =>
  html`${t('What another server sends stays in this tab.')} <a href="/">${t('Back to edgechart')}</a>`;

/** Draws the bar of the page for other servers, which names the server and links back. */
function otherServerBar(): TemplateResult | typeof nothing {
  if (!isOtherPage) return nothing;
  const back = html`<a href="/">${t('Back to edgechart')}</a>`;
  const bar = (content: unknown): TemplateResult =>
    html`<aside class="other-server" aria-label=${t('Server of this page')}>${content} ${back}</aside>`;
  if (!other) return bar(t('This page is for servers of other origins.'));
  return bar(
    html`${rich('This page is for another server: {name}, at {origin}.', {
      name: html`<strong>${titleOf(other)}</strong>`,
      origin: html`<code>${new URL(other.base).origin}</code>`,
    })} <a href=${OTHER_PAGE}>${t('Servers')}</a> ·`,
  );
}

const skipToContent = instead(() => document.querySelector<HTMLElement>('main h1')?.focus());

function content(model: ShellModel): TemplateResult {
  const { value: view } = model.view;
  const { value: problem } = model.problem;
  if (problem) return html`<h1 tabindex="-1">${t('This page could not be opened')}</h1>${failed(undefined, problem)}`;
  return view ? view.body() : waiting(t('the page'));
}

function header(model: ShellModel): TemplateResult {
  const { status } = model;
  const menuOpen = model.menuOpen.value;
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !menuOpen) return;
    model.menuOpen.value = false;
    document.querySelector<HTMLElement>('.menu-button')?.focus();
  };
  const showRequests = (): void => {
    model.menuOpen.value = false;
    openRequests();
  };
  const toggleMenu = (): void => {
    model.menuOpen.value = !menuOpen;
  };
  const changeTheme = (): void => announce(t('Theme: {theme}', { theme: t(THEME_NAMES[nextTheme()]) }));
  const changeMode = (): void =>
    announce(switchDeveloper() ? t('Developer mode on: requests, JSON and scopes are shown') : t('Developer mode off'));
  const changeLanguage = async (): Promise<void> => {
    const { tag, name } = otherLanguage();
    try {
      await chooseLanguage(tag);
      announce(name);
    } catch {
      announce(t('This language could not be loaded. Is there a connection?'));
    }
  };
  return html`<header class="top" @keydown=${closeOnEscape}>
    <a class="brand" href="/#/"><svg viewBox="0 0 64 64" aria-hidden="true"><path
      d="M4 37h16l5-15 9 26 6-17 3 6h17"></path></svg>edgechart</a>
    <p class="chip narrow-only" data-kind=${status === 'signed in' ? 'edge' : 'local'}><span class="dot"
      aria-hidden="true"></span>${shortStatus(model)}</p>
    <button type="button" class="menu-button narrow-only" aria-expanded=${menuOpen} aria-controls="menu"
      @click=${toggleMenu}>${t('Menu')}</button>
    <div class="menu" id="menu" data-open=${menuOpen}>
      <nav aria-label=${t('Main')}><ul role="list">${navigation(model)}</ul></nav>
      <div class="top-end">${sessionChip(model)}
        <button type="button" class="quiet for-developers" @click=${showRequests}>${t('Requests')}</button>
        <button type="button" class="quiet" aria-pressed=${isDeveloper()} @click=${changeMode}><span
          aria-hidden="true">{ } </span>${t('Developer mode')}</button>
        <button type="button" class="quiet language" lang=${otherLanguage().tag}
          @click=${() => void changeLanguage()}>${otherLanguage().name}</button>
        <button type="button" class="quiet" aria-label=${t('Theme: {theme}. Change it', {
          theme: t(THEME_NAMES[theme()]),
        })}
          @click=${changeTheme}>${THEMES[theme()]}</button>
      </div>
    </div>
  </header>`;
}

function navigation({ status, route }: ShellModel): TemplateResult[] {
  const { name } = route.value;
  const chart =
    status === 'your files'
      ? patientsUrl('files')
      : session.value
        ? sessionStartUrl(session.value.patient)
        : patientsUrl('sample');
  const entries: { href: string; text: PlainMessage; isCurrent: boolean }[] = [
    { href: chart, text: 'Chart', isCurrent: name === 'chart' || name === 'patients' },
    { href: '/#/developers', text: 'Developers', isCurrent: isForDevelopers(name) },
  ];
  return entries.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${t(text)}</a></li>`,
  );
}

function sessionChip(model: ShellModel): TemplateResult {
  const { status } = model;
  const now = session.value;
  const name = statusName(model);
  const words = {
    'your files': rich('{files} · {n} request sent|{files} · {n} requests sent', {
      files: html`<a href=${FILES_URL}>${name}</a>`,
      n: sent.value.length,
    }),
    'signed in': html`<a href=${ACCESS_URL}>${name}</a>`,
    'signed out': name,
    sample: name,
  }[status];
  return html`<p class="chip" data-kind=${status === 'signed in' ? 'edge' : 'local'}><span class="dot"
    aria-hidden="true"></span>${words}
    ${
      now && status !== 'signed in'
        ? html`<a href=${sessionStartUrl(now.patient)}>${t('Back to your session')}</a>`
        : nothing
    }
    ${now ? html`<button type="button" class="quiet" @click=${() => logOut()}>${t('Log out')}</button>` : nothing}</p>`;
}

/** Warns two minutes before a session without a refresh token ends (WCAG 2.2, success criterion 2.2.1). */
function expiryNote({ clock }: ShellModel): TemplateResult | typeof nothing {
  const now = session.value;
  if (!now || now.refreshToken) return nothing;
  const left = now.expiresAt - clock.now;
  if (left >= 120_000) return nothing;
  const launch = html`<a href=${launchAgainUrl(now)}>${t('Sign in again')}</a>`;
  return html`<p class="banner-note" role="status">${
    left > 0
      ? rich('This session ends within two minutes. {launch} to go on.', { launch })
      : rich('This session ends now. {launch} to go on.', { launch })
  }</p>`;
}

/** Says why the last session ended, on pages that do not belong to a session. */
function endNote({ route }: ShellModel): TemplateResult | typeof nothing {
  const { name, source } = route.value;
  const isOfSession = name === 'signed-out' || (source === 'session' && !session.value);
  const dismiss = (): void => {
    ended.value = undefined;
  };
  if (!ended.value || isOfSession) return nothing;
  return html`<p class="banner-note" role="status"><strong>${t('You are signed out.')}</strong> ${ended.value.says()} <a
    href=${launchAgainUrl()}>${t('Sign in again')}</a> <button type="button" class="quiet"
    @click=${dismiss}>${t('Dismiss')}</button></p>`;
}
