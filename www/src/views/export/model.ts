//! The state of an export of the sandbox, which starts, watches and cancels the export, and downloads its files. The
//! export continues at the server while other pages are shown, and after a reload.

import { signal } from '@preact/signals-core';
import { parsed } from '#reading/fhir/json.ts';
import { issueText } from '#reading/fhir/text.ts';
import { checked } from '#reading/shape.ts';
import { engine } from '../../engine/client.ts';
import type { NamedFile } from '../../engine/file-report.ts';
import { errorText } from '../../error-text.ts';
import { downloadFile } from '../../http/download.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { t } from '../../language/message.ts';
import { freshToken } from '../../smart/backend.ts';
import { backendClient, loadSandbox } from '../../smart/sandbox.ts';
import type { BackendToken } from '../../smart/sandbox-token.ts';
import { BASE, ORIGIN } from '../../smart/server.ts';
import { type ExportFile, filesOf, isOfOrigin, LineCount, manifest, sumOf } from './manifest.ts';
import { type ExportChoice, kickOffUrl, type Level } from './request.ts';
import { pauseOf } from './status.ts';

/** The number of status requests that may fail in a row. After one more, the export counts as lost. */
const MISSES = 5;
/** The pause before the first status request, in milliseconds. A small export is ready by then. */
const FIRST_PAUSE = 400;
/** The most files whose sizes are requested, and how many at once. */
const SIZES = 60;
const SIZES_AT_ONCE = 4;
/** The most requests of an export that are kept. */
const STEPS = 60;
/** The most groups that are suggested. */
const GROUPS = 50;
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

export interface ExportDownload {
  /** The number of files that are downloaded. */
  done: number;
  all: number;
  type: string;
  bytes: number;
  lines: number;
}

