//! The frame of every view: the header with its navigation, the state of the session, the main part, the footer. On a change
//! of view the focus goes to the new heading, and its title is announced; Back restores the place.

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { capital } from './fhir/text.ts';
import { framed } from './frame.ts';
import { announce } from './parts/announce.ts';
import { closeDrawer } from './parts/drawer.ts';
import { failed, waiting } from './parts/notice.ts';
import { openRequests } from './parts/requests.ts';
import { leavePlace, restorePlace, watchPlaces } from './place.ts';
import { completed, here, patientsAt, startOf, writeDown, type Route } from './routes.ts';
import { cameFromLogOut, ended, expireInTime, logOut, session } from './smart/session.ts';
import { sourceOf, trial } from './source/current.ts';
import { nextTheme, theme } from './theme.ts';
import type { Open, View } from './view.ts';
import { home } from './views/home.ts';
import { launchAgain, signedOut } from './views/signedout.ts';
import { unknown } from './views/unknown.ts';

const VIEWS: Record<string, () => Promise<Open>> = {
  home: async () => home,
  launch: async () => (await import('./views/launch.ts')).launch,
  launched: async () => (await import('./views/launched.ts')).launched,
  callback: async () => (await import('./views/callback.ts')).callback,
  ehr: async () => (await import('./views/ehr.ts')).ehr,
  patients: async () => (await import('./views/patients.ts')).patients,
  chart: async () => (await import('./views/chart.ts')).chart,
  search: async () => (await import('./views/search.ts')).searching,
  scopes: async () => (await import('./views/scopes.ts')).scopes,
  session: async () => (await import('./views/session.ts')).sessionPanel,
  checks: async () => (await import('./views/checks.ts')).checks,
  reference: async () => (await import('./views/reference.ts')).reference,
  sandbox: async () => (await import('./views/sandbox.ts')).sandbox,
  'signed-out': async () => signedOut,
};

const NAVIGATION: [route: string, href: string, text: string][] = [
  ['search', '/#/search', 'Search'],
  ['scopes', '/#/scopes', 'Scopes'],
  ['session', '/#/session', 'Session'],
  ['checks', '/#/checks', 'Checks'],
  ['reference', '/#/reference', 'Reference'],
  ['sandbox', '/sandbox.html', 'Sandbox'],
];

const CHART_VIEWS = ['', 'timeline', 'trend'];
const THEMES = { auto: '◐', light: '☀', dark: '☾' };

