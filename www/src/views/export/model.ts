//! The state of an export of the sandbox, which starts, watches and cancels the export, and downloads its files. The
//! export continues at the server while other pages are shown, and after a reload.

import { signal } from '@preact/signals-core';
import { parsed } from '#reading/fhir/json.ts';
import { issueText } from '#reading/fhir/text.ts';
import { checked } from '#reading/shape.ts';
import type { NamedFile } from '../../engine/file-report.ts';
import { errorText } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { t } from '../../language/message.ts';
import { freshToken } from '../../smart/backend.ts';
import { backendClient, loadSandbox } from '../../smart/sandbox.ts';
import type { BackendToken } from '../../smart/sandbox-token.ts';
import { BASE, ORIGIN } from '../../smart/server.ts';
import { type ExportFile, filesOf, isOfOrigin, isOfRecords, linesOf, manifest, sumOf } from './manifest.ts';
import { type ExportChoice, kickOffUrl } from './request.ts';
import { pauseOf } from './status.ts';

/** The number of status requests that may fail in a row. After one more, the export counts as lost. */
const MISSES = 5;
/** The pause before the first status request, in milliseconds. A small export is ready by then. */
const FIRST_PAUSE = 400;
/** A group of the sample, with which sandboxes begin. */
const GROUP = 'reyes-household';
/** The key of the address of the export in the storage of this tab. */
const KEPT = 'export';

export interface CompletedExport {
  files: ExportFile[];
  /** The number of resources; `undefined` if the server does not count them. */
  resources: number | undefined;
  transactionTime: string;
  expires: string | undefined;
  /** The notes of the server, mostly about records that it left out. */
  notes: string[];
}

export type ExportState =
  | { is: 'idle' }
  | { is: 'starting' }
  | { is: 'running'; progress: string | undefined }
  | ({ is: 'complete' } & CompletedExport)
  | ({ is: 'downloading'; done: number } & CompletedExport)
  | { is: 'cancelled' }
  | { is: 'deleted' };

/** An error: the answer of the server, a message, or both. */
export interface Problem {
  exchange?: Exchange;
  says?: string;
}

const isRetried = (status: number): boolean => status === 0 || status === 429 || status === 502 || status === 503;

const wait = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

export class ExportModel {
  readonly state = signal<ExportState>({ is: 'idle' });
  readonly problem = signal<Problem | undefined>(undefined);
  readonly choice = signal<ExportChoice>({ level: 'patient', group: GROUP });
  /** Whether the server publishes a client for exports; `undefined` until it has answered. */
  readonly hasClient = signal<boolean | undefined>(undefined);
  readonly #token = signal<BackendToken | undefined>(undefined);
  /** The address of the status of the export. */
  #status: string | undefined;
  /** The number of the current run. Answers to earlier runs are dropped. */
  #run = 0;
  /** True while another page is open. */
  #isLeft = false;

  constructor() {
    void this.#look();
  }

