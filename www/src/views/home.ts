//! The first page: the ways in, one click each, and whether the server is there.

import { html, nothing, type TemplateResult } from 'lit-html';
import { chartAt, startOf } from '../routes.ts';
import { discover } from '../smart/discovery.ts';
import { fitting, sandboxData, spoken, type Sandbox } from '../smart/sandbox.ts';
import { session } from '../smart/session.ts';
import { usual } from '../smart/wishes.ts';
import type { Open } from '../view.ts';

interface Server {
  ok: boolean;
  says: string;
}

async function look(): Promise<Server> {
  try {
    const [health, smart] = await Promise.all([fetch('/healthz', { cache: 'no-store' }), discover()]);
    if (!health.ok) return { ok: false, says: `The server answers, but is not well (HTTP ${health.status}).` };
    const signIn = smart.authorization_endpoint ? 'sign-in ready' : 'no sign-in here';
    return { ok: true, says: `${new URL(smart.issuer).host} is up · FHIR R4 · US Core 6.1.0 · ${signIn}` };
  } catch {
    return { ok: false, says: 'No server in reach. The offline sample works all the same.' };
  }
}

const card = (
  href: string,
  title: string,
  says: string,
  go: string,
  kind = '',
): TemplateResult => html`<li class="card ${kind}">
  <h3><a href=${href}>${title}</a></h3><p>${says}</p><p class="go" aria-hidden="true">${go} →</p></li>`;

export const home: Open = (_route, redraw) => {
  let server: Server | undefined;
  /** The users of the sandbox; nothing where this server is none, or until it answers. */
  let sandbox: Sandbox | undefined;
  let problem: string | undefined;
  void look().then((found) => {
    server = found;
    redraw();
  });
  sandboxData().then(
    (found) => {
      sandbox = found;
      redraw();
    },
    () => undefined,
  );

  const signIn = (kind: 'patient' | 'practitioner', user: string | undefined): void => {
    // What launches is fetched when it is wanted.
    import('../smart/launch.ts')
      .then(async ({ go, prepare }) => go(await prepare({ scope: usual(kind).join(' '), launch: kind, user })))
      .catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
        redraw();
      });
  };
  /** A launch with the usual scopes, as the user who fits it; nothing where the sandbox has none. */
  const launchCard = (
    kind: 'patient' | 'practitioner',
    title: string,
    says: string,
  ): TemplateResult | typeof nothing => {
    const user = sandbox && fitting(sandbox.users, kind)[0];
    if (sandbox && !user) return nothing;
    return html`<li class="card launch"><h3>${title}</h3><p>${says}</p>
      <p class="actions"><button type="button" class="primary" @click=${() => signIn(kind, user?.username)}>${
        user ? `Sign in as ${spoken(user)}` : 'Sign in'
      }</button>
        <a href=${`/#/launch/${kind}`}>Options<span class="visually-hidden"> of the launch
          ${title.toLowerCase()}</span></a></p></li>`;
  };

  return {
    title: 'edgechart',
    body: () => html`
      <div class="hero">
        <h1 tabindex="-1">A patient’s chart, where the patient is.</h1>
        <p class="lead">edgechart serves health records for reading: FHIR R4, US Core, SMART on FHIR. One engine,
          compiled twice: it answers at the edge, and the same code searches in this browser, without a network.</p>
        <p class="server" data-ok=${server?.ok ?? 'unknown'} role="status"><span class="dot"
          aria-hidden="true"></span>${server?.says ?? 'Looking for the server…'}</p>
      </div>
      ${problem ? html`<p class="banner-note" role="alert">${problem}</p>` : nothing}
      ${
        session.value
          ? html`<p class="banner-note">You are signed in. <a href=${startOf(session.value.patient)}>Open the chart</a>
            or look at <a href="/#/session">your session</a>.</p>`
          : nothing
      }
      <section aria-labelledby="ways"><h2 id="ways">Open a chart</h2>
      <ul class="cards" role="list">
        ${card(
          chartAt('sample', 'amara-okafor'),
          'Offline sample',
          'Ten years of Amara Okafor’s records, and ten more patients, in this browser. No login; nothing leaves the page.',
          'Open the chart',
          'primary',
        )}
        ${launchCard(
          'patient',
          'As a patient',
          'See your own records. You decide what this app may see: try denying something.',
        )}
        ${launchCard(
          'practitioner',
          'As a practitioner',
          'Sign in with a practitioner’s rights, choose a patient, and read the chart.',
        )}
        ${card(
          '/#/ehr',
          'From an EHR',
          'A simulated record system with a patient already open starts this app: the EHR launch.',
          'Open the simulator',
        )}
      </ul></section>
      <section aria-labelledby="tools"><h2 id="tools">Take it apart</h2>
      <ul class="cards small" role="list">
        ${card(
          '/#/search',
          'Search',
          'Any query at the edge, in the browser, or both: time, rows read, and a difference by id that should be empty.',
          'Ask',
        )}
        ${card(
          '/#/scopes',
          'Scopes',
          'What a list of scopes opens, type by type, and why the rest stays shut.',
          'Explore',
        )}
        ${card(
          '/#/checks',
          'Checks',
          'Assertions against this very server, live, with the raw exchange of each.',
          'Run',
        )}
        ${card('/sandbox.html', 'Sandbox', 'Test users, patients and apps, and what each is good for.', 'See')}
      </ul></section>`,
  };
};
