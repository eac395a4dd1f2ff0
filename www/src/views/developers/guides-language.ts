//! The note on the language of the guides.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t, words } from '../../language/message.ts';

/** Says that the guides are in English, if the page is in another language. */
export const inEnglish = (): TemplateResult | typeof nothing =>
  words().language === 'en' ? nothing : html`<p class="aside">${t('The guides are in English.')}</p>`;
