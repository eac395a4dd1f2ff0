//! What stands around every view: the header with its navigation, the status of the session, the main part, the footer.
//! On a change of view the focus goes to the new heading, and its title is announced.

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { framed } from './frame';
import { announce } from './parts/announce';
import { closeDrawer } from './parts/drawer';
import { failed, waiting } from './parts/notice';
import { openRequests } from './parts/requests';
import { here, type Route } from './routes';
import { ended, logOut, session } from './smart/session';
import { choice, current, trial } from './source/current';
import { exchanges } from './source/log';
import { nextTheme, theme } from './theme';
import type { Open, View } from './view';
import { home } from './views/home';

const VIEWS: Record<string, () => Promise<Open>> = {
  home: async () => home,
  launch: async () => (await import('./views/launch')).launch,
  launched: async () => (await import('./views/launched')).launched,
  callback: async () => (await import('./views/callback')).callback,
  ehr: async () => (await import('./views/ehr')).ehr,
  patients: async () => (await import('./views/patients')).patients,
  chart: async () => (await import('./views/chart')).chart,
  search: async () => (await import('./views/search')).searching,
  scopes: async () => (await import('./views/scopes')).scopes,
  session: async () => (await import('./views/session')).sessionPanel,
  checks: async () => (await import('./views/checks')).checks,
  reference: async () => (await import('./views/reference')).reference,
  sandbox: async () => (await import('./views/sandbox')).sandbox,
};

const NAVIGATION: [route: string, href: string, text: string][] = [
  ['patients', '/#/patients', 'Chart'], ['search', '/#/search', 'Search'], ['scopes', '/#/scopes', 'Scopes'], ['session', '/#/session', 'Session'],
  ['checks', '/#/checks', 'Checks'], ['reference', '/#/reference', 'Reference'], ['sandbox', '/sandbox.html', 'Sandbox'],
];

export function openShell(host: HTMLElement): void {
  let route: Route = here();
  let view: View | undefined;
  let problem: string | undefined;
  let arrivals = 0;

  const draw = framed(() => render(page(), host));

  function nav([name, href, text]: [string, string, string]): TemplateResult {
    const at = route.name === name || (name === 'patients' && route.name === 'chart');
    return html`<li><a href=${href} aria-current=${at ? 'page' : nothing}>${text}</a></li>`;
  }

  function status(): TemplateResult {
    const now = session.value;
    if (!now || choice.value === 'local') {
      return html`<p class="chip" data-kind="local"><span class="dot" aria-hidden="true"></span>Offline sample${now ? html` <button type="button" class="quiet" @click=${() => choice.set('edge')}>Go live</button>` : nothing}</p>`;
    }
    return html`<p class="chip" data-kind="edge"><span class="dot" aria-hidden="true"></span><a href="/#/session">Signed in${now.patient ? html`<span class="wide-only">: ${now.patient}</span>` : nothing}</a>
      <button type="button" class="quiet" @click=${() => void logOut()}>Log out</button></p>`;
  }

  /** A session without a refresh token ends; that is said while there is time to launch again (WCAG 2.2.1). */
  function lastMinute(): TemplateResult | typeof nothing {
    const now = session.value;
    const left = now && !now.refreshToken ? now.expiresAt - Date.now() : Infinity;
    return left < 120_000 ? html`<p class="banner-note" role="status">This session ends ${left > 0 ? 'within two minutes' : 'now'}. <a href=${now?.launch === 'practitioner' ? '/#/launch/practitioner' : '/#/launch/patient'}>Launch again</a> to go on.</p>` : nothing;
  }

  function page(): TemplateResult {
    return html`<a class="skip" href="#main" @click=${(event: Event) => { event.preventDefault(); document.querySelector<HTMLElement>('main h1')?.focus(); }}>Skip to the content</a>
      <header class="top">
        <a class="brand" href="/#/"><svg viewBox="0 0 64 64" aria-hidden="true"><path d="M4 37h16l5-15 9 26 6-17 3 6h17"></path></svg>edgechart</a>
        <nav aria-label="Main"><ul role="list">${NAVIGATION.map(nav)}</ul></nav>
        <div class="top-end">${status()}
          <button type="button" class="quiet" @click=${() => openRequests()}>Requests<span class="wide-only"> ${exchanges.value.length}</span></button>
          <button type="button" class="quiet" aria-label=${`Theme: ${theme()}. Change it`} @click=${() => { announce(`Theme: ${nextTheme()}`); draw(); }}>${{ auto: '◐', light: '☀', dark: '☾' }[theme()]}</button>
        </div>
      </header>
      ${lastMinute()}
      ${ended.value ? html`<p class="banner-note" role="status">${ended.value} <button type="button" class="quiet" @click=${() => ended.set(undefined)}>Dismiss</button></p>` : nothing}
      <main id="main" class=${`view view-${route.name}`}>${problem ? html`<h1 tabindex="-1">This page could not be opened</h1>${failed(undefined, problem)}` : view ? view.body() : waiting('the page')}</main>
      <footer class="bottom"><p>Synthetic patients only. <a href="/#/reference">Reference</a> · <a href="/sandbox.html">Test users</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a> · <a href="/openapi.json">OpenAPI</a></p></footer>
      <div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>`;
  }

  async function arrive(): Promise<void> {
    const arrival = ++arrivals;
    view?.leave?.();
    closeDrawer();
    route = here();
    view = undefined;
    problem = undefined;
    draw();
    try {
      const open = await (VIEWS[route.name] ?? VIEWS.home as () => Promise<Open>)();
      if (arrival !== arrivals) return;
      view = open(route, draw);
      document.title = view.title === 'edgechart' ? 'edgechart' : `${view.title} · edgechart`;
    } catch (error) {
      if (arrival !== arrivals) return;
      problem = error instanceof Error ? error.message : String(error);
    }
    draw();
    if (arrival > 1) requestAnimationFrame(() => requestAnimationFrame(() => {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      announce(view?.title ?? 'This page could not be opened');
    }));
  }

  addEventListener('hashchange', () => void arrive());
  for (const source of [session, ended, exchanges]) source.watch(draw);
  let shown = current().key;
  const moved = (): void => {
    const { key } = current();
    // A refresh changes the token, not what is seen: the view stays.
    if (key !== shown && ['chart', 'patients'].includes(route.name)) void arrive();
    shown = key;
    draw();
  };
  setInterval(() => { if (session.value && !session.value.refreshToken) draw(); }, 15_000);
  choice.watch(moved);
  trial.watch(moved);
  session.watch(moved);
  host.replaceChildren();
  draw();
  void arrive();
}
