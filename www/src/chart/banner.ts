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

export function banner(store: ChartStore, focusable = true): TemplateResult {
  const state = store.of(PATIENT);
  const heading = (text: unknown): TemplateResult => html`<h1 tabindex=${focusable ? '-1' : nothing}>${text}</h1>`;
  if (state.is === 'waiting') return html`<header class="patient">${heading('Chart')}${waiting('the patient')}</header>`;
  if (state.is === 'withheld') return html`<header class="patient">${heading(`Patient ${store.patient}`)}${notGranted(state.why)}</header>`;
  if (state.is === 'failed') return html`<header class="patient">${heading(`Patient ${store.patient}`)}${failed(state.exchange, state.says)}</header>`;
  const p = state.found.matches[0] as Patient;
  const record = p.identifier?.find(({ type }) => hasCode(type, 'MR')) ?? p.identifier?.[0];
  const died = p.deceasedDateTime;
  const years = died ? age(p.birthDate, new Date(died)) : age(p.birthDate, new Date());
  const home = p.address?.find(({ use, period }) => use !== 'old' && !period?.end) ?? p.address?.[0];
  const language = p.communication?.find(({ preferred }) => preferred) ?? p.communication?.[0];
  return html`<header class="patient">
    <div class="patient-name">${heading(nameOf(p.name) ?? 'Unnamed patient')}
      ${died || p.deceasedBoolean ? html`<span class="tag" data-tone="alert">Died${died ? ` ${date(died, { short: true })}` : ''}</span>` : nothing}
      ${p.multipleBirthInteger ? html`<span class="tag">Twin or multiple: ${p.multipleBirthInteger}</span>` : nothing}</div>
    <dl class="facts">
      ${fact(died ? 'Age at death' : 'Age', years ?? (p.birthDate ? undefined : 'unknown'))}
      ${fact('Sex', p.gender ? capital(p.gender) : 'not recorded')}
      ${fact('Born', date(p.birthDate, { short: true }) || 'not recorded')}
      ${fact(concept(record?.type) ?? 'Record number', record?.value)}
      ${fact('Lives at', addressOf(home))}
      ${fact('Language', concept(language?.language))}
      ${fact('General practitioner', references(p.generalPractitioner))}
    </dl>
    <p class="actions"><button type="button" class="quiet" @click=${() => openResource(p, store)}>Patient record</button>
      <button type="button" class="quiet" @click=${() => openRequests(state.found.exchanges, 'Patient: the request')}>Request</button></p>
  </header>`;
}
