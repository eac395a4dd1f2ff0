//! The answer to a request that was sent from the page: a summary, the body, and the whole exchange folded.

import { html, type TemplateResult } from 'lit-html';
import type { Exchange } from '../../http/exchange.ts';
import { t } from '../../language/message.ts';
import { block } from '../../parts/copy.ts';
import { refused } from '../../parts/refusal.ts';
import { exchangeView, milliseconds, pretty } from '../../parts/requests.ts';
import { idsOf } from '../../search/compare.ts';
import { foundText, nextPageOf } from '../../search/found-text.ts';

export function answerView(answer: Exchange): TemplateResult {
  const isGood = answer.status > 0 && answer.status < 400;
  const isSearch = nextPageOf(answer.body) !== undefined || idsOf(answer.body).matches.length > 0;
  const outcome = isGood
    ? html`<p><span class="status" data-ok="true">${answer.status}</span> ${
        isSearch ? `${foundText(answer.body)} · ` : ''
      }${milliseconds(answer.ms)}</p>${block(pretty(answer), t('The answer'))}`
    : refused(answer);
  return html`<div class="in-place">${outcome}${exchangeView(answer)}</div>`;
}
