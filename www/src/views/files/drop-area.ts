//! The whole page as a place to drop files at, while a view that opens them is shown.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import type { Choice } from '../../source/files.ts';
import { dropped, hasFiles } from './choice.ts';

export class DropArea {
  /** True while files are dragged over the page. */
  isOver = false;
  readonly #redraw: () => void;
  readonly #open: (choice: Choice) => void;
  readonly #listeners = new AbortController();

  constructor(redraw: () => void, open: (choice: Choice) => void) {
    this.#redraw = redraw;
    this.#open = open;
    const { signal } = this.#listeners;
    addEventListener('dragover', (event) => this.#over(event), { signal });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && this.#show(false), { signal });
    addEventListener('drop', (event) => void this.#drop(event), { signal });
  }

  stop(): void {
    this.#listeners.abort();
  }

  #show(isOver: boolean): void {
    if (this.isOver === isOver) return;
    this.isOver = isOver;
    this.#redraw();
  }

  #over(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    // Otherwise the browser opens the file itself in place of the page.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    this.#show(true);
  }

  async #drop(event: DragEvent): Promise<void> {
    const { dataTransfer } = event;
    if (!dataTransfer || !hasFiles(dataTransfer)) return;
    event.preventDefault();
    this.#show(false);
    this.#open(await dropped(dataTransfer));
  }
}

export const dropNote = ({ isOver }: DropArea): TemplateResult | typeof nothing =>
  isOver
    ? html`<div class="drop-note" aria-hidden="true"><p><strong>${t('Drop to open')}</strong>
      <span>${t('in this browser alone')}</span></p></div>`
    : nothing;
