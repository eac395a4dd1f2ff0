//! Descriptions of the interface, which are in English. They have two marks of Markdown: `code` and <https://…>.
//! Addresses without marks become links too.

import { html, type TemplateResult } from 'lit-html';

const MARKS = /`([^`]+)`|<(https?:\/\/[^>\s]+)>|(https?:\/\/[^\s,)]*[^\s,).])/g;

/** Returns the content of a template for a text with marks. */
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

export const described = (text: string): TemplateResult => html`<span lang="en">${marked(text)}</span>`;
