//! The user's own files: choosing them, the progress of the load, and what was found. They are held in this tab alone.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortDate } from '#reading/fhir/date.ts';
import { capital, plain } from '#reading/fhir/text.ts';
import { joinedBy } from '#reading/joined.ts';
import { patientName } from '../../chart/patient.ts';
import { onChange } from '../../drawing.ts';
import type { LoadProgress } from '../../engine/load/file-report.ts';
import { type PlainMessage, rich, sentences, t, words } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { keepFocus } from '../../parts/focus.ts';
import { folded } from '../../parts/folded.ts';
import { failed, retryButton } from '../../parts/notice.ts';
import { pathOf } from '../../parts/requests.ts';
import { chartUrl, patientsUrl } from '../../routes.ts';
import { onceDrawn } from '../../scheduling.ts';
import {
  type Choice,
  chartsIn,
  closeFiles,
  type FailedFiles,
  files,
  type OpenFiles,
  openFiles,
} from '../../source/files.ts';
import { sent } from '../../source/sent.ts';
import type { OpenView } from '../../view.ts';
import { DropArea, dropNote } from './drop-area.ts';
import { fileButtons } from './file-buttons.ts';
import { takeChoice } from './hand-over.ts';
import { prepare } from './prepare.ts';
import { filesText, progressText, quartersOf } from './progress.ts';
import { faultsView, typesView } from './report.ts';
import { conflictText, guessedText, heldText, undeliveredText } from './words.ts';

/** Tells screen readers of each quarter of a load, and of its end. */
class Announcer {
  #quarters = 0;
  #last = files.value.is;

  update(): void {
    const state = files.value;
    if (state.is === 'opening' && state.progress) this.#quarter(state.progress);
    if (state.is !== this.#last) {
      this.#last = state.is;
      this.#quarters = 0;
      if (state.is === 'opening') announce(t('Opening {files}', { files: filesText(state.files) }));
      if (state.is === 'open') announce(t('Your files are open: {held}', { held: heldText(state.report) }));
      if (state.is === 'closed') announce(state.why === 'cancelled' ? t('Cancelled') : t('Your files are closed'));
      onceDrawn(keepFocus);
    }
  }

  #quarter(progress: LoadProgress): void {
    const quarters = quartersOf(progress);
    if (quarters > this.#quarters && quarters < 4) announce(t('{percent} percent read', { percent: quarters * 25 }));
    this.#quarters = quarters;
  }
}

export const filesView: OpenView = (route) => {
  /** The number of files of the last choice if none of them can contain records, otherwise 0. */
  const noneOf = signal(0);
  const open = (choice: Choice): void => {
    if (choice.files.length > 0) void openFiles(choice, prepare);
    else if (choice.leftOut > 0) announce(t(NOTHING_TO_READ));
    noneOf.value = choice.files.length === 0 ? choice.leftOut : 0;
  };
  const area = new DropArea(open);
  const announcer = new Announcer();
  const stop = onChange(files, () => announcer.update());
  const waiting = takeChoice();
  if (waiting) open(waiting);

  const content = (): TemplateResult => {
    const state = files.value;
    if (state.is === 'opening') return openingView(state.files, state.progress);
    if (state.is === 'open') return openView(state, open);
    return html`${state.is === 'failed' ? failure(state, open) : nothing}${closedView(route.source === 'files', open)}`;
  };
  return {
    title: t('Your own record'),
    leave: () => {
      area.stop();
      stop();
    },
    body: () => html`${dropNote(area)}<h1 tabindex="-1">${t('Your own record')}</h1>
      ${noneOf.value > 0 ? html`<p class="banner-note" role="alert">${t(NOTHING_TO_READ)}</p>` : nothing}${content()}`,
  };
};

/** Says why the files could not be opened. A button tries them again, for example after a lost connection. */
const failure = ({ why, choice }: FailedFiles, open: (choice: Choice) => void): TemplateResult =>
  html`${failed(undefined, why)}<p class="actions">${retryButton(() => open(choice))}</p>`;

const NOTHING_TO_READ: PlainMessage =
  'There is no file in the folder whose name ends in .json, .ndjson, .jsonl or .gz.';

const LEAD: PlainMessage[] = [
  'Open FHIR R4 that a portal or a server gave you: Bundles, NDJSON, or either packed with gzip.',
  'It is read, indexed and searched in this tab. Nothing is sent, and nothing is kept once the tab is closed.',
];
const CLOSED: Record<'left' | 'cancelled' | 'closed', PlainMessage> = {
  left: 'The files of this address are not open any more: they were in the memory of a tab alone. Open them again.',
  cancelled: 'Cancelled. Nothing of the files was kept.',
  closed: 'Your files are closed. Nothing of them was kept.',
};

