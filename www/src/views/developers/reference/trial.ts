//! A request of the reference, which the reader can change and send to the server or to the sample in this browser.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { errorText } from '../../../error-text.ts';
import type { Exchange } from '../../../http/exchange.ts';
import { exchange } from '../../../http/send.ts';
import { t } from '../../../language/message.ts';
import { fieldValue } from '../../../parts/form.ts';
import { failed } from '../../../parts/notice.ts';
import { freshSandboxToken } from '../../../smart/backend.ts';
import { ORIGIN, OWN_BASE } from '../../../smart/server.ts';
import { session } from '../../../smart/session.ts';
import { local } from '../../../source/local.ts';
import { serverIndex } from '../../../source/searched-types.ts';
import { encodedQuery, server } from '../../../source/server.ts';
import { answerView } from '../answer.ts';

export class Trial {
  /** The path with its query, below the origin. */
  readonly target: { value: string };
  readonly answer = signal<Exchange | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly isBusy = signal(false);
  /** True if the address is answered without a token. */
  readonly #isOpen: boolean;

  constructor(target: string, isOpen = false) {
    this.target = signal(target);
    this.#isOpen = isOpen;
  }

  /** The query below the FHIR base; `undefined` for other addresses, which the sample does not have. */
  get query(): string | undefined {
    const below = new URL(OWN_BASE).pathname;
    const { value } = this.target;
    return !this.#isOpen && value.startsWith(`${below}/`) ? value.slice(below.length + 1) : undefined;
  }

  askServer(): Promise<void> {
    return this.#ask(async () => {
      const url = `${ORIGIN}${encodedQuery(this.target.value.trim())}`;
      const headers = { Accept: 'application/fhir+json,application/json' };
      if (this.#isOpen) return exchange(url, { headers });
      if (session.value && this.query !== undefined) return server().search(this.query);
      return exchange(url, { headers: { ...headers, Authorization: `Bearer ${await freshSandboxToken()}` } });
    });
  }

  askHere(): Promise<void> {
    return this.#ask(async () => {
      const index = await serverIndex().catch(() => undefined);
      return local(undefined, index).search(encodedQuery(this.query ?? ''));
    });
  }

  async #ask(ask: () => Promise<Exchange>): Promise<void> {
    this.isBusy.value = true;
    this.problem.value = undefined;
    try {
      this.answer.value = await ask();
    } catch (error) {
      this.answer.value = undefined;
      this.problem.value = errorText(error);
    }
    this.isBusy.value = false;
  }
}

export function trialView(trial: Trial): TemplateResult {
  const [answer, problem, busy] = [trial.answer.value, trial.problem.value, trial.isBusy.value];
  const submit = (event: Event): void => {
    event.preventDefault();
    void trial.askServer();
  };
  return html`<form @submit=${submit}>
      <p class="field"><label for="target">${t('Request')}</label><input id="target" spellcheck="false"
        autocomplete="off" autocapitalize="off" .value=${trial.target.value} @input=${(event: Event) => {
          trial.target.value = fieldValue(event);
        }}></p>
      <p class="actions"><button class="primary" ?disabled=${busy}>${t('Ask the server')}</button>${
        trial.query === undefined
          ? nothing
          : html` <button type="button" ?disabled=${busy} @click=${() => trial.askHere()}>${t(
              'Ask the sample in this browser',
            )}</button>`
      }</p></form>
    ${problem ? failed(undefined, problem) : nothing}
    <div role="status">${answer ? answerView(answer) : nothing}</div>`;
}
