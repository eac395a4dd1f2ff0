//! The form of an export: whose records. Below it is the request that it makes.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type PlainMessage, t } from '../../language/message.ts';
import { copyButton } from '../../parts/copy.ts';
import { fieldValue } from '../../parts/form.ts';
import { pathOf } from '../../parts/requests.ts';
import type { ExportModel } from './model.ts';
import { isAskable, type Level } from './request.ts';

const LEVELS: Record<Level, [title: PlainMessage, says: PlainMessage]> = {
  patient: ['Every patient', 'All records of patients, and the people and places that they refer to.'],
  group: ['A group', 'The same, of the members of one Group.'],
  system: ['The whole server', 'Also what belongs to no patient.'],
};
const LEVEL_NAMES = ['patient', 'group', 'system'] as const satisfies Level[];

export function exportForm(model: ExportModel): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault();
    void model.start();
  };
  const { value: choice } = model.choice;
  return html`<form class="export-form" @submit=${submit}>
    <fieldset class="levels"><legend>${t('Whose records')}</legend><ul role="list">${LEVEL_NAMES.map((level) =>
      levelChoice(model, level),
    )}</ul></fieldset>
    ${choice.level === 'group' ? groupField(model) : nothing}
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
    .checked=${model.choice.value.level === level} @change=${() => model.choose({ level })}><span>${t(title)}
    <small>${t(says)}</small></span></label></li>`;
}

function groupField(model: ExportModel): TemplateResult {
  const set = (event: Event): void => model.choose({ group: fieldValue(event).trim() });
  return html`<p class="field"><label for="export-group">${t('Id of the Group')}</label><input id="export-group"
    required autocomplete="off" autocapitalize="off" spellcheck="false"
    .value=${model.choice.value.group} @input=${set}></p>`;
}
