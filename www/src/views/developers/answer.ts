//! The answer to a request that was sent in place: what it has in a line, then its text. The whole exchange is folded.

import { html, type TemplateResult } from 'lit-html';
import type { Exchange } from '../../http/exchange.ts';
import { t } from '../../language/message.ts';
import { block } from '../../parts/copy.ts';
import { failed } from '../../parts/notice.ts';
import { exchangeView, milliseconds, pretty } from '../../parts/requests.ts';
import { idsOf } from '../../search/compare.ts';

export function answerView(answer: Exchange): TemplateResult {
  const isGood = answer.status > 0 && answer.status < 400;
  const { matches } = idsOf(answer.body);
  const outcome = isGood
    ? html`<p><span class="status" data-ok="true">${answer.status}</span> ${
        matches.length > 0 ? `${t('{n} match|{n} matches', { n: matches.length })} · ` : ''
      }${milliseconds(answer.ms)}</p>${block(pretty(answer), t('The answer'))}`
    : failed(answer);
  return html`<div class="in-place">${outcome}${exchangeView(answer)}</div>`;
}
