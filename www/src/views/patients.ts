//! Whose chart: the patients that this session, or the sample, may show.

import { html, nothing } from 'lit-html';
import { age, date } from '../fhir/date.ts';
import { capital, nameOf, plural } from '../fhir/text.ts';
import type { Bundle, Patient } from '../fhir/types.ts';
import { engine } from '../engine/client.ts';
import { failed, notGranted, waiting } from '../parts/notice.ts';
import { session } from '../smart/session.ts';
import { chartAt } from '../routes.ts';
import { sourceOf, trial } from '../source/current.ts';
import type { Exchange, Source } from '../source/source.ts';
import type { Open } from '../view.ts';

export const patients: Open = ({ source: name = 'sample' }, redraw) => {
  const source = sourceOf(name) as Source;
  const own = name === 'session' ? session.value?.patient : undefined;
  let list: Patient[] | undefined;
  let refused: Exchange | undefined;
  let why: string | undefined;
  let filter = '';

  async function ask(): Promise<void> {
    if (source.grant) {
      const { value } = await engine('scopes', source.grant.scopes, source.grant.patient);
      const cell = value.matrix.find(({ type }) => type === 'Patient')?.search;
      if (cell && !cell.open) {
        why = cell.why ?? 'No scope opens Patient';
        return;
      }
    }
    if (own) {
      const answer = await source.read(`Patient/${own}`);
      if (answer.status === 200) list = [answer.body as Patient];
      else refused = answer;
      return;
    }
    // A search of patients must say something of them: each name has one of these letters.
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const known = new Map<string, Patient>();
    const answer = await source.search(`Patient?name:contains=${letters.join(',')}&_count=200`);
    if (answer.status !== 200) {
      refused = answer;
      return;
    }
    for (const { resource } of (answer.body as Bundle).entry ?? [])
      if (resource?.resourceType === 'Patient') known.set(resource.id, resource as Patient);
    list = [...known.values()];
  }
  void ask().finally(redraw);

  const shown = (): Patient[] =>
    (list ?? [])
      .filter((p) => `${nameOf(p.name)} ${p.id}`.toLowerCase().includes(filter.toLowerCase()))
      .sort((a, b) => (nameOf(a.name) ?? '~').localeCompare(nameOf(b.name) ?? '~'));

  return {
    title: 'Patients',
    body: () => html`<h1 tabindex="-1">Patients</h1>
      <p class="lead">${
        name === 'session'
          ? 'Those that this session may see.'
          : 'The sample population: synthetic people, each with a story.'
      }
        ${
          name === 'sample' && trial.value
            ? html`<br>Looked at with <code>${trial.value.scopes}</code>. <button type="button" class="quiet"
              @click=${() => trial.set(undefined)}>Show everything</button>`
            : nothing
        }</p>
      ${
        why
          ? notGranted(why)
          : refused
            ? html`${failed(refused)}${own ? html`<p><a href=${chartAt(name, own)}>Open the chart</a></p>` : nothing}`
            : list === undefined
              ? waiting('patients')
              : html`
        <p class="field narrow"><label for="filter">Find by name</label><input id="filter" type="search"
          autocomplete="off" .value=${filter} @input=${(event: InputEvent) => {
            filter = (event.target as HTMLInputElement).value;
            redraw();
          }}></p>
        <p class="visually-hidden" role="status">${plural(shown().length, 'patient')}</p>
        <ul class="people-list" role="list">${shown().map(
          (p) => html`<li><a href=${chartAt(name, p.id)}>
          <span class="person">${nameOf(p.name) ?? 'Unnamed patient'}</span>
          <span class="aside">${[
            p.gender ? capital(p.gender) : '',
            p.birthDate ? `born ${date(p.birthDate, { short: true })}` : 'birth date unknown',
            p.deceasedDateTime || p.deceasedBoolean ? 'deceased' : age(p.birthDate, new Date()),
          ]
            .filter(Boolean)
            .join(' · ')}</span>
        </a></li>`,
        )}</ul>`
      }`,
  };
};
