//! A drawer at the side. It is a modal dialog: the focus stays inside, Escape closes it, and the focus then returns to
//! where it was. Until the drawer closes, its content is drawn again whenever a signal that it has read changes.

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { keepDrawn } from '../drawing.ts';
import { t } from '../language/message.ts';

type Content = () => { title: string; body: TemplateResult };

let dialog: HTMLDialogElement | undefined;
let stopDrawing = (): void => undefined;
let closed: (() => void)[] = [];

function element(): HTMLDialogElement {
  if (!dialog) {
    dialog = document.createElement('dialog');
    dialog.className = 'drawer';
    dialog.setAttribute('aria-labelledby', 'drawer-title');
    const own = dialog;
    // A click beside the drawer closes it, as its button and Escape do.
    own.addEventListener('click', (event) => {
      if (event.target === own) own.close();
    });
    // The content is removed on closing: it may belong to a session that has ended.
    own.addEventListener('close', () => {
      // The event comes one task later. By then the drawer may be open again with other content.
      if (own.open) return;
      stopDrawing();
      render(nothing, own);
      const runs = closed;
      closed = [];
      for (const run of runs) run();
    });
    document.body.append(own);
  }
  return dialog;
}

/** Opens the drawer with some content, or replaces the content if it is open. */
export function openDrawer(content: Content): void {
  const own = element();
  stopDrawing();
  stopDrawing = keepDrawn(() => render(inside(content()), own));
  if (!own.open) own.showModal();
  own.scrollTop = 0;
  own.querySelector<HTMLElement>('#drawer-title')?.focus();
}

const inside = ({ title, body }: ReturnType<Content>): TemplateResult => html`<div class="drawer-inside">
    <div class="drawer-head"><h2 id="drawer-title" tabindex="-1">${title}</h2><button type="button" class="quiet"
      @click=${closeDrawer}>${t('Close')}</button></div>
    ${body}
  </div>`;

export const closeDrawer = (): void => dialog?.close();

/** Runs a function the next time the drawer closes. */
export function onceDrawerCloses(run: () => void): void {
  closed.push(run);
}
