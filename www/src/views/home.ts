//! The first page: the ways into a chart, one click each, and whether the server answers.

import { html, nothing, type TemplateResult } from 'lit-html';
import { chartUrl, FILES_URL, sessionStartUrl } from '../routes.ts';
import { discover } from '../smart/discovery.ts';
import { displayName, loadSandbox, type Sandbox, usersFor } from '../smart/sandbox.ts';
import { defaultScopes } from '../smart/scopes.ts';
import { session } from '../smart/session.ts';
import { files } from '../source/files.ts';
import { errorText } from '../source/http.ts';
import type { OpenView } from '../view.ts';
import { DropArea, dropNote } from './files/drop-area.ts';
import { fileButtons } from './files/file-buttons.ts';
import { handOver } from './files/hand-over.ts';

interface ServerState {
  /** Nothing where the server was not asked. */
  ok: boolean | undefined;
  says: string;
}

const NOT_ASKED = 'The server is not asked: while your own record is open, this page sends nothing by itself.';

async function askServer(): Promise<ServerState> {
  try {
    const [health, smart] = await Promise.all([fetch('/healthz', { cache: 'no-store' }), discover()]);
    if (!health.ok) return { ok: false, says: `The server answers, but is not well (HTTP ${health.status}).` };
    const signIn = smart.authorization_endpoint ? 'sign-in ready' : 'no sign-in here';
    return { ok: true, says: `${new URL(smart.issuer).host} is up · FHIR R4 · US Core 6.1.0 · ${signIn}` };
  } catch {
    return { ok: false, says: 'No server in reach. The offline sample works all the same.' };
  }
}

type LaunchKind = 'patient' | 'practitioner';

class HomeModel {
  server: ServerState | undefined;
  /** Nothing where this server is no sandbox, or until it answers. */
  sandbox: Sandbox | undefined;
  problem: string | undefined;
  readonly #redraw: () => void;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
    if (files.value.is === 'open') {
      this.server = { ok: undefined, says: NOT_ASKED };
      return;
    }
    void askServer().then((server) => {
      this.server = server;
      redraw();
    });
    loadSandbox().then(
      (sandbox) => {
        this.sandbox = sandbox;
        redraw();
      },
      () => undefined,
    );
  }

  /** Launches with the default scopes. */
  async signIn(launch: LaunchKind, user: string | undefined): Promise<void> {
    try {
      // The module is fetched when it is wanted, to keep the first page small.
      const { prepareLaunch, redirectToServer } = await import('../smart/launch.ts');
      redirectToServer(await prepareLaunch({ scope: defaultScopes(launch).join(' '), launch, user }));
    } catch (error) {
      this.problem = errorText(error);
      this.#redraw();
    }
  }
}

export const home: OpenView = (_route, redraw) => {
  const model = new HomeModel(redraw);
  const area = new DropArea(redraw, handOver);
  return {
    title: 'edgechart',
    leave: () => area.stop(),
    body: () => html`${dropNote(area)}${hero(model.server)}
      ${model.problem ? html`<p class="banner-note" role="alert">${model.problem}</p>` : nothing}
      ${signedInNote()}
      ${waysIn(model)}${tools()}`,
  };
};

const hero = (server: ServerState | undefined): TemplateResult =>
  html`<div class="hero">
    <h1 tabindex="-1">A patient’s chart, where the patient is.</h1>
    <p class="lead">edgechart serves health records for reading: FHIR R4, US Core, SMART on FHIR. One engine, compiled
      twice: it answers at the edge, and the same code searches in this browser, without a network.</p>
    <p class="server" data-ok=${server?.ok ?? 'unknown'} role="status"><span class="dot" aria-hidden="true"></span>${
      server?.says ?? 'Looking for the server…'
    }</p>
  </div>`;

