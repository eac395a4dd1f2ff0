//! Bulk export from the sandbox: the form, the progress, the files of the manifest, and opening them here.

import { html, nothing, type TemplateResult } from 'lit-html';
import { onChange } from '../../drawing.ts';
import { type PlainMessage, sentences, t, words } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { keepFocus } from '../../parts/focus.ts';
import { failed, waiting } from '../../parts/notice.ts';
import { onceDrawn } from '../../scheduling.ts';
import type { OpenView } from '../../view.ts';
import { handOver } from '../files/hand-over.ts';
import { filesText } from '../files/progress.ts';
import { typeName } from '../files/words.ts';
import { exportForm } from './form.ts';
import { type ExportFile, isOfRecords } from './manifest.ts';
import { type CompletedExport, type ExportModel, type ExportState, exportModel, type Problem } from './model.ts';

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
  const { value: state } = model.state;
  if (state.is === 'running') return runningView(model, state.progress);
  if (state.is === 'downloading') return downloadView(model, state, state.done);
  if (state.is === 'complete') return completeView(model, state);
  if (model.hasClient.value === undefined) return waiting(t('the sandbox'));
  if (!model.hasClient.value) return nothing;
  const ended = state.is === 'cancelled' || state.is === 'deleted' ? t(ENDED[state.is]) : undefined;
  return html`${ended ? html`<p class="banner-note">${ended}</p>` : nothing}${exportForm(model)}`;
}

function runningView(model: ExportModel, progress: string | undefined): TemplateResult {
  return html`<div class="load"><label for="export-progress">${t('The server prepares the files')}</label><progress
    id="export-progress"></progress>
    <p class="load-text">${
      progress ? t('The server says: {progress}', { progress }) : t('The server has not said yet how far it is.')
    }</p>
    <p class="actions"><button type="button" @click=${() => model.end()}>${t('Cancel the export')}</button></p></div>`;
}

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
    : t('There is nothing to export.');
  return html`<p class="lead export-held">${lead}</p>
    ${factsView(complete)}
    <p class="actions">${
      hasFiles
        ? html`<button type="button" class="primary" @click=${() => void open()}>${t(
            'Open them in this browser',
          )}</button>`
        : nothing
    }
      <button type="button" @click=${() => model.startOver()}>${t('Another export')}</button>
      <button type="button" @click=${() => model.end()}>${t('Delete this export')}</button></p>
    ${notesView(complete.notes)}
    ${filesView(complete.files)}`;
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

function shownTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  return new Intl.DateTimeFormat(words().locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

function factsView({ transactionTime, expires }: CompletedExport): TemplateResult {
  const fact = (name: PlainMessage, instant: string): TemplateResult =>
    html`<div><dt>${t(name)}</dt><dd><time datetime=${instant}>${shownTime(instant)}</time></dd></div>`;
  return html`<dl class="facts">${fact('State of the records', transactionTime)}${
    expires ? fact('Kept until', expires) : nothing
  }</dl>`;
}

const KINDS = { deleted: 'Deletions', error: 'Notes of the server' } as const satisfies Record<string, PlainMessage>;

function filesView(files: readonly ExportFile[]): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  const row = ({ kind, type, count, name }: ExportFile): TemplateResult =>
    html`<tr data-kind=${kind}><th scope="row">${kind === 'output' ? typeName(type) : t(KINDS[kind])}
      <small><code>${name}</code></small></th><td class="number">${
        count === undefined ? '–' : words().number(count)
      }</td></tr>`;
  return html`<section aria-labelledby="export-files"><h2 id="export-files">${t('Files#of an export')}</h2>
    <table class="export-files"><caption class="visually-hidden">${filesText(
      files.length,
    )}</caption><thead><tr><th scope="col">${t('File')}</th><th scope="col" class="number">${t(
      'Resources#a number',
    )}</th></tr></thead><tbody>${files.map(row)}</tbody></table></section>`;
}

function downloadView(model: ExportModel, { files }: CompletedExport, done: number): TemplateResult {
  const all = files.filter(isOfRecords).length;
  return html`<div class="load"><label for="export-progress">${t('Fetching the files')}</label>
    <progress id="export-progress" max=${all} .value=${done}></progress>
    <p class="load-text">${t('file {number} of {files}', { number: Math.min(done + 1, all), files: all })}</p>
    <p class="actions"><button type="button" @click=${() => model.stopDownload()}>${t('Cancel')}</button></p></div>`;
}
