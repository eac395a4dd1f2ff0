//! Bulk export from the sandbox: its progress, and its files, which are opened as the user's own.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type PlainMessage, sentences, t } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { keepFocus } from '../../parts/focus.ts';
import { failed } from '../../parts/notice.ts';
import { pathOf } from '../../parts/requests.ts';
import { onceDrawn } from '../../scheduling.ts';
import type { OpenView } from '../../view.ts';
import { handOver } from '../files/hand-over.ts';
import { ExportModel, type ExportProgress, KICK_OFF } from './model.ts';

const LEAD: PlainMessage[] = [
  'A backend client fetches the records of many patients at once, as files: Bulk Data.',
  'Here the sandbox’s own client does it, and the files are opened in this browser.',
];

export const exportView: OpenView = () => {
  const model = new ExportModel();
  const start = async (): Promise<void> => {
    const coming = model.files();
    announce(t('The export is running'));
    onceDrawn(keepFocus);
    const files = await coming;
    onceDrawn(keepFocus);
    if (files) handOver({ files, leftOut: 0 });
  };
  const cancel = (): void => {
    model.cancel();
    onceDrawn(keepFocus);
  };
  const body = (): TemplateResult => {
    const [problem, progress] = [model.problem.value, model.progress.value];
    return html`<h1 tabindex="-1">${t('Export')}</h1><p class="lead">${sentences(LEAD)}</p>
      ${problem ? failed(problem.exchange, problem.says) : nothing}
      ${
        progress
          ? runningView(progress, cancel)
          : html`<p class="aside"><code class="breakable">GET ${pathOf(KICK_OFF)}</code></p>
            <p class="actions"><button type="button" class="primary" @click=${() => void start()}>${t(
              'Export every patient',
            )}</button></p>`
      }`;
  };
  return { title: t('Export'), isTranslatedInPlace: true, leave: () => model.cancel(), body };
};

function runningView({ says, fetched }: ExportProgress, cancel: () => void): TemplateResult {
  const server = says ? t('The server says: {progress}', { progress: says }) : '';
  return html`<div class="load"><label for="export-progress">${
    fetched ? t('Fetching the files') : t('The server prepares the files')
  }</label>${
    fetched
      ? html`<progress id="export-progress" max=${fetched.files} .value=${fetched.done}></progress>`
      : html`<progress id="export-progress"></progress>`
  }
    <p class="load-text">${
      fetched ? t('file {number} of {files}', { number: fetched.done + 1, files: fetched.files }) : server
    }</p>
    <p class="actions"><button type="button" @click=${cancel}>${t('Cancel the export')}</button></p></div>`;
}
