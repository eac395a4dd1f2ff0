//! The words in place of records that a chart lacks, within a part that has others.

import { html, type nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import { aside } from '../../parts/notice.ts';
import { obstacleText } from '../../source/abilities.ts';
import type { SearchState } from '../loading/store.ts';

/** Says why a search for a type has no records. Draws nothing for a search that was answered or is under way. */
export function absentPart(search: SearchState, type: string): TemplateResult | typeof nothing {
  if (search.is === 'withheld')
    return html`<p class="aside">${t('Not granted: {type}.', { type })}
      <span class="for-developers">${search.why}</span></p>`;
  if (search.is === 'not offered') return html`<p class="aside">${obstacleText(search.obstacle)}</p>`;
  return aside(search.is === 'failed' && t('{type} could not be loaded.', { type }));
}
