//! The first page: the ways into a chart, one click each, and whether the server answers.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';
import { setWhenDone } from '../drawing.ts';
import { attempt } from '../error-text.ts';
import { type PlainMessage, rich, sentences, t } from '../language/message.ts';
import { chartUrl, FILES_URL, OTHER_PAGE, sessionStartUrl } from '../routes.ts';
import { discover } from '../smart/discovery.ts';
import { loadSandbox, type Sandbox, type SandboxUser, signInToSandbox, usersFor } from '../smart/sandbox.ts';
import { defaultScopes } from '../smart/scopes.ts';
import { type LaunchKind, session } from '../smart/session.ts';
import { files } from '../source/files.ts';
import type { OpenView } from '../view.ts';
import { DropArea, dropNote } from './files/drop-area.ts';
import { fileButtons } from './files/file-buttons.ts';
import { handOver } from './files/hand-over.ts';
import { samplePicture } from './sample-picture.ts';

interface ServerState {
  /** `undefined` if the server was not asked. */
  ok: boolean | undefined;
  says: string;
}

async function askServer(): Promise<ServerState> {
  try {
    const [health, smart] = await Promise.all([fetch('/healthz', { cache: 'no-store' }), discover()]);
    if (!health.ok)
      return {
        ok: false,
        says: t('The server answers, but reports a fault (HTTP {status}).', { status: health.status }),
      };
    const { host } = new URL(smart.issuer);
    const says = smart.authorization_endpoint
      ? t('{host} is up · FHIR R4 · US Core · sign-in ready', { host })
      : t('{host} is up · FHIR R4 · US Core · no sign-in here', { host });
    return { ok: true, says };
  } catch {
    return { ok: false, says: t('No server in reach. The offline sample works all the same.') };
  }
}

/** A launch that begins on this page. The remaining kind begins in an EHR. */
type OwnLaunch = Exclude<LaunchKind, 'ehr'>;

class HomeModel {
  readonly server = signal<ServerState | undefined>(undefined);
  /** `undefined` until the server answers, and if it is not a sandbox. */
  readonly sandbox = signal<Sandbox | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);

  constructor() {
    if (files.value.is === 'open') {
      const says = t('The server is not asked: while your own record is open, this page sends nothing by itself.');
      this.server.value = { ok: undefined, says };
      return;
    }
    setWhenDone(this.server, askServer());
    setWhenDone(this.sandbox, loadSandbox());
  }

  /** Starts a launch with the default scopes. */
  signIn(launch: OwnLaunch, user: SandboxUser | undefined): Promise<void> {
    return attempt(this.problem, async () => {
      const { value: sandbox } = this.sandbox;
      if (sandbox && user) await signInToSandbox(sandbox, user);
      // The module is imported on demand, to keep the first page small.
      const { beginLaunch } = await import('../smart/launch.ts');
      await beginLaunch({ scope: defaultScopes(launch).join(' '), launch, user: user?.username });
    });
  }
}

export const home: OpenView = () => {
  const model = new HomeModel();
  const area = new DropArea(handOver);
  return {
    title: 'edgechart',
    leave: () => area.stop(),
    body: () => html`${dropNote(area)}${hero(model.server.value)}
      ${model.problem.value ? html`<p class="banner-note" role="alert">${model.problem.value}</p>` : nothing}
      ${signedInNote()}
      ${waysIn(model)}`,
  };
};

/** The words below the picture. */
const SAMPLE: PlainMessage[] = [
  'Ten years of Amara Okafor’s records, and ten more patients, in this browser.',
  'No login; nothing leaves the page.',
];
const SAMPLE_URL = chartUrl('sample', 'amara-okafor');
/** The parts that the app is made of, in smaller letters. */
const MADE_OF: PlainMessage[] = [
  'edgechart serves health records for reading: FHIR R4, US Core, SMART on FHIR.',
  'One engine, compiled twice: it answers at the edge, and the same code searches in this browser, without a network.',
];

