//! The answer to a request of the page: a summary, the body in colour, and the whole exchange folded.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Exchange } from '../../http/exchange.ts';
import { t } from '../../language/message.ts';
import { codeBlock } from '../../parts/coloured.ts';
import { failed } from '../../parts/notice.ts';
import { exchangeView, milliseconds, pretty } from '../../parts/requests.ts';
import { idsOf } from '../../search/compare.ts';
import { foundText, nextPageOf } from '../../search/found-text.ts';

const isGood = ({ status }: Exchange): boolean => status > 0 && status < 400;

/** Draws an answer, or the place for it. Only its summary is a live region: a body is long. */
export const answerView = (answer: Exchange | undefined): TemplateResult =>
  html`<div class="in-place"><p role="status">${answer && isGood(answer) ? summary(answer) : nothing}</p>${
    answer
      ? html`${isGood(answer) ? codeBlock(pretty(answer), t('The answer')) : failed(answer)}${exchangeView(answer)}`
      : nothing
  }</div>`;

function summary({ status, body, ms, where }: Exchange): TemplateResult {
  const { matches, total } = idsOf(body);
  const isSearch = nextPageOf(body) !== undefined || matches.length > 0 || total !== undefined;
  return html`<span class="status" data-ok="true">${status}</span> ${isSearch ? `${foundText(body)} · ` : ''}${
    where === 'local' ? t('the sample in this browser') : t('the server')
  } · ${milliseconds(ms)}`;
}
