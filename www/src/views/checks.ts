//! The checks page: tests what this server promises, and shows the raw exchanges of each check.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type CheckResult, recordingSender, type ServerCheck } from '../checks/check.ts';
import { CHECK_GROUPS } from '../checks/checks.ts';
import { errorText } from '../error-text.ts';
import type { Exchange } from '../http/exchange.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { foldedList } from '../parts/folded.ts';
import { exchangeView } from '../parts/requests.ts';
import { yieldToPage } from '../scheduling.ts';
import type { OpenView } from '../view.ts';

interface DoneCheck {
  result: CheckResult;
  exchanges: Exchange[];
}

const ALL = CHECK_GROUPS.flatMap(({ checks }) => checks);

class ChecksModel {
  readonly done = signal<ReadonlyMap<ServerCheck, DoneCheck>>(new Map());
  readonly isRunning = signal(false);
  #stopped = false;

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    this.isRunning.value = true;
    this.done.value = new Map();
    for (const check of ALL) {
      if (this.#stopped) return;
      const result = await runCheck(check);
      this.done.value = new Map(this.done.value).set(check, result);
      await yieldToPage();
    }
    this.isRunning.value = false;
  }

  /** The results in words; empty before the first run. */
  get summary(): string {
    const { value: done } = this.done;
    if (done.size === 0) return '';
    const count = (ok: boolean | undefined): number =>
      [...done.values()].filter(({ result }) => result.ok === ok).length;
    const counts = { passed: count(true), failed: count(false), skipped: count(undefined) };
    return this.isRunning.value
      ? t('{passed} passed, {failed} failed, {skipped} skipped…', counts)
      : t('{passed} passed, {failed} failed, {skipped} skipped.', counts);
  }
}

async function runCheck(check: ServerCheck): Promise<DoneCheck> {
  const exchanges: Exchange[] = [];
  try {
    return { result: await check.run(recordingSender(exchanges)), exchanges };
  } catch (error) {
    return { result: { ok: false, says: errorText(error) }, exchanges };
  }
}

export const checks: OpenView = () => {
  const model = new ChecksModel();
  return {
    title: t('Checks'),
    leave: () => model.stop(),
    body: () => {
      const [done, isRunning] = [model.done.value, model.isRunning.value];
      return html`<h1 tabindex="-1">${t('Checks')}</h1>
      <p class="lead">${t('What this server promises, tested from this page as any other page could test it.')}
        ${t('Open a line to see the raw exchange.')}</p>
      <p class="actions"><button type="button" class="primary" ?disabled=${isRunning} @click=${() => model.run()}>${
        done.size ? t('Run again') : t('Run {n} checks', { n: ALL.length })
      }</button>
        <span role="status">${model.summary}</span></p>
      ${CHECK_GROUPS.map(
        ({ title, checks: group }) => html`<section aria-label=${t(title)}><h2>${t(title)}</h2><ul class="steps checks"
          role="list">${group.map((check) => checkView(check, done.get(check)))}</ul></section>`,
      )}`;
    },
  };
};

function signOf(result: CheckResult | undefined): { sign: string; word: PlainMessage } {
  if (!result) return { sign: '·', word: 'Not run' };
  if (result.ok === undefined) return { sign: '–', word: 'Skipped' };
  return result.ok ? { sign: '✓', word: 'Passed' } : { sign: '✗', word: 'Failed' };
}

function checkView({ title, why }: ServerCheck, done: DoneCheck | undefined): TemplateResult {
  const { sign, word } = signOf(done?.result);
  return html`<li data-ok=${done ? String(done.result.ok) : 'waiting'}><span class="mark"
    aria-hidden="true">${sign}</span><div><p class="title"><span class="visually-hidden">${t(word)}: </span>${t(
      title,
    )}</p>
    <p class="detail">${done ? done.result.says : html`<span class="aside">${t(why)}</span>`}</p>
    ${done?.exchanges.length ? exchangesView(t(title), t(why), done.exchanges) : nothing}</div></li>`;
}

const exchangesView = (title: string, why: string, exchanges: Exchange[]): TemplateResult =>
  foldedList(
    html`${t('{n} exchange|{n} exchanges', { n: exchanges.length })}<span
      class="visually-hidden"> ${t('of: {title}', { title })}</span>`,
    html`<p class="aside">${why}</p>${exchanges.map((one) => exchangeView(one))}`,
  );
