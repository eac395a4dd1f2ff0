//! Bulk export from the sandbox: the form, the progress, the files of the manifest, and opening them here.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '#reading/fhir/date.ts';
import { onChange } from '../../drawing.ts';
import { curl } from '../../export/snippets.ts';
import { type PlainMessage, rich, sentences, t, words } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { copyButton, download } from '../../parts/copy.ts';
import { keepFocus } from '../../parts/focus.ts';
import { failed, waiting } from '../../parts/notice.ts';
import { exchangeView, pathOf, size } from '../../parts/requests.ts';
import { onceDrawn } from '../../scheduling.ts';
import { TOKEN_PLACE } from '../../smart/token-place.ts';
import type { OpenView } from '../../view.ts';
import { handOver } from '../files/hand-over.ts';
import { filesText } from '../files/progress.ts';
import { typeName } from '../files/words.ts';
import { exportForm } from './form.ts';
import type { ExportFile } from './manifest.ts';
import {
  type CompletedExport,
  type ExportDownload,
  type ExportModel,
  type ExportState,
  exportModel,
  type Problem,
} from './model.ts';
import { localTimeOf } from './request.ts';
import { partOf } from './status.ts';

const LEAD: PlainMessage[] = [
  'A backend client fetches the records of many patients at once, as files: Bulk Data.',
  'Here the sandbox’s own client does it, and you see each step.',
];
const ENDED: Record<'cancelled' | 'deleted', PlainMessage> = {
  cancelled: 'The export is cancelled. The server keeps nothing of it.',
  deleted: 'The export is deleted. The server keeps nothing of it.',
};

/** Tells screen readers that an export has begun or ended. */
function tellOf(state: ExportState): void {
  if (state.is === 'running') announce(t('The export is running'));
  if (state.is === 'complete') announce(t('The export is complete: {held}', { held: heldText(state) }));
  if (state.is === 'cancelled' || state.is === 'deleted') announce(t(ENDED[state.is]));
  onceDrawn(keepFocus);
}

export const exportView: OpenView = () => {
  const model = exportModel();
  model.resume();
  let last = model.state.value.is;
  const stop = onChange(model.state, (state) => {
    if (state.is !== last && state.is !== 'downloading' && last !== 'downloading') tellOf(state);
    last = state.is;
  });
  return {
    title: t('Export'),
    isTranslatedInPlace: true,
    leave: () => {
      stop();
      model.rest();
    },
    body: () => html`<h1 tabindex="-1">${t('Export')}</h1><p class="lead">${sentences(LEAD)}</p>
      ${problemView(model.problem.value)}${content(model)}`,
  };
};

function problemView(problem: Problem | undefined): TemplateResult | typeof nothing {
  if (!problem) return nothing;
  const { exchange, says } = problem;
  if (!exchange) return failed(undefined, says);
  return html`${failed(exchange)}${says ? html`<p class="aside">${says}</p>` : nothing}`;
}

function content(model: ExportModel): TemplateResult | typeof nothing {
  const [state, scopes] = [model.state.value, model.scopes.value];
  if (state.is === 'running') return runningView(model, state.progress);
  if (state.is === 'downloading') return downloadView(model, state, state.download);
  if (state.is === 'complete') return completeView(model, state);
  if (model.isLooking.value) return waiting(t('the sandbox'));
  if (scopes === undefined) return nothing;
  const ended = state.is === 'cancelled' || state.is === 'deleted' ? t(ENDED[state.is]) : undefined;
  return html`${ended ? html`<p class="banner-note">${ended}</p>` : nothing}${exportForm(model, scopes)}`;
}

function runningView(model: ExportModel, progress: string | undefined): TemplateResult {
  const part = partOf(progress);
  const bar =
    part === undefined
      ? html`<progress id="export-progress"></progress>`
      : html`<progress id="export-progress" max="1" .value=${part}></progress>`;
  return html`<div class="load"><label for="export-progress">${t('The server prepares the files')}</label>${bar}
    <p class="load-text">${
      progress ? t('The server says: {progress}', { progress }) : t('The server has not said yet how far it is.')
    }</p>
    <p class="actions"><button type="button" @click=${() => model.end()}>${t('Cancel the export')}</button></p></div>
    ${stepsView(model)}`;
}

const isOfRecords = ({ kind }: ExportFile): boolean => kind !== 'error';

/** Returns the numbers of resources and of files; without counts, the number of files alone. */
function heldText({ resources, files }: CompletedExport): string {
  const inFiles = filesText(files.filter(isOfRecords).length);
  if (resources === undefined) return inFiles;
  return t('{n} resource in {files}|{n} resources in {files}', { n: resources, files: inFiles });
}

function completeView(model: ExportModel, complete: CompletedExport): TemplateResult {
  const hasFiles = complete.files.some(isOfRecords);
  const open = async (): Promise<void> => {
    const files = await model.download();
    if (files) handOver({ files, leftOut: 0 });
  };
  const lead = hasFiles
    ? t('{held}. They stay at the server until you delete them, or they expire.', { held: heldText(complete) })
    : t('There is nothing to export: no record is of these types and of this time.');
  return html`<p class="lead export-held">${lead}</p>
    ${factsView(complete)}
    <p class="actions">${
      hasFiles
        ? html`<button type="button" class="primary" @click=${() => void open()}>${t(
            'Open them in this browser',
          )}</button>`
        : nothing
    }
      <button type="button" @click=${() => model.startOver(complete.transactionTime)}>${t(
        'Export what has changed since',
      )}</button>
      <button type="button" @click=${() => model.startOver()}>${t('Another export')}</button>
      <button type="button" @click=${() => model.end()}>${t('Delete this export')}</button></p>
    ${notesView(complete.notes)}
    ${filesView(model, complete.files)}${stepsView(model)}`;
}

