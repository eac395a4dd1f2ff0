//! The explanation of a query by the engine: its criteria, includes and order. The cost of its runs is shown beside it.
//! The words of the engine are in English in every language of the page.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Explanation } from '../../engine/types.ts';
import { unanswered } from '../../http/send.ts';
import { t } from '../../language/message.ts';
import { failed } from '../../parts/notice.ts';
import { BASE } from '../../smart/server.ts';
import { statusOf } from '../../source/local.ts';
import { costView } from './cost.ts';
import type { SearchModel } from './model.ts';

export function explanationView(model: SearchModel): TemplateResult | typeof nothing {
  const { value: explanation } = model.explanation;
  if (!explanation) return nothing;
  const { refused: refusal, criteria, includes, order } = explanation;
  return html`<section aria-labelledby="understood"><h2 id="understood">${t('How it is understood')}</h2>
    <div class="plan"><div>${refusal ? refusalView(refusal) : nothing}
    ${criteria.length ? html`<ul class="criteria" role="list">${criteria.map(criterionView)}</ul>` : nothing}
    ${includes.map(
      ({ include, says, leftOut }) =>
        html`<p class="detail"><code>${include}</code> <span lang="en">${says}</span>${
          leftOut ? html` <span class="tag" data-tone="alert">${t('left out: no scope opens it')}</span>` : nothing
        }</p>`,
    )}
    ${
      order
        ? html`<p class="detail"><span class="label">${t('Order')}</span> <span lang="en">${order}</span></p>`
        : nothing
    }</div>${costView(model)}</div></section>`;
}

const criterionView = ({ param, kind, says, added }: Explanation['criteria'][number]): TemplateResult =>
  html`<li data-added=${Boolean(added)}><code>${param}</code> <span class="aside">${kind}</span> <span><span
    lang="en">${says}</span>${
      added ? html` <span class="tag">${t('added by the grant')}</span>` : nothing
    }</span></li>`;

function refusalView(body: unknown): TemplateResult {
  const status = statusOf(body);
  return failed(
    { ...unanswered('GET', `${BASE}/`, {}), where: 'local', status, body },
    undefined,
    t('It would be refused with {status}.', { status }),
  );
}
