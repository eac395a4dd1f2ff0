//! Text that can be copied, and buttons that do it.

import { html, type TemplateResult } from 'lit-html';
import { clipped } from '../fhir/text.ts';
import { rich, t } from '../language/message.ts';
import { announce } from './announce.ts';

/** A button that copies a text. `what` names it in the language of the page, and is hidden where `shown` is empty. */
export function copyButton(text: () => string, what: string, shown = what): TemplateResult {
  return html`<button type="button" class="quiet" @click=${async () => {
    try {
      await navigator.clipboard.writeText(text());
      announce(t('{what} copied', { what }));
    } catch {
      announce(t('Copying is not allowed here: select the text instead'));
    }
  }}>${rich('Copy {what}', { what: shown || html`<span class="visually-hidden">${what}</span>` })}</button>`;
}

/** The characters that are shown; copying gives the whole. */
const SHOWN = 200_000;

/** A block of text that scrolls by itself, and can be reached by keyboard to do so. */
export const block = (text: string, label: string): TemplateResult =>
  html`<pre class="code" tabindex="0" role="region" aria-label=${label}><code>${clipped(text, SHOWN)}</code></pre>`;

export function download(name: string, type: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
