//! The checks page: assertions against this server, live, each with what was sent and what came.

import { html, nothing, type TemplateResult } from 'lit-html';
import { asker, CHECKS, type Check, type Verdict } from '../checks/checks.ts';
import { breath } from '../frame.ts';
import { plural } from '../fhir/text.ts';
import { exchangeView } from '../parts/requests.ts';
import type { Exchange } from '../source/source.ts';
import type { Open } from '../view.ts';

interface Done {
  verdict: Verdict;
  exchanges: Exchange[];
}

export const checks: Open = (_route, redraw) => {
  const done = new Map<Check, Done>();
  let running = false;
  let left = false;

  const run = async (list: Check[]): Promise<void> => {
    running = true;
    for (const check of list) done.delete(check);
    redraw();
    for (const check of list) {
      if (left) return;
      const exchanges: Exchange[] = [];
      const verdict = await check
        .run(asker(exchanges))
        .catch(
          (error: unknown): Verdict => ({ ok: false, says: error instanceof Error ? error.message : String(error) }),
        );
      done.set(check, { verdict, exchanges });
      redraw();
      await breath();
    }
    running = false;
    redraw();
  };

  const sign = (verdict: Verdict | undefined): [string, string] =>
    !verdict
      ? ['·', 'Not run']
      : verdict.ok === undefined
        ? ['–', 'Skipped']
        : verdict.ok
          ? ['✓', 'Passed']
          : ['✗', 'Failed'];
  const line = (check: Check): TemplateResult => {
    const result = done.get(check);
    const [mark, word] = sign(result?.verdict);
    return html`<li data-ok=${
      result ? String(result.verdict.ok) : 'waiting'
    }><span class="mark" aria-hidden="true">${mark}</span><div><p class="title"><span class="visually-hidden">${word}:
      </span>${check.title}</p>
      <p class="detail">${result ? result.verdict.says : html`<span class="aside">${check.why}</span>`}</p>
      ${
        result?.exchanges.length
          ? html`<details class="fills"><summary>${plural(
              result.exchanges.length,
              'exchange',
            )}<span class="visually-hidden"> of: ${check.title}</span></summary>
              <p class="aside">${check.why}</p>${result.exchanges.map((one) => exchangeView(one))}</details>`
          : nothing
      }</div></li>`;
  };
  const count = (ok: boolean | undefined): number =>
    [...done.values()].filter(({ verdict }) => verdict.ok === ok).length;

  return {
    title: 'Checks',
    leave: () => {
      left = true;
    },
    body: () => html`<h1 tabindex="-1">Checks</h1>
      <p class="lead">What this server promises, asserted against it from here, as any stranger’s page could. Open a
        line to see the raw exchange.</p>
      <p class="actions"><button type="button" class="primary" ?disabled=${running} @click=${() => void run(CHECKS)}>${
        done.size ? 'Run again' : `Run ${CHECKS.length} checks`
      }</button>
        <span role="status">${
          done.size
            ? `${count(true)} passed, ${count(false)} failed, ${count(undefined)} skipped${running ? '…' : '.'}`
            : ''
        }</span></p>
      ${[...Map.groupBy(CHECKS, ({ group }) => group)].map(
        ([group, list]) =>
          html`<section aria-label=${group}><h2>${group}</h2>
            <ul class="steps checks" role="list">${list.map(line)}</ul></section>`,
      )}`,
  };
};
