//! Whose chart this is, always in sight: name, age, sex, birth date, record number.

import { html, nothing, type TemplateResult } from 'lit-html';
import { age, date } from '../fhir/date';
import { addressOf, capital, concept, hasCode, nameOf, references } from '../fhir/text';
import type { Patient } from '../fhir/types';
import { failed, notGranted, waiting } from '../parts/notice';
import { openRequests } from '../parts/requests';
import { openResource } from './resource';
import type { ChartStore } from './store';

export const PATIENT = 'Patient/{patient}';

export function patientOf(store: ChartStore): Patient | undefined {
  const state = store.of(PATIENT);
  return state.is === 'there' ? (state.found.matches[0] as Patient | undefined) : undefined;
}

const fact = (label: string, value: unknown): TemplateResult | typeof nothing => (value ? html`<div><dt>${label}</dt><dd>${value}</dd></div>` : nothing);

export function banner(store: ChartStore): TemplateResult {
  const state = store.of(PATIENT);
  const p = patientOf(store);
  // One heading through every state: the focus that came to it stays.
  const name = p ? nameOf(p.name) ?? 'Unnamed patient' : state.is === 'waiting' ? 'Chart' : `Patient ${store.patient}`;
  return html`<header class="patient">
    <div class="patient-name"><h1 tabindex="-1">${name}</h1>${p ? tags(p) : nothing}</div>
    ${p ? about(p) : state.is === 'waiting' ? waiting('the patient') : state.is === 'withheld' ? notGranted(state.why) : state.is === 'failed' ? failed(state.exchange, state.says) : nothing}
    ${p && state.is === 'there' ? html`<p class="actions"><button type="button" class="quiet" @click=${() => openResource(p, store)}>Patient record</button>
      <button type="button" class="quiet" @click=${() => openRequests(state.found.exchanges, 'Patient: the request')}>Request</button></p>` : nothing}
  </header>`;
}

const tags = (p: Patient): TemplateResult => html`
  ${p.deceasedDateTime || p.deceasedBoolean ? html`<span class="tag" data-tone="alert">Died${p.deceasedDateTime ? ` ${date(p.deceasedDateTime, { short: true })}` : ''}</span>` : nothing}
  ${p.multipleBirthInteger ? html`<span class="tag">Twin or multiple: ${p.multipleBirthInteger}</span>` : nothing}`;

function about(p: Patient): TemplateResult {
  const record = p.identifier?.find(({ type }) => hasCode(type, 'MR')) ?? p.identifier?.[0];
  const died = p.deceasedDateTime;
  const years = age(p.birthDate, died ? new Date(died) : new Date());
  const home = p.address?.find(({ use, period }) => use !== 'old' && !period?.end) ?? p.address?.[0];
  const language = p.communication?.find(({ preferred }) => preferred) ?? p.communication?.[0];
  return html`<dl class="facts">
    ${fact(died ? 'Age at death' : 'Age', years ?? (p.birthDate ? undefined : 'unknown'))}
    ${fact('Sex', p.gender ? capital(p.gender) : 'not recorded')}
    ${fact('Born', date(p.birthDate, { short: true }) || 'not recorded')}
    ${fact(concept(record?.type) ?? 'Record number', record?.value)}
    ${fact('Lives at', addressOf(home))}
    ${fact('Language', concept(language?.language))}
    ${fact('General practitioner', references(p.generalPractitioner))}
  </dl>`;
}
