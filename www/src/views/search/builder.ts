//! The form that builds a query: its type, and a row for each parameter.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import { fieldValue } from '../../parts/form.ts';
import type { QueryParameter } from '../../search/query.ts';
import type { SearchedType } from '../../source/searched-types.ts';
import type { SearchModel } from './model.ts';

const RESULT_PARAMETERS = ['_count', '_sort', '_total', '_summary', '_elements'];
/** The parameters that stay when another type is chosen. */
const OF_EVERY_TYPE = ['patient', '_count'];

const namesOf = (type: SearchedType | undefined): string[] => [
  ...(type?.searchParam ?? []).map(({ name }) => name),
  ...RESULT_PARAMETERS,
  ...(type?.searchInclude?.length ? ['_include'] : []),
  ...(type?.searchRevInclude?.length ? ['_revinclude'] : []),
];

function suggestionsFor(name: string, type: SearchedType | undefined): string[] {
  if (name === '_include') return type?.searchInclude ?? [];
  if (name === '_revinclude') return type?.searchRevInclude ?? [];
  return [];
}

export function builder(model: SearchModel): TemplateResult {
  const { type, parameters } = model.query;
  const known = model.types.value.find((one) => one.type === type);
  const names = namesOf(known);
  const set = (next: QueryParameter[]): void => {
    model.query = { type, parameters: next };
  };
  const setType = (event: Event): void => {
    const kept = parameters.filter(({ name }) => OF_EVERY_TYPE.includes(name));
    model.query = { type: fieldValue(event), parameters: kept };
  };
  const add = (): void => {
    const name = names.find((one) => !parameters.some((parameter) => parameter.name === one)) ?? '_id';
    set([...parameters, { name, value: '' }]);
  };
  const types = model.types.value.length > 0 ? model.types.value : [{ type }];
  return html`<fieldset class="builder"><legend>${t('Parameters')}</legend>
    <p class="field narrow"><label for="q-type">${t('Type')}</label><select id="q-type" @change=${setType}>
      ${types.map((one) => html`<option value=${one.type} ?selected=${one.type === type}>${one.type}</option>`)}
    </select></p>
    <ul class="params" role="list">${parameters.map((parameter, i) =>
      row(parameter, i, {
        names,
        suggestions: suggestionsFor(parameter.name, known),
        change: (change) => set(parameters.map((one, k) => (k === i ? { ...one, ...change } : one))),
        remove: () => set(parameters.filter((_, k) => k !== i)),
      }),
    )}</ul>
    <p class="actions"><button type="button" class="quiet" @click=${add}>${t('Add a parameter')}</button>
      ${known?.documentation ? html`<span class="aside">${known.documentation}</span>` : nothing}</p></fieldset>`;
}

interface RowOptions {
  names: string[];
  suggestions: string[];
  change(change: Partial<QueryParameter>): void;
  remove(): void;
}

const row = (
  { name, value }: QueryParameter,
  i: number,
  { names, suggestions, change, remove }: RowOptions,
): TemplateResult => html`<li>
  <label class="visually-hidden" for=${`p-name-${i}`}>${t('Parameter {number}', { number: i + 1 })}</label>
  <select id=${`p-name-${i}`} @change=${(event: Event) => change({ name: fieldValue(event) })}>
    ${[...new Set([...names, name])].map((one) => html`<option value=${one} ?selected=${one === name}>${one}</option>`)}
  </select>
  <label class="visually-hidden" for=${`p-value-${i}`}>${t('Value of {name}', { name })}</label>
  <input id=${`p-value-${i}`} list=${`p-list-${i}`} autocomplete="off" spellcheck="false" .value=${value}
    @input=${(event: Event) => change({ value: fieldValue(event) })}>
  <datalist id=${`p-list-${i}`}>${suggestions.map((one) => html`<option value=${one}></option>`)}</datalist>
  <button type="button" class="quiet" aria-label=${t('Remove {name}', { name })} @click=${remove}>✕</button></li>`;
