//! The first page: four ways in, and whether the server is there.

import { html, nothing, type TemplateResult } from 'lit-html';
import { discover } from '../smart/discovery';
import { session } from '../smart/session';
import type { Open } from '../view';

interface Server { ok: boolean; says: string }

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

const card = (href: string, title: string, says: string, go: string, kind = ''): TemplateResult => html`<li class="card ${kind}">
  <h3><a href=${href}>${title}</a></h3><p>${says}</p><p class="go" aria-hidden="true">${go} →</p></li>`;

export const home: Open = (_route, redraw) => {
  let server: Server | undefined;
  void look().then((found) => { server = found; redraw(); });
  return {
    title: 'edgechart',
    body: () => html`
      <div class="hero">
        <h1 tabindex="-1">A patient’s chart, where the patient is.</h1>
        <p class="lead">edgechart serves health records for reading: FHIR R4, US Core, SMART on FHIR. One engine, compiled twice: it answers at the edge, and the same code searches in this browser, without a network.</p>
        <p class="server" data-ok=${server?.ok ?? 'unknown'} role="status"><span class="dot" aria-hidden="true"></span>${server?.says ?? 'Looking for the server…'}</p>
      </div>
      ${session.value ? html`<p class="banner-note">You are signed in. <a href=${session.value.patient ? `/#/chart/${session.value.patient}` : '/#/patients'}>Open the chart</a> or look at <a href="/#/session">your session</a>.</p>` : nothing}
      <section aria-labelledby="ways"><h2 id="ways">Open a chart</h2>
      <ul class="cards" role="list">
        ${card('/#/chart/amara-okafor', 'Offline sample', 'Ten years of Amara Okafor’s records, and ten more patients, in this browser. No login; nothing leaves the page.', 'Open the chart', 'primary')}
        ${card('/#/launch/patient', 'As a patient', 'Sign in, choose what to share, and see your own records. Try denying something.', 'Choose scopes')}
        ${card('/#/launch/practitioner', 'As a practitioner', 'Sign in with a practitioner’s rights, choose a patient, and read the chart.', 'Choose scopes')}
        ${card('/#/ehr', 'From an EHR', 'A simulated record system with a patient already open starts this app: the EHR launch.', 'Open the simulator')}
      </ul></section>
      <section aria-labelledby="tools"><h2 id="tools">Take it apart</h2>
      <ul class="cards small" role="list">
        ${card('/#/search', 'Search', 'Any query at the edge, in the browser, or both: time, rows read, and a difference by id that should be empty.', 'Ask')}
        ${card('/#/scopes', 'Scopes', 'What a list of scopes opens, type by type, and why the rest stays shut.', 'Explore')}
        ${card('/#/checks', 'Checks', 'Assertions against this very server, live, with the raw exchange of each.', 'Run')}
        ${card('/sandbox.html', 'Sandbox', 'Test users, patients and apps, and what each is good for.', 'See')}
      </ul></section>`,
  };
};
