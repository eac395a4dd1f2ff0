//! The form of an export: whose records, which types, changed since when. Below it is the request that it makes.

import { html, nothing, type TemplateResult } from 'lit-html';
import { typeWords } from '#reading/fhir/type-words.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { copyButton } from '../../parts/copy.ts';
import { fieldValue, isChecked } from '../../parts/form.ts';
import { pathOf } from '../../parts/requests.ts';
import type { ExportModel } from './model.ts';
import { instantOf, isAskable, type Level, localTimeOf, typesOf } from './request.ts';

const LEVELS: Record<Level, [title: PlainMessage, says: PlainMessage]> = {
  patient: ['Every patient', 'All records of patients, and the people and places that they refer to.'],
  group: ['A group', 'The same, of the members of one Group.'],
  system: ['The whole server', 'Also what belongs to no patient.'],
};
const LEVEL_NAMES = ['patient', 'group', 'system'] as const satisfies Level[];

export function exportForm(model: ExportModel, scopes: string): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault();
    void model.start();
  };
  const { value: choice } = model.choice;
  return html`<form class="export-form" @submit=${submit}>
    <fieldset class="levels"><legend>${t('Whose records')}</legend><ul role="list">${LEVEL_NAMES.map((level) =>
      levelChoice(model, level),
    )}</ul></fieldset>
    <div class="fields">${choice.level === 'group' ? groupField(model) : nothing}${sinceField(model)}</div>
    ${typeChoice(model, typesOf(scopes, choice.level))}
    <p class="actions"><button class="primary" ?disabled=${
      !isAskable(choice) || model.state.value.is === 'starting'
    }>${t('Start the export')}</button></p>
    <p class="aside request-line"><code class="breakable">GET ${pathOf(model.url)}</code> ${copyButton(
      () => model.url,
      t('address#of a request'),
    )}</p>
  </form>`;
}

function levelChoice(model: ExportModel, level: Level): TemplateResult {
  const [title, says] = LEVELS[level];
  return html`<li class="choice"><label><input type="radio" name="level" value=${level}
    .checked=${model.choice.value.level === level} @change=${() => model.chooseLevel(level)}><span>${t(title)}
    <small>${t(says)}</small></span></label></li>`;
}

function groupField(model: ExportModel): TemplateResult {
  const set = (event: Event): void => model.choose({ group: fieldValue(event).trim() });
  return html`<p class="field"><label for="export-group">${t('Id of the Group')}</label><input id="export-group"
    required autocomplete="off" autocapitalize="off" spellcheck="false" list="export-groups"
    .value=${model.choice.value.group} @input=${set}></p>
    <datalist id="export-groups">${model.groups.value.map((id) => html`<option value=${id}></option>`)}</datalist>`;
}

function sinceField(model: ExportModel): TemplateResult {
  const set = (event: Event): void => model.choose({ since: instantOf(fieldValue(event)) });
  const { since } = model.choice.value;
  return html`<div class="field"><label for="export-since">${t('Changed after')}</label><input id="export-since"
    type="datetime-local" step="1" aria-describedby="export-since-note" .value=${localTimeOf(since)} @change=${set}>
    <small id="export-since-note">${t('Your local time. Left empty, everything is exported.')}</small></div>`;
}

function typeChoice(model: ExportModel, all: string[]): TemplateResult {
  const { value: choice } = model.choice;
  const choose = (type: string, isOn: boolean): void =>
    model.choose({ types: all.filter((one) => (one === type ? isOn : choice.types.includes(one))) });
  const chosen = choice.types.map((type) => typeWords(words(), type));
  return html`<details class="folded export-types"><summary>${
    chosen.length === 0 ? t('All types, unless you choose some') : words().listed(chosen)
  }</summary>
    <fieldset><legend class="visually-hidden">${t('Types#to export')}</legend>
      <ul role="list">${all
        .toSorted((a, b) => typeWords(words(), a).localeCompare(typeWords(words(), b), words().language))
        .map(
          (type) => html`<li class="choice"><label><input type="checkbox" .checked=${choice.types.includes(type)}
          @change=${(event: Event) => choose(type, isChecked(event))}><span>${typeWords(words(), type)}</span></label>
          </li>`,
        )}</ul></fieldset></details>`;
}
