//! Buttons that choose files, or a folder with all its files. They open the file dialog through a field that is not
//! shown, so that they look and work like other buttons.

import { html, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import type { Choice } from '../../source/files.ts';
import { choiceOfDialog } from './choice.ts';

/** The field of the last choice. Without this reference, some browsers discard the field before its `change` event. */
let field: HTMLInputElement | undefined;

function choose(isFolder: boolean, open: (choice: Choice) => void): void {
  field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.webkitdirectory = isFolder;
  field.addEventListener('change', () => open(choiceOfDialog(field?.files ?? null)));
  field.click();
}

export const fileButtons = (open: (choice: Choice) => void, text: string, isPrimary: boolean): TemplateResult =>
  html`<button type="button" class=${isPrimary ? 'primary' : ''} @click=${() => choose(false, open)}>${text}</button>
    <button type="button" @click=${() => choose(true, open)}>${t('A folder…')}</button>`;