function closedView(wasOpen: boolean, open: (choice: Choice) => void): TemplateResult {
  const { value } = files;
  const why = wasOpen ? 'left' : value.is === 'closed' ? value.why : undefined;
  const note = why && t(CLOSED[why]);
  return html`${note ? html`<p class="banner-note">${note}</p>` : nothing}
    <p class="lead">${sentences(LEAD)}</p>
    <div class="file-drop"><p><strong>${t('Drop files or folders anywhere on this page')}</strong><span>${t(
      'or choose them',
    )}</span></p>
      <p class="actions">${fileButtons(open, t('Choose files…'), true)}</p></div>`;
}

function openingView(count: number, progress: LoadProgress | undefined): TemplateResult {
  const bar = progress
    ? html`<progress id="load" max=${Math.max(progress.allBytes, 1)} .value=${progress.bytes}></progress>`
    : html`<progress id="load"></progress>`;
  return html`<div class="load"><label for="load">${t('Opening {files}', {
    files: filesText(count),
  })}</label>${bar}
    <p class="load-text">${progress ? progressText(progress) : t('Making the engine ready…')}</p>
    <p class="actions"><button type="button" @click=${closeFiles}>${t('Cancel')}</button></p></div>`;
}

const LEFT_OUT = '{n} other file was left out.|{n} other files were left out.';
const FAULTY = '{n} fault, listed below.|{n} faults, listed below.';

/** Draws the only person in the files, with the name of the file. */
function whoView({ person, choice }: OpenFiles): TemplateResult | typeof nothing {
  if (!person) return nothing;
  const { gender, birthDate } = person;
  const [file, ...others] = choice.files;
  const facts = joinedBy(
    ' · ',
    gender && capital(plain(words(), gender)),
    birthDate ? t('born {date}', { date: shortDate(words(), birthDate) }) : t('birth date unknown'),
    file && others.length === 0 ? file.name : filesText(choice.files.length),
  );
  return html`<p class="files-person"><strong>${patientName(person)}</strong>
    <span class="aside breakable">${facts}</span></p>`;
}

function openView(state: OpenFiles, open: (choice: Choice) => void): TemplateResult {
  const { load, report, patient, choice } = state;
  const { leftOut } = choice;
  const left = leftOut > 0 ? t(LEFT_OUT, { n: leftOut }) : undefined;
  const faulty = report.faultCount > 0 ? t(FAULTY, { n: report.faultCount }) : undefined;
  return html`${whoView(state)}<p class="lead" data-load=${load}>${heldText(report)}.
      ${t('They are in the memory of this tab alone, and gone when you close or reload it.')}</p>
    ${proof(sent.value)}
    <p class="actions">${startLink(chartsIn(report), patient)}
      <a class="button" href="/#/search">${t('Ask with a FHIR query')}</a>
      ${fileButtons(open, t('Open other files…'), false)}
      <button type="button" @click=${closeFiles}>${t('Close')}</button></p>
    ${notes([conflictText(report), faulty, undeliveredText(report), guessedText(report), left])}
    ${typesView(report)}${faultsView(report)}`;
}

function startLink(patients: number, patient: string | undefined): TemplateResult {
  if (patient === undefined) {
    return html`<span class="quiet-text">${t('No patient is among the resources, so there is no chart.')}</span>`;
  }
  return patients === 1
    ? html`<a class="button primary" href=${chartUrl('files', patient)}>${t('Open the chart')}</a>`
    : html`<a class="button primary" href=${patientsUrl('files')}>${t('Choose a patient')}</a>`;
}

function notes(texts: (string | undefined)[]): TemplateResult | typeof nothing {
  const said = texts.filter((text) => text !== undefined);
  return said.length > 0 ? html`<p class="aside files-notes">${said.join(' ')}</p>` : nothing;
}

function proof(requests: readonly string[]): TemplateResult {
  return html`<div class="proof" data-ok=${requests.length === 0}><p><span class="dot"
    aria-hidden="true"></span><span>${rich('Requests sent since you opened your files:\u00a0{number}', {
      number: html`<strong>${words().number(requests.length)}</strong>`,
    })}</span></p>
    ${
      requests.length === 0
        ? html`<p class="aside">${t(
            'Counted from the browser’s own list of what this page and the engine fetched.',
          )}</p>`
        : folded(
            t('Their addresses'),
            html`<ul>${requests.map((url) => html`<li><code class="breakable">${pathOf(url)}</code></li>`)}</ul>`,
          )
    }</div>`;
}
