//! The EHR simulator: choose who works, whose chart is open, and which app to start. The app opens in a tab of its own,
//! since sign-in pages refuse to be framed.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { age } from '#reading/fhir/date.ts';
import { joined } from '#reading/joined.ts';
import { attempt } from '../error-text.ts';
import { type PlainMessage, rich, sentences, t, translated, words } from '../language/message.ts';
import { copyButton } from '../parts/copy.ts';
import { fieldValue, instead } from '../parts/form.ts';
import { aside, empty, failed, problemNotice, waiting } from '../parts/notice.ts';
import * as smart from '../smart/sandbox.ts';
import { headed, type OpenView } from '../view.ts';

interface Choice {
  user: string;
  patient: string;
  /** `$latest` for the latest encounter of the patient, or empty. */
  encounter: string;
  client: string;
}

class SimulatorModel {
  readonly sandbox = signal<smart.Sandbox | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  /** The address that starts the app. */
  readonly launchUrl = signal<string | undefined>(undefined);
  readonly choice = signal<Choice>({ user: '', patient: '', encounter: '$latest', client: '' });

  constructor() {
    void attempt(this.problem, async () => {
      const sandbox = await smart.loadSandbox();
      this.sandbox.value = sandbox;
      const client = smart.launchableApps(sandbox.clients)[0]?.client_id ?? '';
      this.#set({ ...this.choice.value, user: this.practitioners[0]?.username ?? '', client });
    });
  }

  get practitioners(): smart.SandboxUser[] {
    return (this.sandbox.value?.users ?? []).filter(({ fhirUser }) => fhirUser?.startsWith('Practitioner/'));
  }

  get user(): smart.SandboxUser | undefined {
    return this.#userOf(this.choice.value);
  }

  #userOf({ user }: Choice): smart.SandboxUser | undefined {
    return this.sandbox.value?.users.find(({ username }) => username === user);
  }

  /** The patients whom the user may see. */
  get patients(): smart.SandboxPatient[] {
    return this.#patientsOf(this.choice.value);
  }

  #patientsOf(choice: Choice): smart.SandboxPatient[] {
    const allowed = this.#userOf(choice)?.patients ?? 'all';
    const all = this.sandbox.value?.patients ?? [];
    return allowed === 'all' ? all : all.filter(({ id }) => allowed.includes(id));
  }

  choose(name: keyof Choice, value: string): void {
    this.#set({ ...this.choice.value, [name]: value });
    this.launchUrl.value = undefined;
  }

  /** Sets the choice. A patient whom the user may not see is replaced by the first whom the user may see. */
  #set(choice: Choice): void {
    const patients = this.#patientsOf(choice).map(({ id }) => id);
    const patient = patients.includes(choice.patient) ? choice.patient : (patients[0] ?? '');
    this.choice.value = { ...choice, patient };
  }

  /** Prepares a launch and returns its address, which can be used once; `undefined` after an error. */
  async prepare(sandbox: smart.Sandbox, address: string): Promise<string | undefined> {
    this.launchUrl.value = undefined;
    await attempt(this.problem, async () => {
      // In an EHR, the practitioner is already signed in.
      if (this.user) await smart.signInToSandbox(sandbox, this.user);
      this.launchUrl.value = await smart.requestLaunch(address, this.choice.value);
    });
    return this.launchUrl.value;
  }

  /** Starts the app in a new tab, which has no access to this one. */
  async start(sandbox: smart.Sandbox, address: string): Promise<void> {
    const url = await this.prepare(sandbox, address);
    if (url) open(url, '_blank', 'noopener');
  }
}

function content(model: SimulatorModel): TemplateResult {
  const { user } = model;
  const [sandbox, problem, choice] = [model.sandbox.value, model.problem.value, model.choice.value];
  if (!sandbox) return problem ? failed(undefined, problem) : waiting(t('the sandbox'));
  if (!sandbox.launch) return empty(t('This server has no simulator.'));
  if (!user || !choice.patient || smart.launchableApps(sandbox.clients).length === 0) {
    return empty(
      t('There is nothing to start: it takes a practitioner, a patient who is loaded, and an app of this server.'),
    );
  }
  return form(model, sandbox, sandbox.launch, user);
}

function form(model: SimulatorModel, sandbox: smart.Sandbox, address: string, user: smart.SandboxUser): TemplateResult {
  const [launchUrl, problem, choice] = [model.launchUrl.value, model.problem.value, model.choice.value];
  const submit = instead(() => model.start(sandbox, address));
  const select = (id: keyof Choice, label: string, options: [value: string, text: string][]): TemplateResult =>
    html`<p class="field"><label for=${`ehr-${id}`}>${label}</label>
      <select id=${`ehr-${id}`} @change=${(event: Event) => model.choose(id, fieldValue(event))}>${options.map(
        ([value, text]) => html`<option value=${value} ?selected=${value === choice[id]}>${text}</option>`,
      )}</select></p>`;
  const shows = translated(model.patients.find(({ id }) => id === choice.patient)?.shows ?? '');
  return html`<form class="ehr" @submit=${submit}>
    <div class="fields">
      ${select(
        'user',
        t('Practitioner at work'),
        model.practitioners.map(({ username, name }) => [username, name]),
      )}
      ${select(
        'patient',
        t('Chart that is open'),
        model.patients.map((patient) => [patient.id, described(patient)]),
      )}
      ${select('encounter', t('Visit that is open'), [
        ['$latest', t('the latest of the chart')],
        ['', t('no visit')],
      ])}
      ${select(
        'client',
        t('App to start'),
        smart.launchableApps(sandbox.clients).map(({ client_id: id, name }) => [id, translated(name ?? id)]),
      )}
    </div>
    ${aside(shows && t('The chart shows {what}.', { what: shows }))}
    <p class="aside">${rich('Starting it signs you in as {user}, whose password is {password}', {
      user: html`<code>${user.username}</code>`,
      password: html`<code>${user.password}</code>`,
    })} ${copyButton(() => user.password, t('password of {user}', { user: user.username }), '')}</p>
    <p class="actions"><button class="primary">${t('Start the app in a new tab')}</button>
      <button type="button" class="quiet for-developers" @click=${() => model.prepare(sandbox, address)}>${t(
        'Prepare the launch',
      )}</button></p>
    ${problemNotice(problem)}
    ${
      launchUrl
        ? html`<p class="aside breakable">${rich('The EHR opens {address}, which works once.', {
            address: html`<a href=${launchUrl} target="_blank" rel="noopener"><code>${launchUrl}</code></a>`,
          })}</p>`
        : nothing
    }
  </form>`;
}

const described = ({ name, born, deceased }: smart.SandboxPatient): string =>
  joined(name, deceased ? t('deceased') : age(words(), born, new Date()));

const LEAD: PlainMessage[] = [
  'In a clinic the record system starts the app: it knows who works and which chart is open, and hands both over.',
  'Here you play the record system. You sign in as the practitioner that you choose.',
];

export const simulator: OpenView = () => {
  const model = new SimulatorModel();
  return headed('EHR simulator', () => html`<p class="lead">${sentences(LEAD)}</p>${content(model)}`);
};