export type ExportState =
  | { is: 'idle' }
  | { is: 'starting' }
  | { is: 'running'; progress: string | undefined }
  | ({ is: 'complete' } & CompletedExport)
  | ({ is: 'downloading'; download: ExportDownload } & CompletedExport)
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
  readonly choice = signal<ExportChoice>({ level: 'patient', group: '', types: [], since: '' });
  /** The scopes that the client of the sandbox may have. */
  readonly scopes = signal<string | undefined>(undefined);
  /** The ids of groups to suggest: those of the sample, with which sandboxes begin. */
  readonly groups = signal<string[]>([]);
  /** The requests of this export and their answers, in order, without the requests for the sizes of files. */
  readonly steps = signal<readonly Exchange[]>([]);
  /** The sizes of files as transferred, in bytes, by address. */
  readonly sizes = signal<ReadonlyMap<string, number>>(new Map());
  /** True until the server has answered whether it is a sandbox. */
  readonly isLooking = signal(true);
  readonly #token = signal<BackendToken | undefined>(undefined);
  /** The address of the status of the export. */
  #status: string | undefined;
  /** The number of the current run. Answers to earlier runs are dropped. */
  #run = 0;
  /** True while another page is open. */
  #isLeft = false;
  #download: AbortController | undefined;

  constructor() {
    void this.#look();
  }

  async #look(): Promise<void> {
    try {
      const { clients } = await loadSandbox();
      const client = backendClient(clients);
      if (!client) throw new Error(t('This server publishes no backend client.'));
      this.scopes.value = client.scopes ?? '';
    } catch (error) {
      this.problem.value = { says: errorText(error) };
    }
    this.isLooking.value = false;
  }

  /** Suggests the groups of the sample. The user may enter any id, since a server may have other groups. */
  async findGroups(): Promise<void> {
    if (this.groups.value.length > 0) return;
    try {
      const { value } = await engine('ids', 'sample', 'Group', GROUPS);
      this.groups.value = value.ids;
      if (this.choice.value.group === '') this.choose({ group: value.ids[0] ?? '' });
    } catch {
      // The ids are only suggestions.
    }
  }

  choose(change: Partial<ExportChoice>): void {
    this.choice.value = { ...this.choice.value, ...change };
    if (this.choice.value.level === 'group') void this.findGroups();
  }

  /** Chooses a level, and no types, since each level offers its own. */
  chooseLevel(level: Level): void {
    this.choose({ level, types: [] });
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
    this.#download?.abort();
  }

  async start(): Promise<void> {
    const run = ++this.#run;
    this.problem.value = undefined;
    this.steps.value = [];
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
      this.sizes.value = new Map();
      this.state.value = { is: 'complete', ...complete };
      const run = this.#run;
      await Promise.all([this.#askSizes(files, run), this.#askNotes(files, run)]);
    } catch (error) {
      this.#forget();
      this.#fail({ says: errorText(error) });
    }
  }

  /** Requests the sizes of files, without their content. */
  async #askSizes(files: readonly ExportFile[], run: number): Promise<void> {
    const left = files.slice(0, SIZES);
    const askNext = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && run === this.#run; next = left.shift()) {
        const answer = await this.#ask(next.url, {}, 'HEAD');
        const length = answer?.answerHeaders['content-length'];
        if (answer?.status === 200 && length !== undefined) {
          this.sizes.value = new Map(this.sizes.value).set(next.url, Number(length));
        }
      }
    };
    await Promise.all(Array.from({ length: SIZES_AT_ONCE }, askNext));
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
    this.#download?.abort();
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
  startOver(since = ''): void {
    this.#run += 1;
    this.#forget();
    this.problem.value = undefined;
    this.state.value = { is: 'idle' };
    if (since) this.choose({ since });
  }

  /** Downloads the files. Resolves to `undefined` unless all of them were downloaded. */
  async download(): Promise<NamedFile[] | undefined> {
    const { value: state } = this.state;
    if (state.is !== 'complete') return undefined;
    const { is, ...complete } = state;
    const abort = new AbortController();
    this.#download = abort;
    this.problem.value = undefined;
    const wanted = complete.files.filter(({ kind }) => kind !== 'error');
    const here: NamedFile[] = [];
    const sum = { bytes: 0, lines: 0 };
    for (const { url, type, count, name } of wanted) {
      const lines = new LineCount();
      const of = { ...sum };
      const show = (): void => {
        if (abort.signal.aborted) return;
        const download = {
          done: here.length,
          all: wanted.length,
          type,
          bytes: sum.bytes,
          lines: of.lines + lines.lines,
        };
        this.state.value = { is: 'downloading', download, ...complete };
      };
      show();
      const token = await this.#bearer();
      if (token === undefined) break;
      const { exchange, file } = await downloadFile(url, { Authorization: token }, abort.signal, (bytes) => {
        lines.add(bytes);
        sum.bytes += bytes.length;
        show();
      });
      if (abort.signal.aborted) break;
      if (!file) {
        this.problem.value = { exchange };
        break;
      }
      if (count !== undefined && lines.lines !== count) {
        const says = t('{file} broke off: of {count} lines {lines} came.', { file: name, count, lines: lines.lines });
        this.problem.value = { says };
        break;
      }
      sum.lines = of.lines + lines.lines;
      here.push({ name, file });
    }
    this.#download = undefined;
    if (this.state.value.is === 'downloading') this.state.value = { is, ...complete };
    return here.length === wanted.length && !abort.signal.aborted ? here : undefined;
  }

  /** Downloads one file. Resolves to `undefined` if the download fails. */
  async fetchFile({ url, name }: ExportFile): Promise<NamedFile | undefined> {
    this.problem.value = undefined;
    const token = await this.#bearer();
    if (token === undefined) return undefined;
    const { signal: until } = new AbortController();
    const { exchange: answer, file } = await downloadFile(url, { Authorization: token }, until, () => undefined);
    if (!file) this.problem.value = { exchange: answer };
    return file && { name, file };
  }

  stopDownload(): void {
    this.#download?.abort();
  }

  /** Sends a request with a token of the sandbox's client. Without a token, sets `problem` and returns `undefined`. */
  async #ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Exchange | undefined> {
    const token = await this.#bearer();
    if (token === undefined) return undefined;
    const answer = await exchange(url, { method, headers: { ...headers, Authorization: token } });
    if (answer.status === 401) this.#token.value = undefined;
    if (method !== 'HEAD') this.steps.value = [...this.steps.value, answer].slice(-STEPS);
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

  #fail(problem: Problem, state: ExportState = { is: 'idle' }): void {
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
