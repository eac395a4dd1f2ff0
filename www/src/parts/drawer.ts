//! A drawer at the side: a modal dialog, so that focus stays in it, Escape closes it, and focus returns where it was.

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { t } from '../language/message.ts';

type Content = () => { title: string; body: TemplateResult };

let dialog: HTMLDialogElement | undefined;
let content: Content | undefined;

function element(): HTMLDialogElement {
  if (!dialog) {
    dialog = document.createElement('dialog');
    dialog.className = 'drawer';
    dialog.setAttribute('aria-labelledby', 'drawer-title');
    const own = dialog;
    // A click beside it closes it, as its button and Escape do.
    own.addEventListener('click', (event) => {
      if (event.target === own) own.close();
    });
    // The content goes when it closes: it may be of a session that has ended.
    own.addEventListener('close', () => {
      content = undefined;
      render(nothing, own);
    });
    document.body.append(own);
  }
  return dialog;
}

export function openDrawer(next: Content): void {
  const own = element();
  content = next;
  redrawDrawer();
  if (!own.open) own.showModal();
  own.scrollTop = 0;
  own.querySelector<HTMLElement>('#drawer-title')?.focus();
}

export function redrawDrawer(): void {
  if (!content) return;
  const { title, body } = content();
  render(
    html`<div class="drawer-inside">
    <header><h2 id="drawer-title" tabindex="-1">${title}</h2><button type="button" class="quiet"
      @click=${closeDrawer}>${t('Close')}</button></header>
    ${body}
  </div>`,
    element(),
  );
}

export const closeDrawer = (): void => dialog?.close();
