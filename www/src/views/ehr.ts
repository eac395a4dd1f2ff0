//! The EHR simulator: choose who works, whose chart is open, and which app to start. The app opens in a tab of its own,
//! since sign-in pages refuse to be framed.

import { html, nothing, type TemplateResult } from 'lit-html';
import { copyButton } from '../parts/copy.ts';
import { failed, waiting } from '../parts/notice.ts';
import { CLIENT_ID } from '../smart/server.ts';
import { sandboxData, simulate, startable, type Sandbox, type SandboxUser } from '../smart/sandbox.ts';
import type { Open } from '../view.ts';

/** The form, for this view and for the sandbox page. */
export function simulator(redraw: () => void): () => TemplateResult {
  let data: Sandbox | undefined;
  let problem: string | undefined;
  let ready: string | undefined;
  const picked = { user: '', patient: '', client: CLIENT_ID };
  const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

  const practitioners = (): SandboxUser[] =>
    (data?.users ?? []).filter(({ fhirUser }) => fhirUser?.startsWith('Practitioner/'));
  const atWork = (): SandboxUser | undefined => data?.users.find(({ username }) => username === picked.user);
  const described = (id: string): string => {
    const shows = data?.patients.find((patient) => patient.id === id)?.shows ?? '';
    return `${id}: ${shows.length > 48 ? `${shows.slice(0, 47)}…` : shows}`;
  };
  const theirs = (): string[] => {
    const user = atWork();
    const all = (data?.patients ?? []).map(({ id }) => id);
    return user && user.patients !== 'all' ? all.filter((id) => user.patients.includes(id)) : all;
  };
  const prepareLaunch = async (): Promise<void> => {
    ready = undefined;
    problem = undefined;
    try {
      ready = data?.launch ? await simulate(data.launch, picked.client, picked.user, picked.patient) : undefined;
    } catch (error) {
      problem = reason(error);
    }
    redraw();
  };
  const choose = (name: keyof typeof picked, value: string): void => {
    picked[name] = value;
    if (!theirs().includes(picked.patient)) picked.patient = theirs()[0] ?? '';
    ready = undefined;
    redraw();
  };
  sandboxData()
    .then(
      (found) => {
        data = found;
        picked.user = practitioners()[0]?.username ?? '';
        picked.patient = theirs()[0] ?? '';
        picked.client = startable(found.clients)[0]?.client_id ?? '';
      },
      (error: unknown) => {
        problem = reason(error);
      },
    )
    .finally(redraw);

  const select = (
    id: keyof typeof picked,
    label: string,
    options: [string, string][],
  ): TemplateResult => html`<p class="field"><label for=${`ehr-${id}`}>${label}</label>
    <select id=${`ehr-${id}`} @change=${(event: Event) =>
      choose(id, (event.target as HTMLSelectElement).value)}>${options.map(
      ([value, text]) => html`<option value=${value} ?selected=${value === picked[id]}>${text}</option>`,
    )}</select></p>`;

  return () => {
    if (problem && !data) return failed(undefined, problem);
    if (!data) return waiting('the sandbox');
    if (!data.launch) return html`<p class="state empty">This server has no simulator.</p>`;
    const user = atWork();
    const apps = startable(data.clients);
    if (!user || !picked.patient || !apps.length)
      return html`<p class="state empty">There is nothing to start: it takes a practitioner, a patient who is loaded,
        and an app of this server.</p>`;
    return html`<form class="ehr" @submit=${(event: Event) => {
      event.preventDefault();
      void prepareLaunch();
    }}>
      <div class="fields">
        ${select(
          'user',
          'Practitioner at work',
          practitioners().map(({ username, fhirUser }) => [username, `${username} (${fhirUser})`]),
        )}
        ${select(
          'patient',
          'Chart that is open',
          theirs().map((id) => [id, described(id)]),
        )}
        ${select(
          'client',
          'App to start',
          apps.map(({ client_id: id, name }) => [id, name ?? id]),
        )}
      </div>
      <p class="aside">You will sign in as <code>${user.username}</code>, password <code>${user.password}</code>
        ${copyButton(() => user.password, `password of ${user.username}`, '')}</p>
      <p class="actions"><button class=${ready ? '' : 'primary'}>Prepare the launch</button>
        ${
          ready
            ? html`<a class="button primary" href=${ready} target="_blank" rel="noopener">Start the app in a new
              tab</a>`
            : nothing
        }</p>
      ${problem ? failed(undefined, problem) : nothing}
      ${ready ? html`<p class="aside breakable">The EHR opens <code>${ready}</code></p>` : nothing}
    </form>`;
  };
}

export const ehr: Open = (_route, redraw) => {
  const form = simulator(redraw);
  return {
    title: 'EHR simulator',
    body: () => html`<h1 tabindex="-1">EHR simulator</h1>
      <p class="lead">In a clinic the record system starts the app: it knows who works and which chart is open, and
        hands both over. Here you play the record system. You sign in as the practitioner that you choose.</p>
      ${form()}`,
  };
};
