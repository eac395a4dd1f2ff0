// Opens the app in a browser with its own server. Closing a person's browser fails if a page logged an error to the
// console, violated the Content-Security-Policy, or sent a request to another origin.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { ARGS, executablePath } from './chromium.mjs';
import { freePort } from './port.mjs';
import { passwordOf, stage } from './stage.mjs';

export const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 320, height: 640 } };

/// Starts a server and a browser. `apps` may be a function of the origin. `providers` starts an identity provider, for
/// which the sign-in page gets a button.
export async function open({ data = ['sample'], apps = [], vars = {}, providers } = {}) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const provider = await providers?.({ origin });
  const configured = provider && {
    IDENTITY_PROVIDERS: JSON.stringify([
      { issuer: provider.issuer, name: 'the hospital', client_id: 'edgechart', secret: 'IDP_SECRET' },
    ]),
    IDP_SECRET: provider.secret,
  };
  const registered = typeof apps === 'function' ? apps(origin) : apps;
  const server = await stage({ data, apps: registered, port, vars: { ORIGIN: origin, ...configured, ...vars } });
  const browser = await chromium.launch({ executablePath, args: ARGS });
  const persons = new Set();

  /// Opens a person's browser context with its own cookies and storage. `worker` allows the service worker, for tests
  /// of offline use. `developer` turns the developer mode on.
  const person = async ({ size = 'desktop', theme = 'light', worker = false, developer = false, ...more } = {}) => {
    const context = await browser.newContext({
      viewport: SIZES[size],
      colorScheme: theme,
      serviceWorkers: worker ? 'allow' : 'block',
      baseURL: origin,
      locale: 'en-GB',
      ...(developer && {
        storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'developer', value: 'on' }] }] },
      }),
      ...more,
    });
    const complaints = [];
    /// The other origins that the person may visit.
    const elsewhere = [];
    /// Messages that tests provoke on purpose. The browser reports a refused request as an error.
    const expected = [
      /Service Worker registration blocked/,
      /Failed to load resource: the server responded with a status of (4\d\d)/,
    ];
    const note = (text) => {
      if (!expected.some((one) => one.test(text))) complaints.push(text);
    };
    context.on('page', (page) => {
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => note(`error: ${error.message}`));
    });
    context.on('request', (request) => {
      const { protocol, origin: to } = new URL(request.url());
      if (!['data:', 'blob:'].includes(protocol) && to !== origin && !elsewhere.includes(to))
        complaints.push(`another origin: ${request.url()}`);
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    });
    const one = {
      context,
      complaints,
      expected,
      elsewhere,
      page: () => context.newPage(),
      close: async () => {
        persons.delete(one);
        await end(context);
        assert.deepEqual(complaints, []);
      },
    };
    persons.add(one);
    return one;
  };
  /// Opens a page of the app as a new person, and waits until it is loaded.
  const visit = async (path, options) => {
    const visitor = await person(options);
    const page = await visitor.page();
    await show(page, path);
    return { person: visitor, page };
  };
  const closePersons = async () => {
    for (const one of persons) await one.close();
  };
  const close = async () => {
    try {
      await closePersons();
    } finally {
      await browser.close();
      await server.close();
      await provider?.close();
    }
  };
  return { origin, browser, server, provider, person, visit, closePersons, close };
}

/// Closes a context. Errors of route handlers that are still running are ignored, since their page is gone.
async function end(context) {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/// Returns the button that starts a launch, once it is enabled.
export const launchButton = (page) =>
  page.getByRole('button', { name: /^Sign in and choose/ }).and(page.locator(':enabled'));
/// Signs in on the server's page.
export const signIn = async (page, name, password = passwordOf(name)) => {
  await page.locator('input[type="password"]').waitFor();
  await page.locator('input[type="text"]').fill(name);
  await page.locator('input[type="password"]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
/// Begins a launch on a page of the app, and signs a user in.
export const beginLaunch = async (page, launch, ...user) => {
  await page.goto(`/#/launch/${launch}`);
  await launchButton(page).click();
  await signIn(page, ...user);
};
/// Chooses a patient on the server's page, by id or the first one.
export const choosePatient = async (page, id) => {
  const choices = page.locator('button[name="patient"]');
  await (id ? choices.and(page.locator(`[value="${id}"]`)) : choices.first()).click();
};
/// Grants the requested scopes, except those in `without`.
export const allow = async (page, { without = [] } = {}) => {
  await page.locator('button[value="allow"]').waitFor();
  for (const group of without.length ? await page.locator('form details').all() : []) {
    if (!(await group.evaluate((details) => details.open))) await group.locator('summary').click();
  }
  for (const scope of without) await page.locator(`input[type="checkbox"][value="${scope}"]`).uncheck();
  await page.locator('button[value="allow"]').click();
};

/// Goes to a view, and waits until it is drawn. If only the fragment changes, the page is not reloaded.
export async function show(page, path) {
  await page.goto(path);
  await loaded(page);
}

/// Waits until no section of the chart is loading. A link changes the address at once, but its event is a separate
/// task, and the page is drawn a frame later. So this waits two frames, in order not to see the page before.
export const loaded = (page) =>
  page.waitForFunction(
    (turn) => {
      if (turn.frames === undefined) {
        turn.frames = Number.NEGATIVE_INFINITY;
        setTimeout(() => {
          turn.frames = 0;
        });
      }
      turn.frames += 1;
      return turn.frames > 2 && document.querySelector('main h1') && !document.querySelector('main .state.waiting');
    },
    {},
    { timeout: 120_000 },
  );
