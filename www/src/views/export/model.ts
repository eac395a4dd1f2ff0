//! A bulk export of the sandbox: it is started, watched until its files are ready, fetched, and deleted at the server
//! (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html>).

import { signal } from '@preact/signals-core';
import { checked, list, number, object, type ShapeValue, string } from '#reading/shape.ts';
import type { NamedFile } from '../../engine/file-report.ts';
import { errorText } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { t } from '../../language/message.ts';
import { freshToken } from '../../smart/backend.ts';
import type { BackendToken } from '../../smart/sandbox-token.ts';
import { BASE, ORIGIN } from '../../smart/server.ts';

/** The request that starts the export. */
export const KICK_OFF = `${BASE}/Patient/$export`;
/** The number of status requests that may fail in a row. */
const MISSES = 5;
/** The bounds of the pause before a status request, in seconds. */
const [SHORTEST, LONGEST] = [1, 60];

const item = object({ type: string, url: string }, { count: number });
/** The files of an export, and those with notes about records that the server left out. */
const manifest = object({ output: list(item), error: list(item) });
type ExportFile = ShapeValue<typeof item>;

/** The progress: as the server says it, or the files that were fetched and the number of all. */
export interface ExportProgress {
  says?: string;
  fetched?: { done: number; files: number };
}

/** An error: the answer of the server, or a message. */
export interface Problem {
  exchange?: Exchange;
  says?: string;
}

/** An answer that ends the export. */
class Refusal extends Error {
  readonly exchange: Exchange;

  constructor(answer: Exchange) {
    super();
    this.exchange = answer;
  }
}

const isRetried = (status: number): boolean => [0, 429, 502, 503].includes(status);

/** Waits for some seconds, or until the export is cancelled. */
const pause = (seconds: number, end: AbortSignal): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, seconds * 1_000);
    end.addEventListener('abort', () => done());
  });

/** Returns an address to which the token may be sent. */
function ofThisOrigin(url: string): string {
  if (URL.parse(url)?.origin === ORIGIN) return url;
  throw new Error(t('The server named an address of another origin, which gets no token.'));
}

export class ExportModel {
  /** The progress of the running export. */
  readonly progress = signal<ExportProgress | undefined>(undefined);
  readonly problem = signal<Problem | undefined>(undefined);
  readonly #token = signal<BackendToken | undefined>(undefined);
  #control = new AbortController();

  cancel(): void {
    this.#control.abort();
    this.progress.value = undefined;
  }

  /** Exports every patient. Resolves to the files; to `undefined` if the export has failed or was cancelled. */
  async files(): Promise<NamedFile[] | undefined> {
    this.#control = new AbortController();
    const { signal: end } = this.#control;
    this.problem.value = undefined;
    this.progress.value = {};
    try {
      return await this.#exported(end);
    } catch (error) {
      if (end.aborted) return undefined;
      this.progress.value = undefined;
      this.problem.value = error instanceof Refusal ? { exchange: error.exchange } : { says: errorText(error) };
      return undefined;
    }
  }

  async #exported(end: AbortSignal): Promise<NamedFile[]> {
    const started = await this.#ask(KICK_OFF, { Accept: 'application/fhir+json', Prefer: 'respond-async' });
    const address = started.answerHeaders['content-location'];
    if (started.status !== 202 || address === undefined) throw new Refusal(started);
    const status = ofThisOrigin(address);
    try {
      const { output, error } = checked(manifest, await this.#manifest(status, end), 'the manifest');
      if (output.length === 0) throw new Error(t('There is nothing to export.'));
      return await this.#fetched([...output, ...error], end);
    } finally {
      // The server need not keep the files until they expire.
      await this.#ask(status, { Accept: 'application/json' }, 'DELETE');
    }
  }

  /** Asks for the status until the export is complete. */
  async #manifest(status: string, end: AbortSignal): Promise<unknown> {
    for (let misses = 0; ; ) {
      const answer = await this.#ask(status, { Accept: 'application/json' });
      end.throwIfAborted();
      if (answer.status === 200) return answer.body;
      misses = isRetried(answer.status) ? misses + 1 : 0;
      if ((answer.status !== 202 && misses === 0) || misses > MISSES) throw new Refusal(answer);
      const { 'x-progress': says, 'retry-after': seconds } = answer.answerHeaders;
      if (says !== undefined) this.progress.value = { says };
      await pause(Math.min(Math.max(Number(seconds) || 0, SHORTEST), LONGEST), end);
      end.throwIfAborted();
    }
  }

  async #fetched(all: readonly ExportFile[], end: AbortSignal): Promise<NamedFile[]> {
    const here: NamedFile[] = [];
    for (const [i, { type, url, count }] of all.entries()) {
      this.progress.value = { fetched: { done: i, files: all.length } };
      const answer = await this.#ask(ofThisOrigin(url), {});
      end.throwIfAborted();
      if (answer.status !== 200) throw new Refusal(answer);
      const name = `${type}-${i + 1}.ndjson`;
      const lines = answer.text.split('\n').filter(Boolean).length;
      if (count !== undefined && lines !== count) {
        throw new Error(t('{file} broke off: of {count} lines {lines} came.', { file: name, count, lines }));
      }
      here.push({ name, file: new Blob([answer.text]) });
    }
    return here;
  }

  /** Sends a request with a token of the sandbox's client. */
  async #ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Exchange> {
    const Authorization = `Bearer ${await freshToken(this.#token)}`;
    return await exchange(url, { method, headers: { ...headers, Authorization } });
  }
}
