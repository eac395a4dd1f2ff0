//! Descriptions of the interface, which are in English, with code and addresses marked. They are written with two marks
//! of Markdown alone: `code` and <https://…>.

import { html, type TemplateResult } from 'lit-html';

const MARKS = /`([^`]+)`|<(https?:\/\/[^>\s]+)>|(https?:\/\/[^\s,)]*[^\s,).])/g;

/** The content of a template for a text with marks. */
export function marked(text: string): unknown[] {
  const parts: unknown[] = [];
  let end = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, code, address, bare] = found;
    parts.push(text.slice(end, found.index));
    const url = address ?? bare;
    parts.push(code ? html`<code>${code}</code>` : html`<a href=${url} rel="noreferrer">${url}</a>`);
    end = found.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** A description. */
export const described = (text: string): TemplateResult => html`<span lang="en">${marked(text)}</span>`;

/** A description without its marks. */
export const plainText = (text: string): string => text.replace(MARKS, '$1$2$3');
