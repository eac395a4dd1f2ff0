//! Text that can be copied, and buttons that copy it.

import { html, type TemplateResult } from 'lit-html';
import { clipped } from '#reading/fhir/text.ts';
import { rich, t } from '../language/message.ts';
import { announce } from './announce.ts';

/** A button that copies a text. `what` names the text in the language of the page; an empty `shown` hides the name. */
export const copyButton = (text: () => string, what: string, shown: string | TemplateResult = what): TemplateResult =>
  html`<button type="button" class="quiet" @click=${({ currentTarget }: Event) =>
    copyFrom(currentTarget, text(), what)}>${rich('Copy {what}', {
    what: shown || html`<span class="visually-hidden">${what}</span>`,
  })}</button><span class="copy-failed" hidden></span>`;

/** Copies a text for a button. If that is not allowed, the element after the button says so until a copy succeeds. */
async function copyFrom(button: EventTarget | null, text: string, what: string): Promise<void> {
  const notice = button instanceof HTMLElement ? button.nextElementSibling : undefined;
  const show = (says: string): void => {
    if (!(notice instanceof HTMLElement)) return;
    notice.textContent = says;
    notice.hidden = says === '';
  };
  try {
    await navigator.clipboard.writeText(text);
    show('');
    announce(t('{what} copied', { what }));
  } catch {
    const says = t('Copying is not allowed here: select the text instead');
    show(says);
    announce(says);
  }
}

/** The number of characters that are shown. Copying takes the whole text. */
export const SHOWN = 200_000;

/** A block of text that scrolls by itself. The keyboard can focus it. */
export const block = (text: string, label: string): TemplateResult =>
  html`<pre class="code" tabindex="0" role="region" aria-label=${label}><code>${clipped(text, SHOWN)}</code></pre>`;

/** Downloads `parts` as a file with a name and a media type. */
export function download(name: string, type: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
