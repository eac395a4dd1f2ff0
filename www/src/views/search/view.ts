//! The search playground: build a query or write it, see how the engine reads it, run it on the server, in this
//! browser, or in both, and compare. It is the same engine in both places, so there should be no difference.

import { html, nothing, type TemplateResult } from 'lit-html';
import { rich, t, translated } from '../../language/message.ts';
import { copyButton } from '../../parts/copy.ts';
import { fieldValue, instead } from '../../parts/form.ts';
import { toolButtons } from '../../parts/requests.ts';
import { onceDrawn } from '../../scheduling.ts';
import type { Example } from '../../search/examples.ts';
import { searchUrl } from '../../search/link.ts';
import { BASE, ORIGIN } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { files } from '../../source/files.ts';
import { headed, type OpenView } from '../../view.ts';
import { guideUrl } from '../developers/guide-list.ts';
import { answersView } from './answers.ts';
import { builder } from './builder.ts';
import { explanationView } from './explanation.ts';
import { type Place, SearchModel } from './model.ts';
import { sweepView } from './sweep.ts';

export const searchView: OpenView = ({ query }) => {
  const model = new SearchModel(query.get('q'));
  const submit = instead(() => runAndShow(model));
  return headed('Search', () => {
    const [isOfSample, sweep] = [model.records.value === 'sample', model.sweep.value];
    return html`<p class="lead">${leadOf(model)}</p>
      <form class="playground" @submit=${submit}>
        ${recordsField(model)}${queryField(model)}
        ${runButtons(model)}
        <p class="aside authority">${authorityView(model)}</p>
        <div class="columns">${builder(model)}${isOfSample ? examplesView(model) : nothing}</div>
      </form>
      ${explanationView(model)}
      ${sweep ? sweepView(model, sweep) : answersView(model)}`;
  });
};

/** Runs the query, and scrolls to its answers where they are out of view. */
async function runAndShow(model: SearchModel, where: Place | 'both' = model.mainPlace): Promise<void> {
  await model.run(where);
  onceDrawn(() => {
    const results = document.getElementById('results');
    if (results && results.getBoundingClientRect().top > innerHeight - ROOM) results.scrollIntoView();
  });
}

/** The height of the answers that must be in view, in pixels. */
const ROOM = 160;

function leadOf({ records }: SearchModel): string {
  if (records.value === 'files') return t('Ask your own files, in this browser, as a server would be asked.');
  const invitation = t(
    'Ask the server, the sample in this browser, or both, and compare the answers by id and by text.',
  );
  return `${t('One engine, in two places: on the server and in this browser.')} ${invitation}`;
}

/** Draws the choice of the records in this browser; draws nothing if it has only the sample. */
function recordsField(model: SearchModel): TemplateResult | typeof nothing {
  if (files.value.is !== 'open') return nothing;
  const { value: records } = model.records;
  const choose = (event: Event): void => model.searchIn(fieldValue(event) === 'files' ? 'files' : 'sample');
  return html`<p class="records"><label class="inline">${t('Records')} <select @change=${choose}>
    <option value="files" ?selected=${records === 'files'}>${t('Your files')}</option>
    <option value="sample" ?selected=${records === 'sample'}>${t('The sample')}</option></select></label></p>`;
}

function queryField(model: SearchModel): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void runAndShow(model);
  };
  return html`<p class="field"><label for="q">${rich('Query, below {address}', {
    address: html`<code>${BASE}/</code>`,
  })}</label>
    <textarea id="q" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off" .value=${model.text.value}
      @input=${(event: Event) => model.setText(fieldValue(event))} @keydown=${onKey}></textarea></p>`;
}

function runButtons(model: SearchModel): TemplateResult {
  const busy = model.busy.value !== undefined;
  const isOfSample = model.records.value === 'sample';
  const setTimes = (event: Event): void => {
    model.times.value = Number(fieldValue(event));
  };
  return html`<p class="actions run"><button class="primary" ?disabled=${busy}>${
    isOfSample ? t('Run on the server') : t('Run in this browser')
  }</button>
    ${
      isOfSample
        ? html`<button type="button" ?disabled=${busy} @click=${() => runAndShow(model, 'local')}>${t(
            'Run in this browser',
          )}</button>
            <button type="button" ?disabled=${busy} @click=${() => runAndShow(model, 'both')}>${t('Run both')}</button>`
        : nothing
    }
    <label class="inline">${t('Times')} <select @change=${setTimes}>${[1, 5, 20].map(
      (n) => html`<option value=${n} ?selected=${n === model.times.value}>${n}</option>`,
    )}</select></label></p>
    <p class="actions">${isOfSample ? copyButton(() => searchUrl(ORIGIN, model.text.value.trim()), t('link')) : nothing}
    ${toolButtons(model.url)}</p>`;
}

function authorityView(model: SearchModel): TemplateResult {
  if (model.records.value === 'files')
    return html`${t('Asked of your files, in this tab alone.')} ${t('Everything in them is open.')}`;
  if (model.backend.value) {
    return html`${rich('Asked with the sandbox’s backend token: {scopes}.', {
      scopes: html`<code>system/*</code>`,
    })} <button type="button" class="quiet"
      @click=${() => model.returnBackendToken()}>${t('Give it back')}</button>`;
  }
  if (session.value) return html`${t('Asked with this session’s scopes, on the server and in this browser.')}`;
  return html`${t('Without a sign-in everything is open in this browser, and nothing on the server.')}
    ${t('A run on the server takes the sandbox’s token, unless you gave it back.')} <button type="button"
    class="quiet" @click=${() => model.takeBackendToken()}>${t('Take the sandbox’s backend token')}</button>`;
}

function examplesView(model: SearchModel): TemplateResult {
  const [examples, text] = [model.examples.value, model.text.value];
  const choose = (event: Event): void => {
    const query = fieldValue(event);
    if (!query) return;
    model.setText(query);
    void runAndShow(model);
  };
  const groups = [...Map.groupBy(examples, ({ type }) => type)];
  return html`<fieldset class="builder"><legend>${t('Saved examples')}</legend>
    <p class="field"><label for="example">${t(
      'One for each row of the contract that finds something in the sample',
    )}</label>
    <select id="example" @change=${choose}><option value="">${t('Choose…')}</option>
      ${groups.map(
        ([type, list]) =>
          html`<optgroup label=${type}>${list.map(
            (one) => html`<option value=${one.query} ?selected=${one.query === text}>${exampleTitle(one)}</option>`,
          )}</optgroup>`,
      )}</select></p>
    <p class="actions"><button type="button" ?disabled=${model.busy.value !== undefined || examples.length === 0}
      @click=${() => model.runExamples()}>${
        examples.length > 0 ? t('Run all {n}', { n: examples.length }) : t('Run all')
      }</button> <a href=${guideUrl('contract')}>${t('The contract')}</a></p></fieldset>`;
}

const exampleTitle = ({ row, level, query, note }: Example): string =>
  [query.slice(query.indexOf('?') + 1), ...(note ? [translated(note)] : []), `${row} ${translated(level)}`].join(' · ');
