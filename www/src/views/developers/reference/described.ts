//! Descriptions of the interface as they are shown: in the language of the page, with code and addresses marked. They
//! are written with two marks of Markdown alone: `code` and <https://…>.

import { html } from 'lit-html';
import { inPageLanguage } from './words.ts';

const MARKS = /`([^`]+)`|<(https?:\/\/[^>\s]+)>|(https?:\/\/[^\s,)]*[^\s,).])/g;

/** The content of a template for a description. */
export function described(text: string): unknown[] {
  const parts: unknown[] = [];
  let end = 0;
  const said = inPageLanguage(text);
  for (const found of said.matchAll(MARKS)) {
    const [whole, code, address, bare] = found;
    parts.push(said.slice(end, found.index));
    const url = address ?? bare;
    parts.push(code ? html`<code>${code}</code>` : html`<a href=${url} rel="noreferrer">${url}</a>`);
    end = found.index + whole.length;
  }
  parts.push(said.slice(end));
  return parts;
}

/** A description without its marks. */
export const plainText = (text: string): string => inPageLanguage(text).replace(MARKS, '$1$2$3');
