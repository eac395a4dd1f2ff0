//! What a list of scopes opens: every type, read and search, which scope opens it, or why none does. The engine decides;
//! this page draws.

import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../engine/client.ts';
import type { Cell, ScopeTable } from '../engine/types.ts';
import { settled } from '../frame.ts';
import { chartAt, goTo, writeDown } from '../routes.ts';
import { session } from '../smart/session.ts';
import { trial } from '../source/current.ts';
import type { Open } from '../view.ts';

const PRESETS: [string, string][] = [
  ['A patient’s app', 'launch/patient openid fhirUser patient/*.read'],
  ['One type', 'patient/Immunization.read'],
  [
    'Laboratory only, SMART v2',
    'patient/Patient.r patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
  ],
  ['A practitioner', 'user/*.read'],
  ['A backend', 'system/*.read'],
  ['With mistakes', 'patient/*.read patient/Observation.write pateint/Condition.read patient/MedicationDispense.read'],
];

export const scopes: Open = ({ query }, redraw) => {
  let text = query.get('s') ?? session.value?.scope ?? PRESETS[0]?.[1] ?? '';
  let patient = query.get('p') ?? session.value?.patient ?? 'amara-okafor';
  let table: ScopeTable | undefined;
  let chosen: { type: string; action: 'read' | 'search' } | undefined;

  let turn = 0;
  const look = async (): Promise<void> => {
    const mine = ++turn;
    const { value } = await engine('scopes', text, patient || undefined);
    if (mine !== turn) return;
    table = value;
    writeDown(`/scopes?${new URLSearchParams({ s: text, ...(patient ? { p: patient } : {}) })}`);
    redraw();
  };
  const soon = settled(() => void look(), 120);
  void look();
  const set = (next: string): void => {
    text = next;
    redraw();
    void look();
  };

  const why = (cell: Cell): string => {
    if (!cell.open) return cell.why ?? 'No scope opens it';
    return `${cell.by.join(', ')}${cell.narrowed?.length ? `, only where ${cell.narrowed.join(' or ')}` : ''}`;
  };
  const cellView = (type: string, action: 'read' | 'search', cell: Cell): TemplateResult => {
    const state = !cell.open ? 'shut' : cell.narrowed?.length ? 'part' : 'open';
    const on = chosen?.type === type && chosen.action === action;
    return html`<td class="cell"><button type="button" class="dot-cell" data-state=${state} aria-pressed=${on}
      @click=${() => {
        chosen = on ? undefined : { type, action };
        redraw();
      }}>
      <span aria-hidden="true">${{ open: '●', part: '◐', shut: '○' }[state]}</span>
        ${{ open: 'open', part: 'in part', shut: 'shut' }[state]}<span class="visually-hidden">: ${action} ${type}.
          ${why(cell)}</span></button></td>`;
  };

  return {
    title: 'Scopes',
    body: () => html`<h1 tabindex="-1">Scopes</h1>
      <p class="lead">A scope says which types an app may read or search. Write any list; the engine that guards the
        server takes it apart here.</p>
      <div class="fields stacked">
        <p class="field"><label for="scope-text">Scopes</label><textarea id="scope-text" rows="3" spellcheck="false"
          autocomplete="off" .value=${text} @input=${(event: InputEvent) => {
            text = (event.target as HTMLTextAreaElement).value;
            soon();
          }}></textarea></p>
        <p class="field narrow"><label for="scope-patient">Patient in context</label><input id="scope-patient"
          autocomplete="off" spellcheck="false" .value=${patient} @input=${(event: InputEvent) => {
            patient = (event.target as HTMLInputElement).value.trim();
            soon();
          }}></p>
      </div>
      <p class="actions presets"><span class="label">Try</span> ${PRESETS.map(
        ([name, preset]) => html`<button type="button" class="quiet" @click=${() => set(preset)}>${name}</button>`,
      )}
        ${
          session.value
            ? html`<button type="button" class="quiet" @click=${() => set(session.value?.scope ?? '')}>This
              session’s</button>`
            : nothing
        }</p>
      <p class="actions"><button type="button" @click=${() => {
        trial.set({ scopes: text, ...(patient ? { patient } : {}), patients: 'all' });
        goTo(chartAt('sample', patient || 'amara-okafor'));
      }}>Look at the offline chart with these</button></p>
      ${
        table === undefined
          ? nothing
          : html`
      <section aria-labelledby="said"><h2 id="said">What each one says</h2>
        <ul class="scope-lines" role="list">${table.lines.map(
          ({ scope, says, refused }) =>
            html`<li data-ok=${!refused}><code class="breakable">${scope}</code> <span>${
              refused ? html`<strong>No scope:</strong> ${refused}` : says
            }</span></li>`,
        )}</ul></section>
      <section aria-labelledby="opens"><h2 id="opens">What they open together</h2>
        <p class="aside" role="status">${
          table.matrix.filter(({ search }) => search.open).length
        } of ${table.matrix.length} types can be searched.</p>
        <div class="table-frame" tabindex="0" role="region" aria-label="What the scopes open"><table class="matrix">
        <caption class="visually-hidden">Every type with whether it may be read and searched, and which scope opens it
          or why none does</caption>
        <thead><tr><th scope="col">Type</th><th scope="col">Read</th><th scope="col">Search</th>
          <th scope="col">By which scope, or why not</th></tr></thead>
        <tbody>${table.matrix.map(({ type, read, search }) => {
          const same = why(read) === why(search);
          const shown = chosen?.type === type ? (chosen.action === 'read' ? read : search) : undefined;
          return html`<tr data-on=${Boolean(shown)}>
            <th scope="row">${type}</th>${cellView(type, 'read', read)}${cellView(type, 'search', search)}
            <td class="why">${
              shown && !same
                ? html`<strong>${chosen?.action}:</strong> ${why(shown)}`
                : same
                  ? why(search)
                  : html`${why(read)}<br>Search: ${why(search)}`
            }</td></tr>`;
        })}</tbody></table></div></section>`
      }`,
  };
};