  async #look(): Promise<void> {
    try {
      const { clients } = await loadSandbox();
      if (!backendClient(clients)) throw new Error(t('This server publishes no backend client.'));
      this.hasClient.value = true;
    } catch (error) {
      this.problem.value = { says: errorText(error) };
      this.hasClient.value = false;
    }
  }

  choose(change: Partial<ExportChoice>): void {
    this.choice.value = { ...this.choice.value, ...change };
  }

  get url(): string {
    return kickOffUrl(BASE, this.choice.value);
  }

  /** Watches the export that this tab has started again, after the page is opened again. */
  resume(): void {
    this.#isLeft = false;
    const kept = this.#status ?? sessionStorage.getItem(KEPT) ?? undefined;
    const { is } = this.state.value;
    if (kept === undefined || (is !== 'idle' && is !== 'running') || !isOfOrigin([{ url: kept }], ORIGIN)) return;
    this.#status = kept;
    this.state.value = { is: 'running', progress: undefined };
    void this.#watch(kept, ++this.#run);
  }

  /** Stops the status requests and the download when another page is opened. The export continues at the server. */
  rest(): void {
    this.#isLeft = true;
    if (this.state.value.is === 'running') this.#run += 1;
    this.stopDownload();
  }

  async start(): Promise<void> {
    const run = ++this.#run;
    this.problem.value = undefined;
    this.state.value = { is: 'starting' };
    const answer = await this.#ask(this.url, { Accept: 'application/fhir+json', Prefer: 'respond-async' });
    const status = answer?.answerHeaders['content-location'];
    if (answer === undefined) return;
    if (answer.status !== 202 || status === undefined) {
      this.#fail({ exchange: answer, ...(answer.status === 404 ? { says: t('This server exports nothing.') } : {}) });
      return;
    }
    if (!isOfOrigin([{ url: status }], ORIGIN)) {
      this.#fail({ says: t('The server named an address of another origin, which gets no token.') });
      return;
    }
    this.#status = status;
    sessionStorage.setItem(KEPT, status);
    this.state.value = { is: 'running', progress: undefined };
    if (!this.#isLeft) await this.#watch(status, run);
  }

  async #watch(status: string, run: number): Promise<void> {
    await wait(FIRST_PAUSE);
    for (let [asked, misses] = [0, 0]; run === this.#run; asked += 1) {
      const answer = await this.#ask(status, { Accept: 'application/json' });
      if (run !== this.#run || answer === undefined) return;
      if (answer.status === 200) {
        await this.#complete(answer);
        return;
      }
      misses = isRetried(answer.status) ? misses + 1 : 0;
      if ((answer.status !== 202 && misses === 0) || misses > MISSES) {
        this.#forget();
        const isGone = answer.status === 404;
        this.#fail({
          exchange: answer,
          ...(isGone ? { says: t('The server does not have this export any more.') } : {}),
        });
        return;
      }
      if (answer.status === 202) {
        this.state.value = { is: 'running', progress: answer.answerHeaders['x-progress'] };
      }
      await wait(pauseOf(answer.answerHeaders['retry-after'], asked, Date.now()) * 1_000);
    }
  }

  async #complete({ body, answerHeaders }: Exchange): Promise<void> {
    try {
      const said = checked(manifest, body, 'the manifest');
      const files = filesOf(said);
      if (!isOfOrigin(files, ORIGIN)) {
        throw new Error(t('The server named an address of another origin, which gets no token.'));
      }
      const complete: CompletedExport = {
        files,
        resources: sumOf(files.filter(({ kind }) => kind === 'output')),
        transactionTime: said.transactionTime,
        expires: answerHeaders.expires,
        notes: [],
      };
      this.state.value = { is: 'complete', ...complete };
      await this.#askNotes(files, this.#run);
    } catch (error) {
      this.#forget();
      this.#fail({ says: errorText(error) });
    }
  }

  /** Reads the notes of the server. */
  async #askNotes(files: readonly ExportFile[], run: number): Promise<void> {
    for (const { url } of files.filter(({ kind }) => kind === 'error')) {
      const answer = await this.#ask(url, {});
      const now = this.state.value;
      if (answer?.status !== 200 || run !== this.#run || now.is !== 'complete') return;
      const notes = answer.text.split('\n').map((line) => issueText(parsed(line)));
      this.state.value = { ...now, notes: [...now.notes, ...notes.filter(Boolean)] };
    }
  }

  /** Cancels a running export, or deletes a complete one at the server. */
  async end(): Promise<void> {
    const { value: state } = this.state;
    const status = this.#status;
    this.#run += 1;
    this.problem.value = undefined;
    if (status === undefined) {
      this.state.value = { is: 'idle' };
      return;
    }
    const answer = await this.#ask(status, { Accept: 'application/json' }, 'DELETE');
    if (answer === undefined) return;
    // After a 404 the export is gone as well.
    if (answer.status !== 202 && answer.status !== 404) {
      this.#fail({ exchange: answer }, state);
      if (state.is === 'running') void this.#watch(status, ++this.#run);
      return;
    }
    this.#forget();
    this.state.value = { is: state.is === 'complete' ? 'deleted' : 'cancelled' };
  }

  /** Shows the form again. The export stays at the server until it expires. */
  startOver(): void {
    this.#run += 1;
    this.#forget();
    this.problem.value = undefined;
    this.state.value = { is: 'idle' };
  }

  /** Downloads the files. Resolves to `undefined` unless all of them were downloaded. */
  async download(): Promise<NamedFile[] | undefined> {
    const { value: complete } = this.state;
    if (complete.is !== 'complete') return undefined;
    const run = ++this.#run;
    this.problem.value = undefined;
    const here: NamedFile[] = [];
    for (const { url, count, name } of complete.files.filter(isOfRecords)) {
      this.state.value = { ...complete, is: 'downloading', done: here.length };
      const answer = await this.#ask(url, {});
      if (run !== this.#run) return undefined;
      if (answer === undefined) {
        this.stopDownload();
        return undefined;
      }
      const lines = linesOf(answer.text);
      if (answer.status !== 200) return this.#fail({ exchange: answer }, complete);
      if (count !== undefined && lines !== count) {
        const says = t('{file} broke off: of {count} lines {lines} came.', { file: name, count, lines });
        return this.#fail({ says }, complete);
      }
      here.push({ name, file: new Blob([answer.text]) });
    }
    this.state.value = complete;
    return here;
  }

  stopDownload(): void {
    const { value: state } = this.state;
    if (state.is !== 'downloading') return;
    this.#run += 1;
    this.state.value = { ...state, is: 'complete' };
  }

  /** Sends a request with a token of the sandbox's client. Without a token, sets `problem` and returns `undefined`. */
  async #ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Exchange | undefined> {
    const token = await this.#bearer();
    if (token === undefined) return undefined;
    const answer = await exchange(url, { method, headers: { ...headers, Authorization: token } });
    if (answer.status === 401) this.#token.value = undefined;
    return answer;
  }

  async #bearer(): Promise<string | undefined> {
    try {
      return `Bearer ${await freshToken(this.#token)}`;
    } catch (error) {
      this.#fail({ says: errorText(error) }, this.state.value.is === 'starting' ? undefined : this.state.value);
      return undefined;
    }
  }

  #fail(problem: Problem, state: ExportState = { is: 'idle' }): undefined {
    this.problem.value = problem;
    this.state.value = state;
  }

  #forget(): void {
    this.#status = undefined;
    sessionStorage.removeItem(KEPT);
  }
}

let made: ExportModel | undefined;

/** Returns the export of this tab. */
export const exportModel = (): ExportModel => {
  made ??= new ExportModel();
  return made;
};