/** The most notes that are shown. */
const NOTES = 20;

function notesView(notes: readonly string[]): TemplateResult | typeof nothing {
  if (notes.length === 0) return nothing;
  const more = notes.length - NOTES;
  return html`<div class="state incomplete"><span class="mark" aria-hidden="true">!</span><div>
    <strong>${t('The server says of this export:')}</strong>
    ${notes.slice(0, NOTES).map((says) => html`<p>${says}</p>`)}
    ${more > 0 ? html`<p>${t('and {n} more', { n: more })}</p>` : nothing}</div></div>`;
}

const shownTime = (instant: string): string => clockDate(words(), localTimeOf(instant));

function factsView({ transactionTime, expires }: CompletedExport): TemplateResult {
  const fact = (name: PlainMessage, instant: string): TemplateResult =>
    html`<div><dt>${t(name)}</dt><dd><time datetime=${instant}>${shownTime(instant)}</time></dd></div>`;
  return html`<dl class="facts">${fact('State of the records', transactionTime)}${
    expires ? fact('Kept until', expires) : nothing
  }</dl>`;
}

const KINDS = { deleted: 'Deletions', error: 'Notes of the server' } as const satisfies Record<string, PlainMessage>;

/** Draws the requests of the export, each with its answer. */
function stepsView({ steps: { value: steps } }: ExportModel): TemplateResult | typeof nothing {
  if (steps.length === 0) return nothing;
  return html`<section aria-labelledby="export-steps"><h2 id="export-steps">${t('The requests of this export')}</h2>
    <p>${t('The start is answered with 202 and the address of the status, in Content-Location.')}
      ${t('The status is 202 until the list of files is there.')}</p>
      ${steps.map((one) => exchangeView(one))}</section>`;
}

/** The name of the tool is the same in each language. */
const CURL = 'curl';

/** Saves a file of the export on the device. */
async function saveFile(model: ExportModel, of: ExportFile): Promise<void> {
  const saved = await model.fetchFile(of);
  if (saved) download(saved.name, 'application/fhir+ndjson', [saved.file]);
}

function filesView(model: ExportModel, files: readonly ExportFile[]): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  const { value: sizes } = model.sizes;
  const all = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  const several = new Set(files.filter(({ part }) => part > 1).map(({ type }) => type));
  const row = (file: ExportFile): TemplateResult => {
    const { kind, type, url, count, part, name } = file;
    const bytes = sizes.get(url);
    const text = kind === 'output' ? typeName(type) : t(KINDS[kind]);
    return html`<tr data-kind=${kind}><th scope="row">${several.has(type) ? `${text} ${words().number(part)}` : text}
      <small><code>${name}</code></small><small class="for-developers"><code>${pathOf(url)}</code></small></th><td
      class="number" data-head=${t('Resources#a number')}>${count === undefined ? '–' : words().number(count)}</td><td
      class="number" data-head=${t('Size')}>${bytes === undefined ? '–' : size(bytes)}</td><td class="wide"><span
        class="actions"><button type="button" class="quiet"
          @click=${() => void saveFile(model, file)}>${t('Save')}<span
            class="visually-hidden"> ${name}</span></button>${copyButton(
              () => curl(url, TOKEN_PLACE),
              CURL,
              html`${CURL}<span class="visually-hidden"> ${name}</span>`,
            )}</span></td></tr>`;
  };
  return html`<section aria-labelledby="export-files"><h2 id="export-files">${t('Files#of an export')}</h2>
    <div class="table-frame lined"><table class="export-files"><caption>${rich(
      '{files}, {bytes} as they come over the network',
      { files: filesText(files.length), bytes: sizes.size === files.length ? size(all) : '–' },
    )}</caption><thead><tr><th scope="col">${t('File')}</th><th scope="col" class="number">${t(
      'Resources#a number',
    )}</th><th scope="col" class="number">${t('Size')}</th><td></td></tr></thead>
      <tbody>${files.map(row)}</tbody></table></div>
    </section>`;
}

function downloadView(model: ExportModel, complete: CompletedExport, download: ExportDownload): TemplateResult {
  const { resources } = complete;
  const { done, all, type, bytes, lines } = download;
  const bar =
    resources === undefined
      ? html`<progress id="export-progress" max=${all} .value=${done}></progress>`
      : html`<progress id="export-progress" max=${Math.max(resources, 1)} .value=${lines}></progress>`;
  const at = t('file {number} of {files}', { number: Math.min(done + 1, all), files: all });
  const here = t('{n} resource|{n} resources', { n: lines });
  return html`<div class="load"><label for="export-progress">${t('Fetching the files: {type}', {
    type: typeName(type),
  })}</label>${bar}
    <p class="load-text">${[here, size(bytes), at].join(' · ')}</p>
    <p class="actions"><button type="button" @click=${() => model.stopDownload()}>${t('Cancel')}</button></p></div>`;
}