const hero = (server: ServerState | undefined): TemplateResult =>
  html`<div class="hero"><div class="says">
    <h1 tabindex="-1">${t('Read a patient’s whole record as one chart.')}</h1>
    <p class="lead">${t(
      'Problems, medicines, results and notes of one person: from a FHIR server, from files, or from the sample.',
    )}</p>
    <p class="actions"><a class="button primary" href=${SAMPLE_URL}>${t('Open the sample chart')}</a>
      <a class="button" href=${FILES_URL}>${t('Open your own files')}</a></p></div>
    <figure><a href=${SAMPLE_URL} tabindex="-1" aria-hidden="true">${samplePicture()}</a>
      <figcaption>${sentences(SAMPLE)}</figcaption></figure>
    <div><p class="aside">${sentences(MADE_OF)}</p>
    <p class="server" data-ok=${server?.ok ?? 'unknown'} role="status"><span class="dot" aria-hidden="true"></span>${
      server?.says ?? t('Looking for the server…')
    }</p>
    <p class="build"><a href="/#/developers">${t('Build an app')}</a></p></div>
  </div>`;

const signedInNote = (): TemplateResult | typeof nothing =>
  session.value
    ? html`<p class="banner-note">${rich('You are signed in. {chart} or look at {session}.', {
        chart: html`<a href=${sessionStartUrl(session.value.patient)}>${t('Open the chart#or the session')}</a>`,
        session: html`<a href="/#/session">${t('your session')}</a>`,
      })}</p>`
    : nothing;

interface Card {
  href: string;
  title: PlainMessage;
  says: PlainMessage[];
  /** The words of the link. */
  go: PlainMessage;
  kind?: string;
}

const card = ({ href, title, says, go, kind = '' }: Card): TemplateResult =>
  html`<li class="card ${kind}">
    <h3><a href=${href}>${t(title)}</a></h3><p>${sentences(says)}</p><p class="go" aria-hidden="true">${t(
      go,
    )} →</p></li>`;

const waysIn = (model: HomeModel): TemplateResult =>
  html`<section aria-labelledby="ways"><h2 id="ways">${t('Open a chart')}</h2>
    <ul class="cards" role="list">
      ${launchCard(model, 'patient')}
      ${launchCard(model, 'practitioner')}
      ${card(EHR)}
      ${ownRecordCard()}
    </ul>
    <p class="aside">${rich('Are your records on another server? {link}', {
      link: html`<a href=${OTHER_PAGE}>${t('Enter its address')}</a>`,
    })}</p></section>`;

const EHR: Card = {
  href: '/#/ehr',
  title: 'Start from an EHR',
  says: ['A simulated record system with a patient already open starts this app: the EHR launch.'],
  go: 'Open the simulator',
};
const OWN_RECORD: Card = {
  href: FILES_URL,
  title: 'Your own record',
  says: ['Your files are open in this tab. Go on reading, or close them.'],
  go: 'Go on',
  kind: 'own',
};

const ownRecordCard = (): TemplateResult =>
  files.value.is === 'open'
    ? card(OWN_RECORD)
    : html`<li class="card own"><h3>${t('Open your own files')}</h3>
        <p>${t('Drop files anywhere on this page: FHIR Bundles or NDJSON, packed with gzip or not.')}
          ${t('They are read in this tab alone; nothing is sent.')}</p>
        <p class="actions">${fileButtons(handOver, t('Choose files…'), true)}</p></li>`;

const LAUNCHES: Record<OwnLaunch, { title: PlainMessage; says: PlainMessage; options: PlainMessage }> = {
  patient: {
    title: 'Sign in as a patient',
    says: 'See your own records. You decide what this app may see.',
    options: 'of the launch as a patient',
  },
  practitioner: {
    title: 'Sign in as a practitioner',
    says: 'Sign in with a practitioner’s rights, choose a patient, and read the chart.',
    options: 'of the launch as a practitioner',
  },
};

/** Draws a launch, in a sandbox as the first user who fits it. Draws nothing if the sandbox has no such user. */
function launchCard(model: HomeModel, kind: OwnLaunch): TemplateResult | typeof nothing {
  const { value: sandbox } = model.sandbox;
  const user = sandbox && usersFor(sandbox.users, kind)[0];
  if (sandbox && !user) return nothing;
  const { title, says, options } = LAUNCHES[kind];
  return html`<li class="card launch"><h3>${t(title)}</h3><p>${t(says)}</p>
    <p class="actions"><button type="button" class="primary" @click=${() => model.signIn(kind, user)}>${
      user ? t('Sign in as {user}', { user: capital(user.username) }) : t('Sign in')
    }</button>
      <a href=${`/#/launch/${kind}`}>${t('Options')}<span class="visually-hidden"> ${t(options)}</span></a></p></li>`;
}