const signedInNote = (): TemplateResult | typeof nothing =>
  session.value
    ? html`<p class="banner-note">You are signed in. <a href=${sessionStartUrl(session.value.patient)}>Open the
      chart</a> or look at <a href="/#/session">your session</a>.</p>`
    : nothing;

interface Card {
  href: string;
  title: string;
  says: string;
  /** The words of the link. */
  go: string;
  kind?: string;
}

const card = ({ href, title, says, go, kind = '' }: Card): TemplateResult =>
  html`<li class="card ${kind}">
    <h3><a href=${href}>${title}</a></h3><p>${says}</p><p class="go" aria-hidden="true">${go} →</p></li>`;

const waysIn = (model: HomeModel): TemplateResult =>
  html`<section aria-labelledby="ways"><h2 id="ways">Open a chart</h2>
    <ul class="cards" role="list">
      ${card({
        href: chartUrl('sample', 'amara-okafor'),
        title: 'Offline sample',
        says:
          'Ten years of Amara Okafor’s records, and ten more patients, in this browser. ' +
          'No login; nothing leaves the page.',
        go: 'Open the chart',
        kind: 'primary',
      })}
      ${launchCard(
        model,
        'patient',
        'As a patient',
        'See your own records. You decide what this app may see: try denying something.',
      )}
      ${launchCard(
        model,
        'practitioner',
        'As a practitioner',
        'Sign in with a practitioner’s rights, choose a patient, and read the chart.',
      )}
      ${card({
        href: '/#/ehr',
        title: 'From an EHR',
        says: 'A simulated record system with a patient already open starts this app: the EHR launch.',
        go: 'Open the simulator',
      })}
      ${ownRecordCard()}
    </ul></section>`;

const ownRecordCard = (): TemplateResult =>
  files.value.is === 'open'
    ? card({
        href: FILES_URL,
        title: 'Your own record',
        says: 'Your files are open in this tab. Go on reading, or close them.',
        go: 'Go on',
        kind: 'own',
      })
    : html`<li class="card own"><h3>Your own record</h3>
        <p>Drop files anywhere on this page: FHIR Bundles or NDJSON, packed with gzip or not. They are read in this tab
          alone; nothing is sent.</p>
        <p class="actions">${fileButtons(handOver, 'Choose files…', true)}</p></li>`;

/** A launch as the user who fits it; nothing where the sandbox has none. */
function launchCard(model: HomeModel, kind: LaunchKind, title: string, says: string): TemplateResult | typeof nothing {
  const user = model.sandbox && usersFor(model.sandbox.users, kind)[0];
  if (model.sandbox && !user) return nothing;
  return html`<li class="card launch"><h3>${title}</h3><p>${says}</p>
    <p class="actions"><button type="button" class="primary" @click=${() => model.signIn(kind, user?.username)}>${
      user ? `Sign in as ${displayName(user)}` : 'Sign in'
    }</button>
      <a href=${`/#/launch/${kind}`}>Options<span class="visually-hidden"> of the launch
        ${title.toLowerCase()}</span></a></p></li>`;
}

const TOOLS: Card[] = [
  {
    href: '/#/search',
    title: 'Search',
    says:
      'Any query at the edge, in the browser, or both: time, rows read, ' +
      'and a difference by id that should be empty.',
    go: 'Ask',
  },
  {
    href: '/#/scopes',
    title: 'Scopes',
    says: 'What a list of scopes opens, type by type, and why the rest stays shut.',
    go: 'Explore',
  },
  {
    href: '/#/checks',
    title: 'Checks',
    says: 'Assertions against this very server, live, with the raw exchange of each.',
    go: 'Run',
  },
  {
    href: '/sandbox.html',
    title: 'Sandbox',
    says: 'Test users, patients and apps, and what each is good for.',
    go: 'See',
  },
];

const tools = (): TemplateResult =>
  html`<section aria-labelledby="tools"><h2 id="tools">Take it apart</h2>
    <ul class="cards small" role="list">${TOOLS.map(card)}</ul></section>`;
