//! The scopes page: for each type, which scope of a list opens reading and searching, or why none does. The engine
//! decides.

import { type Signal, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { engine, engineErrorText } from '../engine/client.ts';
import type { Cell, ScopeLine, ScopeRow, ScopeTable } from '../engine/types.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import { fieldValue } from '../parts/form.ts';
import { aside, failed, retryButton, waiting } from '../parts/notice.ts';
import { chartUrl, navigate, replaceFragment } from '../routes.ts';
import { debounced } from '../scheduling.ts';
import { TYPES } from '../smart/scopes.ts';
import { session } from '../smart/session.ts';
import { trialGrant } from '../source/current.ts';
import { headed, type OpenView } from '../view.ts';

const PRESETS: [name: PlainMessage, scopes: string][] = [
  ['A patient’s app', 'launch/patient openid fhirUser patient/*.read'],
  ['One type', 'patient/Immunization.read'],
  [
    'Laboratory only, SMART v2',
    'patient/Patient.r ' +
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
  ],
  ['A practitioner', 'user/*.read'],
  ['A backend', 'system/*.read'],
  ['With mistakes', 'patient/*.read patient/Observation.write pateint/Condition.read patient/MedicationDispense.read'],
];

class ScopesModel {
  readonly text: Signal<string>;
  /** The patient in context; empty for none. */
  readonly patient: Signal<string>;
  readonly table = signal<ScopeTable | undefined>(undefined);
  /** The reason why the engine did not answer. */
  readonly problem = signal<string | undefined>(undefined);
  readonly #explainSoon: () => void;
  #explanations = 0;

  constructor(query: URLSearchParams) {
    this.text = signal(query.get('s') ?? session.value?.scope ?? PRESETS[0]?.[1] ?? '');
    this.patient = signal(query.get('p') ?? session.value?.patient ?? 'amara-okafor');
    this.#explainSoon = debounced(() => void this.explain(), 120);
    void this.explain();
  }

  set(text: string): void {
    this.text.value = text;
    void this.explain();
  }

  typeText(text: string): void {
    this.text.value = text;
    this.#explainSoon();
  }

  typePatient(patient: string): void {
    this.patient.value = patient.trim();
    this.#explainSoon();
  }

  /** Opens the sample, limited to these scopes. */
  tryOnSample(): void {
    const [scopes, patient] = [this.text.value, this.patient.value];
    trialGrant.value = { scopes, ...(patient ? { patient } : {}), patients: 'all' };
    navigate(chartUrl('sample', patient || 'amara-okafor'));
  }

  async explain(): Promise<void> {
    const mine = ++this.#explanations;
    const [text, patient] = [this.text.value, this.patient.value];
    try {
      const { value } = await engine('scopes', text, patient || undefined, words().language);
      if (mine !== this.#explanations) return;
      this.table.value = value;
      this.problem.value = undefined;
    } catch (error) {
      if (mine === this.#explanations) this.problem.value = engineErrorText(error);
      return;
    }
    replaceFragment(`/scopes?${new URLSearchParams({ s: text, ...(patient ? { p: patient } : {}) })}`);
  }
}

export const scopes: OpenView = ({ query }) => {
  const model = new ScopesModel(query);
  return headed(
    'Scope explorer',
    () => html`<p class="lead">${t('A scope says which types an app may read or search.')}
      ${t('Write any list: the engine that decides for the server explains it here.')}</p>
      ${fields(model)}
      ${answerView(model)}`,
  );
};

/** Draws the answer of the engine, or why there is none: an earlier answer is that for other scopes. */
function answerView(model: ScopesModel): TemplateResult {
  const { value: problem } = model.problem;
  if (problem !== undefined)
    return html`${failed(undefined, problem)}<p class="actions">${retryButton(() => void model.explain())}</p>`;
  const { value: table } = model.table;
  return table ? html`${linesView(table.lines)}${matrixView(table.matrix)}` : waiting(t('what they open'));
}

const fields = (model: ScopesModel): TemplateResult =>
  html`<div class="fields stacked">
      <p class="field"><label for="scope-text">${t('Scopes')}</label><textarea id="scope-text" rows="3"
        spellcheck="false" autocomplete="off" .value=${model.text.value}
        @input=${(event: Event) => model.typeText(fieldValue(event))}></textarea></p>
      <p class="field narrow"><label for="scope-patient">${t('Patient in context')}</label><input id="scope-patient"
        autocomplete="off" spellcheck="false" .value=${model.patient.value}
        @input=${(event: Event) => model.typePatient(fieldValue(event))}></p>
    </div>
    <p class="actions"><span class="label">${t('Try')}</span> ${PRESETS.map(
      ([name, preset]) =>
        html`<button type="button" class="quiet" @click=${() => model.set(preset)}>${t(name)}</button>`,
    )}
      ${
        session.value
          ? html`<button type="button" class="quiet"
            @click=${() => model.set(session.value?.scope ?? '')}>${t('This session’s')}</button>`
          : nothing
      }</p>
    <p class="actions"><button type="button" @click=${() => model.tryOnSample()}>${t(
      'Look at the offline chart with these',
    )}</button></p>`;

const linesView = (lines: ScopeLine[]): TemplateResult =>
  html`<section aria-labelledby="said"><h2 id="said">${t('What each one says')}</h2>
    <ul class="scope-lines" role="list">${lines.map(
      ({ scope, says, refused }) =>
        html`<li data-ok=${!refused}><code class="breakable">${scope}</code> <span>${
          refused ? html`<strong>${t('No scope:')}</strong> <span lang="en">${refused}</span>` : says
        }</span></li>`,
    )}</ul></section>`;

const OTHERS = '{n} other type is shut: no scope names it.|{n} other types are shut: no scope names them.';

/** Returns whether a type has a row: one that the chart shows, or that is open. */
const isListed = ({ type, read, search }: ScopeRow): boolean => TYPES.includes(type) || read.open || search.open;

function matrixView(matrix: ScopeRow[]): TemplateResult {
  const listedRows = matrix.filter(isListed);
  const others = matrix.length - listedRows.length;
  return html`<section aria-labelledby="opens"><h2 id="opens">${t('What they open together')}</h2>
    <p class="aside" role="status">${t('{open} of {all} types can be searched.', {
      open: matrix.filter(({ search }) => search.open).length,
      all: matrix.length,
    })}</p>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t('What the scopes open')}><table class="matrix">
    <caption class="visually-hidden">${t(
      'Every type with whether it may be read and searched, and which scope opens it or why none does',
    )}</caption>
    <thead><tr><th scope="col">${t('Type')}</th><th scope="col">${t('Read')}</th><th scope="col">${t('Search')}</th><th
      scope="col">${t('By which scope, or why not')}</th></tr></thead>
    <tbody>${listedRows.map(rowView)}</tbody></table></div>
    ${aside(others > 0 && t(OTHERS, { n: others }))}</section>`;
}

function rowView({ type, read, search }: ScopeRow): TemplateResult {
  const [whyRead, whySearch] = [whyOf(read), whyOf(search)];
  return html`<tr><th scope="row">${type}</th>${cellView(read)}${cellView(search)}
    <td class="why">${whyRead === whySearch ? whySearch : html`${whyRead}<br>${t('Search')}: ${whySearch}`}</td></tr>`;
}

/** Returns the scopes that open a cell, or the reason why none does. */
function whyOf({ open, by, narrowed = [], why }: Cell): string {
  if (!open) return why ?? t('No scope opens it');
  const scopes = by.join(', ');
  return narrowed.length > 0
    ? t('{scopes}, only where {conditions}', { scopes, conditions: words().listed(narrowed, 'disjunction') })
    : scopes;
}

const STATES = {
  open: { sign: '●', word: 'open#access' },
  part: { sign: '◐', word: 'in part' },
  shut: { sign: '○', word: 'shut' },
} as const;

function cellView(cell: Cell): TemplateResult {
  const state = !cell.open ? 'shut' : cell.narrowed?.length ? 'part' : 'open';
  const { sign, word } = STATES[state];
  return html`<td class="cell" data-state=${state}><span aria-hidden="true">${sign}</span> ${t(word)}</td>`;
}