export function openShell(host: HTMLElement): void {
  let route: Route = here();
  let view: View | undefined;
  let problem: string | undefined;
  let arrivals = 0;
  let menu = false;
  const keyOf = ({ source }: Route): string | undefined => source && sourceOf(source)?.key;
  let shown = keyOf(route);

  const draw = framed(() => {
    render(page(), host);
    if (view) document.title = view.title === 'edgechart' ? 'edgechart' : `${view.title} · edgechart`;
    restorePlace();
  });

  function nav([name, href, text]: [string, string, string]): TemplateResult {
    const at = route.name === name || (name === 'patients' && route.name === 'chart');
    return html`<li><a href=${href} aria-current=${at ? 'page' : nothing}>${text}</a></li>`;
  }

  /** Whose records this page is about: the session's wherever there is one, except on pages of the sample. */
  function standing(): 'signed in' | 'signed out' | 'sample' {
    if (route.source !== 'sample' && session.value) return 'signed in';
    return route.source === 'session' || route.name === 'signed-out' ? 'signed out' : 'sample';
  }

  function status(): TemplateResult {
    const now = session.value;
    const is = standing();
    return html`<p class="chip" data-kind=${is === 'signed in' ? 'edge' : 'local'}><span class="dot"
      aria-hidden="true"></span>${
        {
          'signed in': html`<a href="/#/session">Signed
        in</a>`,
          'signed out': 'Signed out',
          sample: 'Offline sample',
        }[is]
      }
      ${now && is === 'sample' ? html`<a href=${startOf(now.patient)}>Back to your session</a>` : nothing}
      ${now ? html`<button type="button" class="quiet" @click=${() => void logOut()}>Log out</button>` : nothing}</p>`;
  }

  /** A session without a refresh token ends; that is said while there is time to launch again (WCAG 2.2.1). */
  function lastMinute(): TemplateResult | typeof nothing {
    const now = session.value;
    const left = now && !now.refreshToken ? now.expiresAt - Date.now() : Infinity;
    return left < 120_000
      ? html`<p class="banner-note" role="status">This session ends ${
          left > 0 ? 'within two minutes' : 'now'
        }. <a href=${launchAgain(now)}>Launch again</a> to go on.</p>`
      : nothing;
  }

  function outside(): TemplateResult | typeof nothing {
    if (!ended.value || route.name === 'signed-out' || (route.source === 'session' && !session.value)) return nothing;
    return html`<p class="banner-note" role="status"><strong>You are signed out.</strong> ${ended.value.says}
      <a href=${launchAgain()}>Launch again</a> <button type="button" class="quiet"
        @click=${() => ended.set(undefined)}>Dismiss</button></p>`;
  }

  const openMenu = (open: boolean): void => {
    menu = open;
    draw();
  };

  function page(): TemplateResult {
    const chart = session.value ? startOf(session.value.patient) : patientsAt('sample');
    return html`<a class="skip" href="#main" @click=${(event: Event) => {
      event.preventDefault();
      document.querySelector<HTMLElement>('main h1')?.focus();
    }}>Skip to the content</a>
      <header class="top" @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape' && menu) {
          openMenu(false);
          host.querySelector<HTMLElement>('.menu-button')?.focus();
        }
      }}>
        <a class="brand" href="/#/"><svg viewBox="0 0 64 64" aria-hidden="true">
          <path d="M4 37h16l5-15 9 26 6-17 3 6h17"></path></svg>edgechart</a>
        <p class="chip narrow-only" data-kind=${
          standing() === 'signed in' ? 'edge' : 'local'
        }><span class="dot" aria-hidden="true"></span>${capital(standing())}</p>
        <button type="button" class="menu-button narrow-only" aria-expanded=${menu} aria-controls="menu"
          @click=${() => openMenu(!menu)}>Menu</button>
        <div class="menu" id="menu" data-open=${menu}>
          <nav aria-label="Main"><ul role="list">${nav(['patients', chart, 'Chart'])}${NAVIGATION.map(nav)}</ul></nav>
          <div class="top-end">${status()}
            <button type="button" class="quiet" @click=${() => {
              openMenu(false);
              openRequests();
            }}>Requests</button>
            <button type="button" class="quiet" aria-label=${`Theme: ${theme()}. Change it`} @click=${() => {
              announce(`Theme: ${nextTheme()}`);
              draw();
            }}>${THEMES[theme()]}</button>
          </div>
        </div>
      </header>
      ${lastMinute()}${outside()}
      <main id="main" class=${`view view-${route.name}`}>${
        problem
          ? html`<h1 tabindex="-1">This page could not be opened</h1>${failed(undefined, problem)}`
          : view
            ? view.body()
            : waiting('the page')
      }</main>
      <footer class="bottom"><p>Synthetic patients only. <a href="/#/reference">Reference</a> ·
        <a href="/sandbox.html">Test users</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a> ·
          <a href="/openapi.json">OpenAPI</a></p></footer>
      <div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>`;
  }

  async function open(): Promise<Open> {
    if (route.source && !sourceOf(route.source)) return signedOut;
    const [, part = ''] = route.parts;
    if (route.name === 'chart' ? !CHART_VIEWS.includes(part) : route.parts.length > 0 && route.name !== 'launch')
      return unknown;
    return (await VIEWS[route.name]?.()) ?? unknown;
  }

  async function arrive(back = false): Promise<void> {
    const arrival = ++arrivals;
    view?.leave?.();
    closeDrawer();
    const address = completed(here(), session.value !== undefined);
    if (address) writeDown(address);
    route = here();
    shown = keyOf(route);
    view = undefined;
    problem = undefined;
    menu = false;
    draw();
    try {
      const opened = await open();
      if (arrival !== arrivals) return;
      view = opened(route, draw);
    } catch (error) {
      if (arrival !== arrivals) return;
      problem = error instanceof Error ? error.message : String(error);
    }
    draw();
    if (arrival > 1)
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (arrival !== arrivals) return;
          if (!back) scrollTo(0, 0);
          if (!back || !document.activeElement?.matches('main a'))
            document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
          announce(view?.title ?? 'This page could not be opened');
        }),
      );
  }

  addEventListener('hashchange', () => void arrive(leavePlace()));
  addEventListener('click', (event) => {
    if (menu && !(event.target as Element).closest('header.top')) openMenu(false);
  });
  ended.watch(draw);
  let signedIn = session.value !== undefined;
  const moved = (): void => {
    const key = keyOf(route);
    // When a session ends, no view keeps what it read with it. A refresh changes the token, not what is seen: the view stays.
    if ((signedIn && !session.value) || (route.source && key !== shown)) void arrive();
    shown = key;
    signedIn = session.value !== undefined;
    draw();
  };
  setInterval(() => {
    expireInTime();
    if (session.value && !session.value.refreshToken) draw();
  }, 5_000);
  trial.watch(moved);
  session.watch(moved);
  host.replaceChildren();
  watchPlaces();
  if (cameFromLogOut()) history.replaceState(history.state, '', '/#/signed-out');
  draw();
  void arrive();
}
