//! Makes the whole page a drop area for files, while a view that opens them is shown.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import type { Choice } from '../../source/files.ts';
import { choiceOfDrop, hasFiles } from './choice.ts';

export class DropArea {
  /** True while files are dragged over the page. */
  readonly isOver = signal(false);
  readonly #open: (choice: Choice) => void;
  readonly #listeners = new AbortController();

  constructor(open: (choice: Choice) => void) {
    this.#open = open;
    const { signal } = this.#listeners;
    addEventListener('dragover', (event) => this.#over(event), { signal });
    addEventListener('dragleave', (event) => this.#leave(event), { signal });
    addEventListener('drop', (event) => void this.#drop(event), { signal });
  }

  stop(): void {
    this.#listeners.abort();
  }

  #over(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    // Otherwise the browser opens the file itself in place of the page.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    this.isOver.value = true;
  }

  #leave({ relatedTarget }: DragEvent): void {
    if (relatedTarget === null) this.isOver.value = false;
  }

  async #drop(event: DragEvent): Promise<void> {
    const { dataTransfer } = event;
    if (!dataTransfer || !hasFiles(dataTransfer)) return;
    event.preventDefault();
    this.isOver.value = false;
    this.#open(await choiceOfDrop(dataTransfer));
  }
}

export const dropNote = ({ isOver }: DropArea): TemplateResult | typeof nothing =>
  isOver.value
    ? html`<div class="drop-note" aria-hidden="true"><p><strong>${t('Drop to open')}</strong>
      <span>${t('in this browser alone')}</span></p></div>`
    : nothing;
