//! A request beside its answer. The sample in this browser answers at once; the reader can change the request, and send
//! it to the server.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { isShaped, object, string } from '#reading/shape.ts';
import { engine } from '../../engine/client.ts';
import { errorText } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { t } from '../../language/message.ts';
import { instead, keepsValue } from '../../parts/form.ts';
import { aside, problemNotice, waiting } from '../../parts/notice.ts';
import { askWithSandboxToken } from '../../smart/backend.ts';
import { ORIGIN, OWN_BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { files } from '../../source/files.ts';
import { exampleRecords, local } from '../../source/local.ts';
import { serverIndex } from '../../source/searched-types.ts';
import { encodedQuery, searchAnew } from '../../source/server.ts';
import type { Source } from '../../source/source.ts';
import { answerView } from './answer.ts';

const versioned = object({ meta: object({ versionId: string }) });

/** The records that are searched here: the sample, or an example of the app, with the id of a record of the type. */
interface Sample {
  source: Source;
  type: string;
  id: string;
  isExample: boolean;
}

export class Trial {
  /** The path with its query, below the origin. */
  readonly target: { value: string };
  readonly answer = signal<Exchange | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  /** True while a request of the reader is sent. */
  readonly isBusy = signal(false);
  /** True while the first answer is awaited. */
  readonly isOpening = signal(false);
  /** True if the address is answered without a token. */
  readonly #isOpen: boolean;
  /** The answers of an example of the app, which is searched if the sample has no record of the type. */
  readonly #ofExamples = new WeakSet<Exchange>();
  #asked = 0;

  constructor(target: string, isOpen = false) {
    this.target = signal(target);
    this.#isOpen = isOpen;
  }

  /** Asks for the first answer. With files of the user, the page sends nothing by itself, and fetches no sample. */
  begin(): this {
    if (files.value.is === 'closed') void this.#open();
    return this;
  }

  /** True if the answer is of an example of the app. */
  get isExample(): boolean {
    const { value } = this.answer;
    return value !== undefined && this.#ofExamples.has(value);
  }

  /** The query below the FHIR base; `undefined` for other addresses, which the sample does not have. */
  get query(): string | undefined {
    const below = new URL(OWN_BASE).pathname;
    const { value } = this.target;
    if (this.#isOpen || !value.startsWith(below)) return undefined;
    return value.slice(below.length).replace(/^\//, '');
  }

  askServer(): Promise<void> {
    return this.#byReader(() => this.fromServer());
  }

  askHere(): Promise<void> {
    return this.#byReader(() => this.#fromHere());
  }

  /** Sends the request to the server, with the session or with a token of the sandbox. */
  protected async fromServer(): Promise<Exchange> {
    const url = `${ORIGIN}${encodedQuery(this.target.value.trim())}`;
    if (this.#isOpen) return exchange(url, { headers: { Accept: 'application/fhir+json,application/json' } });
    return session.value && this.query !== undefined ? searchAnew(this.query) : askWithSandboxToken(url);
  }

  async #fromHere(): Promise<Exchange> {
    const index = await serverIndex().catch(() => undefined);
    const { source, isExample } = await this.#sample(index);
    const answer = await source.search(encodedQuery(this.query ?? ''));
    if (isExample) this.#ofExamples.add(answer);
    return answer;
  }

  /** Returns the sample, or the examples if it has no record of the type of the request, with the id of a record. */
  async #sample(index?: string): Promise<Sample> {
    const [type = ''] = /^[A-Z]\w*/.exec(this.query ?? '') ?? [];
    const [id] = (await engine('ids', 'sample', type, 1)).value.ids;
    const [example] = id ? [] : (await engine('ids', 'examples', type, 1)).value.ids;
    const isExample = example !== undefined;
    const source = isExample ? exampleRecords(index) : local(undefined, index);
    return { source, type, id: id ?? example ?? '', isExample };
  }

  /** Asks for the first answer: the sample, or the server for what needs no token. */
  async #open(): Promise<void> {
    this.isOpening.value = true;
    await this.#ask(async () => {
      if (this.query === undefined) return this.fromServer();
      await this.#fill();
      return this.#fromHere();
    });
  }

  /** Replaces `{id}` and `{vid}` in the request by those of a record of the sample. */
  async #fill(): Promise<void> {
    const { value } = this.target;
    if (!value.includes('{id}')) return;
    const { source, type, id } = await this.#sample();
    const { body } = await source.read(`${type}/${id}`);
    const version = isShaped(versioned, body) ? body.meta.versionId : '1';
    this.target.value = value.replace('{id}', id).replace('{vid}', version);
  }

  async #byReader(ask: () => Promise<Exchange>): Promise<void> {
    this.isBusy.value = true;
    if (await this.#ask(ask)) this.isBusy.value = false;
  }

  /** Keeps the answer to the last request only. Returns whether this was the last. */
  async #ask(ask: () => Promise<Exchange>): Promise<boolean> {
    const asked = ++this.#asked;
    this.problem.value = undefined;
    let answer: Exchange | undefined;
    let problem: string | undefined;
    try {
      answer = await ask();
    } catch (error) {
      problem = errorText(error);
    }
    if (asked !== this.#asked) return false;
    this.answer.value = answer;
    this.problem.value = problem;
    this.isOpening.value = false;
    return true;
  }
}

/** Draws the answer to a request, or what is there in its place. */
export const trialAnswer = (trial: Trial): TemplateResult =>
  html`${problemNotice(trial.problem.value)}
    ${trial.isOpening.value ? waiting(t('the answer')) : answerView(trial.answer.value)}${aside(
      trial.isExample && t('The sample has no record of this type: this is an example.'),
    )}`;

export function trialView(trial: Trial): TemplateResult {
  const busy = trial.isBusy.value;
  return html`<form @submit=${instead(() => trial.askServer())}>
      <p class="field"><label for="target">${t('Request')}</label><input id="target" spellcheck="false"
        autocomplete="off" autocapitalize="off" .value=${trial.target.value} @input=${keepsValue(trial.target)}></p>
      <p class="actions"><button class="primary" ?disabled=${busy}>${t('Ask the server')}</button>${
        trial.query === undefined
          ? nothing
          : html` <button type="button" ?disabled=${busy} @click=${() => trial.askHere()}>${t(
              'Ask the sample in this browser',
            )}</button>`
      }</p></form>
    ${trialAnswer(trial)}`;
}
